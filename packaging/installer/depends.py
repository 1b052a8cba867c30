"""The Debian packages that a bundle needs, determined by the tool that reads its binaries."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import elf, product

CONTROL = "Source: {name}\nMaintainer: nobody\n\nPackage: {name}\nArchitecture: any\nDescription: -\n"


def of_bundle(folder: Path) -> str:
    """The Depends line for all binaries below ``folder``, with the versions whose symbols they use. A library that is
    neither in the bundle nor on this system is an error."""
    binaries = sorted(path for path in folder.rglob("*") if elf.is_elf(path))
    own = sorted({path.parent for path in binaries})
    with tempfile.TemporaryDirectory(prefix="tilesight-depends-") as name:
        (Path(name) / "debian").mkdir()
        (Path(name) / "debian" / "control").write_text(CONTROL.format(name=product.NAME))
        command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *(f"-l{path}" for path in own)]
        command += [f"-x{package}" for package in bundled_packages(path.name for path in binaries)]
        done = quietly([*command, *(str(path) for path in binaries)], cwd=Path(name))
    missing = without_bundled(re.findall(r"cannot find library (\S+)", done.stdout), binaries)
    match = re.search(r"^shlibs:Depends=(.*)$", done.stdout, re.MULTILINE)
    if missing or match is None:
        reason = f"nothing brings {', '.join(missing)}" if missing else last_lines(done.stdout)
        raise SetupError(f"the packages that the bundle needs cannot be told: {reason}")
    return match[1]


def bundled_packages(names: Iterable[str]) -> list[str]:
    """Packages of this system whose libraries are in the bundle, and which are therefore not needed."""
    patterns = sorted(f"*/{name}" for name in names if ".so" in name)
    return packages_in(quietly(["dpkg-query", "-S", *patterns]).stdout)


def packages_in(text: str) -> list[str]:
    """The names in the output of ``dpkg-query -S``."""
    return sorted(set(re.findall(r"^([a-z0-9][a-z0-9+.-]+):\S*: /", text, re.MULTILINE)))


def without_bundled(missing: Iterable[str], binaries: Iterable[Path]) -> list[str]:
    """Libraries of ``missing`` that are not among ``binaries`` (which are resolved at run time by the path in each
    binary)."""
    there = {path.name for path in binaries}
    return sorted({name for name in missing if name not in there})
