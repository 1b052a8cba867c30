"""The bundled sample profiles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.resources import resource


@dataclass(frozen=True, slots=True)
class Sample:
    """As resources/samples/index.json lists it; ``files`` are names beside it (files or folders)."""

    id: str
    title: str
    description: str
    files: tuple[str, ...]

    def paths(self) -> list[Path]:
        return [resource("samples", name) for name in self.files]

    def picture(self, theme: str) -> Path:
        """A picture of the window with the sample in it; it may not exist."""
        return resource("samples", f"{self.id}-{theme}.png")


def samples() -> list[Sample]:
    """Those whose files are all there; none where no list is bundled."""
    try:
        found = msgspec.json.decode(resource("samples", "index.json").read_bytes(), type=list[Sample])
    except (OSError, msgspec.MsgspecError):
        return []
    return [sample for sample in found if sample.files and all(path.exists() for path in sample.paths())]


def is_bundled(path: Path) -> bool:
    """Whether ``path`` is one of the samples: those are not kept among the recent files."""
    return path.absolute().is_relative_to(resource("samples"))
