"""Which files make one rank, and which ranks make one run (Ascend captures, section 1)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.formats import ascend_trace
from app.formats.ascend_capture.identity import number_in
from app.formats.ascend_capture.kinds import CLUSTER_KINDS, TRACE_NAME, Kind, kind_of
from app.formats.ascend_capture.runs import difference, glance, runs
from app.formats.errors import FormatError
from app.formats.format import Gathered
from app.formats.parts import folder_of
from app.formats.source import peek
from app.language import Text, tr

HEAD_BYTES: Final = 65536
MOST_LISTED: Final = 512
"""Files of the folder of one rank that are looked at unasked."""
OUTPUTS: Final = ("ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output")
"""Folders that hold the analysed files of the rank whose folder they are in."""
MOST_BESIDE: Final = 32
_NAMED: Final = re.compile(r".*_ascend_(pt|ms)|PROF_.*")
"""Names of the folders of ranks. Others may hold anything, and are not looked into unasked."""
_ENDINGS: Final = (".csv", ".json", ".db")
_NUMBERS: Final = re.compile(r"(\d+)")
_ORDER: Final[tuple[Kind | None, ...]] = (
    *("info", "metadata", "cluster_steps", "cluster_communication", "cluster_matrix", "cluster_groups"),
    *("cluster_database", "database", "kernels", "communication", "steps", "matrix", "trace"),
    *("memory", "memory_operators", "calls", "operators", "types", "table", None),
)
"""What is read first."""
_NO_EVIDENCE: Final[frozenset[Kind | None]] = frozenset(("metadata", "table", "trace", None))


class Unit(Struct):
    """The folder of a rank or of a cluster's output, with the kind of each of its files; None for a table of which
    nothing is known."""

    root: Path
    kinds: dict[Path, Kind | None]

    @property
    def is_cluster(self) -> bool:
        """Whether it is a cluster's output and nothing else."""
        return {kind for kind in self.kinds.values() if kind not in _NO_EVIDENCE} <= CLUSTER_KINDS

    @property
    def is_capture(self) -> bool:
        """Whether the content of one of the files says so."""
        return any(kind not in _NO_EVIDENCE for kind in self.kinds.values())


def root_of(path: Path) -> Path:
    """The folder of the rank or cluster that ``path`` would belong to."""
    folder = folder_of(path)
    return folder.parent if folder.name in OUTPUTS else folder


def content_of(path: Path) -> Kind | None:
    """What a file holds by its first bytes; None if it is no file of a capture or cannot be read."""
    try:
        head = peek(path, HEAD_BYTES)
    except FormatError:
        return None
    kind = kind_of(head, path)
    if kind is None and TRACE_NAME.fullmatch(path.name) and ascend_trace.sniff(head, path):
        return "trace"
    return kind


def split(paths: Sequence[Path]) -> dict[tuple[Path, int], list[Path]]:
    """Files by rank, in their order: by folder, and where a folder has databases of several ranks, by the number in
    their names (-1 stands for the folder itself)."""
    by_root: dict[Path, list[Path]] = {}
    for path in paths:
        by_root.setdefault(root_of(path), []).append(path)
    made: dict[tuple[Path, int], list[Path]] = {}
    for root, own in by_root.items():
        numbers = {number_in(path) for path in own if path.suffix.lower() == ".db"} - {-1}
        for path in own:
            number = number_in(path) if len(numbers) > 1 else -1
            made.setdefault((root, number if number in numbers else -1), []).append(path)
    return made


def units(files: Sequence[Path]) -> list[Unit]:
    """The captures among ``files``. Tables beside them belong to them; other files do not."""
    kinds: dict[Path, Kind | None] = {}
    for path in files:
        if path.name.lower().endswith(_ENDINGS) and not path.name.startswith("."):
            kind = content_of(path)
            if kind is not None or path.name.lower().endswith(".csv"):
                kinds[path] = kind
    found = [Unit(root, {path: kinds[path] for path in own}) for (root, _), own in split(list(kinds)).items()]
    return [unit for unit in found if unit.is_capture]


def gather(files: Sequence[Path], _known: Callable[[Path], bool]) -> Gathered:
    """The runs among the ``files`` of a folder."""
    found = units(files)
    analysed = {unit.root for unit in found if any(path.parent.name in OUTPUTS for path in unit.kinds)}
    inner = [unit for unit in found if unit.root.name.startswith("PROF_") and unit.root.parent in analysed]
    ignored = [path for unit in inner for path in unit.kinds]  # the same run, in msprof's words, below torch_npu's
    outer = [unit for unit in found if unit not in inner]
    groups = [tuple(ordered([pair for unit in run for pair in unit.kinds.items()])) for run in runs(outer)]
    return Gathered(tuple(groups), tuple(ignored))


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Sets of opened files: those of one rank together."""
    return [tuple(ordered([(path, content_of(path)) for path in own])) for own in split(paths).values()]


def surrounding(paths: Sequence[Path]) -> Path | None:
    """The folder of the rank or cluster that the only file of ``paths`` is a part of; None if there is no more to
    open."""
    if len(paths) != 1:
        return None
    path = paths[0]
    if content_of(path) is None:
        return None
    root = root_of(path)
    own = next((unit for unit in units(_listed(root)) if unit.root == root), None)
    return root if own is not None and len(own.kinds) > 1 else None


def beside(roots: Sequence[Path]) -> Iterator[Text]:
    """Why captures in the folder above are not part of the run whose ranks have the folders ``roots``, and whether they
    could be."""
    parent, others = roots[0].parent, others_beside(roots)[:MOST_BESIDE]
    found = [
        unit for folder in others for unit in units(_listed(folder)) if not unit.is_cluster and unit.root == folder
    ]
    if not found:
        return
    own = [glance(unit) for root in roots for unit in units(_listed(root)) if unit.root == root]
    for unit in found:
        seen = glance(unit)
        reasons = [difference(seen, other) for other in own]
        if reasons and not all(reasons):
            yield tr("{folder} is of the same run; open {parent} to see all", folder=unit.root.name, parent=parent.name)
        elif reasons:
            yield tr("{folder} is not of this run: {reason}", folder=unit.root.name, reason=reasons[-1])


def others_beside(roots: Sequence[Path]) -> list[Path]:
    """The folders of ranks in the folder of the first of ``roots`` that are none of them."""
    parent = roots[0].parent
    try:
        with os.scandir(parent) as entries:
            others = sorted(parent / entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
    known = set(roots)
    return [folder for folder in others if folder not in known and _NAMED.fullmatch(folder.name)]


def ordered(files: Sequence[tuple[Path, Kind | None]]) -> list[Path]:
    """The paths by what is read first, then by name, rank2 before rank10."""
    return [path for path, _ in sorted(files, key=lambda pair: (_ORDER.index(pair[1]), natural(pair[0].as_posix())))]


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts rank2 before rank10."""
    return [(int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in _NUMBERS.split(name)]


def _listed(root: Path) -> list[Path]:
    """The files in ``root`` and its folders of analysed files; those that cannot be listed are left out."""
    files: list[Path] = []
    for folder in (root, *(root / name for name in OUTPUTS)):
        try:
            with os.scandir(folder) as entries:
                files += [folder / entry.name for entry in entries if entry.is_file()][:MOST_LISTED]
        except OSError:
            continue
    return files
