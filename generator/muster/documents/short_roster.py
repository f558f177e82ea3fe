"""The short forms of a roster, each shorter than the one before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from muster.documents.roster import (
    Roster,
    RosterEntry,
    RosterSection,
    format_points,
    read_points,
)
from muster.languages import say, say_number
from muster.limits import MAX_ROSTER_BOXES


def join_equal_units(roster: Roster) -> Roster:
    """Return a roster without arithmetic, notes and pictures, with equal units joined."""
    bare = [_bare(section) for section in roster.sections]
    sections = tuple(_join_entries(section, _likeness) for section in bare)
    return replace(roster, sections=sections, picture=None, pictures=())


def lead_headings(roster: Roster) -> Roster:
    """Return a short roster in which leaders share the line of what they command."""
    joined = join_equal_units(roster)
    return replace(joined, sections=tuple(map(_lead_heading, joined.sections)))


def lead_lines(roster: Roster) -> Roster:
    """Return a full roster in which leaders share the line of what they command.

    A leader who has notes or a picture keeps a line of their own, and below a heading also one who
    has a price, unless they are alone.
    """
    sections = (_lead_heading(section, in_full=True) for section in roster.sections)
    return replace(roster, sections=tuple(sections))


def put_boxes_below(roster: Roster) -> Roster:
    """Return a roster with strengths and boxes below the values, so that names have more room."""
    return replace(roster, losses_below=True)


def shorten(roster: Roster) -> Roster:
    """Return a roster to be read at a glance: a line a unit, with what opponents ask of it."""
    return _glance(lead_headings(roster))


def leave_out_groups(roster: Roster) -> Roster:
    """Return one without the heads of groups that say nothing but at which losses they test."""
    led = lead_headings(roster)
    sections = (replace(section, entries=_unmarked(section.entries)) for section in led.sections)
    return _glance(replace(led, sections=tuple(sections)))


def sign(roster: Roster, *, ruled_groups: bool = True) -> Roster:
    """Return a roster for a tournament: a line a unit with its price, no boxes to write in.

    Sizes are numbers without their nouns, so that names have the room.

    Args:
        roster: The full roster.
        ruled_groups: Whether groups of which a rule speaks have their heads, so that it is seen
            whether they keep it.
    """
    led = without_losses(_keep_short_columns(lead_headings(roster)))
    sections = (
        _drop_plain_groups(_drop_blank_facts(section), keep_ruled=ruled_groups)
        for section in led.sections
    )
    return replace(led, sections=tuple(map(_with_bare_sizes, sections)), sizes=say("Size"))


def share_lines(roster: Roster) -> Roster:
    """Return one in which units of a command that differ only in name share a line, too."""
    led = lead_headings(roster)
    sections = (
        _join_entries(replace(section, entries=_unmarked(section.entries)), _nameless)
        for section in led.sections
    )
    return _glance(replace(led, sections=tuple(sections)))


def run_on(roster: Roster) -> Roster:
    """Return a short roster in which the units of each command are running text, without values.

    Findings keep what was found and how it is put right.
    """
    shared = share_lines(roster)
    return replace(
        shared,
        keys=(),
        sections=tuple(replace(section, keys=(), is_running=True) for section in shared.sections),
        findings=tuple(replace(finding, rule="") for finding in shared.findings),
        books=(),
    )


def count_units(roster: Roster) -> Roster:
    """Return a short roster that says of each command how many units it has, and not which."""
    shared = share_lines(roster)
    left_out = say("The full roster lists the units of each command.")
    if shared.findings:
        left_out = say_number(
            "The full roster lists the units of each command and the {n} finding of the verdict.",
            "The full roster lists the units of each command and the {n} findings of the verdict.",
            len(shared.findings),
        )
    return replace(
        shared,
        keys=(),
        sections=tuple(_count_section(section) for section in shared.sections),
        findings=(),
        books=(),
        left_out=left_out,
    )


def without_losses(roster: Roster) -> Roster:
    """Return a roster without boxes for losses, and without what marks them."""
    sections = (
        replace(
            section,
            marks=None,
            entries=tuple(
                replace(entry, boxes=0, losses_of=0, tallies=(), marks=None)
                for entry in section.entries
            ),
        )
        for section in roster.sections
    )
    return replace(roster, sections=tuple(sections))


def first_commands(roster: Roster, number: int) -> Roster:
    """Return a roster with no more than its first commands, which says how many it leaves out."""
    others = len(roster.sections) - number
    if others <= 0:
        return roster
    more = say_number(
        "{n} further command stands on the full roster.",
        "{n} further commands stand on the full roster.",
        others,
    )
    left_out = f"{more} {roster.left_out}"
    return replace(roster, sections=roster.sections[:number], left_out=left_out)


SHORT_FORMS: tuple[Callable[[Roster], Roster], ...] = (
    shorten,
    leave_out_groups,
    share_lines,
    run_on,
    count_units,
)
"""The short forms, the fullest first."""


def _glance(roster: Roster) -> Roster:
    """Return a roster with the values that opponents ask for; prices are those of commands.

    Sizes are numbers without their nouns, and findings keep their message.
    """
    kept = _keep_short_columns(roster)
    sections = []
    for section in map(_drop_plain_groups, kept.sections):
        entries = (replace(entry, points="") for entry in section.entries)
        sections.append(replace(section, entries=tuple(map(_with_bare_size, entries))))
    findings = tuple(replace(finding, rule="", remedy="", found="") for finding in kept.findings)
    return replace(kept, sections=tuple(sections), findings=findings, books=(), sizes=say("Size"))


def _drop_blank_facts(section: RosterSection) -> RosterSection:
    """Return a section without facts to be filled in, or only asked in play."""
    led_by = section.led_by and _without_blanks(section.led_by)
    return replace(section, entries=tuple(map(_without_blanks, section.entries)), led_by=led_by)


def _without_blanks(entry: RosterEntry) -> RosterEntry:
    facts = tuple(row for row in entry.facts if not row.is_empty)
    return replace(
        entry, facts=facts, play_facts=(), led_by=entry.led_by and _without_blanks(entry.led_by)
    )


def _unmarked(entries: tuple[RosterEntry, ...]) -> tuple[RosterEntry, ...]:
    """Return entries in which groups have no marks of losses."""
    return tuple(replace(each, marks=None) if each.kind == "group" else each for each in entries)


def _with_bare_size(entry: RosterEntry) -> RosterEntry:
    """Return an entry with its size apart from its noun, if it is a unit."""
    if entry.kind != "unit":
        return entry
    size, _, noun = entry.strength.partition(" ")
    return replace(entry, strength=size, noun=noun)


def _with_bare_sizes(section: RosterSection) -> RosterSection:
    """Return a section whose units have sizes without nouns: `2 × 4` of two units of four."""
    entries = []
    for entry in map(_with_bare_size, section.entries):
        several = entry.kind == "unit" and entry.count > 1 and entry.strength
        size = f"{entry.count}\u00a0×\u00a0{entry.strength}" if several else entry.strength
        entries.append(replace(entry, noun="", strength=size))
    return replace(section, entries=tuple(entries))


def _keep_short_columns(roster: Roster) -> Roster:
    """Return a roster with the columns of short rosters alone, or all if none is named so."""
    if not any(key.short for key in roster.keys):
        return roster
    sections = []
    for section in roster.sections:
        places = [place for place, key in enumerate(section.keys) if key.short]
        entries = tuple(
            replace(entry, values=tuple(entry.values[place] for place in places if entry.values))
            for entry in section.entries
        )
        keys = tuple(section.keys[place] for place in places)
        sections.append(replace(section, keys=keys, entries=entries))
    keys = tuple(key for key in roster.keys if key.short)
    return replace(roster, keys=keys, sections=tuple(sections))


def _drop_plain_groups(section: RosterSection, *, keep_ruled: bool = False) -> RosterSection:
    """Return a section without the heads of its groups, if none has a leader or a fact of its own.

    Those of which a rule speaks are kept on demand.

    Where one has, all stay: a unit below it would seem to be of that group.
    """
    groups = [entry for entry in section.entries if entry.kind == "group"]
    if any(group.led_by or group.facts or group.faulty or group.marks for group in groups):
        return section
    if keep_ruled and any(group.is_ruled for group in groups):
        return section
    units = (replace(entry, depth=0) for entry in section.entries if entry.kind != "group")
    return replace(section, entries=tuple(units) if groups else section.entries)


def _bare(section: RosterSection) -> RosterSection:
    entries = tuple(replace(entry, how="", notes="", picture=None) for entry in section.entries)
    return replace(section, entries=entries, notes="")


def _likeness(entry: RosterEntry) -> RosterEntry:
    """Return what equal units have in common: all but their count, points and ticks."""
    return replace(entry, count=1, points="", tick_names=())


def _nameless(entry: RosterEntry) -> RosterEntry:
    """Return what units have in common that differ in their names only."""
    return replace(_likeness(entry), name="" if entry.type else entry.name)


def _join_entries(
    section: RosterSection, likeness: Callable[[RosterEntry], RosterEntry]
) -> RosterSection:
    """Join the units that are alike within the same group of a section."""
    kept: list[RosterEntry] = []
    places: dict[RosterEntry, int] = {}
    for entry in section.entries:
        if entry.kind != "unit":
            places.clear()
            kept.append(entry)
            continue
        key = likeness(entry)
        place = places.get(key)
        joined = None if place is None else _join_two(kept[place], entry)
        if place is None or joined is None:
            places[key] = len(kept)
            kept.append(entry)
        else:
            kept[place] = joined
    return replace(section, entries=tuple(kept))


def _join_two(first: RosterEntry, second: RosterEntry) -> RosterEntry | None:
    """Return two units as one entry; None if their points cannot be added or boxes be printed."""
    count = first.count + second.count
    if first.box_count * count > MAX_ROSTER_BOXES:
        return None
    points = _add_points(first.points, second.points)
    if points is None:
        return None
    names = first.name
    if second.name not in first.name.split(", "):
        names = f"{first.name}, {second.name}"
    ticks = first.tick_names + second.tick_names
    return replace(first, name=names, count=count, points=points, tick_names=ticks)


def _add_points(first: str, second: str) -> str | None:
    """Return the sum of two prices; None if one of them is not fully known."""
    numbers = [read_points(text) for text in (first, second) if text]
    if any(number is None for number in numbers):
        return None
    return format_points(sum(filter(None, numbers), Decimal(0))) if numbers else ""


def _lead_heading(section: RosterSection, *, in_full: bool = False) -> RosterSection:
    """Put the leader who follows a heading, or the head of a group, into its line.

    Args:
        section: The section.
        in_full: Whether leaders whose price, notes or picture would be lost keep their own line,
            and those of a section that has more than one.
    """
    leaders = [entry for entry in section.entries if entry.kind == "leader" and not entry.depth]
    is_alone = len(section.entries) == 1
    shares_heading = len(leaders) == 1 and (not in_full or is_alone or not leaders[0].points)
    entries: list[RosterEntry] = []
    led_by = section.led_by
    for place, entry in enumerate(section.entries):
        if in_full and (entry.notes or entry.picture):
            entries.append(entry)
        elif entry.kind == "leader" and place == 0 and shares_heading:
            led_by = entry
        elif _heads_group(entries, entry):
            entries[-1] = replace(entries[-1], led_by=entry, points=entry.points)
        else:
            entries.append(entry)
    return replace(section, led_by=led_by, entries=tuple(entries))


def _heads_group(entries: list[RosterEntry], leader: RosterEntry) -> bool:
    """Return whether an entry is a leader, and the one before it the group they command."""
    before = entries[-1] if entries else None
    return (
        leader.kind == "leader"
        and before is not None
        and before.kind == "group"
        and before.led_by is None
        and before.depth == leader.depth - 1
    )


def _count_section(section: RosterSection) -> RosterSection:
    """Return a section with the number of its units and of its leaders in place of them."""
    units = sum(entry.count for entry in section.entries if entry.kind == "unit")
    others = sum(entry.count for entry in section.entries if entry.kind in {"leader", "work"})
    texts = [
        *([say_number("{n} unit", "{n} units", units)] if units else []),
        *([say_number("{n} leader or work", "{n} leaders and works", others)] if others else []),
    ]
    said = ", ".join(texts)
    return replace(section, entries=(), keys=(), marks=None, is_running=True, notes=said)
