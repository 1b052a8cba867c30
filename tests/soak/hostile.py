"""Files of every format that cause disproportionate memory or time, by seed and number: files grown in one place,
sparse files, hundreds of files, and the cases of the generators; some of the JSON compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from app.formats.cbor.decode import head
from generators import ascend_hostile, hostile_streams, popef, tfrecord
from generators.ascend_bin import HEADER, block
from soak import corpus, growth
from soak.documents import Document, Way, at, documents, places

SIZES = (40_000, 40_000, 200_000, 200_000, 800_000)
COMPRESSED = 0.15
"""Share of JSON files that are compressed with gzip."""
HOLDERS = 0.6
"""Share of growth that is applied to lists and objects; the rest is applied anywhere."""
SWOLLEN = 10_000_000
"""The least number of bytes that a few kilobytes of gzip expand to."""
TITLE, TITLES = 20_000_000, 0.3
"""Bytes of the longest names of all, and their share of the long ones in the largest files."""
SPARSE = (20_000_000, 200_000_000, 2_000_000_000)
FILES = (100, 300)


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse file: ``begin``, then zeros up to ``size`` that take no disk space. ``counted``: the bytes that have a
    meaning; reading the others must not take more memory than an empty file."""

    begin: bytes
    size: int
    counted: int = 0

    def write(self, path: Path) -> None:
        with path.open("wb") as file:
            file.write(self.begin)
            file.truncate(self.size)


@dataclass(frozen=True, slots=True)
class Files:
    """``what``: a description; ``bytes``: the size that memory and time may be proportional to (for compressed files
    that of the content)."""

    what: str
    files: Mapping[str, bytes | Sparse]
    bytes: int
    in_folder: bool = False
    """Whether the folder is opened instead of each file."""

    @property
    def length(self) -> int:
        """Bytes of all files, including holes."""
        return sum(one.size if isinstance(one, Sparse) else len(one) for one in self.files.values())

    def write(self, folder: Path) -> list[Path]:
        """Writes the files into the new folder and returns the paths to open."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Sparse):
                content.write(path)
            else:
                path.write_bytes(content)
        return [folder] if self.in_folder else [folder / name for name in self.files]


def made(format_id: str, seed: int, number: int, share: float = 1.0, size: int | None = None) -> Files:
    """The case of that seed and number; equal arguments give equal files. ``share``: share of the size, for comparing
    the time of smaller files; ``size``: replaces the size chosen by the seed."""
    random = Random(f"hostile/{format_id}/{seed}/{number}")
    chosen = random.choice(SIZES)
    return _KINDS[number % len(_KINDS)](format_id, int((size or chosen) * share), random)


def _grown(format_id: str, size: int, random: Random) -> Files:
    known = _documents(format_id)
    if not known:
        return (_generated if _CASES.get(format_id) else _many_files)(format_id, size, random)
    document, ways, holders = random.choice(known)
    family = random.choice(growth.FAMILIES)
    way = random.choice(holders if holders and random.random() < HOLDERS else ways)
    if family is growth.long_name and size == SIZES[-1] and random.random() < TITLES:
        size = TITLE
    files = document.grown(way, family, size, random)
    what = f"{family.__name__} at {'.'.join(map(str, way)) or 'the root'}"
    return _packed(what, files, random)


def _packed(what: str, files: Mapping[str, bytes], random: Random) -> Files:
    count = sum(map(len, files.values()))
    if random.random() < COMPRESSED and all(name.endswith(".json") for name in files):
        packed = {f"{name}.gz": gzip.compress(content, 1, mtime=0) for name, content in files.items()}
        return Files(f"{what}, compressed", packed, count)
    return Files(what, files, count)


def _generated(format_id: str, size: int, random: Random) -> Files:
    cases = _CASES.get(format_id)
    if not cases:
        return (_grown if _documents(format_id) else _many_files)(format_id, size, random)
    name, file, make = random.choice(cases)
    each = max(0.1, (len(make(200)) - len(make(100))) / 100)
    return _packed(name, {file: make(max(2, int(size / each)))}, random)


def _many_files(format_id: str, size: int, random: Random) -> Files:
    """Hundreds of small profiles, each in its own folder, or in one folder under distinct names."""
    cases = [case for case in corpus.cases(format_id) if sum(len(one.whole()) for one in case.files.values()) < 40_000]
    count = max(2, min(random.choice(FILES), size // 300))
    apart = random.random() < 0.5
    files: dict[str, bytes] = {}
    for number in range(count):
        chosen = random.choice(cases)
        made = corpus.damaged(chosen, random) if random.random() < 0.3 else _whole(chosen)
        for name, content in made.items():
            files[f"core{number:04}/{name}" if apart else f"{number:04}-{name}"] = content
    total = sum(map(len, files.values()))
    return Files(f"{len(files)} files{' in folders' if apart else ''}", files, total, random.random() < 0.5)


def _whole(case: corpus.Case) -> dict[str, bytes]:
    return {name: content.whole() for name, content in case.files.items()}


def _sparse(format_id: str, size: int, random: Random) -> Files:
    """A valid beginning, a large declared size, then a hole; or the same few bytes repeated, compressed."""
    length = random.choice(SPARSE)
    name, whole = random.choice(list(_whole(random.choice(corpus.cases(format_id))).items()))
    counted = 0
    if format_id == "ascend-bin":
        kind = random.choice(range(1, 0x11))
        whole = block(0x05, b'{"name": "op"}') + HEADER.pack(length, kind, 0, 0x5A, 0x5A)
        whole += (length - 16).to_bytes(8, "little") if kind in (0x0A, 0x0B) else b""
    elif format_id == "popef":
        whole += popef.header(random.randrange(6), length - len(whole))
    elif format_id == "tensorflow-events" and name.startswith("events.out"):
        promised = (length - len(whole) - 16).to_bytes(8, "little")
        whole += promised + tfrecord.masked(promised)
    elif format_id == "poplar-cbor":
        length = counted = 10_000_000
        name, whole = "execution.cbor", b"\xa1" + hostile_streams.text("programTrace") + head(4, length)
    else:
        whole = whole[: random.randrange(len(whole))]
        if name.endswith(".json") and random.random() < 0.4:
            content = whole + random.choice((b" ", b"[", b"0", b"x", b'"', b",", b"[]")) * SWOLLEN
            packed = gzip.compress(content, 9, mtime=0)
            return Files(f"swollen from {len(packed):,} bytes", {f"{name}.gz": packed}, len(content))
    return Files(f"sparse, {length:,} bytes", {name: Sparse(whole, len(whole) + length, counted)}, counted)


_KINDS: tuple[Callable[[str, int, Random], Files], ...] = (
    _generated,
    *[_grown] * 5,
    _generated,
    *[_grown] * 5,
    _many_files,
    _grown,
    _sparse,
)


@cache
def _documents(format_id: str) -> list[tuple[Document, list[Way], list[Way]]]:
    """Each document with the paths to all values and those to non-empty containers."""
    entries = []
    for document in documents(format_id):
        ways = places(document.tree)
        entries.append((document, ways, [way for way in ways if isinstance(at(document.tree, way), dict | list)]))
    return entries


_Made = tuple[str, str, Callable[[int], bytes]]


def _streams(belongs: Callable[[str], bool]) -> list[_Made]:
    return [(case.id, case.name, case.make) for case in hostile_streams.CASES if belongs(case.name)]


def _ascend(cases: tuple[Callable[[int], bytes], ...], file: str) -> list[_Made]:
    return [(case.__name__, file, case) for case in cases]


_REPORTS = ("graph.json", "execution.json", "vars.json", "framework.json")
_LOGS = ("compile.json", "trace.txt", "events.out.tfevents.1")
_CASES: dict[str, list[_Made]] = {
    "ascend-bin": _ascend(ascend_hostile.OPERATOR_FILES, "operator.bin"),
    "ascend-trace": _ascend(ascend_hostile.TRACES, "trace.json"),
    "ascend-report": [
        *_ascend(ascend_hostile.TABLES, "PipeUtilization.csv"),
        *_ascend(ascend_hostile.PACKS, "report.rep"),
    ],
    "ascend-memory-info": _ascend(ascend_hostile.PLANS, "memory_info.json"),
    "poplar": _streams(_REPORTS.__contains__),
    "poplar-cbor": _streams(lambda name: name.endswith(".cbor")),
    "popef": _streams(lambda name: name.endswith(".popef")),
    "tensorflow-events": _streams(_LOGS.__contains__),
    "tensor-map": _streams(lambda name: name.endswith(".tensor_map.json")),
}
