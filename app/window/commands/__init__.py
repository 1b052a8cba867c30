"""The list of all commands: menus, toolbar, context menus, palette, keys and key help are generated from it."""

from __future__ import annotations

from app.window.command import Command
from app.window.commands import (
    blocks,
    canvas,
    compare,
    edit,
    events,
    file,
    go,
    help,  # noqa: A004
    hiding,
    lanes,
    links,
    notes,
    parts,
    pinning,
    places,
    queries,
    recent_files,
    tables,
    time_unit,
    timelines,
    tools,
    view,
)

COMMANDS: tuple[Command, ...] = (
    *file.COMMANDS,
    *compare.COMMANDS,
    *parts.COMMANDS,
    file.QUIT,
    *blocks.COMMANDS,
    *edit.COMMANDS,
    *links.COMMANDS,
    *view.COMMANDS,
    *time_unit.COMMANDS,
    *canvas.COMMANDS,
    *notes.COMMANDS,
    *pinning.COMMANDS,
    *hiding.COMMANDS,
    *lanes.COMMANDS,
    *timelines.COMMANDS,
    *go.COMMANDS,
    *places.COMMANDS,
    *recent_files.COMMANDS,
    *events.COMMANDS,
    *tables.COMMANDS,
    *tools.COMMANDS,
    *queries.COMMANDS,
    *help.COMMANDS,
)
