"""Decoding the messages after the headers field by field with the Cap'n Proto library."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from app.formats.popef.records import Anchor, Data, Executable, Metadata, Opaque, Option, Program, TensorInfo
from app.formats.popef.schema import errors, opened, reason

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
