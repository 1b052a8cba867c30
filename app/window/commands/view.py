"""Display: panels, theme, texts, language, units, full screen; the unit of times of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from app import preferred_language
from app.language import tr
from app.preferred_language import LanguageChoice
from app.profile.file_state import ChosenName, ChosenUnit
from app.window.appearance import stepped
from app.window.command import CURRENT, FOCUSED_PANEL, UNITS, Command, CommandContext, Subject
from app.window.going import DETAILS
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.window.dock import Dock
    from app.window.settings import ThemeChoice


OPEN_PANEL: Subject[Dock] = Subject(
    lambda context: None if (dock := FOCUSED_PANEL.find(context)) is None or dock.isHidden() else dock
)
APPEARANCE = tr("Appearance")
TIME_UNIT = "time_unit"
UNIT_WORDS = ("microseconds", "nanoseconds", "clock", "frequency", "settings", "set by hand")
TIMELINE = Subject(lambda context: None if context.document.profile is None else context.document.profile.timeline)


def _toggle_details(context: CommandContext) -> None:
    if context.docks is not None:
        context.docks.toggle(DETAILS)


def _has_details(context: CommandContext) -> bool:
    return context.docks is not None and DETAILS in context.docks.offered


def _reset_layout(context: CommandContext) -> None:
    if context.docks is not None:
        context.docks.reset()


def _theme(name: ThemeChoice, text: str, *words: str) -> Command:
    return Command(
        f"view.theme_{name}",
        text,
        "View",
        lambda context: context.choose(theme=name),
        checked=lambda context: context.settings.value.theme == name,
        submenu=APPEARANCE,
        words=("theme", f"{name} mode", "colours", "colors", "appearance", *words),
        separator=name == "system",
    )


def _open_context_menu(_: CommandContext) -> None:
    """Asks for the menu as the menu key does, which not all keyboards have; Qt itself knows Shift+F10 on Windows
    only."""
    focus = QApplication.focusWidget()
    place = None if focus is None else focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
    if focus is not None and isinstance(place, QRect | QRectF):
        point = QRectF(place).center().toPoint()
        keyboard = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(focus, QContextMenuEvent(keyboard, point, focus.mapToGlobal(point)))


def _resize_texts(context: CommandContext, direction: int) -> None:
    context.choose(text_size=stepped(context.settings.value.text_size, direction))


def _can_resize(context: CommandContext, direction: int) -> bool:
    size = context.settings.value.text_size
    return stepped(size, direction) != size


def _toggle_motion(context: CommandContext) -> None:
    context.choose(motion="full" if context.display.look.still else "reduced")


def _language(choice: LanguageChoice, text: str) -> Command:
    return Command(
        f"view.language_{choice}",
        text,
        "Tools",
        lambda context: _choose_language(context, choice),
        checked=lambda context: context.settings.value.language == choice,
        submenu=tr("Language"),
        words=("language", "chinese", "中文", "语言", "translation"),
    )


def _choose_language(context: CommandContext, choice: LanguageChoice) -> None:
    try:
        preferred_language.choose(choice)
    except OSError as error:
        text = tr("The language could not be saved: {error}", error=error.strerror or error)
        context.notices.add(Notice("error", text))
        return
    context.choose(language=choice)
    context.notices.add(Notice("info", tr("The language changes when Tilesight starts again.")))


def _bytes(name: Literal["KiB", "kB", "B"], text: str) -> Command:
    return Command(
        f"view.bytes_{name}",
        text,
        "View",
        lambda context: context.choose(bytes_as=name),
        checked=lambda context: context.display.look.bytes_as == name,
        submenu=UNITS,
        words=("settings", "bytes", "memory units"),
    )


def _cycles(name: Literal["cycles", "time"], text: str, *, separator: bool = False) -> Command:
    return Command(
        f"view.cycles_{name}",
        text,
        "View",
        lambda context: context.choose(cycles_as=name),
        checked=lambda context: context.display.look.cycles_as == name,
        submenu=UNITS,
        separator=separator,
        words=("settings", "seconds", "clock"),
    )


def _shown(context: CommandContext) -> bool:
    return context.docks is not None and context.document.current is not None


def _full_screen(context: CommandContext) -> None:
    main = context.main
    main.showNormal() if main.isFullScreen() else main.showFullScreen()


def _set_unit(context: CommandContext, entry: Entry, unit: ChosenUnit | None) -> None:
    """Sets the unit of an open profile; nothing if it was closed."""
    if context.document.entry(entry.id) is not None:
        context.document.time_units.set(entry.id, unit)
        context.refresh_soon()


def _undo_unit(context: CommandContext, entry: Entry) -> None:
    context.document.time_units.undo(entry.id)
    context.refresh_soon()


def _ask_clock(context: CommandContext, entry: Entry) -> None:
    """Sets the unit of ``entry``: another profile may be the current one when the user answers."""
    from app.window.input_dialogs import ask_clock

    ask_clock(context.main, entry.profile, lambda clock: _set_unit(context, entry, ChosenUnit("cycles", clock)))


def _unit_of_time(name: str, unit: ChosenName, text: str, *, separator: bool = False) -> Command:
    return Command(
        f"timeline.unit_{name}",
        text,
        "View",
        CURRENT.act_in(lambda context, entry: _set_unit(context, entry, ChosenUnit(unit))),
        enabled=TIMELINE.meets(lambda timeline: timeline.basis != "format"),
        checked=TIMELINE.meets(lambda timeline: timeline.unit == unit),
        places=(TIME_UNIT,),
        submenu=UNITS,
        separator=separator,
        words=UNIT_WORDS,
        help=tr("Traces do not state their time unit. Your choice is saved for this file."),
    )


COMMANDS: tuple[Command, ...] = (
    Command(
        "view.details",
        tr("Details panel"),
        "View",
        _toggle_details,
        ("Q",),
        enabled=_has_details,
        checked=lambda context: context.docks is not None and not context.docks.closed(DETAILS),
        canvas=True,
        help=tr("Shows or hides the properties of the selection."),
    ),
    Command(
        "view.panel_menu",
        tr("Panel menu"),
        "",
        FOCUSED_PANEL.act(lambda dock: dock.ask_menu(dock.mapToGlobal(dock.heading.geometry().bottomRight()))),
        ("Ctrl+M",),
        enabled=OPEN_PANEL.meets(),
        help=tr("Opens the menu of the focused panel: its commands, and controls that do not fit into the heading."),
    ),
    Command(
        "view.close_panel",
        tr("Close panel"),
        "View",
        OPEN_PANEL.act_in(lambda context, dock: context.prepare().toggle(dock.spec.id)),
        ("Ctrl+Shift+W",),
        enabled=OPEN_PANEL.meets(),
        places=("heading",),
        help=tr("Closes the focused panel. View → Panels opens it again."),
    ),
    Command(
        "view.float_panel",
        tr("Float or dock panel"),
        "View",
        FOCUSED_PANEL.act_in(lambda context, dock: context.prepare().turn_floating(dock.spec.id)),
        enabled=OPEN_PANEL.meets(),
        places=("heading",),
        help=tr("Moves the focused panel into a separate window, or back."),
    ),
    Command(
        "view.reset_layout",
        tr("Reset layout"),
        "View",
        _reset_layout,
        enabled=_shown,
        help=tr("Restores the default layout of the panels."),
        words=("default layout", "restore panels", "windows"),
    ),
    _theme("system", tr("Follow system")),
    _theme("light", tr("Light"), "day"),
    _theme("dark", tr("Dark"), "night"),
    _theme("contrast", tr("High contrast"), "accessibility", "black"),
    Command(
        "view.context_menu",
        tr("Context menu"),
        "",
        _open_context_menu,
        ("Shift+F10",),
        help=tr("Opens the context menu of the focused control."),
    ),
    Command(
        "view.larger_text",
        tr("Larger text"),
        "View",
        lambda context: _resize_texts(context, 1),
        ("Ctrl++", "Ctrl+="),
        enabled=lambda context: _can_resize(context, 1),
        submenu=APPEARANCE,
        help=tr("Scales all texts and controls, up to twice the system size."),
        words=("font size", "text size", "zoom", "accessibility", "bigger"),
        separator=True,
    ),
    Command(
        "view.smaller_text",
        tr("Smaller text"),
        "View",
        lambda context: _resize_texts(context, -1),
        ("Ctrl+-",),
        enabled=lambda context: _can_resize(context, -1),
        submenu=APPEARANCE,
        words=("font size", "text size", "zoom", "accessibility"),
    ),
    Command(
        "view.usual_text",
        tr("Reset text size"),
        "View",
        lambda context: context.choose(text_size=100),
        enabled=lambda context: context.settings.value.text_size != 100,
        submenu=APPEARANCE,
        words=("font size", "reset text size"),
    ),
    Command(
        "view.reduce_motion",
        tr("Reduce motion"),
        "View",
        _toggle_motion,
        checked=lambda context: context.display.look.still,
        submenu=APPEARANCE,
        help=tr("No animations and no blinking. Follows the system until you choose."),
        words=("animations", "accessibility", "blinking"),
        separator=True,
    ),
    _language("system", tr("Follow system")),
    _language("en", tr("English")),
    _language("zh_CN", tr("简体中文")),
    _bytes("KiB", tr("Bytes in KiB, MiB (1,024)")),
    _bytes("kB", tr("Bytes in kB, MB (1,000)")),
    _bytes("B", tr("Bytes without prefix")),
    _cycles("cycles", tr("Cycles as cycles"), separator=True),
    _cycles("time", tr("Cycles as time if the clock is known")),
    Command(
        "view.full_screen",
        tr("Full screen"),
        "View",
        _full_screen,
        ("F11",),
        checked=lambda context: context.main.isFullScreen(),
        separator=True,
    ),
    _unit_of_time("us", "µs", tr("Set time unit to microseconds (µs)"), separator=True),
    _unit_of_time("ns", "ns", tr("Set time unit to nanoseconds (ns)")),
    Command(
        "timeline.unit_cycles",
        tr("Set time unit to clock cycles…"),
        "View",
        CURRENT.act_in(_ask_clock),
        enabled=TIMELINE.meets(lambda timeline: timeline.basis != "format"),
        checked=TIMELINE.meets(lambda timeline: timeline.unit == "cycles"),
        places=(TIME_UNIT,),
        words=UNIT_WORDS,
        help=tr("Asks for the clock frequency; suggests that of the profile."),
        submenu=UNITS,
    ),
    Command(
        "timeline.unit_reset",
        tr("Reset time unit"),
        "View",
        CURRENT.act_in(lambda context, entry: _set_unit(context, entry, None)),
        enabled=lambda context: context.document.time_units.of(context.document.current_id or 0) is not None,
        places=(TIME_UNIT,),
        words=UNIT_WORDS,
        help=tr("Restores the unit of the file type: microseconds, or cycles for device records."),
        submenu=UNITS,
    ),
    Command(
        "timeline.unit_undo",
        tr("Undo time unit"),
        "View",
        CURRENT.act_in(_undo_unit),
        enabled=lambda context: context.document.time_units.can_undo(context.document.current_id or 0),
        places=(TIME_UNIT,),
        words=UNIT_WORDS,
        help=tr("Restores the unit before the last change."),
        submenu=UNITS,
    ),
)
