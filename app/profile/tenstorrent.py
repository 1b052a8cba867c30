"""Sections of Tenstorrent captures: worker cores, zones of the device, operations, transfers of the network on chip,
and L1 memory (Tenstorrent, sections 1 to 4)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Final

import numpy as np
from msgspec import Struct, field

from app.language import Text, tr
from app.profile.arrays import F64, I32, I64, U8, Bool, sealed
from app.profile.ascend import TypedColumn, column_named
from app.profile.bounds import Index, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings, TextIds

CORES, TILES = "core", "tile"
"""What the places of a chip are: cores of Tenstorrent, or tiles of an AMD AI Engine."""


class WorkerCores(Struct, frozen=True, eq=False):
    """The cores that the files name, by device, then row, then column; those with logical coordinates (0, 0 is the
    first compute core) after those with coordinates of the network on chip. ``kind``: CORES or TILES.

    ``device``, ``x``, ``y``: int32; ``logical``: bool. Of the device log, int64, -1 for a core that it does not name:
    ``zones`` (pairs of start and end), ``firmware`` and ``kernel`` (cycles from the first start to the last end of the
    zones named ``*-FW`` and ``*-KERNEL``, summed over runs; 0 if there are none).
    """

    SECTION: ClassVar[str] = "worker_cores"
    device: I32
    x: I32
    y: I32
    logical: Bool
    zones: I64
    firmware: I64
    kernel: I64
    kind: str = CORES

    def __len__(self) -> int:
        return len(self.device)


class Zones(Struct, frozen=True, eq=False):
    """The kinds of zones: one row for each name, place in a source text and processor. ``name``, ``file``,
    ``processor``: text ids; ``line``: int32, 0 none; ``count``: int64, pairs; ``cycles``, ``most``: int64, of these;
    ``cores``: int32; ``total``: int64, cycles of the rows ZONE_TOTAL, -1 without one."""

    name: TextIds
    file: OptionalTextIds
    processor: TextIds
    line: I32
    count: I64
    cycles: I64
    most: I64
    cores: I32
    total: I64


class Runs(Struct, frozen=True, eq=False):
    """What each run (``run host ID``) did on each device, from its zones ``*-KERNEL``: one row per device and run.

    ``device``: int32; ``run``: int64; ``start``, ``end``: float64 in the unit of the timeline, first start and last
    end; ``cores``: int32; ``cycles``: int64, sum over the cores of the time from its first start to its last end;
    ``most``: int64, the largest of these; ``slowest``: int32, its core.
    """

    device: I32
    run: I64
    start: F64
    end: F64
    cores: I32
    cycles: I64
    most: I64
    slowest: Annotated[I32, Index("worker_cores.device")]

    def __len__(self) -> int:
        return len(self.run)


def _no_indices() -> I32:
    return sealed(np.empty(0, np.int32))


class DeviceRun(Struct, frozen=True, eq=False):
    """What the device log says besides its slices. ``arch``: "" if no file states it; ``most_cores``: compute cores
    that its header states; ``unended``, ``unbegun``: starts and ends of zones without the other; ``lane_core``:
    int32[lanes of the timeline], the core of each, -1 for lanes of operations; ``slice_operation``: int32[slices], -1
    none; empty without operations."""

    SECTION: ClassVar[str] = "device_run"
    arch: str
    strings: Strings
    clock_hz: float | None = None
    most_cores: int | None = None
    unended: int = 0
    unbegun: int = 0
    zones: Zones = field(default_factory=partial(no_rows, Zones))
    runs: Runs = field(default_factory=partial(no_rows, Runs))
    lane_core: Annotated[I32, Index("worker_cores.device", -1), Rows("lane_core")] = field(default_factory=_no_indices)
    slice_operation: Annotated[I32, Index("operations.code", -1), Rows("slice_operation")] = field(
        default_factory=_no_indices
    )

    def __len__(self) -> int:
        """Kinds of zones."""
        return len(self.zones.name)


ON_DEVICE, ON_HOST, SIGNPOST = range(3)
PLACE_NAMES: Final[tuple[Text, ...]] = (tr("device"), tr("host"), tr("signpost"))
"""Index is the number in ``Operations.place``."""


class Operations(Struct, frozen=True, eq=False):
    """The rows of ops_perf_results, in file order. ``code``: text id; ``place``: uint8, index of PLACE_NAMES;
    ``device``: int32, -1 none; ``call``: int64, GLOBAL CALL COUNT, -1 none; ``columns``: all columns of the file with
    their titles."""

    SECTION: ClassVar[str] = "operations"
    strings: Strings
    code: TextIds
    place: Annotated[U8, Index(len(PLACE_NAMES))]
    device: I32
    call: I64
    columns: Annotated[tuple[TypedColumn, ...], Rows("code")] = ()

    def __len__(self) -> int:
        return len(self.code)

    def number(self, title: str) -> F64:
        """float64: the column of that title, NaN for no data, and everywhere without such a column of numbers."""
        column = column_named(self.columns, title)
        if column is None or column.values.dtype.kind != "f":
            return np.full(len(self), np.nan)
        values: F64 = column.values[:, 0]
        return values


class NocLinks(Struct, frozen=True, eq=False):
    """Links of the network on chip in a simulation by tt-npe. ``device``, ``x``, ``y``: int32, the core that it begins
    at; ``name``: text id (NOC0_EAST); ``mean``, ``most``: float64, demand in percent over the time steps with any."""

    device: I32
    x: I32
    y: I32
    name: TextIds
    mean: F64
    most: F64


class NocTransfers(Struct, frozen=True, eq=False):
    """Transfers of the network on chip (section 3), one row each. ``source``, ``target``: int32, cores, in the
    direction of the data; ``target`` is -1 for several; ``issuer``: int32, the core that asked for it; ``type``,
    ``noc``, ``processor``, ``operation``: text ids, -1 not stated; ``time``, ``end``: float64 cycles as in the file,
    NaN not stated; ``bytes``: int64. ``events``: rows of the files that are not zones; ``simulated``: whether tt-npe
    made them."""

    SECTION: ClassVar[str] = "noc_transfers"
    strings: Strings
    source: Annotated[I32, Index("worker_cores.device", -1)]
    target: Annotated[I32, Index("worker_cores.device", -1)]
    issuer: Annotated[I32, Index("worker_cores.device", -1)]
    type: OptionalTextIds
    noc: OptionalTextIds
    processor: OptionalTextIds
    operation: OptionalTextIds
    time: F64
    end: F64
    bytes: I64
    simulated: Bool
    events: int = 0
    links: NocLinks = field(default_factory=partial(no_rows, NocLinks))

    def __len__(self) -> int:
        return len(self.source)


BUFFER_TYPES: Final[tuple[Text, ...]] = (
    tr("DRAM"),
    "L1",
    tr("system memory"),
    "L1_SMALL",
    tr("trace"),
    tr("other"),
)
"""Index is the number in ``Buffers.type``; what a file calls otherwise is the last."""
IN_L1: Final = (1, 3)


class MemoryDevices(Struct, frozen=True, eq=False):
    """``device``: int32; ``rows``, ``columns``: int32, compute cores, -1 not stated; ``l1``: int64, bytes of L1 of a
    core, -1 not stated; ``base``: int64, the address of the first bank, -1 not stated."""

    device: I32
    rows: I32
    columns: I32
    l1: I64
    base: I64


class MemoryOperations(Struct, frozen=True, eq=False):
    """The operations of a report. ``number``: int64, operation_id; ``name``: text id; ``duration``: float64 seconds on
    the host, NaN not stated; ``dram``: int64, bytes of the buffers in DRAM that are alive, of one bank; ``buffers``:
    int64, how many are alive in all memories."""

    number: I64
    name: TextIds
    duration: F64
    dram: I64
    buffers: I64


class CoreMemory(Struct, frozen=True, eq=False):
    """L1 of a core while an operation runs, one row for each pair with any. ``operation``, ``core``: int32; ``used``:
    int64 bytes; ``parts``: int64, pages or buffers; ``gap``: int64, bytes of the largest free stretch up to the size of
    L1, ``free``: int64, bytes of all; both -1 where the pages or the size are not known."""

    operation: Annotated[I32, Index("operations.number")]
    core: Annotated[I32, Index("worker_cores.device")]
    used: I64
    parts: I64
    gap: I64
    free: I64


class Buffers(Struct, frozen=True, eq=False):
    """Buffers that are the same (device, address, size, type) in consecutive operations are one row. ``device``: int32;
    ``type``: uint8, index of BUFFER_TYPES; ``layout``: int32 as stored, -1 none; ``address``, ``size``: int64, bytes in
    a bank; ``first``, ``last``: int32, operations in which it is alive."""

    device: I32
    type: Annotated[U8, Index(len(BUFFER_TYPES))]
    layout: I32
    address: I64
    size: I64
    first: Annotated[I32, Index("operations.number")]
    last: Annotated[I32, Index("operations.number")]


class Tensors(Struct, frozen=True, eq=False):
    """``number``: int64, tensor_id; ``shape``, ``dtype``, ``layout``, ``memory``: text ids, -1 none; ``device``: int32;
    ``address``: int64, -1 none; ``type``: uint8, index of BUFFER_TYPES."""

    number: I64
    shape: OptionalTextIds
    dtype: OptionalTextIds
    layout: OptionalTextIds
    memory: OptionalTextIds
    device: I32
    address: I64
    type: Annotated[U8, Index(len(BUFFER_TYPES))]


class CoreMemoryReport(Struct, frozen=True, eq=False):
    """A report of ttnn (section 4). ``buffer_rows``, ``page_rows``: rows of its tables; ``by_pages``: whether L1 is
    known page by page, or only by the largest bank, alike on all cores."""

    SECTION: ClassVar[str] = "core_memory"
    strings: Strings
    devices: MemoryDevices = field(default_factory=partial(no_rows, MemoryDevices))
    operations: MemoryOperations = field(default_factory=partial(no_rows, MemoryOperations))
    memory: CoreMemory = field(default_factory=partial(no_rows, CoreMemory))
    buffers: Buffers = field(default_factory=partial(no_rows, Buffers))
    tensors: Tensors = field(default_factory=partial(no_rows, Tensors))
    buffer_rows: int = 0
    page_rows: int = 0
    by_pages: bool = False

    def __len__(self) -> int:
        """Operations."""
        return len(self.operations.number)
