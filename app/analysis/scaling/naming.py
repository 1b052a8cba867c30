"""Which steps of a run reduce between replicas, judged by their names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from app.analysis.poplar.names import compute_set_names
from app.language import tr
from app.profile.arrays import I32, I64, Bool, Integers
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.strings import Strings

REDUCES: Final = re.compile(r"all_?reduce|cross_?replica|reduce_?scatter|all_?gather", re.IGNORECASE)
"""Scaling over replicas, section 7.9.2, names these operations."""
NORMALISES: Final = re.compile(r"batch_?norm|(^|[/_.])bn([/_.\d]|$)|group_?norm|layer_?norm", re.IGNORECASE)
"""Distributed batch norm reduces as well, for each micro-batch: that is not the allreduce of the gradients."""
WORDS: Final = tr("AllReduce, CrossReplica, ReduceScatter or AllGather")


class StepNames:
    """The name of each step: its own, else that of its program, else that of its compute set. ``ids``: int32[steps],
    -1 without a name; the same text may have several ids."""

    def __init__(self, profile: Profile, steps: Steps) -> None:
        self._tables: list[Strings] = []
        self._first: list[int] = []
        self.ids: I32 = np.full(len(steps), -1, np.int32)
        self._add(steps.name, steps.strings)
        if profile.programs is not None:
            self._add(_through(steps.program, profile.programs.name), profile.programs.strings)
        if profile.compute_sets is not None:
            names = compute_set_names(profile, len(profile.compute_sets))
            self._add(_through(steps.compute_set, np.arange(len(names))), names)

    def __getitem__(self, number: int) -> str:
        """The text of an id; "" for -1."""
        for table, first in zip(reversed(self._tables), reversed(self._first), strict=True):
            if number >= first:
                return table.get(number - first)
        return ""

    def matching(self, test: Callable[[str], object]) -> Bool:
        """bool[steps]: those whose name passes ``test``, which is called once per id."""
        known, place = np.unique(self.ids, return_inverse=True)
        good = np.array([number >= 0 and bool(test(self[number])) for number in known.tolist()], np.bool_)
        passing: Bool = good[place] if len(known) else np.zeros(0, np.bool_)
        return passing

    def texts(self) -> tuple[I64, tuple[str, ...]]:
        """(int64[steps] indices into the texts, the distinct texts): steps with the same name have the same index."""
        known, place = np.unique(self.ids, return_inverse=True)
        where: dict[str, int] = {}
        places = [where.setdefault(self[number], len(where)) for number in known.tolist()]
        return np.array(places, np.int64)[place], tuple(where)

    def _add(self, ids: Integers, table: Strings) -> None:
        """Set the names of steps that have none yet."""
        first = self._first[-1] + len(self._tables[-1]) if self._tables else 0
        free = (self.ids < 0) & (ids >= 0) & (ids < len(table))
        self.ids[free] = ids[free] + first
        self._tables.append(table)
        self._first.append(first)


def root_of(name: str) -> str:
    """The prefix of the path that all steps of one reduction share: up to the first component that names it."""
    match = REDUCES.search(name)
    if match is None:
        return name
    end = name.find("/", match.end())
    return name if end < 0 else name[:end]


def _through(index: I32, ids: Integers) -> I64:
    """int64[steps]: ``ids`` of the items that ``index`` refers to, -1 for none."""
    out = np.full(len(index), -1, np.int64)
    inside = (index >= 0) & (index < len(ids))
    out[inside] = ids[index[inside]]
    return out
