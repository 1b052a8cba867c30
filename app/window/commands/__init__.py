"""The list of all commands: menus, toolbar, context menus, palette, keys and key help are generated from it."""

from __future__ import annotations

from app.window.command import Command
from app.window.commands import canvas, compare, edit, file, go, lanes, times, tools, view

COMMANDS: tuple[Command, ...] = (
    *file.COMMANDS,
    *compare.COMMANDS,
    file.QUIT,
    *file.BLOCKS,
    *edit.COMMANDS,
    *view.COMMANDS,
    *canvas.COMMANDS,
    *lanes.COMMANDS,
    *times.COMMANDS,
    *go.COMMANDS,
    *file.RECENT,
    *edit.TABLES,
    *tools.COMMANDS,
)
