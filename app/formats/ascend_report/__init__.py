"""Ascend operator reports: packs and folders with metric tables, instruction tables and traces. Readers are imported
when a file is read.

The layout of npu-rep follows its producer's and readers' code; it has not been verified on a file from a device.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from app.formats.events import Sink
from app.formats.format import ASCEND, Format, Gathered
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile

PACK_MAGICS: Final = (b"cann-rep", b"npu-rep\0")
_METRICS: Final = re.compile(
    rb"""["]?(block_id["]?\s*[,;\t]\s*["]?sub_block_id | Op\ Name["]?\s*[,;\t]\s*["]?Op\ Type
    | instr["]?\s*[,;\t]\s*["]?addr | code["]?\s*[,;\t]\s*["]?call_count | aic_time\(us\)
    | ExecInstrId["]?\s*[,;\t])""",
    re.VERBOSE,
)
_CELLS: Final = (b"block_id", b"sub_block_id", b"aic_total_cycles", b"aiv_total_cycles", b"ExecInstrTickStart")


def sniff(head: bytes, _path: Path) -> int:
    """3 for a pack, 2 for a metric table (CSV) of an operator, else 0."""
    if head.startswith(PACK_MAGICS):
        return 3
    return 2 if is_metric_table(head) else 0


def is_metric_table(head: bytes) -> bool:
    """Whether a text begins with the titles of a metric table (Ascend operator reports, sections 2.2, 3 and 4)."""
    line = head.removeprefix(codecs.BOM_UTF8).lstrip()[:4096].split(b"\n", 1)[0]
    return bool(_METRICS.match(line)) or sum(cell in line for cell in _CELLS) >= 2


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_report.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_report.read import read

    read(sources, sink, pool)


def _record_files(profile: Profile) -> Sequence[int]:
    from app.formats.ascend_report.traces import joined_files

    return joined_files(profile)


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    from app.formats.ascend_report.files import group

    return group(paths)


def _gather(files: Sequence[Path], known: Callable[[Path], bool]) -> Gathered:
    from app.formats.ascend_report.files import gather

    return gather(files, known)


def _surrounding(paths: Sequence[Path]) -> Path | None:
    from app.formats.ascend_report.files import surrounding

    return surrounding(paths)


FORMAT = Format(
    id="ascend-report",
    label=tr("Ascend operator reports (.rep, .ncrep, .npu-rep, OPPROF folders)"),
    family=ASCEND,
    patterns=("*.rep", "*.ncrep", "*.npu-rep"),
    sniff=sniff,
    read=_read,
    group=_group,
    record_files=_record_files,
    read_divided=_read_divided,
    gather=_gather,
    surrounding=_surrounding,
    tolerant=True,
)
