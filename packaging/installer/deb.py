"""The .deb: the bundle in /opt, and its integration into the desktop. There are no maintainer scripts: the triggers of
shared-mime-info, desktop-file-utils and the icon cache process the files."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly, say
from installer import bundle, debian, depends, furnish, product
from installer.furnish import write


@dataclass(frozen=True, slots=True)
class Place:
    """Folders of the package, below ``top``."""

    top: Path

    @property
    def program(self) -> Path:
        return self.top / "opt" / product.NAME

    @property
    def share(self) -> Path:
        return self.top / "usr" / "share"


def make(root: Path, made: bundle.Bundle, folder: Path) -> Path:
    """Builds ``tilesight_VERSION_ARCHITECTURE.deb`` in ``folder``."""
    place = Place(root / "build" / "deb")
    shutil.rmtree(place.top, ignore_errors=True)
    shutil.copytree(made.folder, place.program, symlinks=True)
    furnish.furnish(root, place.share)
    furnish.complete(root, place.share, debian=True)
    link(place.top / "usr" / "bin" / product.NAME, f"/opt/{product.NAME}/{product.NAME}")
    version, released = product.version(root), product.released(root)
    usage = quietly([str(made.folder / product.NAME), "--help"]).stdout
    write(place.share / "man" / "man1" / f"{product.NAME}.1.gz", debian.manual(version, released, usage))
    papers = place.share / "doc" / product.NAME
    write(papers / "copyright", debian.copyright_(released.year))
    write(papers / "changelog.gz", debian.changelog(version, released))
    write(place.share / "lintian" / "overrides" / product.NAME, debian.overrides())
    needs = depends.of_bundle(place.program)
    say(f"Depends: {needs}")
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    kilobytes = (bundle.size_of(place.top) + 1023) // 1024
    write(place.top / "DEBIAN" / "control", debian.control(version, architecture, needs, kilobytes))
    write(place.top / "DEBIAN" / "md5sums", sums(place.top))
    allow(place.top)
    target = folder / f"{product.NAME}_{version}_{architecture}.deb"
    done = quietly(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(place.top), str(target)],
        {**bundle.environment(root)},
    )
    if done.returncode:
        raise SetupError(f"dpkg-deb could not make the package:\n{last_lines(done.stdout)}")
    return target


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def sums(top: Path) -> str:
    """DEBIAN/md5sums, which ``dpkg --verify`` uses to detect damage."""
    files = sorted(path for path in top.rglob("*") if path.is_file() and not path.is_symlink())
    inside = [path for path in files if "DEBIAN" not in path.relative_to(top).parts]
    return "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(top)}\n" for path in inside)


def allow(top: Path) -> None:
    """Sets the usual permissions regardless of the umask: only the program is executable."""
    for path in top.rglob("*"):
        if path.is_symlink():
            continue
        program = path.is_dir() or path == top / "opt" / product.NAME / product.NAME
        path.chmod(0o755 if program else 0o644)
    top.chmod(0o755)
