"""The messages between a worker process and its supervisor, also stored in the manifest of cached columns: events as
MessagePack. A section is sent as ``Columns``, a file of the job as its index among the job's files."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from app.formats.events import Began, Progress
from app.formats.source import Origin
from app.language import Text, pack, unpack_text
from app.profile.issue import Issue
from app.store.codec import Columns

LENGTH = struct.Struct("<I")
LIMIT = 256 * 1024 * 1024
"""A skeleton is small; a longer message means the pipe carries something else."""


class Request(Struct, frozen=True):
    """``paths`` and ``folder`` in the encoding of the file system: a name need not be text. Without a ``folder`` the
    columns are sent with the messages. At most ``workers`` processes decode. ``preview``: first of all, what can be
    shown at once is sent; ``heads``: nothing else, of the first bytes of compressed files."""

    format: str
    paths: tuple[bytes, ...]
    folder: bytes
    workers: int = 1
    preview: bool = False
    heads: bool = False


class Order(Struct, frozen=True):
    """What a worker orders from a helper process: to run ``task`` with a packed ``argument`` on the source made of
    ``origins``, and to write the result into the new file ``result``. ``share``: the bytes that the helper's memory is
    for."""

    task: str
    origins: tuple[Origin, ...]
    argument: bytes
    result: bytes
    share: int


class Done(Struct, frozen=True):
    """The request was completed."""


class Failed(Struct, frozen=True):
    """The request failed, at once or half-way."""

    text: Text
    path: str
    offset: int | None


Record: TypeAlias = Began | Columns | Issue
"""What is reported about a profile, and cached with its columns."""
Message: TypeAlias = Record | Progress | Done | Failed | Request | Order
_KINDS: Final[dict[str, type[Message]]] = {
    kind.__name__: kind for kind in (Began, Columns, Issue, Progress, Done, Failed, Request, Order)
}


def request(
    format_id: str,
    paths: Sequence[Path],
    folder: Path | None,
    workers: int = 1,
    *,
    preview: bool = False,
    heads: bool = False,
) -> Request:
    written = tuple(os.fsencode(path) for path in paths)
    return Request(format_id, written, b"" if folder is None else os.fsencode(folder), workers, preview, heads)


def paths_of(written: Sequence[bytes]) -> tuple[Path, ...]:
    """The paths as sent in a request."""
    return tuple(Path(os.fsdecode(path)) for path in written)


def encode(message: Message, files: Sequence[Path]) -> bytes:
    """``message`` in a job with these ``files``. ValueError if it names others."""

    def plain(value: Any) -> Any:
        return pack(value) if isinstance(value, str) else files.index(value)

    return msgspec.msgpack.encode((type(message).__name__, message), enc_hook=plain)


def decode(body: bytes | msgspec.Raw, files: Sequence[Path]) -> Message:
    """The message that ``encode`` wrote, for the same ``files`` by their present names, with texts in the language of
    this process. msgspec.MsgspecError if it is invalid."""

    def own(kind: object, value: Any) -> Path | str:
        if isinstance(kind, type) and issubclass(kind, str):
            return unpack_text(value)
        if type(value) is not int or not 0 <= value < len(files):
            raise ValueError("no file of the job")
        return files[value]

    kind, content = msgspec.msgpack.decode(body, type=tuple[str, msgspec.Raw])
    if kind not in _KINDS:
        raise msgspec.ValidationError("an unknown kind of message")
    return msgspec.msgpack.decode(content, type=_KINDS[kind], dec_hook=own)


def send(pipe: BinaryIO, message: Message, files: Sequence[Path] = ()) -> None:
    """Write one message and flush it. BrokenPipeError if nobody reads any more."""
    body = encode(message, files)
    pipe.write(LENGTH.pack(len(body)) + body)
    pipe.flush()


class Readable(Protocol):
    """What messages are received from; fewer bytes than requested mean that it has ended."""

    def read(self, size: int, /) -> bytes: ...


def receive(pipe: Readable, files: Sequence[Path] = ()) -> Message | None:
    """The next message; None when the pipe ends, even within a message (the exit status then says why)."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > LIMIT:
        return None
    body = pipe.read(length)
    try:
        return decode(body, files) if len(body) == length else None
    except msgspec.MsgspecError:  # not sent by our worker: treated as the end of the pipe
        return None
