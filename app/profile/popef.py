"""Sections of PopEF files: their blobs, and the model that these describe."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Struct, field

from app.language import tr
from app.profile.arrays import I32, I64, Bool, Ragged
from app.profile.bounds import Index
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings, TextIds

BLOB_TYPES = ("POPLAR_EXECUTABLE", "METADATA", "DATA_TENSOR", "DATA_FEED", "OPAQUE")
"""Index is the type number (PopEF user guide, section 2, lists them in this order)."""

EXECUTABLE, METADATA, TENSOR, FEED, OPAQUE = range(5)


def blob_type(number: int) -> str:
    """The name of a blob type, or "unknown (n)" for other numbers."""
    return BLOB_TYPES[number] if 0 <= number < len(BLOB_TYPES) else tr("unknown ({number})", number=number)


class Blobs(Struct, frozen=True, eq=False):
    """Complete blobs in file order; a truncated blob is reported as an issue and has no row.

    ``file``: int32 index into the paths of the profile's origin; ``offset``: int64 byte in that file; ``type``: int32
    number (``blob_type``); ``version``, ``name``, ``executable``: int32 text ids, -1 where the message could not be
    decoded or has no such field (``executable`` is the name that a metadata or opaque blob refers to); ``size``: int64
    bytes of the whole blob; ``header_size``, ``info_size``, ``payload_size``: int64 bytes of its three parts, -1 where
    they are unknown.
    """

    SECTION: ClassVar[str] = "blobs"
    strings: Strings
    file: Annotated[I32, Index("files")]
    offset: I64
    type: I32
    version: OptionalTextIds
    name: OptionalTextIds
    executable: OptionalTextIds
    size: I64
    header_size: I64
    info_size: I64
    payload_size: I64

    def __len__(self) -> int:
        return len(self.offset)

    def payload(self, blob: int) -> tuple[int, int]:
        """(first byte in the file, size in bytes) of the payload of ``blob``; (0, -1) if unknown."""
        size = int(self.payload_size[blob])
        return (int(self.offset[blob] + self.size[blob]) - size, size) if size >= 0 else (0, -1)


class DataType(NamedTuple):
    """An element type: its name in the PopEF interface, and the size of one element in bytes."""

    name: str
    size: int


DATA_TYPES = (
    DataType("BOOL", 1),
    DataType("F8", 1),
    DataType("F16", 2),
    DataType("F32", 4),
    DataType("F64", 8),
    DataType("S8", 1),
    DataType("U8", 1),
    DataType("S16", 2),
    DataType("U16", 2),
    DataType("S32", 4),
    DataType("U32", 4),
    DataType("S64", 8),
    DataType("U64", 8),
    DataType("F8143", 1),
    DataType("F8152", 1),
)
"""Index is the number in the file. Names of the 12 documented types: PopEF user guide, table 2.1; one byte for BOOL and
the three F8 types is inferred."""

ANCHOR_UNKNOWN, ANCHOR_INPUT, ANCHOR_OUTPUT = range(3)


def data_type(number: int) -> str:
    """The name of an element type, or a text with the number if it is unknown."""
    return DATA_TYPES[number].name if 0 <= number < len(DATA_TYPES) else tr("unknown ({number})", number=number)


class Metadata(Struct, frozen=True, eq=False):
    """One row per METADATA blob, which is one model.

    ``blob``: int32 index into the blobs; ``replication_factor``, ``ipus``, ``processes``, ``ipu_version``,
    ``device_iterations``: int64 (an older writer also leaves 0); ``pod``, ``inference``: bool; ``seed_handle``,
    ``executable``: int32 text ids; ``load``, ``main``, ``save``: the program flow, indices of programs of the
    executable in execution order.
    """

    blob: Annotated[I32, Index("blobs.offset")]
    replication_factor: I64
    ipus: I64
    processes: I64
    ipu_version: I64
    device_iterations: I64
    pod: Bool
    inference: Bool
    seed_handle: TextIds
    executable: TextIds
    load: Ragged
    main: Ragged
    save: Ragged

    def __len__(self) -> int:
        return len(self.blob)


class Options(Struct, frozen=True, eq=False):
    """``metadata``: int32 row of the metadata; ``device``: bool, true for device options, false for engine options;
    ``name``, ``value``: int32 text ids."""

    metadata: Annotated[I32, Index("metadata.blob")]
    device: Bool
    name: TextIds
    value: TextIds

    def __len__(self) -> int:
        return len(self.name)


class ProgramNames(Struct, frozen=True, eq=False):
    """The programs map. ``metadata``: int32 row of the metadata; ``index``: int64 program of the executable;
    ``name``: int32 text id."""

    metadata: Annotated[I32, Index("metadata.blob")]
    index: I64
    name: TextIds

    def __len__(self) -> int:
        return len(self.index)


class Anchors(Struct, frozen=True, eq=False):
    """The inputs and outputs that a runtime connects its data to.

    ``metadata``: int32 row of the metadata; ``name``, ``handle``: int32 text ids; ``programs``: programs that use it;
    ``shape``: dimensions, outermost first, including those for replicas and repeats; ``data_type``, ``type``: int32
    numbers (``data_type``, ANCHOR_INPUT ...); ``per_replica``, ``remote_buffer``: bool; ``repeats``: int64.
    """

    metadata: Annotated[I32, Index("metadata.blob")]
    name: TextIds
    handle: TextIds
    programs: Ragged
    shape: Ragged
    data_type: I32
    type: I32
    per_replica: Bool
    remote_buffer: Bool
    repeats: I64

    def __len__(self) -> int:
        return len(self.name)


class TensorData(Struct, frozen=True, eq=False):
    """DATA_TENSOR and DATA_FEED blobs in file order. ``blob``: int32; ``name``: int32 text id; ``shape``: dimensions of
    one tensor; ``data_type``: int32, -1 if shape and type cannot be read; ``feed``: bool; ``count``: int64, tensors in
    the payload (1 unless a feed)."""

    blob: Annotated[I32, Index("blobs.offset")]
    name: TextIds
    shape: Ragged
    data_type: I32
    feed: Bool
    count: I64

    def __len__(self) -> int:
        return len(self.name)


class Executables(Struct, frozen=True, eq=False):
    """POPLAR_EXECUTABLE blobs. ``blob``: int32; ``name``: int32 text id; ``compressed``: bool; ``uncompressed_size``:
    int64 bytes, -1 if it is not compressed or the number is implausible."""

    blob: Annotated[I32, Index("blobs.offset")]
    name: TextIds
    compressed: Bool
    uncompressed_size: I64

    def __len__(self) -> int:
        return len(self.name)


class Opaques(Struct, frozen=True, eq=False):
    """OPAQUE blobs. ``blob``: int32; ``name``, ``executable``: int32 text ids."""

    blob: Annotated[I32, Index("blobs.offset")]
    name: TextIds
    executable: TextIds

    def __len__(self) -> int:
        return len(self.name)


class Model(Struct, frozen=True, eq=False):
    """All decoded messages of the blobs (PopEF user guide, chapter 2); text ids are into ``strings``. A blob whose
    message cannot be decoded has no row here. There may be several models (rows of ``metadata``), or none in a file of
    variables."""

    SECTION: ClassVar[str] = "model"
    strings: Strings
    metadata: Metadata = field(default_factory=partial(no_rows, Metadata))
    options: Options = field(default_factory=partial(no_rows, Options))
    programs: ProgramNames = field(default_factory=partial(no_rows, ProgramNames))
    anchors: Anchors = field(default_factory=partial(no_rows, Anchors))
    tensors: TensorData = field(default_factory=partial(no_rows, TensorData))
    executables: Executables = field(default_factory=partial(no_rows, Executables))
    opaques: Opaques = field(default_factory=partial(no_rows, Opaques))
