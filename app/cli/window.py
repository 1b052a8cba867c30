"""Starts the window from the command line, if there is a display: Qt aborts without one."""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
from typing import TYPE_CHECKING

from app.cli.interrupts import ctrl_c_later
from app.cli.terminal import complain
from app.language import tr
from app.store.outputs import OutputIsInputError, refuse_input

if TYPE_CHECKING:
    from pathlib import Path

    from app.analysis.view_links.view_link import ViewLink
    from app.cli.command_pages import ParserOf
    from app.store.sides import Side


def run(options: argparse.Namespace, parser_of: ParserOf) -> int:
    """Opens the window (or saves a picture of it); returns the exit status."""
    if wrong := _wrong_picture(options) or _wrong_parts(options) or _wrong_panel(options):
        complain(wrong)
        return 2
    if reason := missing_display():
        if options.screenshot is None:
            complain(tr("no window can be shown: {reason}", reason=reason))
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        with ctrl_c_later():
            from app.window.application import run as run_application
    except ImportError as error:
        complain(tr("the window cannot be drawn here: {error}", error=error))
        return 1

    def described(name: str) -> str:
        from app.cli.command_pages import command_page  # when the help is opened

        return command_page(name, parser_of)

    goto = link_to_parts(options)
    return run_application(
        options.files if goto is None else [],
        baseline=options.baseline if goto is None else None,
        screenshot=options.screenshot,
        panel=_panel_id(options.panel),
        size=options.size,
        theme=options.theme,
        command_pages=described,
        goto=goto or options.goto,
    )


def _wrong_parts(options: argparse.Namespace) -> str:
    """Why FILE#PART cannot be opened; "" if it can, or if there is none."""
    if not _parted(options) or (len(options.files) == 1 and options.goto is None):
        return ""
    return tr("FILE#PART: open one part alone, or compare it with one --baseline")


def link_to_parts(options: argparse.Namespace) -> ViewLink | None:
    """The link to a profile and its baseline where one of them is a part; None if neither is."""
    sides = _parted(options)
    if not sides:
        return None
    from app.analysis.view_links.view_link import ProfileRef, ViewLink

    refs = [ProfileRef((own.path.absolute(),), part=own.part) for own in sides]
    return ViewLink(refs[0], baseline=refs[1] if options.baseline else None)


def _parted(options: argparse.Namespace) -> list[Side]:
    """The files and then the baseline, if one of them is FILE#PART; else nothing, and nothing is imported."""
    paths = [str(path) for path in _inputs(options)]
    if not any("#" in path for path in paths):
        return []
    from app.cli.sides import side  # imports numpy

    sides = [side(path) for path in paths]
    return sides if any(own.part for own in sides) else []


def _inputs(options: argparse.Namespace) -> list[Path]:
    return [*options.files, *([options.baseline] if options.baseline else [])]


def _wrong_picture(options: argparse.Namespace) -> str:
    """Why the picture cannot be written to this path; "" if it can. It must never replace an input file, as it would if
    OUT.png was forgotten."""
    target = options.screenshot
    if target is None:
        return ""
    if target.suffix.lower() != ".png":
        return tr("--screenshot {target}: the name of the image must end in .png", target=target)
    try:
        refuse_input(target, [own.path for own in _parted(options)] or _inputs(options))
    except OutputIsInputError as error:
        return f"--screenshot {target}: {error.strerror}"
    return ""


def _wrong_panel(options: argparse.Namespace) -> str:
    """Why no file has this panel; "" if there is one of this name."""
    if options.panel is None or _panel_id(options.panel) is not None:
        return ""
    from app.panels.registry import PANELS

    known = ", ".join(spec.id for spec in PANELS)
    return tr("--panel {panel}: no such panel; choose from {known}", panel=options.panel, known=known)


def _panel_id(name: str | None) -> str | None:
    """The id of the panel with this id or title."""
    if name is None:
        return None
    from app.panels.registry import PANELS  # describes them without Qt

    return next((spec.id for spec in PANELS if name.casefold() in (spec.id, spec.title.casefold())), None)


ADVICE = tr("for an image, use --screenshot OUT.png [FILE ...]; for figures without a screen, use info FILE")


def missing_display() -> str:
    """Why no window can be shown, and what to do instead; "" if one can."""
    platform = os.environ.get("QT_QPA_PLATFORM", "xcb")
    if not sys.platform.startswith("linux") or not platform.startswith("xcb") or os.environ.get("WAYLAND_DISPLAY"):
        return ""
    name = os.environ.get("DISPLAY", "")
    if not name:
        return tr("there is no display (DISPLAY and WAYLAND_DISPLAY are not set); {advice}", advice=ADVICE)
    return "" if _answers() else tr("the display {name} does not answer; {advice}", name=name, advice=ADVICE)


def _answers() -> bool:
    """Whether a connection like Qt's succeeds. If even the library is missing, Qt's own message is better."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
