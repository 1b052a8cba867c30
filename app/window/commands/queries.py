"""Running and cancelling queries."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import RunsQueries
from app.window.command import Command, focused

PANEL = focused(RunsQueries)


COMMANDS: tuple[Command, ...] = (
    Command(
        "query.run",
        tr("Run query"),
        "Tools",
        PANEL.act(lambda panel: panel.run_query()),
        ("Ctrl+Return", "Ctrl+Enter"),
        enabled=PANEL.meets(lambda panel: panel.can_run_query),
        places=("query",),
        separator=True,
        words=("SQL", "execute", "statement"),
        help=tr("Runs the statement of the Query panel."),
    ),
    Command(
        "query.cancel",
        tr("Cancel query"),
        "",
        PANEL.act(lambda panel: panel.cancel_query()),
        enabled=PANEL.meets(lambda panel: panel.query_running),
        places=("query",),
        words=("SQL", "stop", "interrupt"),
        help=tr("Cancels the running statement (also Esc)."),
    ),
)
