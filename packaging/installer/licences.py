"""Collects the licences of everything in a bundle. Runs inside PyInstaller's spec file, in the build environment."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from msgspec.structs import asdict, replace

from app.window.about import INDEX, Component, component, icons, installed, itself, python, wanted
from installer import product
from installer.excludes import MODULES

TEXTS = Path(__file__).resolve().parent / "texts"
LGPL = (str(TEXTS / "LGPL-3.0.txt"), str(TEXTS / "GPL-3.0.txt"))
"""The first only adds permissions to the second, so both are included."""
PARTS = (
    ("Cap'n Proto (in pycapnp)", "MIT", "capnproto.txt"),
    ("FreeType (in Qt)", "FTL", "freetype.txt"),
    ("HarfBuzz (in Qt)", "MIT-Modern-Variant", "harfbuzz.txt"),
    ("ICU (in Qt)", "Unicode-DFS-2016", "icu.txt"),
    ("PCRE2 (in Qt)", "BSD-3-Clause", "pcre2.txt"),
    ("double-conversion (in Qt)", "BSD-3-Clause", "double-conversion.txt"),
    ("libpng (in Qt)", "libpng-2.0", "libpng.txt"),
    ("md4c (in Qt)", "MIT", "md4c.txt"),
    ("zlib (in Qt)", "Zlib", "zlib.txt"),
)
"""Parts of libraries whose packages do not include these texts; other parts of Qt are listed on the page "Licenses Used
in Qt" of its documentation."""


def collect(target: Path, libraries: Sequence[Path]) -> list[Component]:
    """Writes texts and index into ``target``; ``libraries``: the sources of the bundle's binaries."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    parts = [itself(), python(), icons(), *with_lgpl(bundled()), *qt(), bootloader()]
    parts += [*scanner(libraries), *of_system(libraries)]
    listed = [copied(part, target) for part in parts]
    (target / INDEX).write_text(json.dumps([asdict(part) for part in listed], indent=1), encoding="utf-8")
    return listed


def bundled() -> list[Component]:
    """The packages that Tilesight needs or uses where they are small, without the excluded ones."""
    return [part for part in installed([*wanted(), *product.EXTRAS]) if part.name.lower() not in MODULES]


def with_lgpl(components: Iterable[Component]) -> Iterator[Component]:
    """Adds the licence texts to Qt's Python modules, whose packages do not include them."""
    for part in components:
        yield replace(part, files=LGPL) if "LGPL-3.0-only" in part.licence and not part.files else part


def qt() -> list[Component]:
    """Qt itself, and components inside its libraries and those of other packages."""
    version = metadata.version("PySide6-Essentials")
    parts = (Component(name, "", licence, (str(TEXTS / text),)) for name, licence, text in PARTS)
    return [Component("Qt", version, "LGPL-3.0-only", LGPL), *parts]


def bootloader() -> Component:
    """PyInstaller's bootloader, which is part of the program; its exception permits that for any program."""
    made = component(metadata.distribution("pyinstaller"))
    return replace(made, name="PyInstaller's bootloader", licence="GPL-2.0-or-later WITH Bootloader-exception")


def scanner(libraries: Iterable[Path]) -> list[Component]:
    """What the compiled scanner of traces contains of others, where it is in the bundle; its licence has the text of
    Tilesight's."""
    if not any(path.stem == "trace_scanner" for path in libraries):
        return []
    return [Component("Rust's standard library (in the scanner)", "", "MIT OR Apache-2.0", itself().files)]


def of_system(libraries: Iterable[Path]) -> list[Component]:
    """Debian packages whose libraries are in the bundle, with their copyright files."""
    packages: dict[str, str] = {}
    for path in libraries:
        name, version = package_of(path)
        if name:
            packages[name] = version
    return [_package(name, version) for name, version in sorted(packages.items())]


def package_of(path: Path) -> tuple[str, str]:
    """(package, version) of a file that was installed by the system's packages; two empty texts for others."""
    real = path.resolve()
    if not real.is_relative_to("/usr") and not real.is_relative_to("/lib"):
        return "", ""
    for candidate in (real, Path("/", *real.parts[2:])):  # the list may contain /lib where that is a link to /usr/lib
        output = _run(["dpkg-query", "-S", str(candidate)])
        match = re.match(r"([^:,\s]+)", output)
        if match:
            return match[1], _run(["dpkg-query", "-W", "-f", "${Version}", match[1]])
    return "", ""


def _package(name: str, version: str) -> Component:
    copyright_ = Path("/usr/share/doc", name, "copyright")
    text = copyright_.read_text("utf-8", errors="replace") if copyright_.is_file() else ""
    return Component(name, version, short_licence(text), (str(copyright_),) if text else ())


def short_licence(text: str) -> str:
    """The licences in a Debian copyright file, if it is in the machine-readable format."""
    names = dict.fromkeys(re.findall(r"^License: *(\S.*?)\s*$", text, re.MULTILINE))
    return " AND ".join(names)


def copied(part: Component, target: Path) -> Component:
    """Copies the texts of ``part`` into ``target``; returns ``part`` with their names."""
    names = []
    for number, file in enumerate(part.files, 1):
        name = f"{re.sub(r'[^a-z0-9]+', '-', part.name.lower()).strip('-')}-{number}.txt"
        shutil.copyfile(file, target / name)
        names.append(name)
    return replace(part, files=tuple(names))


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # no such tool on this system
        return ""
    return done.stdout if done.returncode == 0 else ""
