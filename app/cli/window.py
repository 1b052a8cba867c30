"""Starts the window from the command line."""

from __future__ import annotations

import argparse
import os

from app.cli import display
from app.cli.terminal import complain
from app.store.outputs import OutputIsInputError, refuse_input


def run(options: argparse.Namespace) -> int:
    """Opens the window (or saves a picture of it); returns the exit status."""
    if wrong := _wrong_picture(options):
        complain(wrong)
        return 2
    if reason := display.missing():
        if options.screenshot is None:
            complain(f"no window can be shown: {reason}")
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from app.window.application import run as run_application
    except ImportError as error:
        complain(f"the window cannot be drawn here: {error}")
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
        return f"--screenshot {target}: the name of the picture must end in .png"
    try:
        refuse_input(target, options.files)
    except OutputIsInputError as error:
        return f"--screenshot {target}: {error.strerror}"
    return ""
