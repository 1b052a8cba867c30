"""One damaged or hostile case, known by its name (format, seed and number), which is the same bytes everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from soak import corpus, hostile

_NAME = re.compile(r"(hostile-)?([a-z-]+)-(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Id:
    """``str`` of it is what `soak --repeat` takes."""

    format: str
    seed: int
    number: int
    hostile: bool = False

    def __str__(self) -> str:
        return f"{'hostile-' * self.hostile}{self.format}-{self.seed}-{self.number}"

    @classmethod
    def of(cls, name: str) -> Id:
        """ValueError for a text that is no such name."""
        match = _NAME.fullmatch(name)
        if match is None or match[2] not in corpus.MAKERS:
            raise ValueError(f"{name} is not the name of a case (such as poplar-1-250)")
        return cls(match[2], int(match[3]), int(match[4]), match[1] is not None)


@cache
def _cases(name: str) -> tuple[corpus.Case, ...]:
    return tuple(corpus.cases(name))


def made(one: Id) -> dict[str, bytes]:
    """The files of a damaged one by name. The first of all are whole: what the damage is compared with."""
    known = _cases(one.format)
    chosen = known[one.number % len(known)]
    if one.number < len(known):
        return {name: content.whole() for name, content in chosen.files.items()}
    return corpus.damaged(chosen, Random(f"{one.format}/{one.seed}/{one.number}"))


def whole(one: Id) -> bool:
    """Whether nothing is damaged."""
    return not one.hostile and one.number < len(_cases(one.format))


def write(one: Id, folder: Path) -> list[Path]:
    """Its files in the (new) folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if one.hostile:
        return hostile.made(one.format, one.seed, one.number).write(folder)
    paths = []
    for name, content in made(one).items():
        (folder / name).write_bytes(content)
        paths.append(folder / name)
    return paths
