"""How the running program was started, and the command that starts it again.

It runs from its source (package ``app``), installed from a wheel (package ``tilesight``), or frozen into an executable.
Only import statements may spell the package's name, because a wheel renames it; use PACKAGE everywhere else.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = __name__.partition(".")[0]
FOLDER = Path(__file__).resolve().parent
"""The package's folder."""
RESOURCES = FOLDER / "resources"
"""Where a wheel puts the resources; in the source and in a frozen program they are next to the package."""

CONSOLE_PROGRAM = "tilesight.exe"
"""On Windows, the executable with standard streams; the windowed one has none."""

START = (
    "import sys; {path!r} in sys.path or sys.path.insert(0, {path!r}); "
    "from {package}.cli import main; sys.exit(main(sys.argv[1:]))"
)


def is_frozen() -> bool:
    """Whether this is a frozen executable with its own Python."""
    return bool(getattr(sys, "frozen", False))


def is_installed() -> bool:
    """Whether the program was installed (by an installer or from a wheel); False when it runs from its source."""
    return is_frozen() or RESOURCES.is_dir()


def command(*arguments: str) -> list[str]:
    """The command that starts this same program, independent of the working folder and of modules in it (``-P``)."""
    if is_frozen():
        console = Path(sys.executable).with_name(CONSOLE_PROGRAM)
        return [str(console if console.is_file() else sys.executable), *arguments]
    return [sys.executable, "-P", "-c", START.format(path=str(FOLDER.parent), package=PACKAGE), *arguments]
