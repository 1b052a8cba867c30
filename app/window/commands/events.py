"""Opening the reports that host events contain."""

from __future__ import annotations

from pathlib import Path

from app.language import tr
from app.window.command import Command, CommandContext

KINDS = ("host_event", "report", "slice")


def _wanted(context: CommandContext) -> tuple[Path, ...]:
    """Returns the files of the selected event's first part that can be opened, with those that belong to it; empty if
    there is none."""
    profile, selection = context.document.profile, context.document.selection.value
    if profile is None or profile.host_events is None or selection is None or selection.kind not in KINDS:
        return ()
    from app.analysis.host_events.parts import opens, parts_of, together  # not needed for the first paint
    from app.analysis.relations import translate
    from app.store.event_parts import paths_of

    events = profile.host_events
    parts = parts_of(events, translate(profile, selection, "host_event")).tolist()
    if selection.kind == "report":
        parts = [part for part in parts if part in selection.indices]
    first = next((part for part in parts if opens(events, part)), None)
    return () if first is None else paths_of(profile, together(events, first).tolist())


def _open(context: CommandContext) -> None:
    context.document.show_or_open(_wanted(context))


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.open_report",
        tr("Open event report"),
        "Go",
        _open,
        enabled=lambda context: bool(_wanted(context)),
        places=("host_event", "report", "slice"),
        help=tr(
            "Opens the compilation report of the event's module, an execution report and its tensor map as one profile."
        ),
    ),
)
