"""The bundled sample profiles."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from app.resources import resource


class Sample(Struct, frozen=True):
    """A sample in resources/samples/index.json; ``files`` are files or folders relative to that folder."""

    id: str
    title: str
    description: str
    files: tuple[str, ...]

    def paths(self) -> list[Path]:
        return [resource("samples", name) for name in self.files]

    def picture(self, *, dark: bool) -> Path:
        """Returns the path of a screenshot of the sample in the dark or the light theme; it may not exist."""
        return resource("samples", f"{self.id}-{'dark' if dark else 'light'}.png")


def samples() -> list[Sample]:
    """Returns the samples whose files all exist; none if no index is bundled."""
    try:
        listed_samples = msgspec.json.decode(resource("samples", "index.json").read_bytes(), type=list[Sample])
    except (OSError, msgspec.MsgspecError):
        return []
    return [sample for sample in listed_samples if sample.files and all(path.exists() for path in sample.paths())]


def is_bundled(path: Path) -> bool:
    """Whether ``path`` is in the samples folder; samples are not added to the recent files."""
    return path.absolute().is_relative_to(resource("samples"))
