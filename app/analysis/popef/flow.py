"""The program flow of a model: which programs of the executable run to load it, for each call, and to save it; and
which model and anchor of a baseline belong to it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.names import without_numbers
from app.language import tr
from app.profile.arrays import I64, among
from app.profile.popef import Model

Change: TypeAlias = Literal["", "added", "removed"]
SIGNS: Final[dict[Change, str]] = {"": "", "added": "+ ", "removed": "− "}
MOST_STEPS = 256
"""Programs of one row that are drawn; the metadata list all."""


class Step(Struct, frozen=True):
    """``program``: its index in the executable; ``name``: from the programs map, "" if it has none; ``anchors``: how
    many anchors name it. ``change``: in a comparison, whether only one side runs it at this place."""

    program: int
    name: str
    anchors: int
    change: Change = ""

    @property
    def title(self) -> str:
        return f"{SIGNS[self.change]}{self.program} {self.name}".rstrip()


class Row(Struct, frozen=True):
    """``word``: load, main or save; ``when``: what it means; ``left``: how many more steps there are."""

    word: str
    when: str
    steps: tuple[Step, ...]
    left: int


WORDS = (("load", tr("once, before the first call")), ("main", tr("with each call")), ("save", tr("to read data back")))


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


def compared_flow(before: tuple[Row, ...], after: tuple[Row, ...]) -> tuple[Row, ...]:
    """The flow after, in which steps that only one side runs at a place are marked; those before are put where they
    were. Steps are aligned by the names of their programs, else by their indices."""
    return tuple(_compared(*rows) for rows in zip(before, after, strict=True))


def _compared(before: Row, after: Row) -> Row:
    names = [[step.name or str(step.program) for step in row.steps] for row in (before, after)]
    steps: list[Step] = []
    for what, a, a_end, b, b_end in SequenceMatcher(a=names[0], b=names[1], autojunk=False).get_opcodes():
        if what == "equal":
            steps += after.steps[b:b_end]
        else:
            steps += (replace(step, change="removed") for step in before.steps[a:a_end])
            steps += (replace(step, change="added") for step in after.steps[b:b_end])
    return replace(after, steps=tuple(steps))


def users(model: Model, row: int, program: int) -> I64:
    """int64: anchors of one row of the metadata that name the program."""
    programs = model.anchors.programs
    naming = np.zeros(len(model.anchors), np.bool_)
    naming[programs.owner[programs.items == program]] = True
    return np.flatnonzero(naming & (model.anchors.metadata == row)).astype(np.int64)


def counterpart(before: Model, after: Model, row: int) -> int:
    """The row of the metadata before that belongs to a row after: that of the same executable, else of one whose name
    differs in numbers and hashes only (one of several by their order), else the only one; -1 without any."""
    names = [
        [own.strings.get(executable) for executable in own.metadata.executable.tolist()] for own in (before, after)
    ]
    if not 0 <= row < len(names[1]):
        return -1
    for plain in (str, without_numbers):
        wanted = plain(names[1][row])
        alike = [place for place, name in enumerate(names[0]) if plain(name) == wanted]
        ordinal = [place for place, name in enumerate(names[1]) if plain(name) == wanted].index(row)
        if ordinal < len(alike):
            return alike[ordinal]
    return 0 if len(names[0]) == len(names[1]) == 1 else -1


def counterpart_anchor(before: Model, after: Model, anchor: int) -> int:
    """The anchor before with the name of an anchor after, in the model that belongs to its model; -1 without one."""
    row = counterpart(before, after, int(after.anchors.metadata[anchor]))
    name = after.strings.get(int(after.anchors.name[anchor]))
    own = before.anchors
    places = np.flatnonzero(among(own.name, before.strings.find(name)) & (own.metadata == row))
    return int(places[0]) if len(places) and name else -1
