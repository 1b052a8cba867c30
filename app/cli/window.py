"""The window, from the command line."""

from __future__ import annotations

import argparse
import sys


def run(options: argparse.Namespace) -> int:
    """Opens the window (or draws it into a picture); status as cli says."""
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
