"""Sections of a whole Ascend capture (Ascend captures, sections 1 to 5): the ranks of a run, and what each of them did.

Times are int64 nanoseconds since 1970 and durations int64 nanoseconds, -1 where the files give none; figures that the
producer computed are float64 in seconds, bytes or bytes per second, NaN for no data. ``rank`` is a row of
``Capture``: rank numbers, devices and hosts are looked up there. ``step`` is the number of a training step, -1 none.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Final

from msgspec import Struct, field

from app.language import Text, tr
from app.profile.arrays import F64, I32, I64, U8
from app.profile.ascend import TypedColumn
from app.profile.bounds import Index, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings, TextIds

MODE_NAMES: Final[tuple[Text, ...]] = (tr("text"), tr("database"), tr("text and database"), tr("cluster files"))
"""Index is the number in ``Capture.mode``."""
TEXT, DATABASE, BOTH, CLUSTER = range(4)

KIND_NAMES: Final[tuple[Text, ...]] = (tr("collective"), tr("point to point"))
"""Index is the number in ``Collectives.kind``."""
COLLECTIVE, POINT_TO_POINT = range(2)


class Groups(Struct, frozen=True, eq=False):
    """Communication groups. ``name``: their hash or name in the files; ``role``: dp, tp, pp, ...; ``ranks``: the
    numbers of their ranks as a text ("0, 1"); all text ids of the capture, -1 none."""

    name: TextIds
    role: OptionalTextIds
    ranks: OptionalTextIds

    def __len__(self) -> int:
        return len(self.name)


class Capture(Struct, frozen=True, eq=False, dict=True):
    """One row per rank: a folder of a profiler, or a rank that cluster files name.

    ``rank``, ``device``: int64 numbers, -1 where nothing states them (a rank is not a device); ``host``: text id of
    what tells machines apart; ``folder``: text id of the folder's name; ``producer``: torch_npu, mindspore, msprof or
    msmonitor; ``mode``: uint8 index of MODE_NAMES; ``level``, ``metric``, ``version``: what was collected and by which
    software, as stated.
    """

    SECTION: ClassVar[str] = "capture"
    strings: Strings
    rank: I64
    device: I64
    host: OptionalTextIds
    folder: OptionalTextIds
    producer: OptionalTextIds
    mode: Annotated[U8, Index(len(MODE_NAMES))]
    level: OptionalTextIds
    metric: OptionalTextIds
    version: OptionalTextIds
    groups: Groups = field(default_factory=partial(no_rows, Groups))

    def __len__(self) -> int:
        return len(self.rank)


class Kernels(Struct, frozen=True, eq=False):
    """Compute kernels on the device, one row each, in the order of the files; communication is in ``Collectives``.

    ``stream``, ``task``, ``context``, ``blocks``, ``mix_blocks``: int64, -1 none; ``wait``: nanoseconds between the
    task before on the stream and this one; ``state``: dynamic or static; shapes, types and formats: text ids of the
    cell, without its own quotes. ``connection``: int64, joins a kernel with the call that launched it (DB), -1 none.
    ``pmu``: columns of the device's counters by the titles of the file, float64 [rows, 1] with NaN for no data.
    """

    SECTION: ClassVar[str] = "kernels"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    step: I64
    name: TextIds
    type: OptionalTextIds
    core: OptionalTextIds
    stream: I64
    task: I64
    context: I64
    start: I64
    duration: I64
    wait: I64
    blocks: I64
    mix_blocks: I64
    connection: I64
    state: OptionalTextIds
    input_shapes: OptionalTextIds
    input_types: OptionalTextIds
    input_formats: OptionalTextIds
    output_shapes: OptionalTextIds
    output_types: OptionalTextIds
    output_formats: OptionalTextIds
    pmu: Annotated[tuple[TypedColumn, ...], Rows("rank")] = ()

    def __len__(self) -> int:
        return len(self.rank)


class Collectives(Struct, frozen=True, eq=False):
    """Communication operations, one row per rank and operation.

    ``group``: text id, -1 where only its name is known; ``start``, ``end``: nanoseconds; ``transit``, ``wait``,
    ``synchronization``, ``idle``: float64 seconds as the producer computed them on the main stream's plane (section 5:
    idle time is not free time); ``algorithm``, ``data_type``: text ids; ``count``: elements, -1 none.
    """

    SECTION: ClassVar[str] = "collectives"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    step: I64
    name: TextIds
    group: OptionalTextIds
    kind: Annotated[U8, Index(len(KIND_NAMES))]
    start: I64
    end: I64
    transit: F64
    wait: F64
    synchronization: F64
    idle: F64
    algorithm: OptionalTextIds
    data_type: OptionalTextIds
    count: I64
    connection: I64

    def __len__(self) -> int:
        return len(self.rank)


class Packets(Struct, frozen=True, eq=False):
    """What collectives sent over each transport, by the size of the packets. ``name``, ``group``: the operation;
    ``transport``: RDMA, HCCS, PCIE, SDMA, SIO (SDMA covers HCCS, PCIE and SIO); ``size``: float64 bytes of one packet;
    ``count``: int64; ``time``: float64 seconds."""

    SECTION: ClassVar[str] = "packets"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    step: I64
    name: TextIds
    group: OptionalTextIds
    transport: TextIds
    size: F64
    count: I64
    time: F64

    def __len__(self) -> int:
        return len(self.rank)


class Links(Struct, frozen=True, eq=False):
    """Transfers between two ranks, as the communication matrix has them: for each type of operation a row for its
    total, and for the single operations that the producer chose (``selection``: total, top1, middle, bottom, ...).

    ``name``: text id of the type ("allreduce"); ``source``, ``target``: int64 ranks, of the whole run only where the
    producer could map them; ``size``: bytes; ``time``: seconds; ``bandwidth``: bytes per second; float64.
    """

    SECTION: ClassVar[str] = "links"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    step: I64
    name: TextIds
    selection: TextIds
    group: OptionalTextIds
    source: I64
    target: I64
    transport: OptionalTextIds
    size: F64
    time: F64
    bandwidth: F64

    def __len__(self) -> int:
        return len(self.rank)


class TrainingSteps(Struct, frozen=True, eq=False):
    """One row per rank and training step. ``start``, ``end``: int64 nanoseconds of the step on the host, -1 none;
    ``device_start``, ``device_end``: of the tasks that it launched. The rest is what the producer's own table says,
    float64 seconds: figures are computed from kernels and collectives where these exist."""

    SECTION: ClassVar[str] = "training_steps"
    rank: Annotated[I32, Index("capture.rank")]
    step: I64
    start: I64
    end: I64
    device_start: I64
    device_end: I64
    computing: F64
    exposed: F64
    overlapped: F64
    communication: F64
    free: F64
    stage: F64
    bubble: F64
    exposed_without_receive: F64
    preparing: F64

    def __len__(self) -> int:
        return len(self.rank)


class MemoryRecord(Struct, frozen=True, eq=False):
    """Memory of the device over time, by component (APP: the process; PTA: the framework's allocator; GE: the graph
    engine; PTA+GE is their sum). ``time``: nanoseconds, ascending within a rank and component; ``allocated``,
    ``reserved``, ``active``: int64 bytes, -1 not measured."""

    SECTION: ClassVar[str] = "memory_record"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    component: TextIds
    time: I64
    allocated: I64
    reserved: I64
    active: I64

    def __len__(self) -> int:
        return len(self.rank)


class MemoryOperators(Struct, frozen=True, eq=False):
    """Memory that operators took and gave back. ``size``: int64 bytes, negative where it was taken before the capture;
    ``allocated_at``, ``released_at``, ``inactive_at``: nanoseconds, -1 for not in the capture (no release: still held
    at its end)."""

    SECTION: ClassVar[str] = "memory_operators"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    name: TextIds
    size: I64
    allocated_at: I64
    released_at: I64
    inactive_at: I64

    def __len__(self) -> int:
        return len(self.rank)


class Calls(Struct, frozen=True, eq=False):
    """Calls on the host by level (acl, node, hccl, runtime, communication) and name; levels nest and never add up.
    ``count``: int64; ``total``, ``shortest``, ``longest``: float64 seconds of all, of one."""

    SECTION: ClassVar[str] = "calls"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    level: TextIds
    name: TextIds
    count: I64
    total: F64
    shortest: F64
    longest: F64

    def __len__(self) -> int:
        return len(self.rank)


class FrameworkOperators(Struct, frozen=True, eq=False):
    """Operators of the framework (operator_details). ``name``, ``shapes``, ``stack``: text ids; times: float64 seconds
    of the operator itself, and with those that it called (they nest): on the host, on the device, and on the AI Cores
    of the device."""

    SECTION: ClassVar[str] = "framework_operators"
    strings: Strings
    rank: Annotated[I32, Index("capture.rank")]
    name: TextIds
    shapes: OptionalTextIds
    stack: OptionalTextIds
    host_self: F64
    host_total: F64
    device_self: F64
    device_total: F64
    aicore_self: F64
    aicore_total: F64

    def __len__(self) -> int:
        return len(self.rank)
