"""The About dialog: name, version, platform and licence of the program; and its components with their licences."""

from __future__ import annotations

import platform
import re
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec
import PySide6
from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import __version__, scanner
from app.language import tr
from app.resources import resource
from app.views.markup import Markup, heading, sentence
from app.views.texts import page
from app.widgets.dialogs import resize_dialog, text_scale
from app.widgets.icons import application_icon
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label, MarkupLabel, wrapping_text

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


LICENCE = tr(
    "Apache License 2.0. Qt and PySide6 are used under the LGPL v3; the other libraries keep their own licences."
)
NO_TEXT = tr("The licence text is not part of this installation.")
ROOM = 32
"""Pixels beside the names of components, for their list's frame and scroll bar."""
WIDE = 2000
"""More pixels than there are: the text takes what the names leave."""


class About(QDialog):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("About Tilesight"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        icon = Label(parent=self)
        icon.setPixmap(application_icon().pixmap(64, 64))
        text = MarkupLabel(self)
        text.show_markup(about_text())
        text.setWordWrap(True)
        text.setMinimumWidth(round(380 * text_scale()))
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        licences = buttons.addButton(tr("Licences"), QDialogButtonBox.ButtonRole.ActionRole)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        licences.setAutoDefault(False)
        mark_mnemonics(buttons.buttons())
        licences.clicked.connect(self.show_licences)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(buttons)

    def show_licences(self) -> None:
        """Opens the dialog of licences, which are collected on demand."""
        Licences(self).open()


def about_text() -> Markup:
    return (
        heading(tr("Tilesight {version}", version=__version__))
        + sentence(tr("Profile viewer for accelerators made of many small cores: Graphcore IPU and Huawei Ascend."))
        + sentence(
            tr(
                "Python {python_version}, PySide6 {version}, {system}",
                python_version=platform.python_version(),
                version=PySide6.__version__,
                system=platform.system(),
            )
        )
        + sentence(
            tr("Large traces are read by the compiled scanner.")
            if scanner.reader() == "scanner"
            else tr("Large traces are read without the compiled scanner, which takes longer.")
        )
        + sentence(LICENCE)
    )


def show(window: QWidget) -> None:
    About(window).open()


class Licences(QDialog):
    """The components on the left, the licence text of the selected one on the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        note = Label(QT_NOTE, self)
        note.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Components"))
        self.text = wrapping_text(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Licence"))
        self._components = components()
        for component in self._components:
            self.list.addItem(QListWidgetItem(f"{component.name} {component.version}".rstrip()))
        self.list.currentRowChanged.connect(self._show)
        parts = QSplitter(self)
        parts.addWidget(self.list)
        parts.addWidget(self.text)
        parts.setStretchFactor(1, 1)
        parts.setSizes([self.list.sizeHintForColumn(0) + ROOM, WIDE])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        mark_mnemonics(buttons.buttons())
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(parts, 1)
        layout.addWidget(buttons)
        resize_dialog(self, 900, 600)
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        self.text.setPlainText(page(described(self._components[row]) if row >= 0 else ""))


def described(component: Component) -> str:
    """Returns name, version, licence and licence texts of a component."""
    licence = component.licence or tr("see below")
    return tr(
        "{component} {version}\nLicence: {licence}\n\n{text}",
        component=component.name,
        version=component.version,
        licence=licence,
        text=component.text() or NO_TEXT,
    )
