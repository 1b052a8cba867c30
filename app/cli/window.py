"""Starts the window from the command line."""

from __future__ import annotations

import argparse
import os

from app.cli import display
from app.cli.terminal import complain
from app.language import tr
from app.store.outputs import OutputIsInputError, refuse_input


def run(options: argparse.Namespace) -> int:
    """Opens the window (or saves a picture of it); returns the exit status."""
    if wrong := _wrong_picture(options):
        complain(wrong)
        return 2
    if reason := display.missing():
        if options.screenshot is None:
            complain(tr("no window can be shown: {reason}", reason=reason))
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from app.window.application import run as run_application
    except ImportError as error:
        complain(tr("the window cannot be drawn here: {error}", error=error))
        return 1
    return run_application(
        options.files,
        screenshot=options.screenshot,
        panel=options.panel,
        size=options.size,
        theme=options.theme,
    )


def _wrong_picture(options: argparse.Namespace) -> str:
    """Why the picture cannot be written to this path; "" if it can. It must never replace an input file, as it would if
    OUT.png was forgotten."""
    target = options.screenshot
    if target is None:
        return ""
    if target.suffix.lower() != ".png":
        return tr("--screenshot {target}: the name of the picture must end in .png", target=target)
    try:
        refuse_input(target, options.files)
    except OutputIsInputError as error:
        return f"--screenshot {target}: {error.strerror}"
    return ""
