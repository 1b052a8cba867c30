"""Navigation: search, panels, open profiles, and from the selection to its panel, its details and whatever has its
name."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from app.language import tr
from app.profile.selection import Selection
from app.widgets.abilities import CopiesCell, CopiesText, KeepsItem, StepsDifferences
from app.window.command import CURRENT, DIFFERENCES, PANEL_KEYS, SELECTED, Command, CommandContext, copy_text, focused
from app.window.finding import can_find, find_step
from app.window.going import DETAILS
from app.window.nearest import nearest
from app.window.offers import COMMAND_SIGN, GO_SIGN

SWITCH = tr("Switch profile or panel")
COMPARED = focused(StepsDifferences)
SOURCE = "home"
REPORT_KINDS = ("host_event", "report", "slice")


def _step_profile(context: CommandContext, direction: int) -> None:
    entries, current = context.document.entries, context.document.current
    if current is not None:
        place = [entry.id for entry in entries].index(current.id)
        context.document.show(entries[(place + direction) % len(entries)].id)
        context.keyboard.give_soon(wanted=True)


def _several(context: CommandContext) -> bool:
    return len(context.document.entries) > 1


def _step_match(context: CommandContext, direction: int) -> None:
    if context.match_stepper.active:
        context.match_stepper.again(direction)
    else:
        find_step(context.keys.last_focus, direction)


def _can_step_match(context: CommandContext) -> bool:
    return context.match_stepper.active or can_find(context.keys.last_focus)


def _focus_panel(number: int) -> Command:
    def run(context: CommandContext) -> None:
        if context.docks is not None:
            context.docks.focus(context.docks.offered[number - 1])

    return Command(
        f"go.panel_{number}",
        tr("Panel {number}", number=number),
        "",
        run,
        (f"Ctrl+{number}",),
        enabled=lambda context: context.docks is not None and len(context.docks.offered) >= number,
        help=tr("In the order of View → Panels."),
    )


def _open_menus(context: CommandContext) -> None:
    bar = context.main.menuBar()
    bar.setActiveAction(bar.actions()[0])


def _step_panel(context: CommandContext, direction: int) -> None:
    docks = context.docks
    if docks is not None and context.document.current is not None:
        names = [dock.spec.id for dock in docks.shown()]
        here = docks.at(context.keys.last_focus) if context.keys.last_focus is not None else None
        place = names.index(here.spec.id) if here is not None and here.spec.id in names else -max(direction, 0)
        docks.focus(names[(place + direction) % len(names)])


def _several_panels(context: CommandContext) -> bool:
    return context.docks is not None and context.document.current is not None and len(context.docks.shown()) > 1


def _has_home(context: CommandContext) -> bool:
    """Whether the selected item has a panel of its own, and that panel does not have the focus."""
    selected, docks = context.document.selection.value, context.docks
    if selected is None or docks is None:
        return False
    homes = [docks.docks[name] for name in docks.offered if selected.kind in docks.docks[name].spec.shows]
    focus = context.keys.last_focus
    return bool(homes) and (focus is None or not any(dock.isAncestorOf(focus) for dock in homes))


def _go_home(context: CommandContext, selected: Selection) -> None:
    from app.window.going import bring_home

    bring_home(context, selected.kind)
    context.document.selection.set(replace(selected, source=SOURCE))  # another source: the panel scrolls to it


def _has_details(context: CommandContext) -> bool:
    selected, docks = context.document.selection.value, context.docks
    return selected is not None and docks is not None and DETAILS in docks.offered and not docks.in_sight(DETAILS)


def _keeper(context: CommandContext) -> KeepsItem | None:
    docks = context.docks
    return None if docks is None or DETAILS not in docks.offered else docks.docks[DETAILS].keeper


def _keep_details(context: CommandContext) -> None:
    keeper = _keeper(context)
    if keeper is not None:
        keeper.keep_item(not keeper.keeps_item)


def _cell_name(context: CommandContext) -> str:
    """The text of the current cell of the focused table or tree, or the text of a page that the menu is about; "" for
    figures, and elsewhere."""
    focus = context.keys.last_focus
    cell, page = nearest(focus, CopiesCell), nearest(focus, CopiesText)
    return cell.cell_name() if cell is not None else "" if page is None else page.text_meant()


def _selected_name(context: CommandContext) -> str:
    """The name of the selected thing (the first of several); "" without one."""
    selected, profile = context.document.selection.value, context.document.profile
    if selected is None or profile is None:
        return ""
    from app.analysis.kinds import KINDS  # imports numpy

    return KINDS[selected.kind].name(profile, selected.first)


def _has_name(context: CommandContext) -> bool:
    return context.document.selection.value is not None or bool(_cell_name(context))


def _find_others(context: CommandContext) -> None:
    name = (_cell_name(context) or _selected_name(context)).strip()
    text = name.split("\n")[0].lstrip(COMMAND_SIGN + GO_SIGN)  # which would begin something else
    if text:
        context.omnibox.start(text)


def _report_files(context: CommandContext) -> tuple[Path, ...]:
    """Returns the files of the selected event's first part that can be opened, with those that belong to it; empty if
    there is none."""
    profile, selection = context.document.profile, context.document.selection.value
    if profile is None or profile.host_events is None or selection is None or selection.kind not in REPORT_KINDS:
        return ()
    from app.analysis.host_events import opens, parts_of, together  # not needed for the first paint
    from app.analysis.relations import translate
    from app.store.event_parts import paths_of

    events = profile.host_events
    parts = parts_of(events, translate(profile, selection, "host_event")).tolist()
    if selection.kind == "report":
        parts = [part for part in parts if part in selection.indices]
    first = next((part for part in parts if opens(events, part)), None)
    return () if first is None else paths_of(profile, together(events, first).tolist())


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.search",
        tr("Search everything"),
        "Go",
        lambda context: context.omnibox.start(),
        ("/",),
        enabled=CURRENT.meets(),
        icon="search",
        help=tr("Searches names, source texts, instructions, addresses, files, and the cells of all tables."),
        words=("find", "look for", "grep"),
    ),
    Command(
        "go.to",
        tr("Go to…"),
        "Go",
        lambda context: context.omnibox.start(GO_SIGN),
        ("Ctrl+P",),
        enabled=CURRENT.meets(),
        help=tr("Goes to a lane, program, tensor, function or source line by name; file.cpp:123, tile 17, 0x1a40."),
        words=("jump", "open symbol", "quick open", "line", "address", "tile"),
    ),
    Command(
        "go.next_match",
        tr("Next match"),
        "Go",
        lambda context: _step_match(context, 1),
        ("F3",),
        enabled=_can_step_match,
        help=tr("In the search field: Enter."),
    ),
    Command(
        "go.previous_match",
        tr("Previous match"),
        "Go",
        lambda context: _step_match(context, -1),
        ("Shift+F3",),
        enabled=_can_step_match,
        help=tr("In the search field: Shift+Enter."),
    ),
    Command(
        "go.next_difference",
        tr("Next difference"),
        "Compare",
        COMPARED.act(lambda panel: panel.difference_step(1)),
        ("F7",),
        enabled=COMPARED.meets(lambda panel: panel.can_step_differences),
        help=tr("In the Source panel, with a baseline: goes to the next line or instruction that differs."),
        words=("compare", "diff", "change"),
        submenu=DIFFERENCES,
        separator=True,
    ),
    Command(
        "go.previous_difference",
        tr("Previous difference"),
        "Compare",
        COMPARED.act(lambda panel: panel.difference_step(-1)),
        ("Shift+F7",),
        enabled=COMPARED.meets(lambda panel: panel.can_step_differences),
        words=("compare", "diff", "change"),
        submenu=DIFFERENCES,
    ),
    Command(
        "go.next_profile",
        tr("Next profile"),
        "Go",
        lambda context: _step_profile(context, 1),
        ("Ctrl+Tab", "Ctrl+PgDown"),
        enabled=_several,
        separator=True,
        submenu=SWITCH,
    ),
    Command(
        "go.previous_profile",
        tr("Previous profile"),
        "Go",
        lambda context: _step_profile(context, -1),
        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
        enabled=_several,
        submenu=SWITCH,
    ),
    Command(
        "go.next_panel",
        tr("Next panel"),
        "Go",
        lambda context: _step_panel(context, 1),
        ("F6",),
        enabled=_several_panels,
        help=tr("In the order of View → Panels, including panels behind others."),
        submenu=SWITCH,
        separator=True,
    ),
    Command(
        "go.previous_panel",
        tr("Previous panel"),
        "Go",
        lambda context: _step_panel(context, -1),
        ("Shift+F6",),
        enabled=_several_panels,
        submenu=SWITCH,
    ),
    Command(
        "go.menu_bar",
        tr("Menu bar"),
        "",
        _open_menus,
        ("F10",),
        help=tr("Alt with an underlined letter opens that menu."),
    ),
    *(_focus_panel(number) for number in range(1, PANEL_KEYS + 1)),
    Command(
        "go.home",
        tr("Show in panel"),
        "Go",
        SELECTED.act_in(_go_home),
        enabled=_has_home,
        places=("selected",),
        separator=True,
        help=tr("Brings the main panel of this kind of item to the front, such as the timeline for slices."),
    ),
    Command(
        "go.details",
        tr("Show details"),
        "Go",
        lambda context: context.prepare().bring(DETAILS),
        enabled=_has_details,
        places=("selected",),
        help=tr("Brings the details of the selection to the front."),
        words=("properties", "inspect"),
    ),
    Command(
        "go.keep_details",
        tr("Pin or unpin details"),
        "",
        _keep_details,
        enabled=lambda context: (keeper := _keeper(context)) is not None and keeper.can_keep,
        checked=lambda context: (keeper := _keeper(context)) is not None and keeper.keeps_item,
        places=(DETAILS,),
        help=tr("Keeps the details that are shown while other items are selected."),
        words=("freeze", "lock", "keep", "compare two items"),
    ),
    Command(
        "go.find_others",
        tr("Search for this name"),
        "",
        _find_others,
        enabled=_has_name,
        places=("cell", "node", "text", "selected"),
        help=tr("Searches for the text of the current cell, or else the name of the selection."),
        words=("find others", "same name", "find all", "occurrences"),
    ),
    Command(
        "edit.copy_name",
        tr("Copy name"),
        "",
        lambda context: copy_text(_selected_name(context)),
        enabled=SELECTED.meets(),
        places=("selected",),
        help=tr("Copies the name of the selection."),
    ),
    Command(
        "go.open_report",
        tr("Open event report"),
        "Go",
        lambda context: context.document.show_or_open(_report_files(context)),
        enabled=lambda context: bool(_report_files(context)),
        places=("host_event", "report", "slice"),
        help=tr(
            "Opens the compilation report of the event's module, an execution report and its tensor map as one profile."
        ),
    ),
)
