"""Running and cancelling queries."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import RunsQueries
from app.window.command import Command, CommandContext
from app.window.reach import nearest


def _panel(context: CommandContext) -> RunsQueries | None:
    return nearest(context.keys.last_focus, RunsQueries)


def _can_run(context: CommandContext) -> bool:
    panel = _panel(context)
    return panel is not None and panel.can_run_query


def _run(context: CommandContext) -> None:
    panel = _panel(context)
    if panel is not None:
        panel.run_query()


def _can_cancel(context: CommandContext) -> bool:
    panel = _panel(context)
    return panel is not None and panel.query_running


def _cancel(context: CommandContext) -> None:
    panel = _panel(context)
    if panel is not None:
        panel.cancel_query()


COMMANDS: tuple[Command, ...] = (
    Command(
        "query.run",
        tr("Run query"),
        "Tools",
        _run,
        ("Ctrl+Return", "Ctrl+Enter"),
        enabled=_can_run,
        places=("query",),
        separator=True,
        words=("SQL", "execute", "statement"),
        help=tr("Runs the statement of the Query panel."),
    ),
    Command(
        "query.cancel",
        tr("Cancel query"),
        "",
        _cancel,
        enabled=_can_cancel,
        places=("query",),
        words=("SQL", "stop", "interrupt"),
        help=tr("Cancels the running statement (also Esc)."),
    ),
)
