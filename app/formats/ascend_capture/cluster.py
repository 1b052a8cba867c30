"""The output of a cluster analysis: steps, communication and links of many ranks (Ascend captures, section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_capture.communication import (
    KINDS,
    Matrix,
    Operations,
    leaves,
    members,
    step_number,
)
from app.formats.ascend_capture.identity import RankData, whole
from app.formats.ascend_capture.sheet import CellKind, Sheet
from app.formats.ascend_capture.tables import kind_of as kind_of_steps
from app.formats.ascend_capture.tables import training_steps
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import Text, tr
from app.profile.arrays import I64, Bool, among, distinct, sealed
from app.profile.ascend_capture import COLLECTIVE, TrainingSteps
from app.profile.ascend_report import ReportTable
from app.profile.profile import Section

Moved = Callable[[int], None]
RowsT = TypeVar("RowsT", bound=Section)
COMPARED: Final = ("computing", "exposed", "overlapped", "communication", "free")
SAME_SECONDS: Final = 1e-6
"""Figures of one step in two files differ by less: they are the same numbers, added up in another order."""


class Cluster:
    """What the files of a cluster's output hold. The column ``rank`` of ``sections`` holds numbers of ranks."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.groups: dict[str, tuple[str, str]] = {}
        """(role, ranks) by the name of the group."""
        self.tables: list[ReportTable] = []
        self.devices: dict[int, int] = {}
        self.hosts: dict[int, str] = {}
        """Of ranks, by their numbers."""

    def numbers(self) -> list[int]:
        """The ranks that the files name, ascending."""
        named = {rank for section in self.sections for rank in _rank(section).tolist()}
        return sorted(named | {int(one) for _, ranks in self.groups.values() for one in ranks.split(", ") if one})

    def add_steps(self, sheet: Sheet) -> None:
        """cluster_step_trace_time.csv; rows of stages are maxima of ranks and left out."""
        type_ids, types = sheet.texts("type")
        index_ids, indices = sheet.texts("index")
        number = np.array([*(_index(text) for text in indices.tolist()), -1], np.int64)[index_ids]
        is_rank = np.array([*(text.lower() == "rank" for text in types.tolist()), False], np.bool_)[type_ids]
        steps = replace(training_steps(sheet), rank=sealed(number.astype(np.int32)))
        self.sections.append(chosen(steps, is_rank & (number >= 0)))

    def add_communication(self, source: Source, problems: Problems, moved: Moved) -> None:
        """cluster_communication.json. Raises FormatError where it is no object."""
        made = Operations()
        for (group, step, title), ranks in leaves(source, 3, problems, moved):
            kind = KINDS.get(group, COLLECTIVE)
            for rank, facts in members(ranks).items():
                number = whole(rank)
                if number >= 0:
                    made.add(number, step_number(step), kind, title, facts)
            name = title.partition("@")[2]
            if name and group not in KINDS:
                self.groups.setdefault(name, ("", _ranks_in(group)))
        if len(made):
            self.sections += [made.collectives(), made.packets()]

    def add_rows(
        self,
        sections: Iterable[Section],
        groups: Mapping[str, tuple[str, str]],
        devices: Mapping[int, int],
        hosts: Mapping[int, str],
    ) -> None:
        """What a database holds, but for what a text file says as well."""
        known = {type(section) for section in self.sections}
        self.sections += [section for section in sections if type(section) not in known]
        self.groups = {**groups, **self.groups}
        self.devices.update(devices)
        self.hosts.update(hosts)

    def add_matrix(self, source: Source, problems: Problems, moved: Moved) -> None:
        """cluster_communication_matrix.json. Raises FormatError where it is no object."""
        made = Matrix()
        for (_, step, title), links in leaves(source, 3, problems, moved):
            made.add(step_number(step), title, links, lambda rank: rank if rank < 1 << 31 else -1)
        if len(made):
            self.sections.append(made.links())

    def add_groups(self, tree: object) -> None:
        """communication_group.json: lists of ranks by kind, or objects that name their group."""
        for group in _described(tree):
            ranks = group.get("rank_set")
            numbers = [whole(rank) for rank in ranks] if isinstance(ranks, list) else []
            name, role = group.get("group_name"), group.get("pg_name")
            if isinstance(name, str) and name:
                shown = ", ".join(str(each) for each in sorted(numbers) if each >= 0)
                self.groups[name] = (role if isinstance(role, str) else "", shown)
        for kind in KINDS:
            lists = members(tree).get(kind)
            for listed in lists if isinstance(lists, list) else []:
                numbers = [whole(rank) for rank in listed] if isinstance(listed, list) else []
                if numbers and min(numbers) >= 0:
                    shown = ", ".join(map(str, sorted(numbers)))
                    if shown not in {known for _, known in self.groups.values()}:
                        self.groups[f"({shown})"] = ("", shown)

    def disagreements(self, ranks: Mapping[int, RankData]) -> Iterator[Text]:
        """Steps of ranks of which these files state other figures than the ranks' own files."""
        mine = [section for section in self.sections if isinstance(section, TrainingSteps)]
        keys = zip(mine[0].rank.tolist(), mine[0].step.tolist(), strict=True) if mine else ()
        row_of = {key: row for row, key in enumerate(keys)}
        for number, data in ranks.items():
            for steps in data.sections:
                if mine and isinstance(steps, TrainingSteps):
                    yield from _differences(number, steps, mine[0], row_of)

    def placed(self, row_of: Mapping[int, int], own: Mapping[type[Section], set[int]]) -> list[Section]:
        """The sections with rows of Capture in place of numbers, without those of ranks whose own files have such a
        section (``own``, by type)."""
        made = []
        for section in self.sections:
            numbers = _rank(section)
            known = own.get(type(section), set())
            stated = distinct(numbers)
            rows = np.array([row_of[number] for number in stated.tolist()], np.int32)[np.searchsorted(stated, numbers)]
            which = ~among(numbers, list(known)) if known else np.ones(len(numbers), np.bool_)
            moved = replace(section, rank=sealed(rows))  # type: ignore[type-var]
            if which.any():
                made.append(chosen(moved, which))
        return made


def chosen(section: RowsT, which: Bool) -> RowsT:
    """The rows of a section without columns of its own where ``which`` is set."""
    if bool(which.all()):
        return section
    names = [name for name in section.__struct_fields__ if name != "strings"]  # type: ignore[attr-defined]
    columns = {name: sealed(getattr(section, name)[which]) for name in names}
    return replace(section, **columns)  # type: ignore[type-var]


def _differences(
    number: int, own: TrainingSteps, other: TrainingSteps, row_of: Mapping[tuple[int, int], int]
) -> Iterator[Text]:
    for row, step in enumerate(own.step.tolist()):
        place = row_of.get((number, step))
        if place is None:
            continue
        names = [
            name
            for name in COMPARED
            if abs(float(getattr(own, name)[row]) - float(getattr(other, name)[place])) > SAME_SECONDS
        ]
        if names:
            yield tr(
                "step {step} of rank {rank}: the cluster's output states other times ({names}) than the files of the "
                "rank, which are shown",
                step=step,
                rank=number,
                names=", ".join(names),
            )


def kind_of(title: str) -> CellKind:
    """What the cells of a column of cluster_step_trace_time.csv are."""
    return "text" if title in ("type", "index") else kind_of_steps(title)


def _index(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _rank(section: Section) -> I64:
    rank: I64 = cast("Any", section).rank
    return rank


def _ranks_in(group: str) -> str:
    """ "0, 1" of "(0, 1)"; "" for anything else."""
    inner = group.removeprefix("(").removesuffix(")").rstrip(", ")
    return inner if group.startswith("(") and all(_index(each.strip()) >= 0 for each in inner.split(",")) else ""


def _described(tree: object) -> Iterable[Mapping[str, object]]:
    lists = [tree] if isinstance(tree, list) else [value for value in members(tree).values() if isinstance(value, list)]
    return [each for one in lists for each in one if isinstance(each, dict)]
