"""Which graph and execution files belong together, by folder and name or else by content, with their companion files;
and the graph of an execution, or the execution of a graph, in its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from app.formats.errors import FormatError
from app.formats.parts import folder_of, holder
from app.formats.poplar.kinds import HEAD_BYTES, Role, clues, companion_of
from app.formats.source import Head, Source, peek

_GRAPH = re.compile(r"(?<![a-z])(graph|compile|compilation)(?![a-z])")
_EXECUTION = re.compile(r"(?<![a-z])(execution|execute|exec|run)(?![a-z])")


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Groups of files that are read as one profile, in the order of their first files.

    A graph and an execution form a pair (graph first) if their names differ only in that word (``graph.json`` and
    ``execution.cbor``, ``m.compile_report.json`` and ``m.execute_report.json``), or if they are the only two left in a
    folder, one of each kind. Companion files join the group of the same module in their folder, else the first one
    there. In a folder without a graph or execution they form a group; files recognised by name alone join it only if
    there is nothing else to show.
    """
    beside = {
        path: companion for path in paths if (companion := companion_of(path)) is not None and not _is_profile(path)
    }
    groups = _pairs([path for path in paths if path not in beside])
    for folder in dict.fromkeys(map(folder_of, beside)):
        here = [path for path in beside if folder_of(path) == folder]
        for path in here:
            place = _place(path, groups)
            if place is not None:
                groups[place] = (*groups[place], path)
        if not any(folder_of(group[0]) == folder for group in groups):
            sure = [path for path in here if beside[path].score > 1]
            if sure or not groups:
                groups.append(tuple(sure or here))
    return groups


def _is_profile(path: Path) -> bool:
    return _role(path) is not None


def _place(path: Path, groups: Sequence[tuple[Path, ...]]) -> int | None:
    """Index of the group that a companion file joins: in its folder, the one of its module, else the first; None if
    the folder has none."""
    here = [place for place, group in enumerate(groups) if folder_of(group[0]) == folder_of(path)]
    module = path.name.partition(".")[0]
    return next((place for place in here if groups[place][0].name.partition(".")[0] == module), next(iter(here), None))


def _pairs(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    partner: dict[Path, Path] = {}
    graphs = {_stem(path, _GRAPH): path for path in paths if _stem(path, _GRAPH)}
    for path in paths:
        graph = graphs.get(_stem(path, _EXECUTION))
        if graph is not None and graph != path and graph not in partner:
            partner[graph], partner[path] = path, graph
    _pair_by_content([path for path in paths if path not in partner], partner)
    done: set[Path] = set()
    groups: list[tuple[Path, ...]] = []
    for path in paths:
        if path in done:
            continue
        members = (path, partner[path]) if path in partner else (path,)
        done.update(members)
        groups.append(tuple(sorted(members, key=lambda member: _stem(member, _EXECUTION) is not None)))
    return groups


def _stem(path: Path, word: re.Pattern[str]) -> tuple[Path, str] | None:
    """(folder, name without ``word`` and suffix); None where the name does not contain ``word``."""
    name = path.stem.lower().replace("_", " ")
    return (folder_of(path), word.sub("", name, count=1).strip()) if word.search(name) else None


def alike(one: Path, other: Path) -> bool:
    """Whether the two are in one folder and their names differ only in the words for graph and execution."""
    for first, second in ((one, other), (other, one)):
        graph = _stem(first.absolute(), _GRAPH)
        if graph is not None and graph == _stem(second.absolute(), _EXECUTION):
            return True
    return False


def _pair_by_content(left: Sequence[Path], partner: dict[Path, Path]) -> None:
    for folder in set(map(folder_of, left)):
        here = [path for path in left if folder_of(path) == folder]
        if len(here) == 2 and {_role(path) for path in here} == {"graph", "execution"}:
            partner[here[0]], partner[here[1]] = here[1], here[0]


def _role(path: Path) -> Role | None:
    try:
        with Source(path) as source:
            return role(source)
    except FormatError:
        return None


def role(source: Source) -> Role | None:
    """Graph, execution or both, by the first distinctive key; None without one."""
    return next((clue.role for clue in clues(source)), None)


_SUFFIXES: Final = (".json", ".cbor", ".json.gz")
_LISTED: Final = 2000
_LOOKED_INTO: Final = 24
"""The largest number of files with other names whose first bytes are read; a folder with more is not a report."""
_OTHER: Final[dict[Role, Role]] = {"graph": "execution", "execution": "graph"}


def completes(paths: Sequence[Path], more: Sequence[Path]) -> bool:
    """Whether ``paths`` and ``more``, opened together, would be read as one profile, with the graph in one and the
    execution in the other."""
    first, second = own_roles(paths), own_roles(more)
    if len(first) != 1 or [_OTHER.get(role) for role in first.values()] != list(second.values()):
        return False
    return any(len(members) > 1 for members in group([*first, *second]))


def partner(paths: Sequence[Path]) -> Path | None:
    """The execution in the folder of the graph among ``paths``, or the graph in that of the execution; None where
    ``paths`` has both or neither, or the choice is ambiguous. Reads names and the first bytes of a few files."""
    roles = own_roles(paths)
    if len(roles) != 1:
        return None
    ((own, role),) = roles.items()
    wanted = _OTHER.get(role)
    if wanted is None or holder(own) is not None:
        return None
    others = [path for path in _listed(own.parent) if path not in {each.absolute() for each in paths}]
    named = [path for path in others if alike(own, path) and _role_by_head(path) == wanted]
    if named or len(others) > _LOOKED_INTO:
        return named[0] if len(named) == 1 else None
    role_of = {path: _role_by_head(path) for path in others}
    kinds = [kind for kind in role_of.values() if kind is not None]
    return next(path for path, kind in role_of.items() if kind == wanted) if kinds == [wanted] else None


def own_roles(paths: Sequence[Path]) -> dict[Path, Role]:
    """The graphs and executions among ``paths``, with their roles, by their first bytes."""
    return {path: role for path in paths if (role := _role_by_head(path)) is not None}


def _listed(folder: Path) -> list[Path]:
    """Files of this folder that may be profiles, sorted by name; empty where it cannot be listed."""
    try:
        with os.scandir(folder.absolute()) as entries:
            return sorted(
                Path(entry.path)
                for entry in islice(entries, _LISTED)
                if entry.name.lower().endswith(_SUFFIXES) and entry.is_file()
            )
    except OSError:
        return []


def _role_by_head(path: Path) -> Role | None:
    try:
        return next((clue.role for clue in clues(Head(peek(path, HEAD_BYTES), path))), None)
    except FormatError:
        return None
