"""The user's settings, stored in one JSON document with a version."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from app.analysis.compare.names import DEFAULT, Names
from app.atomic import FOR_OWNER
from app.language import tr
from app.preferred_language import LanguageChoice
from app.store.outputs import write_output

VERSION = 1
FILE_NAME = "settings.json"
LARGEST = 4 * 1024 * 1024

ThemeChoice: TypeAlias = Literal["system", "light", "dark", "contrast"]


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
    ``language`` is also stored beside the document (app/preferred_language.py), for programs that do not read it.
    ``recent_together``: recent file → files that are opened with it. ``cache_bytes``: size limit of the file cache;
    None: automatic, 0: no cache. ``decoders``: how many processes decode a large file, 0: automatic.
    ``source_folders``: folder of sources as profiles name it → folder on this machine. ``recent_pairs``: files that
    were compared; ``compared_names``: what is ignored in names when profiles are compared; ``queries``: statements that
    were run, the last one first; ``thresholds``: those of findings that differ from the defaults."""

    version: int = VERSION
    theme: ThemeChoice = "system"
    language: LanguageChoice = "system"
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
    only. ``note``: a message for the user if the file could not be read or written, else ""."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._for_now: dict[str, object] = {}
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
        for name in changes:
            self._for_now.pop(name, None)
        saved = replace(self.saved, **changes)
        if saved != self.saved:
            self.saved = saved
            self._write()

    def override(self, **changes: object) -> None:
        """Replaces fields for this run only, until ``update`` sets them."""
        self._for_now |= changes

    def _read(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self.saved = msgspec.json.decode(file.read(LARGEST), type=Settings)
        except FileNotFoundError:
            return
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self.note = tr(
                "{path}: the settings could not be read and start anew ({error}){put_aside}",
                path=path,
                error=error,
                put_aside=_rename_broken(path),
            )
        self.saved = replace(self.saved, version=VERSION)

    def _write(self) -> None:
        """Writes the settings atomically, so that a crash or a full disk leaves the old file intact."""
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_output(self._path, msgspec.json.format(msgspec.json.encode(self.saved), indent=1), mode=FOR_OWNER)
        except OSError as error:
            self.note = tr(
                "{path}: the settings could not be written ({error})", path=self._path, error=error.strerror or error
            )


def _rename_broken(path: Path) -> str:
    """Renames the broken file to ``*.broken``; returns the end of the message about it, "" if that failed."""
    aside = path.with_name(f"{path.name}.broken")
    try:
        path.replace(aside)
    except OSError:
        return ""
    return tr("; the old file is kept as {aside}", aside=aside.name)
