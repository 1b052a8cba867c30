"""Ascend operator reports: packs and folders with metric tables, instruction tables and traces. Readers are imported
when a file is read.

The layout of npu-rep follows its producer's and readers' code; it has not been verified on a file from a device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.ascend_report.sniff import sniff
from app.formats.events import Sink
from app.formats.format import ASCEND, Details, Format, Gathered
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_report.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_report.read import read

    read(sources, sink, pool)


def _record(source: Source, profile: Profile, ordinal: int) -> Details:
    from app.formats.ascend_report.record import record

    return record(source, profile, ordinal)


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
    record=_record,
    read_divided=_read_divided,
    gather=_gather,
    surrounding=_surrounding,
    tolerant=True,
)
