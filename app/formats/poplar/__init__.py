"""Poplar graph and execution profiles in JSON and CBOR (Poplar profiling data format), with their companion files.
Readers are imported when a file is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.events import Event, Sink
from app.formats.format import POPLAR, Format
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr


def _sniff(head: bytes, path: Path) -> int:
    from app.formats.poplar.kinds import sniff

    return sniff(head, path)


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.poplar.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.poplar.read import read

    read(sources, sink, pool)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.poplar.preview import preview

    return preview(sources)


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    from app.formats.poplar.group import group

    return group(paths)


def _heavy(sources: Sequence[Source]) -> bool:
    from app.formats.poplar.read import heavy

    return heavy(sources)


def _partner(paths: Sequence[Path]) -> Path | None:
    from app.formats.poplar.group import partner

    return partner(paths)


def _completes(paths: Sequence[Path], more: Sequence[Path]) -> bool:
    from app.formats.poplar.group import completes

    return completes(paths, more)


FORMAT = Format(
    id="poplar",
    label=tr("Poplar graph and execution profiles (JSON, CBOR)"),
    family=POPLAR,
    patterns=("*.json", "*.cbor"),
    sniff=_sniff,
    read=_read,
    group=_group,
    heavy=_heavy,
    partner=_partner,
    completes=_completes,
    read_divided=_read_divided,
    preview=_preview,
)
