"""The program flow of a model: which programs of the executable run to load it, for each call, and to save it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import I64
from app.profile.model import Model

MOST_STEPS = 256
"""Programs of one row that are drawn; the metadata list all."""


class Step(Struct, frozen=True):
    """``program``: its index in the executable; ``name``: from the programs map, "" if it has none; ``anchors``: how
    many anchors name it."""

    program: int
    name: str
    anchors: int

    @property
    def title(self) -> str:
        return f"{self.program} {self.name}".rstrip()


class Row(Struct, frozen=True):
    """``word``: load, main or save; ``when``: what it means; ``left``: how many more steps there are."""

    word: str
    when: str
    steps: tuple[Step, ...]
    left: int


WORDS = (("load", tr("once, before the first call")), ("main", tr("with each call")), ("save", tr("to take data back")))


def flow(model: Model, row: int) -> tuple[Row, ...]:
    """Load, main and save of one row of the metadata, including those that run nothing."""
    own, named = model.metadata, model.programs
    names = {
        int(named.index[entry]): model.strings.get(int(named.name[entry]))
        for entry in np.flatnonzero(named.metadata == row).tolist()
    }
    rows = []
    for (word, when), programs in zip(WORDS, (own.load, own.main, own.save), strict=True):
        indices = programs.row(row)
        shown = indices[:MOST_STEPS].tolist()
        steps = tuple(Step(index, names.get(index, ""), len(users(model, row, index))) for index in shown)
        rows.append(Row(word, when, steps, len(indices) - len(steps)))
    return tuple(rows)


def users(model: Model, row: int, program: int) -> I64:
    """int64: anchors of one row of the metadata that name the program."""
    programs = model.anchors.programs
    naming = np.zeros(len(model.anchors), np.bool_)
    naming[programs.owner[programs.items == program]] = True
    return np.flatnonzero(naming & (model.anchors.metadata == row)).astype(np.int64)
