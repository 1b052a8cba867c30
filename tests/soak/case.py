"""One damaged or hostile case, identified by its name (format, seed and number); the same name gives the same bytes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

from msgspec import Struct

from soak import corpus, hostile

_NAME = re.compile(r"(hostile-)?([a-z-]+)-(\d+)-(\d+)")


class Id(Struct, frozen=True):
    """The id of a case; ``str(id)`` is the argument of `soak --repeat`."""

    format: str
    seed: int
    number: int
    hostile: bool = False

    def __str__(self) -> str:
        return f"{'hostile-' * self.hostile}{self.format}-{self.seed}-{self.number}"

    @classmethod
    def of(cls, name: str) -> Id:
        """The id with that name. Raises ValueError for any other text."""
        match = _NAME.fullmatch(name)
        if match is None or match[2] not in corpus.MAKERS:
            raise ValueError(f"{name} is not the name of a case (such as poplar-1-250)")
        return cls(match[2], int(match[3]), int(match[4]), match[1] is not None)


@cache
def _cases(name: str) -> tuple[corpus.Case, ...]:
    return tuple(corpus.cases(name))


def made(one: Id) -> dict[str, bytes]:
    """The files of a damaged case by name. The first cases are whole, for comparison."""
    known = _cases(one.format)
    chosen = known[one.number % len(known)]
    if one.number < len(known):
        return {name: content.whole() for name, content in chosen.files.items()}
    return corpus.damaged(chosen, Random(f"{one.format}/{one.seed}/{one.number}"))


def whole(one: Id) -> bool:
    """Whether the case is undamaged."""
    return not one.hostile and one.number < len(_cases(one.format))


def write(one: Id, folder: Path) -> list[Path]:
    """Writes the files of the case into the new folder and returns their paths, or the folder that they are in."""
    folder.mkdir(parents=True, exist_ok=True)
    if one.hostile:
        return hostile.made(one.format, one.seed, one.number).write(folder)
    paths = []
    for name, content in made(one).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        paths.append(folder / name.split("/")[0])
    return list(dict.fromkeys(paths))
