"""The messages between a worker process and its supervisor, also stored in the manifest of cached columns: events as
MessagePack. A section is sent as ``Columns``, a file of the job as its index among the job's files. Requests arrive
at the standard input of a worker or helper; results of helpers are files: the columns, then the skeleton (as in
``codec``), then where it begins."""

from __future__ import annotations

import contextlib
import os
import queue
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from app.formats.events import Began, Progress
from app.formats.source import Origin
from app.language import Text, pack, unpack_text
from app.profile.issue import Issue
from app.store.codec import Columns, get_columns, mapped, put_columns

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


M = TypeVar("M", Request, Order)


class Requests(Generic[M]):
    """The requests of the supervisor, messages of one ``kind``. No worker outlives the window, and no helper its
    worker, because its standard input ends with it. Read without the buffer of ``sys.stdin``: the interpreter would
    wait a second for its lock at exit, and then abort."""

    def __init__(self, kind: type[M], descriptor: int) -> None:
        self._descriptor = descriptor
        self._kind: type[M] = kind
        self.answered = 0
        self._asked = 0
        self._waiting: queue.SimpleQueue[M | None] = queue.SimpleQueue()

    def next(self) -> M | None:
        """Wait for the next request; None if there will be no other."""
        return self._waiting.get()

    def listen(self) -> None:
        """Receive requests, in a thread of its own; end the process if the input ends before all are answered."""
        while isinstance(request := receive(self), self._kind):
            self._asked += 1
            self._waiting.put(request)
        if self.answered < self._asked:
            os._exit(3)
        self._waiting.put(None)

    def read(self, size: int) -> bytes:
        """Bytes of standard input, fewer than ``size`` only at its end."""
        parts = []
        while size and (part := os.read(self._descriptor, size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


T = TypeVar("T")
_TAIL = struct.Struct("<Q")


def write_result(value: object, path: Path) -> None:
    """Writes ``value``, a Struct, into the new file ``path``. OSError if the disk is full."""
    with path.open("xb", buffering=0) as file:
        skeleton = put_columns(value, file)
        begin = file.tell()
        rest = memoryview(msgspec.msgpack.encode(skeleton) + _TAIL.pack(begin))
        while rest:
            rest = rest[file.write(rest) :]


def take_result(kind: type[T], path: Path) -> T:
    """The value that ``write_result`` wrote, whose file is deleted. Its columns are mapped: while they wait to be
    merged, they take no memory that others need. OSError or FormatError if there is none."""
    try:
        content = mapped(path)
    finally:
        with contextlib.suppress(OSError):  # elsewhere than on Linux, it is deleted with its folder
            path.unlink()
    size = _TAIL.size
    (begin,) = _TAIL.unpack(content[-size:].tobytes())
    skeleton = msgspec.msgpack.decode(content[begin:-size].data)
    return get_columns(kind, skeleton, content[:begin], str(path))
