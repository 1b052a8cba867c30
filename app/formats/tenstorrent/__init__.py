"""Tenstorrent captures: device logs and operations of tt-metal, traces of the network on chip, reports of ttnn. Which
file is which, and which belong together; readers are imported when a file is read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

from app.formats.errors import FormatError
from app.formats.events import Event, Sink
from app.formats.foreign import SQLITE
from app.formats.format import TENSTORRENT, Details, Format, Gathered
from app.formats.json.tolerant import head_text
from app.formats.parts import folder_of
from app.formats.source import Source, peek
from app.language import plural, tr
from app.profile.profile import Profile

Kind: TypeAlias = Literal["operations", "noc", "simulated", "workload", "report", "log"]
ORDER: Final[tuple[Kind, ...]] = ("operations", "noc", "simulated", "workload", "report", "log")
"""What is read first: what is small."""
ONE: Final[frozenset[Kind]] = frozenset(("operations", "report", "log"))
"""Of these, a profile has one file."""
HEAD_BYTES: Final = 65536
MOST_FILES: Final = 512
INNER: Final = (".logs", "npe_viz")
"""Folders that belong to the one that they are in."""
_ENDINGS: Final = (".csv", ".json", ".sqlite", ".db", ".csv.gz", ".json.gz")
_LOG: Final = re.compile(rb"ARCH:[^\n,]{1,80},\s*CHIP_FREQ\[MHz\]:")
_OPERATIONS: Final = (b"OP CODE", b"OP TYPE", b"GLOBAL CALL COUNT")
_NOC: Final = (b'"proc"', b'"sx"', b'"sy"', b'"timestamp"')
_WORKLOAD: Final = re.compile(rb'\{\s*(?:"[^"]{1,64}"\s*:\s*\{[^{}]*\}\s*,\s*)?"phases"\s*:\s*\[\s*\{')
_TABLE: Final = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[\"'\[`]?(operations|buffers|tensors)\b", re.IGNORECASE)


def kind_of(head: bytes) -> Kind | None:
    """What the file that begins with ``head`` holds; None if it is no file of a capture."""
    if head.startswith(SQLITE):
        tables = {name.lower() for name in _TABLE.findall(head)}
        return "report" if b"operations" in tables and len(tables) > 1 else None
    text = head_text(head)
    if _LOG.match(text):
        return "log"
    if text.startswith(b"["):
        first = text[1:].lstrip().partition(b"}")[0]
        return "noc" if first.startswith(b"{") and all(key in first for key in _NOC) else None
    if text.startswith(b"{"):
        if b'"common_info"' in text and b'"cycles_per_timestep"' in text:
            return "simulated"
        return "workload" if _WORKLOAD.match(text) and b'"noc_type"' in text else None
    first = text.partition(b"\n")[0]
    return "operations" if all(title in first for title in _OPERATIONS) else None


def sniff(head: bytes, _path: Path) -> int:
    """3 for a file of a capture, else 0."""
    return 3 if kind_of(head) is not None else 0


def content_of(path: Path) -> Kind | None:
    """What a file holds by its first bytes; None if it is no file of a capture or cannot be read."""
    try:
        return kind_of(peek(path, HEAD_BYTES))
    except FormatError:
        return None


def root_of(path: Path) -> Path:
    """The folder of the capture that ``path`` would belong to."""
    folder = folder_of(path)
    return folder.parent if folder.name in INNER else folder


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Sets of opened files: those of one folder together."""
    return _grouped({path: kind for path in paths if (kind := content_of(path)) is not None}, paths)


def _grouped(kinds: dict[Path, Kind], paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """One set for all files where no kind in ONE occurs twice, else one for each folder; what a folder has twice is a
    profile of its own."""
    single = [kind for kind in kinds.values() if kind in ONE]
    together = len(single) == len(set(single))
    groups: dict[Path, list[Path]] = {}
    alone: list[tuple[Path, ...]] = []
    for path in sorted(paths, key=lambda path: ORDER.index(kinds.get(path, "log"))):
        own = groups.setdefault(Path() if together else root_of(path), [])
        if kinds.get(path) in ONE and any(kinds.get(other) == kinds[path] for other in own):
            alone.append((path,))
        else:
            own.append(path)
    return [*(tuple(own) for own in groups.values() if own), *alone]


def gather(files: Sequence[Path], _known: Callable[[Path], bool]) -> Gathered:
    """The captures among the ``files`` of a folder."""
    named = [path for path in files if path.name.lower().endswith(_ENDINGS)]
    kinds = {path: kind for path in named if (kind := content_of(path)) is not None}
    groups, ignored, missed = [], list[Path](), []
    for own in _grouped(kinds, list(kinds)) if kinds else ():
        groups.append(own[:MOST_FILES])
        if len(own) > MOST_FILES:
            text = plural(
                "{count:,} file of {root} was skipped, so that not too many are open at once",
                "{count:,} files of {root} were skipped, so that not too many are open at once",
                count=len(own) - MOST_FILES,
                root=root_of(own[0]),
            )
            missed.append(text)
            ignored += own[MOST_FILES:]
    return Gathered(tuple(groups), tuple(ignored), tuple(missed))


def surrounding(paths: Sequence[Path]) -> Path | None:
    """The folder of the capture that the only file of ``paths`` is a part of; None if there is no more to open."""
    if len(paths) != 1 or content_of(paths[0]) is None:
        return None
    root = root_of(paths[0])
    beside: list[Path] = []
    for folder in (root, *(root / name for name in INNER)):
        try:
            with os.scandir(folder) as entries:
                beside += [folder / entry.name for entry in entries if entry.is_file()][:MOST_FILES]
        except OSError:
            continue
    own = next((own for own in gather(beside, lambda _: True).groups if paths[0] in own), ())
    return root if len(own) > 1 else None


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.tenstorrent.read import read

    read(sources, sink)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.tenstorrent.read import preview

    return preview(sources)


def _record(source: Source, profile: Profile, ordinal: int) -> Details:
    from app.formats.tenstorrent.read import record

    return record(source, profile, ordinal)


def _label_of(profile: Profile) -> str:
    parts = (
        (profile.operations, tr("operations")),
        (profile.core_memory, tr("memory report")),
        (profile.noc_transfers, tr("NoC trace")),
    )
    listed = [text for section, text in parts if section is not None]
    if profile.device_run is not None and len(profile.device_run.zones.name):
        listed.insert(0, tr("device log"))
    return tr("Tenstorrent capture ({parts})", parts=", ".join(listed)) if listed else tr("Tenstorrent capture")


FORMAT = Format(
    id="tenstorrent",
    label=tr("Tenstorrent captures (device log, operations, NoC traces, report of ttnn)"),
    family=TENSTORRENT,
    patterns=("profile_log_device.csv", "ops_perf_results*.csv", "db.sqlite"),
    sniff=sniff,
    read=_read,
    group=group,
    record=_record,
    record_files=lambda _profile: (),
    gather=gather,
    surrounding=surrounding,
    tolerant=True,
    preview=_preview,
    label_of=_label_of,
)
