"""How the running program was started, and the command that starts it again.

It runs from its source (package ``app``), installed from a wheel (package ``tilesight``), or frozen into an executable.
Only import statements may spell the package's name, because a wheel renames it; use PACKAGE everywhere else.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, Literal, TypeAlias

PACKAGE = __name__.partition(".")[0]
FOLDER = Path(__file__).resolve().parent
"""The package's folder."""
RESOURCES = FOLDER / "resources"
"""Where a wheel puts the resources; in the source and in a frozen program they are next to the package."""

NAME: Final = "tilesight"
FLATPAK_ID: Final = "org.tilesight.tilesight"
"""The program's id where it is installed as a Flatpak; its desktop file has this name there."""
FOLDER_OF_DEB: Final = Path("/opt") / NAME

Installation: TypeAlias = Literal["source", "wheel", "deb", "flatpak", "appimage", "windows", "macos", "archive"]

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


def installation() -> Installation:
    """How the program was installed; "archive": a folder with its own Python and Qt, unpacked anywhere."""
    if os.environ.get("FLATPAK_ID") == FLATPAK_ID:
        return "flatpak"
    if not is_frozen():
        return "wheel" if is_installed() else "source"
    folder, mounted = Path(sys.executable).resolve().parent, os.environ.get("APPDIR", "")
    if mounted and folder.is_relative_to(Path(mounted).resolve()):
        return "appimage"
    if sys.platform in ("win32", "darwin"):
        return "windows" if sys.platform == "win32" else "macos"
    return "deb" if folder == FOLDER_OF_DEB else "archive"


def can_add_packages() -> bool:
    """Whether pip can install further packages beside the program; not in packages with a Python of their own."""
    return installation() in ("source", "wheel")


def desktop_name() -> str:
    """The name of the program's desktop file, without its ending."""
    return FLATPAK_ID if installation() == "flatpak" else NAME


def command(*arguments: str) -> list[str]:
    """The command that starts this same program, independent of the working folder and of modules in it (``-P``)."""
    if is_frozen():
        console = Path(sys.executable).with_name(CONSOLE_PROGRAM)
        return [str(console if console.is_file() else sys.executable), *arguments]
    return [sys.executable, "-P", "-c", START.format(path=str(FOLDER.parent), package=PACKAGE), *arguments]
