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

from generators.event_writing import Layout

PIECE = 1 << 20
SELF_DESCRIBED = b"\xd9\xd9\xf7"
"""The tag of self-described CBOR (RFC 8949, 3.4.6)."""


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


def write_json(path: Path, tree: Any, *, indent: int | None = None, layout: Layout = "compact") -> Path:
    """In that layout; with ``indent`` the whole tree is held in memory."""
    if indent is not None:
        path.write_text(json.dumps(plain(tree), indent=indent), "utf-8")
    else:
        _write(path, _json(tree, layout))
    return path


def write_cbor(
    path: Path, tree: Any, *, tag: bool = True, indefinite: bool = False, short_floats: bool = False
) -> Path:
    """With or without the tag of self-described CBOR; maps and lists of known length or ended by a break."""
    style = _Style(indefinite, short_floats)
    _write(path, _cbor(tree, style), SELF_DESCRIBED if tag else b"")
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


def _json(tree: Any, layout: Layout, depth: int = 0) -> Iterator[bytes]:
    """``depth``: of the value, for its indentation."""
    whole = _whole(tree, layout, depth)
    if whole is not None:
        yield whole
        return
    comma, line = (
        (b", ", b"") if layout == "spaced" else (b",", b"\n" + b"  " * (depth + 1) if layout == "pretty" else b"")
    )
    colon = b":" if layout == "compact" else b": "
    if isinstance(tree, dict):
        yield b"{"
        for index, (key, value) in enumerate(tree.items()):
            yield (comma if index else b"") + line + orjson.dumps(key) + colon
            yield from _json(value, layout, depth + 1)
        yield line[:-2] + b"}"
        return
    empty = True
    yield b"["
    for item in tree.items() if isinstance(tree, Lazy) else tree:
        yield (b"" if empty else comma) + line
        yield from _json(item, layout, depth + 1)
        empty = False
    yield (b"" if empty else line[:-2]) + b"]"


def _whole(tree: Any, layout: Layout, depth: int) -> bytes | None:
    """The text of a value that needs no further walk; None for one that holds lazy parts."""
    if isinstance(tree, Lazy):
        return None
    if isinstance(tree, np.ndarray) and layout == "spaced":
        return orjson.dumps(tree, option=orjson.OPT_SERIALIZE_NUMPY).replace(b",", b", ")
    try:
        if layout == "spaced":
            return json.dumps(tree).encode()
        option = orjson.OPT_SERIALIZE_NUMPY | (orjson.OPT_INDENT_2 if layout == "pretty" else 0)
        return orjson.dumps(tree, option=option).replace(b"\n", b"\n" + b"  " * depth)
    except TypeError:
        return None


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
