"""Recognises Poplar profiles and their companion files by their first bytes: the keys that identify a file, as which
kind, and how each companion is handled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.foreign import AR, SQLITE, is_capnp
from app.formats.json.problems import Problems
from app.formats.json.tolerant import head_text
from app.formats.json.walk import JsonWalk
from app.formats.pool import ALONE, Pool
from app.formats.source import Head, Source, peek
from app.formats.walk import Kind as ValueKind
from app.formats.walk import Walk
from app.language import tr

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


_LIKELY: Final = re.compile(rb'\\|"(?:%b)"' % "|".join(_ROLES).encode())


def may_have_clue(text: bytes) -> bool:
    """Whether ``clues`` could find one in this text: false only if none of the keys is in it, however spelled."""
    return _LIKELY.search(text) is not None


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


Kind: TypeAlias = Literal[
    "framework",
    "application",
    "variables",
    "summary",
    "tensor_map",
    "database",
    "debug",
    "serialized_graph",
    "binary_variables",
    "archive",
]

WHAT: Final[dict[Kind, str]] = {
    "framework": tr("notes of the framework about itself and the system"),
    "application": tr("notes of the application"),
    "variables": tr("lowered variables"),
    "summary": tr("text summary"),
    "tensor_map": tr("TensorFlow tensor map"),
    "database": tr("a profile database of Poplar 2.2 or later (SQLite)"),
    "debug": tr("debug contexts that belong to a profile.pop"),
    "serialized_graph": tr("the graph as serialised by Poplar (Cap'n Proto)"),
    "binary_variables": tr("lowered variables in Cap'n Proto"),
    "archive": tr("compiled code of the tiles (an ar archive of ELF files)"),
}
INSTEAD: Final[dict[Kind, str]] = {
    "application": tr("Open it together with the graph.json or execution.json in the same folder"),
    "database": tr(
        "Open it with PopVision Graph Analyser, or read it with libpva. For Tilesight, profile with Poplar 2.1 or "
        "earlier, which writes graph.json and execution.json"
    ),
    "debug": tr("Open both with PopVision Graph Analyser or libpva"),
    "serialized_graph": tr(
        "Its layout is not published, and only Poplar reads it. graph.json or graph.cbor contains the figures"
    ),
    "binary_variables": tr("To show them, set the engine option debug.loweredVarDumpFile to a .json file"),
    "archive": tr("`ar t` lists the tiles. An objdump for the IPU shows the code of one"),
}
"""What to use instead of Tilesight for files that it cannot show."""
READ: Final[frozenset[Kind]] = frozenset(("framework", "application", "variables", "summary", "tensor_map"))

HEAD_BYTES: Final = 65536
_KEYS_LOOKED_AT = 12
_FRAMEWORK = frozenset(("TensorFlow", "System Information", "PopART", "PopTorch"))
_VARIABLES = frozenset(("targetMemoryInfo", "allocationOrderByTile", "equivalenceClassInterference"))
_CONTEXTS = frozenset(("contexts", "stringTable"))
_MAPPINGS = frozenset(("mappings", "mapping"))
_SUMMARY = re.compile(
    rb"(?:Target:\s*\n\s*(?:Number of IPUs|Type|Architecture)\s*:"
    rb"|Graph:\s*\n\s*Number of \w+[\w ]*:"
    rb"|Execution:\s*\n\s*(?:Total (?:compute )?cycles|Cycles by vertex type|Runs?)\b[^:\n]*:)"
)


class Companion(Struct, frozen=True):
    """The type of a companion file. ``score``: as for ``Format.sniff`` (2 by content, 1 by name)."""

    kind: Kind
    score: int

    @property
    def what(self) -> str:
        return WHAT[self.kind]

    @property
    def read(self) -> bool:
        return self.kind in READ

    @property
    def advice(self) -> str:
        """What the file is, and what to use instead of Tilesight."""
        return f"{self.what}. {INSTEAD.get(self.kind, '')}".removesuffix(". ")


def companion(head: bytes, path: Path) -> Companion | None:
    """The type of a companion file by its first bytes and, where those are ambiguous, its name; None for others."""
    name = path.name.lower()
    if head.startswith(SQLITE):
        return Companion("database", 2) if name.endswith(".pop") else None
    if head.startswith(AR):
        return Companion("archive", 2) if name == "archive.a" else None
    if name.endswith(".capnp") and is_capnp(head):
        return Companion("binary_variables" if "var" in name else "serialized_graph", 2)
    if _SUMMARY.match(head_text(head)):
        return Companion("summary", 2)
    return _by_keys(dict(_keys(head, path)), path)


def companion_of(path: Path) -> Companion | None:
    """``companion`` for a file that is not open; None where it cannot be read."""
    try:
        return companion(peek(path, HEAD_BYTES), path)
    except FormatError:
        return None


def _by_keys(keys: dict[str, ValueKind], path: Path) -> Companion | None:
    name = path.stem.lower()
    if keys.keys() & _VARIABLES:
        return Companion("variables", 2)
    if name.startswith("debug") and any(keys.get(key) == "array" for key in _CONTEXTS):
        return Companion("debug", 2)
    if "tensor_map" in path.name.lower() and keys.keys() & _MAPPINGS:
        return Companion("tensor_map", 2)
    objects = {key for key, kind in keys.items() if kind == "object"}
    if objects >= {"TensorFlow", "System Information"}:
        return Companion("framework", 2)
    if name in ("framework", "frameworks") and keys:
        return Companion("framework", 2 if objects & _FRAMEWORK else 1)
    return Companion("application", 1) if name == "app" and keys else None


def _keys(head: bytes, path: Path) -> Iterator[tuple[str, ValueKind]]:
    """The first keys of the top-level object with the types of their values, as far as ``head`` reaches."""
    try:
        walk = open_walk(Head(head, path))
        if walk is None:
            return
        for number, key in enumerate(walk.members()):
            yield key, walk.kind()
            if number == _KEYS_LOOKED_AT:
                return
    except FormatError:
        return


NAMES = re.compile(r"(?<![a-z])(graph|execution|compile|execute)(?![a-z])")


def sniff(head: bytes, path: Path) -> int:
    """3 with a key that only Poplar profiles have, 2 with one that other files may have too, else 0.

    Keys are in alphabetical order, and the first value may be longer than ``head``, but its key is inside ``head``.
    Where an unknown key with such a value comes first, the name decides (1). Companion files get the score of
    ``beside.companion``.
    """
    best = 0
    for clue in clues(Head(head, path)):
        best = max(best, 3 if clue.sure else 2)
        if best == 3:
            break
    other = None if best else companion(head, path)
    if other is not None:
        return other.score
    if not best and len(head) >= HEAD_BYTES and NAMES.search(path.stem.lower()):
        walk = open_walk(Head(head, path))
        return int(walk is not None)
    return best
