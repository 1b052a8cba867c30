"""Which files of a folder make one report (Ascend operator reports, section 4)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from app.formats.ascend_report import is_metric_table
from app.formats.ascend_report.members import HEAD_BYTES, Member, MemberKind, kind_of
from app.formats.errors import FormatError
from app.formats.format import Gathered
from app.formats.json.problems import Problems
from app.formats.parts import folder_of
from app.formats.source import Source, Unreadable, peek
from app.language import tr

MOST_FILES: Final = 512
"""Files of one report that are opened together: a system allows a program some thousand. 108 cores have 324."""
OPERATOR: Final = "visualize_data.bin"
_CORE: Final = re.compile(r"core\d+\..+")
_SIMULATOR: Final = "simulator"
_DUMP: Final = "dump"
_READ: Final = re.compile(
    r"(visualize_data\.bin|(pipe)?trace(_\d+)?\.json|core_.*_tracing_report_.*\.json|(hardwareinfo|summary)(_\d+)?\.jsonl"
    r"|(manifest|sampling|statistical_utilization)\.json|[^.].*\.csv)",
    re.IGNORECASE,
)
"""Names of the files of a report."""
_ENDINGS: Final = re.compile(r"(\.(npu\.rep|npu-rep|ncrep|rep))+$", re.IGNORECASE)


def stem(name: str) -> str:
    """The name of a pack without its ending."""
    return _ENDINGS.sub("", name) or name


def root_of(path: Path) -> Path:
    """The folder of the report that ``path`` would belong to."""
    folder = folder_of(path)
    if _CORE.fullmatch(folder.name):
        folder = folder.parent
    return folder.parent if folder.name == _SIMULATOR else folder


def gather(files: Sequence[Path], known: Callable[[Path], bool]) -> Gathered:
    """The reports among the ``files`` of a folder. ``known``: whether a format reads a file by itself; other files
    beside those of a report are listed in it."""
    by_root: dict[Path, list[Path]] = {}
    groups, missed, ignored = [], [], []
    for path in files:
        if _DUMP not in path.parts[-4:-1]:
            by_root.setdefault(root_of(path), []).append(path)
    for root, paths in by_root.items():
        own = [path for path in paths if _READ.fullmatch(path.name)]
        if not _is_report(own):
            continue
        others = [path for path in paths if not _READ.fullmatch(path.name) and not known(path)]
        together = [*sorted(own, key=_order), *others]
        groups.append(tuple(together[:MOST_FILES]))
        if len(together) > MOST_FILES:
            missed.append(tr("only the first {most:,} files of {root} were read", root=root, most=MOST_FILES))
        ignored += together[MOST_FILES:]
    dumped = [path for path in files if _DUMP in path.parts[-4:-1] and _root_of_dump(path) in by_root]
    reports = {root_of(group[0]) for group in groups}
    ignored += [path for path in dumped if _root_of_dump(path) in reports]
    return Gathered(tuple(groups), tuple(ignored), tuple(missed))


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Sets of opened files: the files of one report together, each pack alone."""
    sets: list[tuple[Path, ...]] = []
    by_root: dict[Path, list[Path]] = {}
    for path in paths:
        if _READ.fullmatch(path.name):
            by_root.setdefault(root_of(path), []).append(path)
        else:
            sets.append((path,))
    return [*sets, *(tuple(sorted(together, key=_order)) for together in by_root.values())]


def surrounding(paths: Sequence[Path]) -> Path | None:
    """The folder of the report that the only file of ``paths`` is a part of; None if there is no more to open."""
    if len(paths) != 1 or not _READ.fullmatch(paths[0].name):
        return None
    root = root_of(paths[0])
    around = [path for path in _listed(root) if _READ.fullmatch(path.name)]
    return root if len(around) > 1 and _is_report(around) else None


def members_of(sources: Sequence[Source], problems: Problems) -> list[Member]:
    """The files of a report that was opened, in their order. Those that cannot be read are reported, and of the kind
    "other"."""
    root = root_of(sources[0].path)
    members = []
    for number, source in enumerate(sources):
        name = source.path.name
        if source.path.is_relative_to(root):
            name = source.path.relative_to(root).as_posix()
        members.append(Member(name, _kind_of(source, name, problems), source, number, 0, source.size))
    return members


def _kind_of(source: Source, name: str, problems: Problems) -> MemberKind:
    try:
        if isinstance(source, Unreadable):
            raise source.error
        return kind_of(name, source.head(HEAD_BYTES))
    except FormatError as error:
        text = tr("{name} cannot be read: {error}", name=name, error=error.text)
        problems.add("error", tr("files that cannot be read"), error.offset, text)
        return "other"


def folder_name(sources: Sequence[Source]) -> str:
    """The name of a report: that of its folder, or of its only file. Numbered folders are those of an operator."""
    path = sources[0].path.absolute()
    root = root_of(path)
    if len(sources) == 1:
        return path.name
    return f"{root.parent.name}/{root.name}" if root.name.isdigit() else root.name or path.name


def _is_report(paths: Iterable[Path]) -> bool:
    """Whether these files of one root are evidence of a report, by their content. An operator file alone is read as
    such."""
    paths = list(paths)
    if any(path.name.lower() == OPERATOR for path in paths):
        return len(paths) > 1
    tables = [path for path in paths if path.name.lower().endswith(".csv")]
    return any(_is_metric(path) for path in tables)


def _is_metric(path: Path) -> bool:
    try:
        return is_metric_table(peek(path, HEAD_BYTES))
    except FormatError:
        return False


def _listed(root: Path) -> list[Path]:
    """The files in ``root`` and its folder ``simulator``; those that cannot be listed are left out."""
    files: list[Path] = []
    for folder in (root, root / _SIMULATOR):
        try:
            with os.scandir(folder) as entries:
                files += [folder / entry.name for entry in entries if entry.is_file()][:MOST_FILES]
        except OSError:
            continue
    return files


def _root_of_dump(path: Path) -> Path:
    at = len(path.parts) - 1 - path.parts[::-1].index(_DUMP)
    return root_of(Path(*path.parts[:at]) / path.name)


def _order(path: Path) -> tuple[object, ...]:
    """The operator file first, then by name, core2 before core10."""
    parts = re.split(r"(\d+)", path.as_posix())
    return path.name.lower() != OPERATOR, [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
