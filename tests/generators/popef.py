"""PopEF files of any make: single blobs with a free hand, the model of the user guide, and models of any size.

Laid out after the published table of fields, with an encoder of our own (``capnp_words``), so that reader and writer do
not share one mistake. No file of the Graphcore SDK was at hand.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from generators.capnp_words import Node, Numbers, Struct, Structs, Text, encode

EXECUTABLE, METADATA, TENSOR, FEED, OPAQUE = range(5)
NAMES = ("BOOL", "F8", "F16", "F32", "F64", "S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64", "F8143", "F8152")
SIZES = (1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 4, 8, 8, 1, 1)
NOT_COMPRESSED = 2**64 - 1
UNKNOWN, INPUT, OUTPUT = range(3)


@dataclass(frozen=True)
class Anchor:
    """One anchor; ``shape`` is what the file says, added dimensions included."""

    name: str | bytes
    type: int = INPUT
    shape: Sequence[int] = (2,)
    dtype: int = 3
    programs: Sequence[int] = (5,)
    handle: str = ""
    per_replica: bool = False
    remote: bool = False
    repeats: int = 1


@dataclass(frozen=True)
class Model:
    """One METADATA blob."""

    executable: str | bytes = "1"
    anchors: Sequence[Anchor] = ()
    replication: int = 1
    ipus: int = 1
    processes: int = 1
    ipu_version: int = 2
    pod: bool = False
    inference: bool = True
    iterations: int = 1
    seed: str = ""
    engine: Sequence[tuple[str, str]] = ()
    device: Sequence[tuple[str, str]] = ()
    flow: tuple[Sequence[int], Sequence[int], Sequence[int]] = ((), (), ())
    programs: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True)
class Style:
    """How a writer writes: its version text, room of the first segment (and whether later ones grow), and words
    that a newer one adds (or an older one lacks, below 0) at the end of the data of each structure at the top."""

    version: str | bytes | None = "1"
    segment_words: int = 1024
    grow: bool = True
    extra_words: int = 0
    padding: bytes = field(default=b"\0" * 8)


PLAIN = Style()


def blob(kind: int, info: Struct, payload: bytes = b"", style: Style = PLAIN) -> bytes:
    """Header, message and payload; the size is right."""
    message = encode(_aged(info, style), style.segment_words, grow=style.grow)
    size = len(header(kind, 0, style)) + len(message) + len(payload)
    return header(kind, size, style) + message + payload


def header(kind: int, size: int, style: Style = PLAIN) -> bytes:
    """A blob header that claims ``size`` (a header is never split into segments)."""
    version = None if style.version is None else Text(style.version)
    extra = style.padding * max(0, style.extra_words)
    return encode(Struct(struct.pack("<HHIQ", kind, 0, 0, size) + extra, (version,)))


def executable(name: str | bytes, payload: bytes, *, uncompressed: int = NOT_COMPRESSED, style: Style = PLAIN) -> bytes:
    return blob(EXECUTABLE, Struct(struct.pack("<Q", uncompressed), (Text(name),)), payload, style)


def opaque(name: str | bytes, of: str | bytes, payload: bytes, style: Style = PLAIN) -> bytes:
    return blob(OPAQUE, Struct(b"", (Text(name), Text(of))), payload, style)


def tensor(
    name: str | bytes, shape: Sequence[int], dtype: int, payload: bytes | None = None, style: Style = PLAIN
) -> bytes:
    """A tensor; without ``payload`` it is zeros of the right size."""
    content = bytes(_bytes(shape, dtype)) if payload is None else payload
    return blob(TENSOR, Struct(b"", (Text(name), tensor_info(shape, dtype))), content, style)


def feed(
    name: str | bytes,
    shape: Sequence[int],
    dtype: int,
    count: int,
    payload: bytes | None = None,
    style: Style = PLAIN,
) -> bytes:
    """``count`` tensors of ``shape``; without ``payload`` they are zeros of the right size."""
    content = bytes(_bytes(shape, dtype) * count) if payload is None else payload
    info = Struct(struct.pack("<I", count), (Text(name), tensor_info(shape, dtype)))
    return blob(FEED, info, content, style)


def metadata(model: Model, style: Style = PLAIN) -> bytes:
    return blob(METADATA, metadata_info(model), b"", style)


def metadata_info(model: Model) -> Struct:
    data = struct.pack(
        "<IIIIBxxxI",
        model.replication,
        model.ipus,
        model.processes,
        model.ipu_version,
        model.pod | model.inference << 1,
        model.iterations,
    )
    pointers: tuple[Node, ...] = (
        Text(model.seed),
        Structs(tuple(_anchor(anchor) for anchor in model.anchors)),
        Text(model.executable),
        _pairs(model.engine),
        _pairs(model.device),
        Struct(b"", tuple(Numbers("I", numbers) for numbers in model.flow)),
        Structs(tuple(Struct(struct.pack("<I", index), (Text(name),)) for index, name in model.programs)),
    )
    return Struct(data, pointers)


def tensor_info(shape: Sequence[int], dtype: int) -> Struct:
    return Struct(struct.pack("<H", dtype), (Numbers("q", shape),))


def _anchor(anchor: Anchor) -> Struct:
    flags = anchor.per_replica | anchor.remote << 1
    return Struct(
        struct.pack("<HHI", anchor.type, flags, anchor.repeats),
        (
            Text(anchor.name),
            Numbers("I", anchor.programs),
            Text(anchor.handle),
            tensor_info(anchor.shape, anchor.dtype),
        ),
    )


def _pairs(pairs: Iterable[tuple[str, str]]) -> Structs:
    return Structs(tuple(Struct(b"", (Text(name), Text(value))) for name, value in pairs))


def _aged(info: Struct, style: Style) -> Struct:
    """``info`` as an older or a newer writer would have it."""
    if style.extra_words < 0:
        return Struct(info.data[: max(0, len(info.data) + style.extra_words * 8)], info.pointers)
    padded = info.data + bytes(-len(info.data) % 8)
    return Struct(padded + style.padding * style.extra_words, info.pointers)


def _bytes(shape: Sequence[int], dtype: int) -> int:
    return int(np.prod(shape, dtype=np.int64)) * SIZES[dtype] if shape else SIZES[dtype]


GUIDE_PROGRAMS = (
    "WeightsFromHost",
    "OptimizerFromHost",
    "RandomSeedFromHost",
    "RandomSeedToHost",
    "RngStateFromHost",
    "Program",
    "RngStateToHost",
    "WeightsToHost",
    "CycleCountTensorToHost",
    "CustomProgramsStart",
)
GUIDE_EXECUTABLE = "3284579348837926701"


def guide_model() -> Model:
    """What the listings of the PopEF user guide (2.6) say of ``Add:0 = user_input + input_parameter``."""
    return Model(
        executable=GUIDE_EXECUTABLE,
        anchors=(
            Anchor("user_input", INPUT, handle="h2d_user_input", per_replica=True),
            Anchor("input_parameter", INPUT, programs=(0,), handle="h2d_input_parameter"),
            Anchor("Add:0", OUTPUT, handle="anchor_d2h_Add:0", per_replica=True),
            Anchor("input_parameter", OUTPUT, programs=(7,), handle="weight_d2h_input_parameter"),
        ),
        engine=(
            ("debug.retainDebugInformation", "true"),
            ("exchange.enablePrefetch", "true"),
            ("exchange.streamBufferOverlap", "hostRearrangeOnly"),
            ("target.deterministicWorkers", "false"),
        ),
        flow=((0, 1), (5,), (7,)),
        programs=tuple(enumerate(GUIDE_PROGRAMS)),
    )


def guide_blobs(style: Style = PLAIN) -> list[bytes]:
    """The guide's file, blob by blob (its listings show no feed)."""
    return [
        metadata(guide_model(), style),
        executable(GUIDE_EXECUTABLE, b"\x7fnot a real executable", style=style),
        opaque("popart", GUIDE_EXECUTABLE, bytes(16), style),
        tensor("input_parameter", (2,), 3, struct.pack("<2f", 1, 2), style),
    ]


def many_anchors(count: int, executable_name: str = "1") -> Model:
    """A model whose metadata needs several segments: every fourth anchor has data of its own."""
    anchors = tuple(
        Anchor(
            name=f"encoder/layer_{index // 8}/attention/weight_{index}",
            type=OUTPUT if index % 3 == 2 else INPUT,
            shape=(2, index % 7 + 1, 4),
            dtype=2 + index % 2,
            programs=(index % 10,),
            handle=f"h2d_{index}",
            per_replica=index % 2 == 0,
            remote=index % 5 == 0,
            repeats=index % 4,
        )
        for index in range(count)
    )
    return Model(executable=executable_name, anchors=anchors, replication=2, programs=tuple(enumerate(GUIDE_PROGRAMS)))


def many_anchor_blobs(count: int, style: Style = PLAIN) -> list[bytes]:
    """A whole file of ``many_anchors``: odd payload lengths, so that the blobs lie unaligned."""
    model = many_anchors(count)
    data = [tensor(str(a.name), a.shape, a.dtype, style=style) for a in model.anchors[::4]]
    return [opaque("tensorflow", "1", bytes(7), style), executable("1", bytes(63), style=style), *data, metadata(model)]


def write(path: Path, blobs: Iterable[bytes]) -> Path:
    path.write_bytes(b"".join(blobs))
    return path
