"""The messages between a worker process and its supervisor: length-prefixed MessagePack over a pipe."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeAlias

import msgspec

LENGTH = struct.Struct("<I")
LIMIT = 256 * 1024 * 1024
"""A skeleton is small; a longer message means the pipe carries something else."""


class Request(msgspec.Struct, tag=True):
    """``paths`` and ``folder`` as the system writes them: a name need not be text. Without a ``folder`` the columns
    come with the messages."""

    format: str
    paths: list[bytes]
    folder: bytes


class BeganMessage(msgspec.Struct, tag=True):
    name: str
    paths: list[bytes]
    writer: str


class SectionMessage(msgspec.Struct, tag=True):
    """The columns lie in ``file``, or are ``packed``."""

    index: int
    name: str
    file: str
    skeleton: Any
    packed: bytes = b""


class IssueMessage(msgspec.Struct, tag=True):
    index: int
    severity: str
    where: str
    text: str


class ProgressMessage(msgspec.Struct, tag=True):
    done: int
    total: int
    phase: str


class DoneMessage(msgspec.Struct, tag=True):
    pass


class FailedMessage(msgspec.Struct, tag=True):
    text: str
    path: str
    offset: int | None


Message: TypeAlias = (
    BeganMessage | SectionMessage | IssueMessage | ProgressMessage | DoneMessage | FailedMessage | Request
)

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


def request(format_id: str, paths: Sequence[Path], folder: Path | None) -> Request:
    return Request(format_id, [os.fsencode(path) for path in paths], b"" if folder is None else os.fsencode(folder))


def paths_of(written: Sequence[bytes]) -> tuple[Path, ...]:
    """Paths as they were sent."""
    return tuple(Path(os.fsdecode(path)) for path in written)


def plain(text: str) -> str:
    """``text`` as something that can be sent: parts of a name that are no text become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def send(pipe: BinaryIO, message: Message) -> None:
    """Writes one message and flushes it. BrokenPipeError when nobody listens any more."""
    body = _encoder.encode(message)
    pipe.write(LENGTH.pack(len(body)) + body)
    pipe.flush()


class Readable(Protocol):
    """What messages are received from; fewer bytes than asked for mean that it has ended."""

    def read(self, size: int, /) -> bytes: ...


def receive(pipe: Readable) -> Message | None:
    """The next message; None when the pipe ends, in the middle of one too (the exit status then says why)."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > LIMIT:
        return None
    body = pipe.read(length)
    try:
        return _decoder.decode(body) if len(body) == length else None
    except msgspec.DecodeError:  # not our worker's words: as good as silence
        return None
