"""What the person chose, in one JSON document with a version."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from app.atomic import FOR_OWNER
from app.language import tr
from app.store.outputs import write_output

VERSION = 1
FILE_NAME = "settings.json"
LARGEST = 4 * 1024 * 1024

ThemeChoice: TypeAlias = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where the docks of one family stand. ``state``: QMainWindow.saveState as base64 ("": the first layout);
    ``closed``: ids of panels that the person closed (others are shown whenever the profile can fill them);
    ``front``: ids of those that the person brought to the front of others in the same place."""

    state: str = ""
    closed: tuple[str, ...] = ()
    front: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Every field has a default, so a document of an older version is a document with fields left out.
    ``recent_together``: by recent file, what is opened with it. ``cache_bytes``: how much of the disk kept columns may
    take; None leaves it to the disk, 0 keeps nothing."""

    version: int = VERSION
    theme: ThemeChoice = "system"
    bytes_as: Literal["KiB", "kB", "B"] = "KiB"
    cycles_as: Literal["cycles", "time"] = "cycles"
    recent: tuple[str, ...] = ()
    recent_together: dict[str, tuple[str, ...]] = field(default_factory=dict)
    geometry: str = ""
    cache_bytes: Annotated[int, msgspec.Meta(ge=0)] | None = None
    arrangements: dict[str, Arrangement] = field(default_factory=dict)


class SettingsFile:
    """Holds the Settings and writes each change at once. Without a path they live in memory only.
    ``note`` is a line for the person when the file could not be used, else ""."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._for_now: dict[str, object] = {}
        self.note = ""
        self.saved = Settings()
        if path is not None:
            self._read(path)

    @property
    def kept(self) -> bool:
        """Whether they come from a file, and go into it."""
        return self._path is not None

    @property
    def value(self) -> Settings:
        """What holds now."""
        return replace(self.saved, **self._for_now)  # type: ignore[arg-type]

    def update(self, **changes: object) -> None:
        """Replaces fields by name."""
        for name in changes:
            self._for_now.pop(name, None)
        saved = replace(self.saved, **changes)  # type: ignore[arg-type]
        if saved != self.saved:
            self.saved = saved
            self._write()

    def override(self, **changes: object) -> None:
        """Replaces fields for this run only, until the person chooses something else."""
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
                put_aside=_put_aside(path),
            )
        self.saved = replace(self.saved, version=VERSION)

    def _write(self) -> None:
        """Through a second file, so that a crash or a full disk leaves the old settings whole."""
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_output(self._path, msgspec.json.format(msgspec.json.encode(self.saved), indent=1), mode=FOR_OWNER)
        except OSError as error:
            self.note = tr(
                "{path}: the settings could not be written ({error})", path=self._path, error=error.strerror or error
            )


def _put_aside(path: Path) -> str:
    """Keeps the broken file under another name; says so."""
    aside = path.with_name(f"{path.name}.broken")
    try:
        path.replace(aside)
    except OSError:
        return ""
    return tr("; the old file is kept as {aside}", aside=aside.name)
