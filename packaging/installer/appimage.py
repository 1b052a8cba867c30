"""The AppImage. The build cannot install its tool, so it is made only if the tool is on the path; see README."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import bundle, deb, desktop, product

TOOL = "appimagetool"
START = f'#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/opt/{product.NAME}/{product.NAME}" "$@"\n'


def folder(root: Path, made: bundle.Bundle) -> Path:
    """The folder that the tool packs: the contents of the .deb, with desktop entry, icon and start script at the
    top."""
    top = root / "build" / f"{product.TITLE}.AppDir"
    shutil.rmtree(top, ignore_errors=True)
    shutil.copytree(made.folder, top / "opt" / product.NAME, symlinks=True)
    deb.furnish(root, top, program=product.NAME)
    deb.link(top / desktop.FILE, f"usr/share/applications/{desktop.FILE}")
    deb.link(top / f"{product.NAME}.svg", f"usr/share/icons/hicolor/scalable/apps/{product.NAME}.svg")
    deb.link(top / ".DirIcon", f"{product.NAME}.svg")
    deb.link(top / "usr" / "bin" / product.NAME, f"../../opt/{product.NAME}/{product.NAME}")
    deb.write(top / "AppRun", START)
    (top / "AppRun").chmod(0o755)
    return top


def make(root: Path, made: bundle.Bundle, out: Path) -> Path:
    """Makes the AppImage; SetupError if the tool is missing or fails."""
    tool = shutil.which(TOOL)
    if tool is None:
        raise SetupError(f"{TOOL} is not on the path")
    machine = platform.machine()
    target = out / f"{product.TITLE}-{product.version(root)}-{machine}.AppImage"
    environment = {**os.environ, "ARCH": machine, "VERSION": product.version(root)}
    done = quietly([tool, "--no-appstream", str(folder(root, made)), str(target)], environment)
    if done.returncode:
        raise SetupError(f"{TOOL} failed:\n{last_lines(done.stdout)}")
    return target
