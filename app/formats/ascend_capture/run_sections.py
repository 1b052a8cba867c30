"""Sections about a whole run: its ranks, its files, its other tables; and what ranks lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_capture.identity import RankData, RankFacts
from app.formats.ascend_capture.joining import Texts
from app.formats.ascend_capture.rank_text import File
from app.language import Text, tr
from app.profile.arrays import sealed
from app.profile.ascend_capture import Capture, Collectives, Groups, Kernels, TrainingSteps
from app.profile.ascend_report import Entries, ReportTable, ReportTables
from app.profile.profile import Section
from app.profile.strings import Interner

MOST_TABLES: Final = 1000
_TRACE, _TABLE, _JSON, _DATABASE, _OTHER = 2, 3, 4, 5, 8
_ENDINGS: Final = {".csv": _TABLE, ".json": _JSON, ".db": _DATABASE}
"""Indices of KIND_NAMES."""


def capture_of(ranks: Sequence[tuple[RankFacts, str, int]], groups: Mapping[str, tuple[str, str]]) -> Capture:
    """Who the ranks are: (facts, name of the folder, mode) of each. ``groups``: (role, ranks) of the cluster's groups
    by name."""
    facts = [each for each, _, _ in ranks]
    texts = Texts()
    texts.add_list([each.host or None for each in facts])
    texts.add_list([folder or None for _, folder, _ in ranks])
    for name in ("producer", "level", "metric", "version"):
        texts.add_list([getattr(each, name) or None for each in facts])
    known: dict[str, tuple[str, str]] = {}
    stated = ((name, role, members) for each in facts for name, role, members in each.groups)
    for name, role, members in (*stated, *((name, *about) for name, about in groups.items())):
        before = known.get(name, ("", ""))
        known[name] = (before[0] or role, before[1] or members)
    texts.add_list([*known])
    texts.add_list([role or None for role, _ in known.values()])
    texts.add_list([members or None for _, members in known.values()])
    strings, columns = texts.finish()
    host, folder, producer, level, metric, version, group, roles, numbers = columns
    return Capture(
        strings=strings,
        rank=sealed(np.array([each.rank for each in facts], np.int64)),
        device=sealed(np.array([each.device for each in facts], np.int64)),
        host=host,
        folder=folder,
        producer=producer,
        mode=sealed(np.array([mode for _, _, mode in ranks], np.uint8)),
        level=level,
        metric=metric,
        version=version,
        groups=Groups(group, roles, numbers),
    )


def tables_of(ranks: Sequence[RankData], others: Sequence[ReportTable]) -> ReportTables | None:
    """The other tables, named after their rank where there are several; None without any."""
    made = [*others]
    several = len(ranks) > 1
    for place, data in enumerate(ranks):
        number = data.facts.rank if data.facts.rank >= 0 else place
        made += [replace(table, name=f"rank{number}/{table.name}" if several else table.name) for table in data.tables]
    return ReportTables(tuple(made[:MOST_TABLES])) if made else None


def entries_of(files: Sequence[File], uses: Mapping[int, int]) -> Entries:
    """The files, and what became of each by its number."""
    names = Interner()
    count = len(files)
    kinds = [
        _TRACE if file.kind == "trace" else _ENDINGS.get(file.source.path.suffix.lower(), _OTHER) for file in files
    ]
    return Entries(
        container="",
        name=sealed(np.array([names(file.name) for file in files], np.int32)),
        kind=sealed(np.array(kinds, np.uint8)),
        use=sealed(np.array([uses[file.number] for file in files], np.uint8)),
        type=sealed(np.full(count, -1, np.int64)),
        file=sealed(np.arange(count, dtype=np.int32)),
        header=sealed(np.full(count, -1, np.int64)),
        offset=sealed(np.zeros(count, np.int64)),
        size=sealed(np.array([file.source.size for file in files], np.int64)),
        strings=names.strings(),
    )


def with_host_times(steps: TrainingSteps, spans: Mapping[int, tuple[int, int]]) -> TrainingSteps:
    """``steps`` with the times of the steps on the host, by number, where they are not known already."""
    if not spans:
        return steps
    numbers = steps.step.tolist()
    start = np.array([spans.get(number, (-1, -1))[0] for number in numbers], np.int64)
    end = np.array([spans.get(number, (-1, -1))[1] for number in numbers], np.int64)
    known = (steps.start >= 0) & (steps.end >= 0)
    return replace(
        steps,
        start=sealed(np.where(known, steps.start, start)),
        end=sealed(np.where(known, steps.end, end)),
    )


_PARTS: Final[tuple[tuple[type[Section], Text], ...]] = (
    (Kernels, tr("kernels")),
    (Collectives, tr("communication")),
    (TrainingSteps, tr("training steps")),
)
_SHOWN: Final = 8


def missing(ranks: Sequence[tuple[str, RankData, bool]]) -> Iterator[Text]:
    """What some ranks lack: a trace or database in any case, other parts if another rank has them. (name, data,
    whether there is a trace) of each."""
    without = [name for name, data, traced in ranks if not traced and data.timeline is None]
    if without:
        yield tr("{ranks}: there is no trace, so the timeline lacks it", ranks=_names(without))
    for kind, what in _PARTS:
        having = [name for name, data, _ in ranks if any(isinstance(section, kind) for section in data.sections)]
        lacking = [name for name, _, _ in ranks if name not in having]
        if having and lacking:
            yield tr("{ranks}: there are no files about {what}", ranks=_names(lacking), what=what)
    empty = [name for name, data, traced in ranks if not data.sections and not traced and data.timeline is None]
    if empty:
        yield tr(
            "{ranks}: there is no data to show; the folder was not analysed, or only a part of it was opened",
            ranks=_names(empty),
        )


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
