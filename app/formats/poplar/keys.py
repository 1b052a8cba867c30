"""The keys that identify a file as a Poplar profile, and as which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.pool import ALONE, Pool
from app.formats.source import Source
from app.formats.walk import Walk

Role: TypeAlias = Literal["graph", "execution", "both"]

_PER_TILE = frozenset(("bytesSentByTile", "bytesReceivedByTile", "cyclesByTile", "estimatedCyclesByTile"))
_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys(
        (
            "target",
            "optimizationInfo",
            "graph",
            "vertexTypes",
            "computeSets",
            "exchanges",
            "externalExchanges",
            "hostExchanges",
            "programs",
            "controlPrograms",
            "functionPrograms",
            "memory",
        ),
        "graph",
    ),
    **dict.fromkeys(
        (
            "profilerMode",
            "computeSetCyclesByTile",
            "computeSetCycles",
            "externalExchangeCycles",
            "hostExchangeCycles",
            "vertexCycles",
            "vertexComputeSet",
            "vertexType",
            "programTrace",
            "simulation",
        ),
        "execution",
    ),
    "graphProfile": "both",
    "executionProfile": "both",
}
INSIDE: Final[dict[str, frozenset[str]]] = {
    "target": frozenset(("bytesPerTile", "bytesPerIPU", "tilesPerIPU", "numTiles", "numIPUs")),
    "graph": frozenset(("numComputeSets", "numEdges", "numVars", "numVertices")),
    "memory": frozenset(("byTile", "byCategory", "byComputeSet", "byVertexType", "liveness")),
    "exchanges": _PER_TILE | {"codeBytesByTile"},
    "simulation": frozenset(("tileCycles", "steps")),
    "vertexTypes": frozenset(("names", "sizes")),
}
"""Keys that are common words count only if the object has one of these keys."""
_WEAK: Final = frozenset(("programs", "vertexType"))


_FOREIGN: Final = frozenset(("traceEvents", "mappings"))


class Clue(Struct, frozen=True):
    """A key of Poplar profiles. ``sure``: no other format has it."""

    role: Role
    sure: bool


def clues(source: Source) -> Iterator[Clue]:
    """The clues among the keys of the file, in file order, up to the first error."""
    try:
        walk = open_walk(source)
        if walk is None:
            return
        for key in walk.members():
            if key in _FOREIGN:
                return
            if key in _ROLES and (key not in INSIDE or _confirmed(walk, INSIDE[key])):
                yield Clue(_ROLES[key], key not in _WEAK)
    except FormatError:
        return


def open_walk(
    source: Source,
    problems: Problems | None = None,
    moved: Callable[[int], None] = lambda _: None,
    pool: Pool = ALONE,
) -> Walk | None:
    """A walk over ``source``, None unless it begins with a JSON or CBOR object. ``problems``: None reports nothing;
    ``moved``: called with the byte offset that has been reached; ``pool``: decodes large arrays of records."""
    problems = problems or Problems(lambda _: None, source.path.name)
    head = source.head(64)
    if head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{"):
        return JsonWalk(source, problems, moved, pool=pool)
    from app.formats.cbor.walk import TAG, CborWalk  # most profiles are JSON

    first = head.removeprefix(TAG)[:1]
    return CborWalk(source, problems, moved, pool) if first and first[0] >> 5 == 5 else None


def _confirmed(walk: Walk, inside: frozenset[str]) -> bool:
    return walk.kind() == "object" and any(key in inside for key in walk.members())
