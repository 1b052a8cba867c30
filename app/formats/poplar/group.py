"""Groups graph and execution files that belong together, by folder and name or else by content, with their companion
files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from app.formats.errors import FormatError
from app.formats.parts import folder_of
from app.formats.poplar.beside import companion_of
from app.formats.poplar.keys import Role, clues
from app.formats.source import Source

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
