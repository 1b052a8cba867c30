"""Required system packages, and how to install them.

The table contains what ``ldd`` reports as missing for PySide6's modules and its xcb and offscreen platforms in a
minimal Debian 12, Debian 13 and Ubuntu 24.04.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly, say

LIBRARIES: Mapping[str, str] = {
    # every Qt module with a picture, and the offscreen platform
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    # the xcb platform (a window)
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Library to the Debian and Ubuntu package that contains it."""

PROGRAMS: Mapping[str, str] = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "xclip": "xclip",
    "dbus-daemon": "dbus-daemon",
    "at-spi-bus-launcher": "at-spi2-core",
    "chromium": "chromium",
}
"""Program to package: a desktop without a monitor, for the journeys, and a browser for reports."""
PROGRAM_FOLDERS = ("/usr/libexec", "/usr/lib/at-spi2-core")
"""Folders of programs that are not on the path."""

FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_ENDINGS = (".ttf", ".otf", ".ttc", ".pfb")


def provide(*, venv: bool, journeys: bool = False) -> None:
    """Installs missing packages (with ``venv`` also Python's venv module, which is a separate package on Debian, with
    ``journeys`` a desktop for the tests). SetupError names them in one line if installing is not permitted."""
    linux = sys.platform.startswith("linux")
    needed = missing_packages(loads, has_font()) if linux else []
    needed += missing_programs() if linux and journeys else []
    needed += [f"python{sys.version_info.major}.{sys.version_info.minor}-venv"] if venv else []
    if needed:
        install(needed)


def missing_packages(there: Callable[[str], bool], font: bool) -> list[str]:
    """Packages to install, without duplicates, in the table's order."""
    packages = dict.fromkeys(package for library, package in LIBRARIES.items() if not there(library))
    return [*packages, *([] if font else [FONT_PACKAGE])]


def missing_programs(folders: Sequence[str] = PROGRAM_FOLDERS) -> list[str]:
    """Packages of programs that are neither on the path nor in ``folders``."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *folders))
    return [package for name, package in PROGRAMS.items() if shutil.which(name, path=path) is None]


def loads(library: str) -> bool:
    """Whether the loader finds ``library``, the same way as for Qt."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font(folders: Iterable[str] = FONT_FOLDERS) -> bool:
    """Whether there is a font; without one Qt draws every letter as a box."""
    places = (Path(folder).expanduser() for folder in folders)
    return any(name.endswith(FONT_ENDINGS) for place in places for _, _, names in os.walk(place) for name in names)


def install(packages: Sequence[str]) -> None:
    """Installs with apt if permitted; otherwise SetupError gives the command."""
    words = " ".join(packages)
    if shutil.which("apt-get") is None:
        raise SetupError(f"this system lacks what Debian calls {words}; install them with its own tools")
    command = f"sudo apt-get update && sudo apt-get install -y --no-install-recommends {words}"
    by_hand = f"this system lacks packages; run: {command}"
    prefix = privilege()
    if prefix is None:
        raise SetupError(by_hand)
    say(f"Installing through apt: {words}")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    update = quietly([*apt, "update"])
    done = quietly([*apt, "install", "--no-install-recommends", *packages])
    if done.returncode:
        output = (update.stdout if update.returncode else "") + done.stdout
        raise SetupError(f"{by_hand}\napt-get could not; its last lines:\n{last_lines(output)}")


def privilege() -> list[str] | None:
    """The prefix that runs a command as administrator; None if that is not permitted."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and quietly(["sudo", "-n", "true"]).returncode == 0:
        return ["sudo", "-n"]
    return None
