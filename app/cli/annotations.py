"""Results as commands of GitHub's workflows, which shows them beside a change. Texts come from strangers' files: none
can end its command or begin another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Level: TypeAlias = Literal["error", "warning", "notice"]
_IN_TEXT: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_VALUES: Final = {**_IN_TEXT, ord(":"): "%3A", ord(","): "%2C"}
"""As @actions/core escapes data and properties."""


class Annotation(Struct, frozen=True):
    """``file``: relative to the repository, "" if it is about no file there."""

    level: Level
    title: str
    text: str
    file: str = ""


def annotation_lines(annotations: Iterable[Annotation]) -> Iterator[str]:
    """One line for each."""
    for one in annotations:
        values = {"file": one.file, "title": one.title}
        shown = ",".join(f"{name}={value.translate(_IN_VALUES)}" for name, value in values.items() if value)
        yield f"::{one.level} {shown}::{one.text.translate(_IN_TEXT)}"
