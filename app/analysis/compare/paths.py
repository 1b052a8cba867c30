"""Paths of files that stand for one another although the profiles were made in other folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from app.analysis.compare.codes import texts
from app.analysis.table import Column


def paired(before: Iterable[str], after: Iterable[str]) -> dict[str, str]:
    """The path after for each path before that has one: the same path, else the only other one with its file name,
    else the only one that is left on both sides."""
    own, other = list(dict.fromkeys(before)), list(dict.fromkeys(after))
    known = {path: path for path in own if path in set(other)}
    left = [path for path in own if path not in known], [path for path in other if path not in known]
    names = [Counter(map(file_name, paths)) for paths in left]
    by_name = {file_name(path): path for path in left[1]}
    for path in left[0]:
        name = file_name(path)
        if names[0][name] == names[1][name] == 1:
            known[path] = by_name[name]
    taken = set(known.values())
    rest = [path for path in left[0] if path not in known], [path for path in left[1] if path not in taken]
    if len(rest[0]) == len(rest[1]) == 1:
        known[rest[0][0]] = rest[1][0]
    return known


def paired_columns(before: Column, after: Column) -> dict[str, str]:
    """The same for the paths in two columns."""
    return paired(_used(before), _used(after))


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _used(column: Column) -> Sequence[str]:
    cells = texts(column)
    ids = sorted({int(number) for number in set(cells.ids.tolist()) if number >= 0})
    return [cells.strings.get(number) for number in ids]
