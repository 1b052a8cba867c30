"""The unit of a timeline's times, set by hand."""

from __future__ import annotations

from app.language import tr
from app.profile.file_state import ChosenName, ChosenUnit
from app.window.command import Command, CommandContext

PLACE = "time_unit"
UNIT = tr("Time unit")
WORDS = ("microseconds", "nanoseconds", "clock", "frequency", "settings", "set by hand")


def _can_choose(context: CommandContext) -> bool:
    profile = context.document.profile
    return profile is not None and profile.timeline is not None and profile.timeline.basis != "format"


def _unit(context: CommandContext) -> str:
    profile = context.document.profile
    return "" if profile is None or profile.timeline is None else profile.timeline.unit


def _set(context: CommandContext, unit: ChosenUnit | None) -> None:
    entry = context.document.current_id
    if entry is not None:
        _set_of(context, entry, unit)


def _set_of(context: CommandContext, entry: int, unit: ChosenUnit | None) -> None:
    """Sets the unit of an open profile; nothing if it was closed."""
    if context.document.entry(entry) is not None:
        context.document.time_units.set(entry, unit)
        context.refresh_soon()


def _by_hand(context: CommandContext) -> bool:
    entry = context.document.current_id
    return entry is not None and context.document.time_units.of(entry) is not None


def _can_undo(context: CommandContext) -> bool:
    entry = context.document.current_id
    return entry is not None and context.document.time_units.can_undo(entry)


def _undo(context: CommandContext) -> None:
    entry = context.document.current_id
    if entry is not None:
        context.document.time_units.undo(entry)
        context.refresh_soon()


def _ask_clock(context: CommandContext) -> None:
    from app.window.input_dialogs import ask_clock

    entry = context.document.current
    if entry is not None:  # another profile may be the current one when the user answers
        ask_clock(context.main, entry.profile, lambda clock: _set_of(context, entry.id, ChosenUnit("cycles", clock)))


def _seconds(name: str, unit: ChosenName, text: str, *, separator: bool = False) -> Command:
    return Command(
        f"timeline.unit_{name}",
        text,
        "View",
        lambda context: _set(context, ChosenUnit(unit)),
        enabled=_can_choose,
        checked=lambda context: _unit(context) == unit,
        places=(PLACE,),
        submenu=UNIT,
        separator=separator,
        words=WORDS,
        help=tr("Traces do not state their time unit. Your choice is saved for this file."),
    )


COMMANDS: tuple[Command, ...] = (
    _seconds("us", "µs", tr("Set time unit to microseconds (µs)"), separator=True),
    _seconds("ns", "ns", tr("Set time unit to nanoseconds (ns)")),
    Command(
        "timeline.unit_cycles",
        tr("Set time unit to clock cycles…"),
        "View",
        _ask_clock,
        enabled=_can_choose,
        checked=lambda context: _unit(context) == "cycles",
        places=(PLACE,),
        submenu=UNIT,
        words=WORDS,
        help=tr("Asks for the clock frequency; suggests that of the profile."),
    ),
    Command(
        "timeline.unit_reset",
        tr("Reset time unit"),
        "View",
        lambda context: _set(context, None),
        enabled=_by_hand,
        places=(PLACE,),
        submenu=UNIT,
        separator=True,
        words=WORDS,
        help=tr("Restores the unit of the file type: microseconds, or cycles for device records."),
    ),
    Command(
        "timeline.unit_undo",
        tr("Undo time unit"),
        "View",
        _undo,
        enabled=_can_undo,
        places=(PLACE,),
        submenu=UNIT,
        words=WORDS,
        help=tr("Restores the unit before the last change."),
    ),
)
