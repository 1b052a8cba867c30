"""Navigation: search, panels, open profiles."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import StepsDifferences
from app.window.command import Command, CommandContext, focused
from app.window.finding import can_find, find_step
from app.window.offers import GO_SIGN

PANEL_KEYS = 6
DIFFERENCES = tr("Differences")
"""The submenu, which has the commands for timelines, too."""
COMPARED = focused(StepsDifferences)


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


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.search",
        tr("Search everything"),
        "Go",
        lambda context: context.omnibox.start(),
        ("/",),
        enabled=lambda context: context.document.current is not None,
        icon="search",
        separator=True,
        help=tr("Searches names, source texts, instructions, addresses, files, and the cells of all tables."),
        words=("find", "look for", "grep"),
    ),
    Command(
        "go.to",
        tr("Go to…"),
        "Go",
        lambda context: context.omnibox.start(GO_SIGN),
        ("Ctrl+P",),
        enabled=lambda context: context.document.current is not None,
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
        "Go",
        COMPARED.act(lambda panel: panel.difference_step(1)),
        ("F7",),
        enabled=COMPARED.meets(lambda panel: panel.can_step_differences),
        help=tr("In the Source panel, with a baseline: goes to the next line or instruction that differs."),
        words=("compare", "diff", "change"),
        submenu=DIFFERENCES,
    ),
    Command(
        "go.previous_difference",
        tr("Previous difference"),
        "Go",
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
    ),
    Command(
        "go.previous_profile",
        tr("Previous profile"),
        "Go",
        lambda context: _step_profile(context, -1),
        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
        enabled=_several,
    ),
    Command(
        "go.next_panel",
        tr("Next panel"),
        "Go",
        lambda context: _step_panel(context, 1),
        ("F6",),
        enabled=_several_panels,
        separator=True,
        help=tr("In the order of View → Panels, including panels behind others."),
    ),
    Command(
        "go.previous_panel",
        tr("Previous panel"),
        "Go",
        lambda context: _step_panel(context, -1),
        ("Shift+F6",),
        enabled=_several_panels,
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
)
