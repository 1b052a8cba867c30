"""Who a rank is, by profiler_info and profiler_metadata.json and by names (Ascend captures, section 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.profile.ascend_report import ReportTable
from app.profile.profile import Section
from app.profile.timeline import Timeline


class RankFacts(Struct, frozen=True, kw_only=True):
    """Who a rank is, as its files state it: numbers are -1 and texts "" where they do not. ``groups``: (name, role,
    numbers of its ranks) of each communication group."""

    rank: int = -1
    device: int = -1
    host: str = ""
    producer: str = ""
    level: str = ""
    metric: str = ""
    version: str = ""
    groups: tuple[tuple[str, str, str], ...] = ()


class RankData(Struct, frozen=True, eq=False, kw_only=True):
    """``sections``: those of ``app/profile/ascend_capture.py`` but Capture, each at most once, for this rank alone:
    their ``rank`` column is 0, and each has texts of its own; ``timeline``: of its trace or database; ``tables``: other
    tables of its files, unchanged; ``others``: further devices of the same files, which are ranks of their own."""

    facts: RankFacts
    sections: tuple[Section, ...] = ()
    timeline: Timeline | None = None
    tables: tuple[ReportTable, ...] = ()
    others: tuple[RankData, ...] = ()


MAX_BYTES: Final = 16 << 20
"""These files have some hundred lines; those of runs with many groups have more."""
_IN_FILE: Final = re.compile(r"(?:profiler_info|profiler)_(\d{1,9})\.(?:json|db)|msmonitor_\d+_\d+_(\d{1,9})\.db")
_IN_FOLDER: Final = re.compile(r"rank[_-]?(\d{1,9})(?!\d)", re.IGNORECASE)


def load(path: Path) -> object:
    """The JSON value of a small file; None if it cannot be read."""
    try:
        with Source(path) as source:
            return load_source(source)
    except FormatError:
        return None


def load_source(source: Source, max_bytes: int = MAX_BYTES) -> object:
    """The JSON value of a source. Raises FormatError."""
    from app.formats.json import tolerant  # every folder is looked into, few hold captures

    if source.size > max_bytes:
        raise FormatError(tr("larger than the limit of {max_bytes:,} bytes for such a file", max_bytes=max_bytes))
    return tolerant.loads(source.read(0, source.size), max_bytes=max_bytes)[0]


def rank_in(root: Path, values: Mapping[Path, object]) -> int:
    """The number of the rank, -1 where nothing states it; the arguments are those of ``facts_of``."""
    metadata = _first(values, ("distributed_args",))
    numbers = (
        whole(_first(values, ("rank_id",)).get("rank_id")),
        *(number_in(path) for path in values),
        _named(_IN_FOLDER, root.name),
        whole(_object(metadata.get("distributed_args")).get("rank")),
    )
    return next((number for number in numbers if number >= 0), -1)


def facts_of(root: Path, values: Mapping[Path, object]) -> RankFacts:
    """The facts of the rank whose folder is ``root``. ``values``: the JSON of profiler_info and metadata, and None for
    other files whose names may have its number."""
    info = _first(values, ("config", "start_info", "torch_npu_version", "cann_version", "rank_id"))
    metadata = _first(values, ("distributed_args", "parallel_group_info", "ENV_VARIABLES"))
    config = _object(info.get("config"))
    special = _object(config.get("experimental_config")) or _object(info.get("experimental_config"))
    return RankFacts(
        rank=rank_in(root, values),
        producer=producer_of(root, info),
        level=_text(special.get("_profiler_level")),
        metric=_text(special.get("_aic_metrics")),
        version=_version(info),
        groups=tuple(_groups(metadata)),
    )


def collected(values: Mapping[Path, object]) -> list[int]:
    """When the collection began and ended, in nanoseconds since 1970, by profiler_info; empty where it does not say."""
    info = _first(values, ("config", "start_info", "end_info"))
    ended, began = _object(info.get("end_info")), _object(info.get("start_info"))
    end, late, early = ended.get("collectionTimeEnd"), ended.get("MonotonicTimeEnd"), began.get("start_monotonic")
    if not (isinstance(end, int) and isinstance(late, int) and isinstance(early, int)):
        return []
    return [end - (late - early), end] if 0 <= late - early < end < 1 << 62 else []


def number_in(path: Path) -> int:
    """The rank that a file's name states, -1 without one."""
    match = _IN_FILE.search(path.name)
    return int(match[1] or match[2]) if match else -1


def producer_of(root: Path, info: Mapping[str, Any]) -> str:
    """The program that wrote a folder, "" if nothing says so."""
    if "torch_npu_version" in info or root.name.endswith("_ascend_pt"):
        return "torch_npu"
    if any(str(key).startswith("mindspore") for key in info) or root.name.endswith("_ascend_ms"):
        return "mindspore"
    return "msprof" if root.name.startswith("PROF_") else ""


def whole(value: object) -> int:
    """A number that may be a text ("0"), -1 for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31 else -1


def _named(pattern: re.Pattern[str], name: str) -> int:
    match = pattern.search(name)
    return int(match[1]) if match else -1


def _first(values: Mapping[Path, object], keys: tuple[str, ...]) -> Mapping[str, Any]:
    """The first object with one of ``keys``."""
    for value in values.values():
        if isinstance(value, dict) and any(key in value for key in keys):
            return value
    return {}


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value[:200] if isinstance(value, str) else ""


def _version(info: Mapping[str, Any]) -> str:
    named = (("torch_npu", "torch_npu_version"), ("MindSpore", "mindspore_version"), ("CANN", "cann_version"))
    return ", ".join(f"{name} {_text(info.get(key))}" for name, key in named if _text(info.get(key)))


def _groups(metadata: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(name, role, ranks) of the groups in parallel_group_info."""
    found = []
    for name, facts in _object(metadata.get("parallel_group_info")).items():
        ranks = _object(facts).get("global_ranks")
        numbers = ranks if isinstance(ranks, list) else []
        joined = ", ".join(str(number) for number in map(whole, numbers) if number >= 0)
        found.append((str(name), _text(_object(facts).get("group_name")), joined))
    return found
