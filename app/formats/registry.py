"""The list of formats, the choice of the format for a file, and the files of a folder that the user opens."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.formats import (
    ascend_bin,
    ascend_capture,
    ascend_memory_info,
    ascend_report,
    ascend_trace,
    popef,
    poplar,
    pypto,
    tensor_map,
    tensorflow_events,
    tenstorrent,
)
from app.formats.errors import FormatError
from app.formats.foreign import BASELINE, json_keys, what_it_is
from app.formats.format import OTHER, Family, Format
from app.formats.parts import folder_of
from app.formats.source import peek
from app.language import joined, plural, tr
from app.profile.one_line import one_line
from app.profile.profile import Profile

DEPTH = 6
"""The folders of an operator lie at most five levels below one that holds OPPROF folders (Ascend operator reports,
section 4)."""
RAW: Final = re.compile(r"host|device_\d+", re.IGNORECASE)
"""Folders of raw data in a PROF folder of msprof: thousands of files that no format reads."""
FILES = 20_000
FOLDERS = 5_000


class Inside(Struct, frozen=True):
    """``files``: regular files, upper levels first; ``missed``: phrases that say what was not searched (the search of a
    very large folder is cut short), empty when everything was."""

    files: list[Path]
    missed: tuple[str, ...]


def look_inside(folder: Path) -> Inside:
    """The files in ``folder`` down to DEPTH levels, at most FILES of them, in at most FOLDERS folders. Links to folders
    are not followed."""
    files: list[Path] = []
    closed: list[Path] = []
    level = [folder]
    searched = 0
    for _ in range(DEPTH):
        below: list[Path] = []
        for here in level[: FOLDERS - searched]:
            try:
                _sort_in(here, files, below)
            except OSError:
                closed.append(here)
        many = len(level) > FOLDERS - searched
        searched += len(level)
        level = sorted(below)
        if many or len(files) > FILES or not level:
            break
    return Inside(files[:FILES], tuple(_missed(len(files) > FILES, many, bool(level), closed, folder)))


def _sort_in(folder: Path, files: list[Path], below: list[Path]) -> None:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                if not (folder.name.startswith("PROF_") and RAW.fullmatch(entry.name)):
                    below.append(folder / entry.name)
            elif _is_file(entry):
                files.append(folder / entry.name)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a regular file or a link to one. Links that go in a circle or into a closed folder are not."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _missed(many_files: bool, many_folders: bool, deep: bool, closed: list[Path], folder: Path) -> list[str]:
    reasons: list[str] = []
    if many_files:
        reasons.append(tr("only its first {files:,} files were searched", files=FILES))
    elif many_folders:
        reasons.append(tr("only its first {folders:,} folders were searched", folders=FOLDERS))
    elif deep:
        reasons.append(tr("folders more than {depth} levels below it were not searched", depth=DEPTH))
    if closed:
        more = len(closed) - 1
        if closed[0] == folder:
            reasons.append(tr("the folder cannot be listed"))
        elif more:
            text = plural(
                "{folder} and {count:,} more folder cannot be listed",
                "{folder} and {count:,} more folders cannot be listed",
                count=more,
                folder=closed[0],
            )
            reasons.append(text)
        else:
            reasons.append(tr("{folder} cannot be listed", folder=closed[0]))
    return reasons


FORMATS: tuple[Format, ...] = (
    ascend_bin.FORMAT,
    ascend_capture.FORMAT,
    pypto.FORMAT,
    ascend_trace.FORMAT,
    ascend_memory_info.FORMAT,
    ascend_report.FORMAT,
    poplar.FORMAT,
    popef.FORMAT,
    tensorflow_events.FORMAT,
    tensor_map.FORMAT,
    tenstorrent.FORMAT,
)

HEAD_BYTES = 65536
CERTAIN = 3
"""The largest score of ``Format.sniff``."""


class Job(Struct, frozen=True):
    """Files that are read together, and the format that reads them."""

    format: Format
    paths: tuple[Path, ...]


class Refusal(Struct, frozen=True):
    """A file that no format reads, and why."""

    path: Path
    error: FormatError


def label_of(profile: Profile) -> str:
    """What kind of files a profile was read from, for people."""
    own = by_id(profile.origin.format)
    return own.label if own.label_of is None else own.label_of(profile)


def by_id(format_id: str) -> Format:
    """The format with that id; KeyError for an unknown one."""
    return {known.id: known for known in FORMATS}[format_id]


def family_of(format_id: str) -> Family:
    """The family of that format; OTHER for an unknown id."""
    return next((known.family for known in FORMATS if known.id == format_id), OTHER)


def load_readers() -> None:
    """Imports the readers of formats with large files. A worker does so while it waits for a request."""
    import app.formats.ascend_bin.reader
    import app.formats.ascend_capture.read
    import app.formats.ascend_report.read
    import app.formats.ascend_trace.assemble
    import app.formats.ascend_trace.read
    import app.formats.popef.read
    import app.formats.poplar.read
    import app.formats.pypto.read  # noqa: F401


def sniff(path: Path) -> Format:
    """The format of ``path`` by its content. Raises FormatError where no format matches."""
    head = peek(path, HEAD_BYTES)
    if not head:
        raise FormatError(tr("the file is empty"), path=str(path))
    best, score = None, 0
    for known in FORMATS:
        own = known.sniff(head, path)
        if own > score:
            best, score = known, own
        if score == CERTAIN:
            break  # others need not be imported
    if best is None:
        raise FormatError(_unknown(head, path), path=str(path))
    return best


def plan(paths: Sequence[Path]) -> tuple[list[Job], list[Refusal]]:
    """(jobs, refused files) for files and folders that the user opens. A folder stands for the files of known formats
    in it. Unknown files are refused where the user named them, and ignored inside a folder. Jobs come in the order in
    which their first file, or its folder, was named."""
    by_format: dict[str, dict[Path, None]] = {}
    refused: list[Refusal] = []
    gathered: dict[tuple[Path, ...], Format] = {}
    argument: dict[Path, int] = {}
    for number, named in enumerate(paths):
        inside = look_inside(named) if os.path.isdir(named) else None  # noqa: PTH112 (Path.is_dir raises)
        files = [named]
        known = 0
        if inside is not None:
            groups, inside = _gather(inside)
            gathered.update(groups)
            for path in (path for group in groups for path in group):
                argument.setdefault(path, number)
            files, known = inside.files, len(groups)
        for path in files:
            argument.setdefault(path, number)
            try:
                by_format.setdefault(sniff(path).id, {})[path] = None
                known += 1
            except FormatError as error:
                if path == named:
                    refused.append(Refusal(path, error))
        if inside is not None and (inside.missed or not known):
            refused.append(Refusal(named, FormatError(_about_folder(inside, known), path=str(named))))
    _join(by_format)
    jobs = [Job(format_, files) for files, format_ in gathered.items()]
    jobs += [Job(by_id(key), files) for key, group in by_format.items() for files in by_id(key).group(list(group))]
    return sorted(jobs, key=lambda job: min(argument[path] for path in job.paths)), refused


def _gather(inside: Inside) -> tuple[dict[tuple[Path, ...], Format], Inside]:
    """(sets of files that are read together, with their format; the folder without these files)."""
    groups: dict[tuple[Path, ...], Format] = {}
    for known in FORMATS:
        if known.gather is not None:
            result = known.gather(inside.files, _is_known)
            groups.update(dict.fromkeys(result.groups, known))
            taken = {*result.ignored, *(path for group in result.groups for path in group)}
            inside = Inside([path for path in inside.files if path not in taken], (*inside.missed, *result.missed))
    return groups, inside


def _is_known(path: Path) -> bool:
    try:
        sniff(path)
    except FormatError:
        return False
    return True


def _join(by_format: dict[str, dict[Path, None]]) -> None:
    """Moves files of formats with ``joins`` to that format where it has files in the same folder."""
    for known in FORMATS:
        own, hosts = by_format.get(known.id, {}), by_format.get(known.joins, {})
        folders = {folder_of(path) for path in hosts}
        for path in [path for path in own if folder_of(path) in folders]:
            hosts[path] = own.pop(path)


def _about_folder(inside: Inside, known: int) -> str:
    """The message about the files of a folder that were not opened or not searched."""
    missed = joined(tr(", and "), inside.missed)
    if not missed:
        return tr("this folder contains no profiles; {known}", known=_known())
    if not known:
        return tr(
            "no profiles in the searched part of this folder: {missed}. Open a folder inside it instead",
            missed=missed,
        )
    return tr("this folder was opened only in part: {missed}. Open the folders inside it one by one", missed=missed)


def _unknown(head: bytes, path: Path) -> str:
    words, keys = what_it_is(head, path), json_keys(head)
    if BASELINE.match(head):  # its reason says what takes it
        return tr("this is {words}", words=words)
    if keys and not words:
        quoted = ", ".join(f"“{one_line(key)}”" for key in keys)
        return tr(
            "not a known profile format, but JSON with {keys}; Tilesight opens traces, Poplar reports, memory plans "
            "and tensor maps in JSON",
            keys=quoted,
        )
    about = tr("this is {words}", words=words) if words else tr("not a known profile format")
    return joined("; ", (about, _known()))


def _known() -> str:
    """The supported file names. Short, because it is repeated for every refused file."""
    patterns = dict.fromkeys(name for known in FORMATS for name in known.patterns)
    return tr("Tilesight opens {patterns}", patterns=", ".join(patterns))
