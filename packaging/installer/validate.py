"""Validates a .deb without installing it: lintian, the desktop's validators, and the file types of the samples."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import desktop, filetypes, metainfo, product, prune
from installer.steps import Facts

EXPECTED = {".popef": filetypes.OWN[0].mime, ".bin": filetypes.OWN[1].mime, ".json": "application/json"}
PACKS = ("ascend-report", "ascend-npu-report")
"""Kinds of files without a sample."""


def validate(root: Path, deb: Path, facts: Facts) -> None:
    """Runs all validations; ``deb`` was made from the folder build/deb."""
    share = root / "build" / "deb" / "usr" / "share"
    facts.run("lintian", lambda: passes(["lintian", "--fail-on", "error,warning", str(deb)], "no errors, no warnings"))
    entry = share / "applications" / desktop.FILE
    facts.run("desktop entry", lambda: passes(["desktop-file-validate", str(entry)], "valid"))
    about = share / "metainfo" / metainfo.FILE
    facts.run("AppStream", lambda: passes(["appstreamcli", "validate", "--no-net", str(about)], "valid"))
    facts.run("kinds of files", lambda: kinds(root, share / "mime" / "packages" / f"{product.NAME}.xml"))


def resources(root: Path, bundle: Path) -> str:
    """Compares the resources of the bundle with those of the source; SetupError names those that are missing."""
    inside = bundle / "_internal"
    files = [path for path in (root / "resources").rglob("*") if path.is_file()]
    names = [name for name in sorted(path.relative_to(root).as_posix() for path in files) if prune.wanted(name)]
    missing = [name for name in names if not same(root / name, inside / name)]
    if missing:
        raise SetupError(f"{len(missing)} missing or different: {', '.join(missing[:10])}")
    return f"{len(names)} files as in the source"


def same(first: Path, second: Path) -> bool:
    return second.is_file() and first.read_bytes() == second.read_bytes()


def passes(command: list[str], text: str) -> str:
    done = quietly(command)
    if done.returncode:
        raise SetupError(f"exit status {done.returncode}\n{last_lines(done.stdout, 20)}")
    return text


def kinds(root: Path, description: Path) -> str:
    """Runs ``xdg-mime query filetype`` on each sample with our description in a separate folder; the types of other
    files must not change."""
    with tempfile.TemporaryDirectory(prefix="tilesight-mime-") as name:
        folder = Path(name)
        packages = folder / "mime" / "packages"
        packages.mkdir(parents=True)
        shutil.copy(description, packages)
        # without a desktop, xdg-mime uses `file`, which ignores such descriptions
        environment = os.environ | {"XDG_DATA_HOME": name, "XDG_CURRENT_DESKTOP": "GNOME"}
        quietly(["update-mime-database", str(folder / "mime")], environment)
        detected = {}
        for path, expected in asked(root, folder).items():
            kind = quietly(["xdg-mime", "query", "filetype", str(path)], environment).stdout.strip()
            if kind != expected:
                raise SetupError(f"{path.name} is taken for {kind or 'nothing'}, not for {expected}")
            detected[path.name] = kind
    return ", ".join(f"{name} {kind}" for name, kind in detected.items())


def asked(root: Path, folder: Path) -> dict[Path, str]:
    """Files and their expected types: the samples, copies without their names, the beginnings of packs with and without
    their names, and unrelated files."""
    samples = sorted(path for path in (root / "resources" / "samples").rglob("*") if path.suffix in EXPECTED)
    wanted = {path: EXPECTED[path.suffix] for path in samples}
    for path in samples:
        if path.suffix != ".json":
            bare = folder / path.stem
            shutil.copy(path, bare)
            wanted[bare] = EXPECTED[path.suffix]
    for kind in filetypes.OWN:
        if kind.id in PACKS:
            for name in (kind.id, *(f"report{ending}" for ending in kind.endings)):
                pack = folder / name
                pack.write_bytes(kind.magic.value + bytes(64))
                wanted[pack] = kind.mime
    stranger = folder / "firmware.bin"
    stranger.write_bytes(bytes(range(256)) * 64)
    return {**wanted, stranger: "application/octet-stream"}
