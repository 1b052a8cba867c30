"""Decodes the messages after the headers field by field with the Cap'n Proto library, into records."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from app.formats.errors import FormatError
from app.formats.popef.blobs import WORD
from app.language import tr
from app.resources import resource

SPARE_WORDS = 1024
NESTING = 16
REASON_CHARACTERS = 160


@cache
def schema() -> Any:
    """The loaded schema; FormatError if the library cannot be used."""
    try:
        import capnp
    except ImportError as error:
        raise FormatError(
            tr("the messages cannot be decoded: pycapnp cannot be loaded ({error})", error=error)
        ) from error
    capnp.remove_import_hook()
    path = resource("popef.capnp")
    _stand_somewhere(path.anchor)
    return capnp.load(str(path))


def _stand_somewhere(folder: str) -> None:
    """Changes to an existing folder if the current one was deleted: the library asks for the current folder and would
    end the process. Relative paths have no meaning in a deleted folder, so nothing is lost."""
    try:
        Path.cwd()
    except OSError:
        os.chdir(folder)
        os.environ.pop("PWD", None)  # a warning about it would appear on standard error


@contextmanager
def opened(root: str, message: bytes) -> Iterator[Any]:
    """The structure named ``root`` in ``message``, valid inside the with block.

    ``message`` must be a separate bytes object (a slice of a larger buffer may be unaligned, which the library
    rejects). Each word may be visited about once: a message that refers to the same words again and again, or that
    claims millions of elements without a byte each, raises an error instead of filling the memory.
    """
    limit = len(message) // WORD + SPARE_WORDS
    with getattr(schema(), root).from_bytes(
        message, traversal_limit_in_words=limit, nesting_limit=NESTING
    ) as structure:
        yield structure


@cache
def errors() -> tuple[type[Exception], ...]:
    """The errors that reading a field of a broken message raises."""
    import capnp

    return (capnp.KjException, ValueError, RuntimeError, MemoryError)


def reason(error: Exception) -> str:
    """The library's message without source lines, conditions, advice and stack."""
    text = " ".join(str(error).split("stack:")[0].split()) or type(error).__name__
    if "unboundedSize" in text:
        return tr("a text does not end with a NUL")  # the library shows its C++ expression for this one
    text = text.split("failed: ", 1)[-1].split("; ", 1)[-1]
    for advice in (" This usually indicates", " See capnp"):
        text = text.split(advice, 1)[0]
    return text.rstrip(".")[:REASON_CHARACTERS]


class TensorInfo(NamedTuple):
    """``shape``: 64-bit numbers, outermost first."""

    data_type: int
    shape: array[int]


class Executable(NamedTuple):
    name: str
    uncompressed_size: int


class Opaque(NamedTuple):
    name: str
    executable: str


class Data(NamedTuple):
    """A tensor (``tensors`` 1) or a feed."""

    name: str
    tensor: TensorInfo
    tensors: int


class Option(NamedTuple):
    """``device``: true for a device option, false for an engine option."""

    device: bool
    name: str
    value: str


class Program(NamedTuple):
    number: int
    name: str


class Anchor(NamedTuple):
    name: str
    handle: str
    programs: array[int]
    tensor: TensorInfo
    type: int
    per_replica: bool
    remote_buffer: bool
    repeats: int


class Metadata(NamedTuple):
    """The fields of a METADATA blob other than its lists of anchors, options and program names."""

    replication_factor: int
    ipus: int
    processes: int
    ipu_version: int
    device_iterations: int
    pod: bool
    inference: bool
    seed_handle: str
    executable: str
    load: array[int]
    main: array[int]
    save: array[int]


T = TypeVar("T")
Read = Callable[[], T]


class Report(Protocol):
    """Receives a description of what is wrong with a message."""

    def __call__(self, text: str) -> None: ...


class Parts(Protocol):
    """Receives the members of the lists of a METADATA blob, which may be many."""

    def anchor(self, record: Anchor) -> None: ...

    def option(self, record: Option) -> None: ...

    def program(self, record: Program) -> None: ...


UNREADABLE = TensorInfo(-1, array("q"))


class Fields:
    """Reads the fields of one message; a broken field is reported and replaced, the others are still read."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def get(self, name: str, read: Read[T], default: T) -> T:
        try:
            return read()
        except errors() as error:
            self._report(f"{name}: {reason(error)}")
            return default

    def each(self, name: str, items: Read[Any], convert: Callable[[Any], T]) -> Iterator[T]:
        """The items of a list that can be converted; the others are reported."""
        listed = self.get(name, items, ())
        for index in range(len(listed)):
            try:
                yield convert(listed[index])
            except errors() as error:
                self._report(f"{name}[{index}]: {reason(error)}")

    def text(self, name: str, read: Read[str]) -> str:
        return self.get(name, lambda: text(read), "")

    def numbers(self, name: str, read: Read[Any]) -> array[int]:
        return self.get(name, lambda: array("q", read()), array("q"))


def text(read: Read[str]) -> str:
    """A text field; bytes that are not UTF-8 become escapes."""
    try:
        return read()
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "backslashreplace")


def executable(message: bytes, report: Report) -> Executable:
    with opened("ExecutableInfo", message) as info:
        fields = Fields(report)
        return Executable(fields.text("name", lambda: info.name), info.uncompressedSize)


def opaque(message: bytes, report: Report) -> Opaque:
    with opened("OpaqueInfo", message) as info:
        fields = Fields(report)
        return Opaque(fields.text("name", lambda: info.name), fields.text("executable", lambda: info.executable))


def tensor(message: bytes, report: Report) -> Data:
    with opened("TensorPayload", message) as info:
        fields = Fields(report)
        return Data(
            fields.text("name", lambda: info.name),
            fields.get("tensor", lambda: _tensor_info(info.tensor), UNREADABLE),
            1,
        )


def feed(message: bytes, report: Report) -> Data:
    with opened("FeedPayload", message) as info:
        fields = Fields(report)
        return Data(
            fields.text("name", lambda: info.name),
            fields.get("tensor", lambda: _tensor_info(info.tensor), UNREADABLE),
            info.tensors,
        )


def metadata(message: bytes, report: Report, parts: Parts) -> Metadata:
    """The metadata; the members of its long lists are passed to ``parts`` one by one."""
    with opened("ModelMetadata", message) as info:
        fields = Fields(report)
        for anchor in fields.each("anchors", lambda: info.anchors, _anchor):
            parts.anchor(anchor)
        for option in fields.each("engine options", lambda: info.engineOptions, lambda o: _option(o, device=False)):
            parts.option(option)
        for option in fields.each("device options", lambda: info.deviceOptions, lambda o: _option(o, device=True)):
            parts.option(option)
        for program in fields.each("programs map", lambda: info.programNames, _program):
            parts.program(program)
        flow = fields.get("program flow", lambda: info.flow, None)
        return Metadata(
            info.replicationFactor,
            info.ipus,
            info.processes,
            info.ipuVersion,
            info.deviceIterations,
            info.isPod,
            info.isInference,
            fields.text("seed handle", lambda: info.seedHandle),
            fields.text("executable", lambda: info.executable),
            fields.numbers("program flow: load", lambda: flow.load if flow else ()),
            fields.numbers("program flow: main", lambda: flow.main if flow else ()),
            fields.numbers("program flow: save", lambda: flow.save if flow else ()),
        )


def _anchor(info: Any) -> Anchor:
    return Anchor(
        text(lambda: info.name),
        text(lambda: info.handle),
        array("q", info.programs),
        _tensor_info(info.tensor),
        info.direction.raw,
        info.isPerReplica,
        info.useRemoteBuffers,
        info.repeats,
    )


def _tensor_info(info: Any) -> TensorInfo:
    return TensorInfo(info.elementKind.raw, array("q", info.shape))


def _option(info: Any, *, device: bool) -> Option:
    return Option(device, text(lambda: info.name), text(lambda: info.value))


def _program(info: Any) -> Program:
    return Program(info.index, text(lambda: info.name))
