"""How the running program was started, and how it starts itself again.

It runs from its source (package ``app``), installed by a wheel (package ``tilesight``), or frozen into an executable.
Only import statements may spell the package's name, because a wheel renames them; use PACKAGE for other purposes.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = __name__.partition(".")[0]
FOLDER = Path(__file__).resolve().parent
"""The folder of the package."""
RESOURCES = FOLDER / "resources"
"""Where a wheel puts the resources; in the source and in a frozen program they lie beside the package."""

CONSOLE_PROGRAM = "tilesight.exe"
"""On Windows, the executable with standard streams; the one that opens the window has none."""

START = (
    "import sys; {path!r} in sys.path or sys.path.insert(0, {path!r}); "
    "from {package}.cli import main; sys.exit(main(sys.argv[1:]))"
)


def is_frozen() -> bool:
    """Whether this is an executable that carries its own Python."""
    return bool(getattr(sys, "frozen", False))


def is_installed() -> bool:
    """Whether an installer or a wheel put the program here; False in its source."""
    return is_frozen() or RESOURCES.is_dir()


def command(*arguments: str) -> list[str]:
    """The command that starts this same program. Neither the working folder nor modules in it play a part (``-P``)."""
    if is_frozen():
        console = Path(sys.executable).with_name(CONSOLE_PROGRAM)
        return [str(console if console.is_file() else sys.executable), *arguments]
    return [sys.executable, "-P", "-c", START.format(path=str(FOLDER.parent), package=PACKAGE), *arguments]
