"""The AppImage: a folder with the bundle (AppDir), and the one file that appimagetool makes of it. The build cannot
install that tool, so the file is made only if the tool is on the path; see README."""

from __future__ import annotations

import json
import os
import platform
import shutil
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import bundle, deb, desktop, furnish, product

TOOL = "appimagetool"
START = f"""#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export APPDIR="${{APPDIR:-$here}}" # set by the AppImage, but not where the folder was unpacked
exec "$here/opt/{product.NAME}/{product.NAME}" "$@"
"""


def folder(root: Path, made: bundle.Bundle) -> Path:
    """The AppDir: the contents of the .deb, with desktop entry, icon and start script at the top."""
    top = root / "build" / f"{product.TITLE}.AppDir"
    shutil.rmtree(top, ignore_errors=True)
    shutil.copytree(made.folder, top / "opt" / product.NAME, symlinks=True)
    furnish.furnish(root, top / "usr" / "share")
    furnish.complete(root, top / "usr" / "share")
    deb.link(top / desktop.FILE, f"usr/share/applications/{desktop.FILE}")
    deb.link(top / f"{product.NAME}.svg", f"usr/share/icons/hicolor/scalable/apps/{product.NAME}.svg")
    deb.link(top / ".DirIcon", f"{product.NAME}.svg")
    deb.link(top / "usr" / "bin" / product.NAME, f"../../opt/{product.NAME}/{product.NAME}")
    furnish.write(top / "AppRun", START)
    (top / "AppRun").chmod(0o755)
    return top


def starts(top: Path) -> str:
    """Runs the program of an AppDir; SetupError if it does not say that it is an AppImage."""
    done = quietly([str(top / "AppRun"), "--version", "--json"])
    try:
        facts = json.loads(done.stdout)
    except ValueError:
        raise SetupError(f"it does not start:\n{last_lines(done.stdout)}") from None
    if facts["installation"] != "appimage":
        raise SetupError(f"it takes itself for {facts['installation']}")
    return f"build/{top.name}, {facts['name']} {facts['version']} starts"


def make(root: Path, top: Path, out: Path) -> Path:
    """Packs an AppDir; SetupError if the tool is missing or fails."""
    tool = shutil.which(TOOL)
    if tool is None:
        raise SetupError(f"{TOOL} is not on the path")
    machine = platform.machine()
    target = out / f"{product.TITLE}-{product.version(root)}-{machine}.AppImage"
    environment = {**os.environ, "ARCH": machine, "VERSION": product.version(root)}
    done = quietly([tool, "--no-appstream", str(top), str(target)], environment)
    if done.returncode:
        raise SetupError(f"{TOOL} failed:\n{last_lines(done.stdout)}")
    return target
