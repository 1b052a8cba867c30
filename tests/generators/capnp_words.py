"""An encoder of Cap'n Proto messages, word by word, so that tests decide what every word says: segments of any
size with far pointers, structures of older and newer writers, texts that are not UTF-8."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

WORD = 8
BYTES, FOUR_BYTES, EIGHT_BYTES, COMPOSITE = 2, 4, 5, 7


@dataclass(frozen=True)
class Text:
    """A text with its final NUL."""

    text: str | bytes

    @property
    def content(self) -> bytes:
        return (self.text if isinstance(self.text, bytes) else self.text.encode()) + b"\0"


@dataclass(frozen=True)
class Numbers:
    """A list of whole numbers; ``code`` is "I" (unsigned, 4 bytes) or "q" (signed, 8 bytes)."""

    code: str
    values: Sequence[int]


@dataclass(frozen=True)
class Struct:
    """``data`` is padded to words."""

    data: bytes = b""
    pointers: tuple[Node | None, ...] = ()

    @property
    def data_words(self) -> int:
        return -(-len(self.data) // WORD)


@dataclass(frozen=True)
class Structs:
    """A list of structures; all get the sizes of the largest."""

    items: tuple[Struct, ...]


Node: TypeAlias = Text | Numbers | Struct | Structs


class _Message:
    def __init__(self, segment_words: int, *, grow: bool) -> None:
        self.segments: list[bytearray] = [bytearray()]
        self.rooms = [segment_words]
        self.grow = grow

    def place(self, node: Node, segment: int, at: int) -> None:
        """Writes ``node``, and the pointer to it into word ``at`` of ``segment``."""
        words = _words(node)
        if self._room(segment) >= words:
            target, start = segment, self._take(segment, words)
            self._write(segment, at, _pointer(node, start - at - 1))
        else:  # a far pointer to a landing pad right before the node
            target = len(self.segments) - 1
            if self._room(target) < words + 1:
                target = self._new_segment()
            pad = self._take(target, words + 1)
            start = pad + 1
            self._write(segment, at, struct.pack("<II", pad << 3 | 2, target))
            self._write(target, pad, _pointer(node, 0))
        self._fill(node, target, start)

    def _fill(self, node: Node, segment: int, start: int) -> None:
        if isinstance(node, Text):
            self._write(segment, start, node.content)
        elif isinstance(node, Numbers):
            self._write(segment, start, struct.pack(f"<{len(node.values)}{node.code}", *node.values))
        elif isinstance(node, Struct):
            self._fill_struct(node, segment, start, node.data_words)
        else:
            data, pointers = _largest(node)
            self._write(segment, start, struct.pack("<IHH", len(node.items) << 2, data, pointers))
            for index, item in enumerate(node.items):
                self._fill_struct(item, segment, start + 1 + index * (data + pointers), data)

    def _fill_struct(self, node: Struct, segment: int, start: int, data_words: int) -> None:
        self._write(segment, start, node.data)
        for index, child in enumerate(node.pointers):
            if child is not None:
                self.place(child, segment, start + data_words + index)

    def _room(self, segment: int) -> int:
        used = len(self.segments[segment]) // WORD
        return (self.rooms[segment] if used else 1 << 28) - used  # a new one takes anything

    def _new_segment(self) -> int:
        """The library's builder makes each segment as large as all before it."""
        self.rooms.append(sum(self.rooms) if self.grow else self.rooms[0])
        self.segments.append(bytearray())
        return len(self.segments) - 1

    def _take(self, segment: int, words: int) -> int:
        start = len(self.segments[segment]) // WORD
        self.segments[segment] += bytes(words * WORD)
        return start

    def _write(self, segment: int, word: int, content: bytes) -> None:
        self.segments[segment][word * WORD : word * WORD + len(content)] = content


def encode(root: Struct, segment_words: int = 1024, *, grow: bool = True) -> bytes:
    """The message with its table. The first segment holds up to ``segment_words`` (or one larger node); later
    ones are larger, or with ``grow`` off as small."""
    message = _Message(segment_words, grow=grow)
    message.segments[0] += bytes(WORD)
    message.place(root, 0, 0)
    sizes = [len(segment) // WORD for segment in message.segments]
    table = struct.pack(f"<{len(sizes) + 1}I", len(sizes) - 1, *sizes)
    return table + bytes(-len(table) % WORD) + b"".join(message.segments)


def _largest(node: Structs) -> tuple[int, int]:
    return (
        max((item.data_words for item in node.items), default=0),
        max((len(item.pointers) for item in node.items), default=0),
    )


def _words(node: Node) -> int:
    if isinstance(node, Text):
        return -(-len(node.content) // WORD)
    if isinstance(node, Numbers):
        return -(-struct.calcsize(f"<{len(node.values)}{node.code}") // WORD)
    if isinstance(node, Struct):
        return node.data_words + len(node.pointers)
    data, pointers = _largest(node)
    return 1 + len(node.items) * (data + pointers)


def _pointer(node: Node, offset: int) -> bytes:
    if isinstance(node, Struct):
        if not _words(node):
            offset = -1  # an empty structure points to itself, so that it differs from no structure
        return struct.pack("<iHH", offset << 2, node.data_words, len(node.pointers))
    if isinstance(node, Text):
        code, count = BYTES, len(node.content)
    elif isinstance(node, Numbers):
        code, count = {"I": FOUR_BYTES, "q": EIGHT_BYTES}[node.code], len(node.values)
    else:
        code, count = COMPOSITE, _words(node) - 1
    return struct.pack("<iI", offset << 2 | 1, count << 3 | code)
