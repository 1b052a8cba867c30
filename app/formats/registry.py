"""The list of formats, and which of them a file is."""

from __future__ import annotations

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
from app.formats.foreign import what_it_is
from app.formats.format import Format
from app.formats.parts import folder_of
from app.formats.source import Source

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
FOLDER_DEPTH = 4
FOLDER_FILES = 2000


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


def load_readers() -> None:
    """Imports what reads the formats whose files are large: a worker that waits for a request does it meanwhile."""
    import app.formats.ascend_bin.reader
    import app.formats.ascend_trace.read
    import app.formats.popef.read
    import app.formats.poplar.read  # noqa: F401


def sniff(path: Path) -> Format:
    """The format of ``path`` by its content; FormatError says why there is none."""
    with Source(path) as source:
        if source.size == 0:
            raise FormatError("the file is empty", path=str(path))
        head = source.head(HEAD_BYTES)
    scored = [(known.sniff(head, path), known) for known in FORMATS]
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[0] == 0:
        raise FormatError(f"{_unknown(head)}; {_known()}", path=str(path))
    return best[1]


def plan(paths: Sequence[Path]) -> tuple[list[Job], list[Refusal]]:
    """Sorts files and folders into jobs. A folder stands for the known files in it; files that a person
    named and nobody knows are refused, those of a folder are passed over."""
    found: dict[str, dict[Path, None]] = {}
    refused: list[Refusal] = []
    for named in paths:
        files = _inside(named) if named.is_dir() else [named]
        known = 0
        for path in files:
            try:
                found.setdefault(sniff(path).id, {})[path] = None
                known += 1
            except FormatError as error:
                if path == named:
                    refused.append(Refusal(path, error))
        if named.is_dir() and not known:
            refused.append(Refusal(named, FormatError(f"no profiles in this folder; {_known()}", path=str(named))))
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


def _inside(folder: Path) -> list[Path]:
    """Regular files in ``folder``, a few levels deep; a folder of a whole disk is cut at FOLDER_FILES."""
    files: list[Path] = []
    level = [folder]
    for _ in range(FOLDER_DEPTH):
        entries = sorted(entry for here in level for entry in _entries(here))
        files += [entry for entry in entries if entry.is_file()]
        level = [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
        if len(files) > FOLDER_FILES:
            break
    return files[:FOLDER_FILES]


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _unknown(head: bytes) -> str:
    words = what_it_is(head)
    return f"this is {words}" if words else "not a known profile format"


def _known() -> str:
    """Short, because it stands behind each of many refused files."""
    return "Tilesight opens " + ", ".join(dict.fromkeys(name for known in FORMATS for name in known.patterns))
