"""Test each form: the texts that it reads and refuses, which are equal, and what it shows."""

# ruff: noqa: RUF001 - digits of other scripts stand here to be refused
from __future__ import annotations

import pytest

from muster.values import FORMS, BadValue, parse_value

THIN = "\u202f"

# The tables below are packed by hand: one text a line would hide them behind their length.
# fmt: off
EQUAL = {
    "number": [("1.50", "1.5"), ("-0", "0"), ("3.0", "3")],
    "fraction": [("1/2", "2/4"), ("3/2", "1 1/2"), ("4/2", "2"), ("-0", "0/5"), ("0 1/2", "1/2")],
    "percent": [("25%", "25.0%")],
    "dice": [
        ("d6", "1d6"), ("D6", "d6"), ("d10+30", "30+d10"), ("d6*1", "d6"), ("d6+0", "d6"),
        ("d6-0", "d6"), ("2d6*10+5", "5+2d6*10"), ("d6*0.50", "d6*0.5"),
    ],
    "band": [("4-4", "4"), ("4 to 7", "4-7"), ("4.0-7.0", "4-7"), ("-3 to -3", "-3"), ("-0", "0")],
    "target": [("7+", "7.0+"), ("7-", "7.0-")],
    "distance": [
        ("1.5cm", "15mm"), ("15.0cm", "15cm"), ("30+d10cm", "d10+30cm"), ("d6cm", "d6*10mm"),
        ('6.0"', '6"'),
    ],
    "range": [
        ("1-2cm", "10-20mm"), ("up to 1.5cm", "up to 15mm"), ("15-15cm", "15cm"),
        ("30+cm", "30cm+"), ("3cm+", "30mm+"),
    ],
    "angle": [("45°", "45.0°")],
    "modifier": [("+0", "0"), ("-0", "0"), ("+d6", "+1d6"), ("+2.0", "+2"), ("+1+d6", "+d6+1")],
    "count": [("4-4 stands", "4 stands"), ("2.0 dice", "2 dice"), ("3 to 4 men", "3-4 men")],
    "cost": [
        ("3 per stand", "3.00 per stand"), ("3 per stand", "+3 per stand"),
        ("1 per 1 stand", "1 per stand"), ("1 per cm", "1 per 1cm"), ("free", "0"), ("-0", "0"),
    ],
    "text": [(" Falls back. ", "Falls back.")],
}

DIFFERENT = {
    "number": [("1", "-1"), ("1", "1.1")],
    "fraction": [("1/2", "-1/2"), ("1/8", "1/4")],
    "percent": [("25%", "2.5%")],
    "dice": [("d6", "2d6"), ("d6", "d8"), ("d6+1", "d6-1"), ("d6*2", "2d6")],
    "band": [
        ("up to 15", "under 15"), ("over 30", "30+"), ("4-7", "over 4 to 7"),
        ("4-7", "4 to under 7"), ("8", "8+"), ("-4", "up to -4"),
    ],
    "target": [("7+", "7-"), ("7+", "6+")],
    "distance": [('15"', "15cm"), ("15cm", "15mm"), ("d6cm", "6cm"), ("d6cm", 'd6"')],
    "range": [("1-2cm", '1-2"'), ("1-2cm", "1-2mm"), ("15cm", "up to 15cm"), ("3cm+", "over 3cm")],
    "angle": [("45°", "90°")],
    "modifier": [("+1", "-1"), ("+d6", "-d6"), ("+6", "+d6")],
    "count": [("2 dice", "2 stands"), ("3 stands", "3-4 stands"), ("3 stands", "3+ stands")],
    "cost": [
        ("3", "3 per stand"), ("3 per stand", "3 per gun"), ("3 per stand", "3 per 2 stand"),
        ("1 per 4cm", "1 per 4mm"), ("3 per stand", "-3 per stand"),
    ],
    "text": [("Falls back.", "falls back."), ("**a**", "a")],
}

FOREIGN = [
    "٣", "३", "３", "²", "½", "Ⅷ", "", " ", "−2", "\ud800", "\x00", "1\n2", "1 2",
]
"""What no form but `text` reads: digits of other scripts, typeset signs, nothing, controls."""

INVALID = {
    "number": [
        "+1", "010", "1_000", "1e3", ".5", "1.", "0x1F", "--1", "1,5", "NaN", "-", "∞",
        "1234567890", "123456789.1", "0.123456789", "12345.67890",
    ],
    "fraction": [
        "1/0", "1/", "/2", "1 3/2", "1 2/2", "01/2", "1  1/2", "1 -1/2", "1.5", "+1/2",
        "1/1234567890", "1 0/2", "1 1", "--1/2",
    ],
    "percent": ["25", "%", "25 %", "-5%", "+5%", "025%", "25%%", "٢%"],
    "dice": [
        "2d6++1", "d", "d1", "0d6", "21d6", "d101", "d6*0", "1+d6+1", "6", "d6*-1", "d6*", "dd6",
        "d06", "02d6", "d6 + 1", "2x6", "d٦", "-d6", "+d6", "d6+1234567890", "d6*10*10", "d6-1*2",
    ],
    "band": [
        "9-4", "over 4 to 4", "4 to under 4", "-5--4", "-5-4", "4-", "-", "+4", "4..7", "4 - 7",
        "up to", "over", "4 to", "to 4", "Up to 4", "up  to 4", "under over 4", "04-07", "4-7-9",
        "over 4+", "over 4-7", "٤-٧", "1234567890", "4–7", "-4 to -5",
    ],
    "target": ["7", "+7", "-7", "7++", "7+-", "07+", "7 +", "-1+", "٧+"],
    "distance": [
        "15", "cm", "15 cm", "-2cm", "+2cm", "15CM", "15m", "15in", "6″", "6''", "2d6++1cm",
        "21d6cm", "d6", "16-30cm", "15cmm", "٣cm", "015cm", '6""', "15 mm",
    ],
    "range": [
        "16-30", "cm", "16-30 cm", "30-16cm", "16cm-30cm", "-5 to -4cm", "under 0cm", "d6cm",
        "up to -1cm", "over 30 to 30cm", "30+cm+", "30cm++", "-1cm+", "16–30cm", "٣-٤cm", "+",
        "+cm",
    ],
    "angle": ["45", "°", "-45°", "361°", "45 °", "045°", "45º", "٤°"],
    "modifier": [
        "2", "++2", "+", "+-2", "2+", "d6", "-d6+1", "+2 cm", "2cm", "+cm", "+01", "−1", "+ 2",
        "+21d6", "+d6++1", "+٣", "00", "-(d6)", "+(d6+1)", "(d6+1)", "-(2)", "-(d6+1", "-(21d6+1)",
    ],
    "count": [
        "2", "dice", "2dice", "2  dice", "-2 dice", "9-4 dice", "2 d6", "2 ½", "two dice",
        "-5 to -4 dice", "up to -1 dice", "2 dice!", "2 -dice", "2 dice-", "2 x²", "٢ dice",
        "02 dice", "2 dice\n3 dice", "++ dice", "+2 dice",
    ],
    "cost": [
        "+3", "3 per", "per stand", "3 per stand per gun", "3per stand", "3 per 0 stands",
        "1 per 0cm", "1 per 4 cm", "Free", "free per stand", "3 per ½", "03", "3.", "--3",
        "3 points", '3 per "', "3 per -1cm", "٣ per stand", "3 per st4nd", "1 per 4in2", "3 per 2",
    ],
    "text": ["", " ", "\n", "x" * 4001],
}

SHOWN = {
    "number": [
        ("-2", "−2"), ("1.5", "1½"), ("0.25", "¼"), ("3.75", "3¾"), ("-0.5", "−½"), ("1.2", "1.2"),
        ("0", "0"), ("100", "100"), ("0.125", "0.125"),
    ],
    "fraction": [
        ("1 1/2", "1½"), ("1/8", "1/8"), ("2/8", "1/4"), ("-3/4", "−3/4"), ("-1/8", "−1/8"),
        ("1 1/8", "1 1/8"), ("3", "3"),
    ],
    "percent": [("25%", "25%"), ("12.5%", "12½%")],
    "dice": [
        ("2d6+1", "2D6 + 1"), ("d4-1", "D4 − 1"), ("d6*10", "D6 × 10"), ("d6*0.5", "D6 × ½"),
        ("d6", "D6"), ("30+d10", "D10 + 30"), ("d6*10+1.5", "D6 × 10 + 1½"),
    ],
    "band": [
        ("4-7", "4–7"), ("-5 to -4", "−5 to −4"), ("-1 to 2", "−1 to 2"), ("8", "8"), ("-8", "−8"),
        ("11+", "11+"), ("up to -4", "up to −4"), ("under 15", "under 15"), ("over 30", "over 30"),
        ("over 30 to 55", "over 30 to 55"), ("0.5-1.5", "½–1½"), ("4 to under 7", "4 to under 7"),
        ("over 4 to under 7", "over 4 to under 7"),
    ],
    "target": [("7+", "7+"), ("7-", "7 or less")],
    "distance": [
        ("15cm", f"15{THIN}cm"), ('6"', "6″"), ("d10+30cm", f"D10 + 30{THIN}cm"),
        ("d6*10cm", f"D6 × 10{THIN}cm"), ("40mm", f"40{THIN}mm"), ('1.5"', "1½″"),
    ],
    "range": [
        ("16-30cm", f"16–30{THIN}cm"), ("up to 15cm", f"up to 15{THIN}cm"), ('6-9"', "6–9″"),
        ("30cm+", f"30{THIN}cm+"), ("over 30 to 55cm", f"over 30 to 55{THIN}cm"),
    ],
    "angle": [("45°", "45°"), ("22.5°", "22½°")],
    "modifier": [
        ("+2", "+2"), ("-1", "−1"), ("0", "0"), ("+d6", "+D6"), ("-2d6", "−2D6"), ("+0.5", "+½"),
        ("-0.25", "−¼"), ("+d6+1", "+D6 + 1"), ("-(d6+2)", "−(D6 + 2)"), ('+1"', "+1″"),
        ("-2d6cm", f"−2D6{THIN}cm"), ('-(3d6+3)"', "−(3D6 + 3)″"),
    ],
    "count": [("2 dice", "2 dice"), ("3-4 stands", "3–4 stands"), ("1.5 stands", "1½ stands")],
    "cost": [
        ("25", "25"), ("3.75 per stand", "3¾ per stand"), ("+0.25 per stand", "+¼ per stand"),
        ("-0.5 per stand", "−½ per stand"), ("free", "free"), ("1 per 4cm", f"1 per 4{THIN}cm"),
        ("30 per gun", "30 per gun"), ('1 per 4"', "1 per 4″"),
        ("1 per 2 stands", "1 per 2 stands"), ("+10 per wood", "+10 per wood"), ("-5", "−5"),
        ("0", "0"),
    ],
    "text": [
        ("**Bold** and *lean*", "Bold and lean"), ("***both***", "both"), ("5 * 3", "5 * 3"),
        ("**a *b* c**", "a b c"), ("no*", "no*"), ("6–9, −2", "6–9, −2"),
    ],
}

WRITTEN = {
    "number": [("1.50", "1.5"), ("-0", "0"), ("0.00000001", "0.00000001"), ("100", "100")],
    "fraction": [("3/2", "1 1/2"), ("2/4", "1/2"), ("-3/2", "-1 1/2")],
    "dice": [("1D6", "d6"), ("30+d10", "d10+30"), ("d6*10-1.0", "d6*10-1")],
    "band": [("4 to 7", "4-7"), ("4-4", "4"), ("-3 to -3", "-3"), ("-1+", "-1+")],
    "distance": [("30+d10cm", "d10+30cm"), ("1.50cm", "1.5cm")],
    "range": [("30+cm", "30cm+"), ("16 to 30cm", "16-30cm")],
    "modifier": [("+0", "0"), ("-1d6", "-d6"), ("-(2+d6)cm", "-(d6+2)cm")],
    "count": [("4-4 stands", "4 stands"), ("3+ stands", "3+ stands")],
    "cost": [
        ("1 per 1 stand", "1 per stand"), ("1 per cm", "1 per 1cm"), ("free", "free"),
        ("+0.250 per stand", "+0.25 per stand"), ("+0 per stand", "+0 per stand"),
    ],
}
# fmt: on


def each(table: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    return [(form, a, b) for form, pairs in table.items() for a, b in pairs]


@pytest.mark.parametrize("table", [EQUAL, DIFFERENT, INVALID, SHOWN])
def test_every_form_has_its_lists(table: dict[str, object]) -> None:
    assert set(table) == set(FORMS)


@pytest.mark.parametrize(("form", "one", "other"), each(EQUAL))
def test_texts_of_one_meaning_are_equal_values(form: str, one: str, other: str) -> None:
    first, second = parse_value(form, one), parse_value(form, other)

    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize(("form", "one", "other"), each(DIFFERENT))
def test_texts_of_two_meanings_are_different_values(form: str, one: str, other: str) -> None:
    assert parse_value(form, one) != parse_value(form, other)


@pytest.mark.parametrize("form", FORMS)
def test_no_value_equals_its_text(form: str) -> None:
    text = SHOWN[form][0][0]
    value: object = parse_value(form, text)

    assert value != text


@pytest.mark.parametrize(
    ("form", "text"), [(form, text) for form, texts in INVALID.items() for text in texts]
)
def test_a_form_refuses_what_is_none_of_its_values(form: str, text: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_value(form, text)

    assert caught.value.expected
    assert caught.value.example


@pytest.mark.parametrize("form", [form for form in FORMS if form != "text"])
@pytest.mark.parametrize("text", [*FOREIGN, "1" * 61, "(" * 60, " " * 60 + "1"])
def test_typed_forms_refuse_foreign_digits_controls_and_length(form: str, text: str) -> None:
    with pytest.raises(BadValue):
        parse_value(form, text)


@pytest.mark.parametrize(("form", "text", "shown"), each(SHOWN))
def test_a_page_shows_true_signs(form: str, text: str, shown: str) -> None:
    assert parse_value(form, text).show() == shown


@pytest.mark.parametrize(("form", "text", "written"), each(WRITTEN))
def test_values_are_written_in_one_way(form: str, text: str, written: str) -> None:
    assert str(parse_value(form, text)) == written


@pytest.mark.parametrize(("form", "text", "_shown"), each(SHOWN))
def test_what_is_written_reads_as_the_same_value(form: str, text: str, _shown: str) -> None:
    value = parse_value(form, text)

    again = parse_value(form, str(value))

    assert again == value
    assert again.show() == value.show()


@pytest.mark.parametrize("form", FORMS)
def test_every_example_in_a_message_is_true(form: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_value(form, "")

    for example in caught.value.example.replace(" or ", ", ").split(", "):
        assert str(parse_value(form, example)) == example


@pytest.mark.parametrize("form", FORMS)
def test_white_space_around_a_value_does_not_count(form: str) -> None:
    text = SHOWN[form][0][0]

    assert parse_value(form, f" {text}\t") == parse_value(form, text)


def test_bonus_in_a_column_of_costs_is_told_of_the_form_of_bonuses() -> None:
    with pytest.raises(BadValue, match="`form: modifier`"):
        parse_value("cost", "+80")

    assert str(parse_value("modifier", "+80")) == "+80"
