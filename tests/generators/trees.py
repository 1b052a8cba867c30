"""Trees of plain values whose big parts are made when they are written: JSON and CBOR of any size in little memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cbor2
import numpy as np
import orjson

PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Lazy:
    """A list of ``count`` items, made one by one each time it is asked for (arrays of numpy are lists)."""

    count: int
    items: Callable[[], Iterator[Any]]


def rows(count: int, row: Callable[[int], Any]) -> Lazy:
    """A list whose item r is ``row(r)``."""
    return Lazy(count, lambda: (row(r) for r in range(count)))


def plain(tree: Any) -> Any:
    """The tree as dictionaries, lists and scalars, all in memory."""
    if isinstance(tree, dict):
        return {key: plain(value) for key, value in tree.items()}
    if isinstance(tree, Lazy):
        return [plain(item) for item in tree.items()]
    if isinstance(tree, list | tuple):
        return [plain(item) for item in tree]
    if isinstance(tree, np.ndarray | np.generic):
        return tree.tolist()
    return tree


def sorted_keys(tree: Any) -> Any:
    """The tree with the keys of its dictionaries in alphabetical order, as the vendor's writer has them."""
    if isinstance(tree, dict):
        return {key: sorted_keys(tree[key]) for key in sorted(tree)}
    return tree


def write_json(path: Path, tree: Any, *, indent: int | None = None) -> Path:
    """One line, or indented (then the whole tree is held in memory)."""
    if indent is not None:
        path.write_text(json.dumps(plain(tree), indent=indent), "utf-8")
    else:
        _write(path, _json(tree))
    return path


def write_cbor(
    path: Path, tree: Any, *, tag: bool = True, indefinite: bool = False, short_floats: bool = False
) -> Path:
    """With or without the tag of self-described CBOR; maps and lists of known length or ended by a break."""
    style = _Style(indefinite, short_floats)
    _write(path, _cbor(tree, style), b"\xd9\xd9\xf7" if tag else b"")
    return path


def _write(path: Path, parts: Iterator[bytes], head: bytes = b"") -> None:
    with path.open("wb") as file:
        buffer = bytearray(head)
        for part in parts:
            buffer += part
            if len(buffer) > PIECE:
                file.write(buffer)
                buffer.clear()
        file.write(buffer)


def _json(tree: Any) -> Iterator[bytes]:
    if isinstance(tree, dict):
        yield b"{"
        for index, (key, value) in enumerate(tree.items()):
            yield (b"," if index else b"") + orjson.dumps(key) + b":"
            yield from _json(value)
        yield b"}"
    elif isinstance(tree, Lazy):
        yield b"["
        for index, item in enumerate(tree.items()):
            if index:
                yield b","
            yield from _json(item)
        yield b"]"
    else:
        yield orjson.dumps(tree, option=orjson.OPT_SERIALIZE_NUMPY)


@dataclass(frozen=True, slots=True)
class _Style:
    indefinite: bool
    short_floats: bool


def _cbor(tree: Any, style: _Style) -> Iterator[bytes]:
    if isinstance(tree, dict):
        yield b"\xbf" if style.indefinite else _head(5, len(tree))
        for key, value in tree.items():
            yield cbor2.dumps(key)
            yield from _cbor(value, style)
        yield b"\xff" if style.indefinite else b""
    elif isinstance(tree, Lazy | list | tuple):
        yield b"\x9f" if style.indefinite else _head(4, tree.count if isinstance(tree, Lazy) else len(tree))
        for item in tree.items() if isinstance(tree, Lazy) else tree:
            yield from _cbor(item, style)
        yield b"\xff" if style.indefinite else b""
    else:
        value = tree.tolist() if isinstance(tree, np.ndarray | np.generic) else tree
        yield cbor2.dumps(value, canonical=style.short_floats)


def _head(major: int, count: int) -> bytes:
    if count < 24:
        return bytes([major << 5 | count])
    for code, form, limit in ((24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32)):
        if count < limit:
            return bytes([major << 5 | code]) + struct.pack(form, count)
    return bytes([major << 5 | 27]) + struct.pack(">Q", count)
