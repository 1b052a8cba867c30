"""PyPTO on Ascend: what its runtime and its tile framework record of tasks on cores (PyPTO, sections 1 to 6). Readers
are imported when a file is read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

from app.formats.errors import FormatError
from app.formats.events import Event, Sink
from app.formats.format import PYPTO, Format, Gathered
from app.formats.json.tolerant import head_text
from app.formats.parts import folder_of
from app.formats.source import Source, peek
from app.language import tr

Kind: TypeAlias = Literal["records", "framework", "dependencies", "names", "counters", "scopes"]
HEAD_BYTES: Final = 65536
MOST_FILES: Final = 64
_LEVEL: Final = re.compile(rb'"(?:chip_swimlane_level|l2_swimlane_level|aicore_tasks)"\s*:')
_CORE: Final = re.compile(rb'\[\s*\{[^{}\[\]]*"(?:blockIdx|coreType)"\s*:')
_SAME_RUN: Final = re.compile(r"(?:merged_swimlane|CPM_(?:static|observed)).*\.json", re.IGNORECASE)
"""Traces that the toolkit makes from the records: beside those, further views of the same run."""


def kind_of(head: bytes, path: Path) -> Kind | None:
    """What a file holds by its first bytes; None if it is none of a PyPTO run. Its traces are like any other."""
    text = head_text(head)
    if text.startswith(b"{"):
        if _LEVEL.search(text):
            return "records"
        if b'"callable_id_to_name"' in text:
            return "names"
        if b'"task_id"' in text and b'"kernel_ids"' in text:
            return "dependencies"
        return "scopes" if path.name == "scope_stats.jsonl" else None
    if _CORE.match(text) and b'"tasks"' in text and b'"freq"' not in text.partition(b'"tasks"')[0]:
        return "framework"
    line = text[:4096].split(b"\n", 1)[0]
    return "counters" if b"task_id" in line and b"pmu_total_cycles" in line else None


def content_of(path: Path) -> Kind | None:
    """The same of a file on the disk; None, too, where it cannot be read."""
    try:
        return kind_of(peek(path, HEAD_BYTES), path)
    except FormatError:
        return None


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """The files of each folder together."""
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(folder_of(path), []).append(path)
    return [tuple(sorted(own)[:MOST_FILES]) for own in folders.values()]


def _gather(files: Sequence[Path], _known: Callable[[Path], bool]) -> Gathered:
    """The runs among the files of a folder, one for each rank and device. Traces made from their records are none of
    their own."""
    found: list[Path] = []
    recorded: set[Path] = set()
    for path in files:
        if path.suffix.lower() in (".json", ".jsonl", ".csv"):
            kind = content_of(path)
            found += [path] if kind is not None else []
            recorded |= {path.parent} if kind in ("records", "framework") else set()
    same = [path for path in files if path.parent in recorded and _SAME_RUN.fullmatch(path.name)]
    return Gathered(tuple(_group(found)), tuple(same))


def _surrounding(paths: Sequence[Path]) -> Path | None:
    """The folder of the only file of ``paths``, if it has more files of the run."""
    if len(paths) != 1 or content_of(paths[0]) is None:
        return None
    folder = folder_of(paths[0])
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)[:512]
    except OSError:
        return None
    others = (folder / name for name in names if name != paths[0].name and name.endswith((".json", ".csv")))
    return folder if any(content_of(path) for path in others) else None


def _sniff(head: bytes, path: Path) -> int:
    return 0 if kind_of(head, path) is None else 3


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.pypto.read import read

    read(sources, sink)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.pypto.read import preview

    return preview(sources)


FORMAT = Format(
    id="pypto",
    label=tr("PyPTO task profiles (dfx_outputs, chip_swimlane_records.json, tilefwk_prof_data.json)"),
    family=PYPTO,
    patterns=("chip_swimlane_records.json", "tilefwk_*prof_data*.json"),
    sniff=_sniff,
    read=_read,
    group=_group,
    gather=_gather,
    surrounding=_surrounding,
    preview=_preview,
)
