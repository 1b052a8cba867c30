"""Finds the graph of an execution and the execution of a graph, by folder and name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from app.formats.errors import FormatError
from app.formats.head import Head
from app.formats.parts import holder
from app.formats.poplar.group import alike, group
from app.formats.poplar.keys import Role, clues
from app.formats.source import peek

HEAD_BYTES: Final = 65536
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
    named = [path for path in others if alike(own, path) and _role(path) == wanted]
    if named or len(others) > _LOOKED_INTO:
        return named[0] if len(named) == 1 else None
    role_of = {path: _role(path) for path in others}
    kinds = [kind for kind in role_of.values() if kind is not None]
    return next(path for path, kind in role_of.items() if kind == wanted) if kinds == [wanted] else None


def own_roles(paths: Sequence[Path]) -> dict[Path, Role]:
    """The graphs and executions among ``paths``, with their roles, by their first bytes."""
    return {path: role for path in paths if (role := _role(path)) is not None}


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


def _role(path: Path) -> Role | None:
    try:
        return next((clue.role for clue in clues(Head(peek(path, HEAD_BYTES), path))), None)
    except FormatError:
        return None
