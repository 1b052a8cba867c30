"""Tools that the build needs, installed through apt if missing."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping

import dev_system

BUILD: Mapping[str, str] = {
    "objdump": "binutils",
    "dpkg-deb": "dpkg",
    "dpkg-shlibdeps": "dpkg-dev",
    "lintian": "lintian",
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "update-mime-database": "shared-mime-info",
    "xdg-mime": "xdg-utils",
    "gio": "libglib2.0-bin",
}
"""Program to the Debian package that contains it."""

CHECK: Mapping[str, str] = {
    "debootstrap": "debootstrap",
    "unshare": "util-linux",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
}

LIBRARIES: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
"""Libraries for the bundle's Wayland plugins; those for X11 are in dev_system."""


def provide(programs: Mapping[str, str]) -> None:
    """Installs missing packages; SetupError names them if that is not permitted."""
    needed = missing(programs, shutil.which)
    needed += [package for library, package in {**LIBRARIES, **python()}.items() if not dev_system.loads(library)]
    if needed:
        dev_system.install(needed)


def python() -> Mapping[str, str]:
    """The package of Python's shared library, which is separate on Debian; empty if this Python has none."""
    if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        return {}
    version = ".".join(map(str, sys.version_info[:2]))
    return {str(sysconfig.get_config_var("INSTSONAME")): f"libpython{version}"}


def missing(programs: Mapping[str, str], which: Callable[[str], str | None]) -> list[str]:
    """Packages to install, without duplicates."""
    return unique(package for program, package in programs.items() if which(program) is None)


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
