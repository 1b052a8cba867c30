"""Whole Ascend captures: folders of torch_npu, MindSpore, msprof and clusters (Ascend captures, section 1). Readers are
imported when a file is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.ascend_capture.kinds import kind_of
from app.formats.events import Sink
from app.formats.format import CAPTURE, Format, Gathered
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import plural, tr
from app.profile.ascend_capture import CLUSTER
from app.profile.profile import Profile


def sniff(head: bytes, path: Path) -> int:
    """3 for a file of a capture but its trace, which reads like any other, else 0."""
    return 3 if kind_of(head, path) is not None else 0


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_capture.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_capture.read import read

    read(sources, sink, pool)


def _record_files(profile: Profile) -> Sequence[int]:
    from app.formats.ascend_capture.timelines import traces_of

    return traces_of(profile)


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    from app.formats.ascend_capture.files import group

    return group(paths)


def _gather(files: Sequence[Path], known: Callable[[Path], bool]) -> Gathered:
    from app.formats.ascend_capture.files import gather

    return gather(files, known)


def _surrounding(paths: Sequence[Path]) -> Path | None:
    from app.formats.ascend_capture.files import surrounding

    return surrounding(paths)


def _label_of(profile: Profile) -> str:
    """Who wrote it, and of how many ranks it is."""
    capture = profile.capture
    if capture is None:
        return tr("Ascend capture")
    writers = {capture.strings.get(each) for each in capture.producer.tolist()} - {""}
    ranks = plural("{count:,} rank", "{count:,} ranks", count=len(capture))
    if (capture.mode == CLUSTER).all():
        return tr("Ascend cluster analysis ({ranks})", ranks=ranks)
    if not writers:
        return tr("Ascend capture ({ranks})", ranks=ranks)
    return tr("Ascend capture ({writers}, {ranks})", writers=", ".join(sorted(writers)), ranks=ranks)


FORMAT = Format(
    id="ascend-capture",
    label=tr("Ascend captures (folders *_ascend_pt, *_ascend_ms, PROF_*, cluster_analysis_output)"),
    family=CAPTURE,
    patterns=("kernel_details.csv", "op_summary_*.csv"),
    sniff=sniff,
    read=_read,
    group=_group,
    record_files=_record_files,
    read_divided=_read_divided,
    gather=_gather,
    surrounding=_surrounding,
    tolerant=True,
    label_of=_label_of,
)
