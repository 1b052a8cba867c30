"""Pairs of operators: a second one with changes planted by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators.ascend_bin import Program, block, core_names, detail_blocks, source_blocks
from generators.ascend_details import Shape, cache_sets, memory_accesses
from generators.ascend_kernel import KERNEL, texts
from generators.reading import profile_of

CORES = tuple(core_names(1))


def file_of(blocks: list[bytes]) -> bytes:
    return b"".join(blocks)


def whole(shape: Shape | None = None, program: Program | None = None) -> bytes:
    """An operator file with every block that panels show."""
    own = shape or Shape(blocks=2)
    return file_of(
        [
            *source_blocks(program or Program(CORES)),
            *detail_blocks(own),
            block(0x0A, memory_accesses(own)),
            block(0x0B, cache_sets(own)),
        ]
    )


def changed(content: bytes, kind: int, change: Callable[[Any], None]) -> bytes:
    """The file with the JSON of its block of a kind changed in place."""
    return rewritten(content, kind, lambda payload: _json(payload, change))


def rewritten(content: bytes, kind: int, make: Callable[[bytes], bytes]) -> bytes:
    """The file with the content of its blocks of a kind replaced by what ``make`` returns."""
    made, at = [], 0
    while at < len(content):
        size, own, padding, version = (
            int.from_bytes(content[at : at + 8], "little"),
            content[at + 8],
            content[at + 9],
            content[at + 10],
        )
        head = 12 + (4096 if own == 0x01 else 0)
        end = at + head + size
        if own == kind:
            path = content[at + 12 : at + head].rstrip(b"\0").decode() if own == 0x01 else ""
            made.append(block(kind, make(content[at + head : end - padding]), path=path, version=version))
        else:
            made.append(content[at:end])
        at = end
    return b"".join(made)


def _json(payload: bytes, change: Callable[[Any], None]) -> bytes:
    tree = orjson.loads(payload)
    change(tree)
    return orjson.dumps(tree)


def shifted(content: bytes, after_line: int, added: list[str], path: str = KERNEL) -> bytes:
    """The file whose source has lines inserted after a line, with the numbers of the lines below raised."""

    def text(payload: bytes) -> bytes:
        lines = payload.decode().splitlines()
        if lines != texts()[path].splitlines():
            return payload
        return ("\n".join([*lines[:after_line], *added, *lines[after_line:]]) + "\n").encode()

    def numbers(tree: Any) -> None:
        for file in tree["Files"]:
            for line in file["Lines"] if file["Source"] == path else ():
                line["Line"] += len(added) * (line["Line"] > after_line)

    return changed(rewritten(content, 0x01, text), 0x03, numbers)


def read(content: bytes) -> Profile:
    return profile_of(FORMAT, content)
