"""Tests of SVG from strangers: what passes is written anew, all else is refused at its place."""

from __future__ import annotations

import pytest

from muster.limits import MAX_DRAWING_DEPTH, MAX_DRAWING_ELEMENTS
from muster.problems import MusterError, Problem
from muster.systems.svg_pictures import clean_svg

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' viewBox="0 0 30 20">'
)


def cleaned(body: str, head: str = HEAD) -> str:
    return clean_svg(f"{head}{body}</svg>", "a.svg").data.decode()


def problem_of(text: str) -> Problem:
    with pytest.raises(MusterError) as caught:
        clean_svg(text, "a.svg")
    (problem,) = caught.value.problems
    return problem


def test_shapes_groups_and_gradients_are_kept() -> None:
    body = (
        '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient>'
        '<radialGradient id="b" href="#a"></radialGradient></defs>'
        '<g transform="translate(1 2)"><path d="M0 0h9v9z" fill="url(#a)"></path></g>'
    )

    assert cleaned(body) == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" width="30" height="20">'
        f"{body}</svg>"
    )


def test_notes_of_drawing_programs_are_left_out() -> None:
    body = (
        "<title>A</title><metadata><x:RDF xmlns:x='urn:x'><x:Work about=''/></x:RDF></metadata>"
        "<!-- a comment --><i:view xmlns:i='urn:i' i:zoom='2'/>"
        "<g xmlns:i='urn:i' i:label='Layer' class='x'><rect width='9' height='9'"
        " style='fill:#fff;font-family:serif'/></g>"
    )

    assert cleaned(body).endswith(
        'height="20"><g><rect width="9" height="9" fill="#fff"></rect></g></svg>'
    )


@pytest.mark.parametrize(
    ("head", "size"),
    [
        ('viewBox="0 0 30 20"', (30, 20)),
        ('viewBox="-5,-5,30.5,20" width="100%"', (30.5, 20)),
        ('width="30px" height="20"', (30, 20)),
    ],
)
def test_size_is_that_of_the_view_box(head: str, size: tuple[float, float]) -> None:
    svg = clean_svg(f'<svg xmlns="http://www.w3.org/2000/svg" {head}/>', "a.svg")

    assert (svg.width, svg.height) == size


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<script>alert(1)</script>", "'script'"),
        ("<x:y xmlns:x='urn:x'><script/></x:y>", "'script'"),
        ("<style>@import url(http://x/)</style>", "presentation attributes"),
        ("<text>A</text>", "turn text into paths"),
        ("<image href='a.png'/>", "'image'"),
        ("<use href='#a'/>", "turn clones into shapes"),
        ("<foreignObject/>", "'foreignObject'"),
        ("<a href='http://x/'><path d='M0 0'/></a>", "'a'"),
        ("<animate attributeName='x'/>", "'animate'"),
        ("<filter id='f'/>", "'filter'"),
        ("<clipPath id='c'/>", "'clipPath'"),
        ("<pattern id='p'/>", "'pattern'"),
        ("<svg/>", "'svg'"),
        ("<g onclick='x'/>", "the attribute 'onclick'"),
        ("<g filter='url(#f)'/>", "the attribute 'filter'"),
        ("<g clip-path='url(#f)'/>", "the attribute 'clip-path'"),
        ("<g style='mask:url(#m)'/>", "the attribute 'mask'"),
        ("<g fill='url(http://x/#a)'/>", "read 'url(http://x/#a)'"),
        ("<g fill='url( #a)'/>", "read 'url( #a)'"),
        ("<g fill='u\\72l(#a)'/>", "expected a value without addresses"),
        ("<g style='fill:url(\"http://x/\")'/>", "expected a value without addresses"),
        ("<g style='stroke:url(//x/a)'/>", "expected a value without addresses"),
        ("<g transform='rotate(a)'/>", "transform: read 'rotate(a)', expected a value such as 'ro"),
        ("<g transform='rotate(1) url(#a)'/>", "transform: read"),
        ("<g opacity='x'/>", "opacity: read 'x', expected a value such as '1.5'"),
        ("<g style='stroke-width:wide'/>", "stroke-width: read 'wide'"),
        ("<linearGradient id='a' xlink:href='http://x/#b'/>", "href: read 'http://x/#b'"),
        ("<path d='M0 0' xlink:href='#b'/>", "href: read '#b'"),
        ("<path d='M0 0h99999999'/>", "d: read 'M0 0h99999999'"),
        ("<path d='M0 0h1e99'/>", "d: read 'M0 0h1e99'"),
        ("<?xml-stylesheet href='a.css'?>", "the instruction 'xml-stylesheet'"),
        ("<g>" * MAX_DRAWING_DEPTH + "</g>" * MAX_DRAWING_DEPTH, "at most 40 deep"),
        ("<g/>" * MAX_DRAWING_ELEMENTS, "at most 1000 elements"),
        ("<g", "cannot be read as XML: "),
        ("<g>&lots;</g>", "cannot be read as XML: undefined entity"),
    ],
)
def test_all_else_is_refused_at_its_place(body: str, told: str) -> None:
    problem = problem_of(f"{HEAD}\n {body}</svg>")

    assert told in problem.text
    assert (problem.location.file, problem.location.line) == ("a.svg", 2)


def test_address_in_a_style_without_effect_is_left_out() -> None:
    assert cleaned("<g style='background:url(//x/a);fill:#fff'/>").endswith(
        '<g fill="#fff"></g></svg>'
    )


@pytest.mark.parametrize(
    "transform",
    [
        "",
        "translate(1-2)",
        "matrix(1 0 0 -1.5.5,3) rotate(45, 1, 2)",
        " scale( 2 ) , skewX(-.5e-3)",
    ],
)
def test_transforms_as_programs_write_them_are_kept(transform: str) -> None:
    assert f'<g transform="{transform}">' in cleaned(f"<g transform='{transform}'/>")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "read a document type"),
        ("<html/>", "read the element 'html'"),
        ("<svg/>", "read the element 'svg', expected `<svg xmlns="),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "expected a viewBox such as '0 0 120 80'"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 9"/>', "read '0 0 0 9'"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 1e9"/>', "read '0 0 9 1e9'"),
        (HEAD.replace("<svg", "<svg onload='x'") + "</svg>", "the attribute 'onload'"),
    ],
)
def test_root_is_checked_too(text: str, told: str) -> None:
    assert told in problem_of(text).text
