"""The window, from the command line."""

from __future__ import annotations

import argparse
import os
import sys

from app.cli import display


def run(options: argparse.Namespace) -> int:
    """Opens the window (or draws it into a picture); status as cli says."""
    if reason := display.missing():
        if options.screenshot is None:
            print(f"no window can be shown: {reason}", file=sys.stderr)
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from app.window.application import run as run_application
    except ImportError as error:
        print(f"the window cannot be drawn here: {error}", file=sys.stderr)
        return 1
    return run_application(
        options.files,
        screenshot=options.screenshot,
        panel=options.panel,
        size=options.size,
        theme=options.theme,
    )
