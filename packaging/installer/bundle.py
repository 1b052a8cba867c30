"""The bundle: a folder with the program, its own Python and Qt; and the archive of it."""

from __future__ import annotations

import gzip
import json
import os
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dev_shell import SetupError, say
from installer import product

SPEC = Path(__file__).resolve().parent / "tilesight.spec"
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Bundle:
    """``gathered``: bytes collected by PyInstaller; ``size``: bytes of the pruned folder."""

    folder: Path
    gathered: int
    size: int


def make(root: Path, python: Path) -> Bundle:
    """Runs PyInstaller in the build environment."""
    work, out = root / "build" / "pyinstaller", root / "build" / "bundle"
    shutil.rmtree(out, ignore_errors=True)
    # warnings concern libraries that only pruned files need; those of the other files are checked for the .deb
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--workpath", str(work), "--distpath", str(out), str(SPEC)]
    if subprocess.run(command, cwd=root, env=environment(root), check=False).returncode:
        raise SetupError("PyInstaller could not make the bundle; its lines above say why")
    folder = out / product.NAME
    gathered = json.loads((root / "build" / "gathered.json").read_text())["before"]
    made = Bundle(folder, gathered, size_of(folder))
    say(f"Bundle: {made.gathered / MEGABYTE:.0f} MB gathered, {made.size / MEGABYTE:.0f} MB kept")
    return made


def environment(root: Path) -> dict[str, str]:
    """The user's environment variables without those that affect Python's imports, and with those that make the build
    reproducible."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    moment = str(int(product.released(root).timestamp()))
    return inherited | {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": moment, "PYTHONDONTWRITEBYTECODE": "1"}


def archive(root: Path, bundle: Path, folder: Path, others: Mapping[str, Path] | None = None) -> Path:
    """Writes ``tilesight-VERSION-SYSTEM-MACHINE.tar.gz`` into ``folder``. ``others``: more files, place to path."""
    name = f"{product.NAME}-{product.version(root)}"
    target = folder / f"{name}-{platform.system().lower()}-{platform.machine()}.tar.gz"
    moment = int(product.released(root).timestamp())

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = moment
        return entry

    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, moment) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        tar.add(bundle, name, recursive=False, filter=plain)
        for path in sorted(bundle.rglob("*")):
            tar.add(path, f"{name}/{path.relative_to(bundle).as_posix()}", recursive=False, filter=plain)
        for place, path in (others or {}).items():
            tar.add(path, f"{name}/{place}", filter=plain)
    return target


def size_of(folder: Path) -> int:
    """Total size of the files below ``folder`` in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
