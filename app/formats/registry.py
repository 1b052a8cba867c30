"""The list of formats, and which of them a file is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.formats import (
    ascend_bin,
    ascend_memory_info,
    ascend_trace,
    popef,
    poplar,
    tensor_map,
    tensorflow_events,
)
from app.formats.errors import FormatError
from app.formats.folder import Inside, look_inside
from app.formats.foreign import what_it_is
from app.formats.format import OTHER, Family, Format
from app.formats.parts import folder_of
from app.formats.source import peek
from app.language import joined, tr

FORMATS: tuple[Format, ...] = (
    ascend_bin.FORMAT,
    ascend_trace.FORMAT,
    ascend_memory_info.FORMAT,
    poplar.FORMAT,
    popef.FORMAT,
    tensorflow_events.FORMAT,
    tensor_map.FORMAT,
)

HEAD_BYTES = 65536


@dataclass(frozen=True, slots=True)
class Job:
    """Files that are read together by one format."""

    format: Format
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that no format takes, and why."""

    path: Path
    error: FormatError


def by_id(format_id: str) -> Format:
    """The format with that id; KeyError for an unknown one."""
    return {known.id: known for known in FORMATS}[format_id]


def family_of(format_id: str) -> Family:
    """How profiles of that format are shown."""
    return next((known.family for known in FORMATS if known.id == format_id), OTHER)


def load_readers() -> None:
    """Imports what reads the formats whose files are large: a worker that waits for a request does it meanwhile."""
    import app.formats.ascend_bin.reader
    import app.formats.ascend_trace.read
    import app.formats.popef.read
    import app.formats.poplar.read  # noqa: F401


def sniff(path: Path) -> Format:
    """The format of ``path`` by its content; FormatError says why there is none."""
    head = peek(path, HEAD_BYTES)
    if not head:
        raise FormatError(tr("the file is empty"), path=str(path))
    scored = [(known.sniff(head, path), known) for known in FORMATS]
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[0] == 0:
        raise FormatError(f"{_unknown(head, path)}; {_known()}", path=str(path))
    return best[1]


def plan(paths: Sequence[Path]) -> tuple[list[Job], list[Refusal]]:
    """Sorts files and folders into jobs. A folder stands for the known files in it; files that a person
    named and nobody knows are refused, those of a folder are passed over."""
    found: dict[str, dict[Path, None]] = {}
    refused: list[Refusal] = []
    for named in paths:
        inside = look_inside(named) if os.path.isdir(named) else None  # noqa: PTH112 (Path.is_dir raises)
        files = [named] if inside is None else inside.files
        known = 0
        for path in files:
            try:
                found.setdefault(sniff(path).id, {})[path] = None
                known += 1
            except FormatError as error:
                if path == named:
                    refused.append(Refusal(path, error))
        if inside is not None and (inside.missed or not known):
            refused.append(Refusal(named, FormatError(_about_folder(inside, known), path=str(named))))
    _join(found)
    jobs = [Job(by_id(key), files) for key, group in found.items() for files in by_id(key).group(list(group))]
    return jobs, refused


def _join(found: dict[str, dict[Path, None]]) -> None:
    """Gives files to the formats that take them in, if such a profile lies beside them."""
    for known in FORMATS:
        own, hosts = found.get(known.id, {}), found.get(known.joins, {})
        folders = {folder_of(path) for path in hosts}
        for path in [path for path in own if folder_of(path) in folders]:
            hosts[path] = own.pop(path)


def _about_folder(inside: Inside, known: int) -> str:
    """What was not opened of a folder; of what was not looked at, nothing else is said."""
    missed = joined(tr(", and "), inside.missed)
    if not missed:
        return tr("no profiles in this folder; {known}", known=_known())
    if not known:
        return tr(
            "no profiles in what was looked at of this folder: {missed}; open a folder inside it instead", missed=missed
        )
    return tr("not all of this folder was opened: {missed}; open the folders inside it one by one", missed=missed)


def _unknown(head: bytes, path: Path) -> str:
    words = what_it_is(head, path)
    return tr("this is {words}", words=words) if words else tr("not a known profile format")


def _known() -> str:
    """Short, because it stands behind each of many refused files."""
    patterns = dict.fromkeys(name for known in FORMATS for name in known.patterns)
    return tr("Tilesight opens {patterns}", patterns=", ".join(patterns))
