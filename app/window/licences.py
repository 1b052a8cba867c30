"""The components of Tilesight and their licences: from the index of an installer if there is one, else from the
metadata of the installed packages."""

from __future__ import annotations

import platform
import re
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec
from msgspec import Struct

from app import __version__
from app.language import tr
from app.resources import resource

DISTRIBUTION = "tilesight"
FOLDER = "licences"
INDEX = "index.json"
QT_NOTE = tr(
    "Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They "
    "are stored in separate files next to the program, so that you can replace them with "
    "versions that you built or changed. Nothing in Tilesight prevents this, or reverse "
    "engineering for debugging such changes. Their sources are at download.qt.io."
)


class Component(Struct, frozen=True):
    """A component. ``licence``: SPDX expression or name, "" if not stated. ``files``: its licence texts (below
    ``resources/licences`` in the index of an installer, else full paths)."""

    name: str
    version: str
    licence: str
    files: tuple[str, ...] = ()

    def text(self) -> str:
        """Returns all licence texts, concatenated; files that cannot be read are skipped."""
        return "\n\n".join(_texts(resource(FOLDER, name) for name in self.files))


def components() -> list[Component]:
    """Returns Tilesight itself, Python, the icons, then the other components by name."""
    try:
        return msgspec.json.decode(resource(FOLDER, INDEX).read_bytes(), type=list[Component])
    except (OSError, msgspec.MsgspecError):
        return [itself(), python(), icons(), *installed(wanted())]


def itself() -> Component:
    """Returns Tilesight itself; its licence is next to the source, or in the metadata of an installed wheel."""
    source = resource().parent / "LICENSE"
    files = (str(source),) if source.is_file() else _own_files()
    return Component("Tilesight", __version__, "Apache-2.0", files)


def python() -> Component:
    """Returns the Python interpreter with its standard library."""
    licence = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    return Component("Python", platform.python_version(), "PSF-2.0", (str(licence),) if licence.is_file() else ())


def icons() -> Component:
    """Returns the icon set; those that are used are copied into the resources, without a package."""
    return Component("Lucide (icons)", "1.62.0", "ISC AND MIT", (str(resource("icons", "lucide-LICENSE.txt")),))


def wanted() -> list[str]:
    """Returns Tilesight's direct requirements, from pyproject.toml or the installed metadata."""
    try:
        project = resource().parent / "pyproject.toml"
        return list(tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"])
    except (OSError, tomllib.TOMLDecodeError, KeyError):
        return _requires(DISTRIBUTION)


def installed(requirements: Iterable[str]) -> list[Component]:
    """Returns the installed distributions among ``requirements`` and their transitive dependencies, sorted by name."""
    installed_components: dict[str, Component] = {}
    waiting = list(requirements)
    while waiting:
        name = re.split(r"[^A-Za-z0-9._-]", waiting.pop(), maxsplit=1)[0]
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key not in installed_components:
            try:
                distribution = metadata.distribution(name)
            except metadata.PackageNotFoundError:  # required on other systems only
                continue
            installed_components[key] = component(distribution)
            waiting += _requires(name)
    return [installed_components[key] for key in sorted(installed_components)]


def component(distribution: metadata.Distribution) -> Component:
    """Returns the component of a distribution, from its core metadata (License-Expression, License, Classifier)."""
    fields = distribution.metadata
    licence = next((line for name in ("License-Expression", "License") for line in fields.get_all(name) or ()), "")
    if not licence or "\n" in licence or licence == "UNKNOWN":
        licence = "; ".join(_classifiers(fields.get_all("Classifier") or []))
    return Component(fields["Name"], distribution.version, licence, tuple(_files(distribution)))


def _own_files() -> tuple[str, ...]:
    try:
        return tuple(_files(metadata.distribution(DISTRIBUTION)))
    except metadata.PackageNotFoundError:
        return ()


def _requires(name: str) -> list[str]:
    """Returns the requirements of an installed distribution that do not belong to an extra."""
    try:
        return [line for line in metadata.requires(name) or [] if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return []


def _classifiers(lines: Iterable[str]) -> list[str]:
    return [line.rsplit(" :: ", 1)[1] for line in lines if line.startswith("License :: OSI Approved :: ")]


def _files(distribution: metadata.Distribution) -> Iterator[str]:
    for path in distribution.files or ():
        inside = path.parts[0].endswith(".dist-info")
        if inside and re.match(r"(?i).*(licen[cs]e|copying|notice|authors)", "/".join(path.parts[1:])):
            yield str(Path(str(distribution.locate_file(path))).resolve())


def _texts(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        try:
            yield path.read_text("utf-8", errors="replace").strip()
        except OSError:
            continue
