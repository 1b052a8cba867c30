"""What an upgrade and a removal do to the files of the program, and to those of its users."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import debian, product
from installer.clean_root import HOME, CleanRoot
from installer.furnish import write

OLDER = "0.0.1"
REPLACED = f"opt/{product.NAME}/_internal/of-the-older-version.txt"
THEME = "dark"
OWN = {
    f".config/{product.NAME}/settings.json": f'{{"version": 1, "theme": "{THEME}", "of_a_newer_version": [1]}}',
    f".local/share/{product.NAME}/files/0123.json": '{"version": 1, "notes": []}',
    f".cache/{product.NAME}/columns/stale": "",
}
"""A user's files, in the home folder."""


def older(folder: Path) -> Path:
    """A package of an older version, in ``folder``, that contains little."""
    top = folder / "older"
    write(top / REPLACED, "")
    write(top / "opt" / product.NAME / product.NAME, "#!/bin/sh\n")
    write(top / "DEBIAN" / "control", debian.control(OLDER, "all", "libc6", 1))
    target = folder / f"{product.NAME}_{OLDER}_all.deb"
    done = quietly(["dpkg-deb", "--root-owner-group", "--build", str(top), str(target)])
    if done.returncode:
        raise SetupError(f"dpkg-deb could not make the older package:\n{last_lines(done.stdout)}")
    return target


def write_own(clean: CleanRoot) -> None:
    """Writes the user's files, as the user."""
    for name, text in OWN.items():
        path = shlex.quote(f"{HOME}/{name}")
        script = f"umask 077; mkdir -p $(dirname {path}) && printf %s {shlex.quote(text)} > {path}"
        clean.run(["sh", "-c", script], person=True)


def upgrade(clean: CleanRoot, deb: Path, scratch: Path) -> str:
    """Installs ``deb`` over an older version; SetupError if files of that one stay, or if a user's file changes."""
    clean.install(older(scratch))
    write_own(clean)
    installed = clean.install(deb)
    if (clean.folder / REPLACED).exists():
        raise SetupError(f"{REPLACED} of the older version is still there")
    for name, text in OWN.items():
        if _own(clean, name) != text:
            raise SetupError(f"the upgrade changed ~/{name}")
    return f"{installed}; users' files are as they were"


def used(clean: CleanRoot) -> str:
    """Checks what the new version made of the settings of the older one, after its window was open."""
    name = next(iter(OWN))
    settings = json.loads(_own(clean, name))
    if (settings["theme"], settings.get("of_a_newer_version")) != (THEME, [1]):
        raise SetupError(f"the window replaced ~/{name} by {settings}")
    return f"theme {THEME} is still set"


def removal(clean: CleanRoot) -> str:
    """Purges the package; SetupError if files of it stay, or if files of the user go."""
    removed = clean.remove()
    gone = [name for name in OWN if name.startswith((".config", ".local")) and not (_home(clean) / name).is_file()]
    if gone:
        raise SetupError(f"removal deletes the user's {', '.join(gone)}")
    return f"{removed} but users' settings, notes and caches"


def _own(clean: CleanRoot, name: str) -> str:
    return clean.run(["cat", f"{HOME}/{name}"], person=True)


def _home(clean: CleanRoot) -> Path:
    return clean.folder / HOME.lstrip("/")
