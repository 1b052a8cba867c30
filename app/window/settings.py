"""The user's settings, stored in one JSON document with a version."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import fields, replace

from app.analysis.compare.names import DEFAULT, Names
from app.atomic import FOR_OWNER, put_aside
from app.language import tr
from app.preferred_language import LanguageChoice
from app.store.outputs import write_output

VERSION = 1
LARGEST = 4 * 1024 * 1024

SMALLEST_TEXT, LARGEST_TEXT = 80, 200
"""Percent of the size that the system's texts have."""

ThemeChoice: TypeAlias = Literal["system", "light", "dark", "contrast"]
MotionChoice: TypeAlias = Literal["system", "full", "reduced"]


class Arrangement(Struct, frozen=True):
    """The docks of one family. ``state``: QMainWindow.saveState as base64 ("": default layout); ``closed``: ids of
    panels that the user closed (others are shown whenever they are offered); ``front``: ids of the panels that the
    user brought to the front of their tab group."""

    state: str = ""
    closed: tuple[str, ...] = ()
    front: tuple[str, ...] = ()


class FilePair(Struct, frozen=True):
    """The files of a profile (``after``) and of its baseline."""

    after: tuple[str, ...]
    before: tuple[str, ...]


class Settings(Struct, frozen=True):
    """The settings. Every field has a default, so documents of older versions just lack fields.
    ``text_size``: of all texts, in percent of the system's. ``motion``: whether anything moves by itself.
    ``language`` is also stored beside the document (app/preferred_language.py), for programs that do not read it.
    ``recent_together``: recent file → files that are opened with it. ``cache_bytes``: size limit of the file cache;
    None: automatic, 0: no cache. ``decoders``: how many processes decode a large file, 0: automatic.
    ``source_folders``: folder of sources as profiles name it → folder on this machine. ``recent_pairs``: files that
    were compared; ``compared_names``: what is ignored in names when profiles are compared; ``queries``: statements that
    were run, the last one first; ``thresholds``: those of findings that differ from the defaults."""

    version: int = VERSION
    theme: ThemeChoice = "system"
    language: LanguageChoice = "system"
    text_size: Annotated[int, msgspec.Meta(ge=SMALLEST_TEXT, le=LARGEST_TEXT)] = 100
    motion: MotionChoice = "system"
    bytes_as: Literal["KiB", "kB", "B"] = "KiB"
    cycles_as: Literal["cycles", "time"] = "cycles"
    recent: tuple[str, ...] = ()
    recent_together: dict[str, tuple[str, ...]] = field(default_factory=dict)
    geometry: str = ""
    cache_bytes: Annotated[int, msgspec.Meta(ge=0)] | None = None
    decoders: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    arrangements: dict[str, Arrangement] = field(default_factory=dict)
    source_folders: dict[str, str] = field(default_factory=dict)
    recent_pairs: tuple[FilePair, ...] = ()
    compared_names: Names = DEFAULT
    queries: tuple[str, ...] = ()
    thresholds: dict[str, float] = field(default_factory=dict)


class SettingsFile:
    """The Settings and the file they are stored in; each change is written at once. Without a path they are in memory
    only. Entries of the file that this version does not understand, such as those of a newer one, stay in the file
    until the user changes them. ``note``: a message for the user if something could not be read or written, else ""."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._for_now: dict[str, object] = {}
        self._foreign: dict[str, Any] = {}
        self.note = ""
        self.saved = Settings()
        if path is not None:
            self._read(path)

    @property
    def has_file(self) -> bool:
        """Whether the settings are stored in a file."""
        return self._path is not None

    @property
    def value(self) -> Settings:
        """The current settings, with overrides."""
        return replace(self.saved, **self._for_now)

    def update(self, **changes: object) -> None:
        """Replaces fields by name and writes the file if anything changed; ends an override of those fields."""
        replaced = False
        for name in changes:
            self._for_now.pop(name, None)
            replaced |= self._foreign.pop(name, None) is not None
        saved = replace(self.saved, **changes)
        if replaced or saved != self.saved:
            self.saved = saved
            self._write()

    def override(self, **changes: object) -> None:
        """Replaces fields for this run only, until ``update`` sets them."""
        self._for_now |= changes

    def _read(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                document = msgspec.json.decode(file.read(LARGEST), type=dict[str, Any])
            self.saved, self._foreign = _understood(document)
        except FileNotFoundError:
            return
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self.note = tr(
                "{path}: the settings could not be read and were reset ({error}){put_aside}",
                path=path,
                error=error,
                put_aside=_rename_broken(path),
            )
        unclear = [name for name in self._foreign if name in Settings.__struct_fields__]
        if unclear:
            self.note = tr(
                "{path}: unknown value of {names}; the default is used",
                path=path,
                names=", ".join(unclear),
            )
        self.saved = replace(self.saved, version=VERSION)

    def _write(self) -> None:
        """Writes the settings atomically, so that a crash or a full disk leaves the old file intact."""
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            document = msgspec.to_builtins(self.saved) | self._foreign
            write_output(self._path, msgspec.json.format(msgspec.json.encode(document), indent=1), mode=FOR_OWNER)
        except OSError as error:
            self.note = tr(
                "{path}: the settings could not be written ({error})", path=self._path, error=error.strerror or error
            )


def _understood(document: Mapping[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The settings in ``document``, and its entries that are not settings of this version or have other values."""
    foreign = {name: value for name, value in document.items() if name not in Settings.__struct_fields__}
    try:
        return msgspec.convert(document, Settings), foreign
    except msgspec.ValidationError:
        pass
    understood: dict[str, Any] = {}
    for setting in fields(Settings):
        if setting.name in document:
            try:
                understood[setting.name] = msgspec.convert(document[setting.name], setting.type)
            except msgspec.ValidationError:
                foreign[setting.name] = document[setting.name]
    foreign.pop("version", None)  # each version writes its own
    return Settings(**understood), foreign


def _rename_broken(path: Path) -> str:
    """Renames the broken file; returns the end of the message about it, "" if that failed."""
    try:
        aside = put_aside(path)
    except OSError:
        return ""
    return tr("; the old file is kept as {aside}", aside=aside.name)
