"""Sections of TensorFlow for the IPU: events of the host (compilations, engine loads, transfers, executions), and which
tiles the tensors of a graph are on."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, Integers, Ragged
from app.profile.bounds import Index, Offsets, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings, TextIds

EVENT_TYPES = (
    "COMPILE_BEGIN",
    "COMPILE_END",
    "HOST_TO_DEVICE_TRANSFER",
    "DEVICE_TO_HOST_TRANSFER",
    "LOAD_ENGINE",
    "EXECUTE",
)
"""Index is the type number (IpuTraceEvent, section 1: Type)."""
COMPILE_BEGIN, COMPILE_END, TO_DEVICE, FROM_DEVICE, LOAD_ENGINE, EXECUTE = range(6)

LAYOUTS = ("", tr("SDK 2.1 or earlier"), tr("SDK 2.2 or later"), "pre-2018-10")
"""By number: which field numbering the inner message of an event uses; the first if it cannot be determined."""
LAYOUT_UNKNOWN, LAYOUT_OLD, LAYOUT_NEW, LAYOUT_FLAT = range(4)

ROLES = (
    tr("compilation report"),
    tr("execution report"),
    tr("serialised graph"),
    tr("tensor map"),
    tr("instruction information"),
)
COMPILATION_REPORT, EXECUTION_REPORT, POPLAR_GRAPH, TENSOR_MAP, INSTRUCTION_INFO = range(5)

CONTENTS = ("JSON", "CBOR", "text", "path", tr("Cap'n Proto"))
JSON, CBOR, TEXT, PATH, CAPNP = range(5)

ML_TYPES = (
    "unclassified",
    "standalone",
    tr("training forward"),
    tr("training input gradient"),
    tr("training filter gradient"),
)
"""Index is the class of an instruction in training (IpuTraceEvent, section 2: instruction_info)."""

GRAIN = 6
"""Decimal places of times in seconds: events are recorded in microseconds."""

Container: TypeAlias = Literal["event file", "text", "sequence of reports", "single event"]


def event_type(number: int) -> str:
    """The name of an event type, or "unknown (n)" for other numbers."""
    return EVENT_TYPES[number] if 0 <= number < len(EVENT_TYPES) else tr("unknown ({number})", number=number)


class Attached(Struct, frozen=True, eq=False):
    """Parts of events that are files in themselves: reports, serialised graphs, tensor maps.

    ``event``: int32 row of the events; ``role``: int32 index into ROLES; ``content``: int32 index into CONTENTS;
    ``offset``, ``size``: int64 bytes in the file; ``path``: int32 text id of the path that the event has instead of the
    content, -1 none.
    """

    event: Annotated[I32, Index("host_events.type")]
    role: Annotated[I32, Index(len(ROLES))]
    content: Annotated[I32, Index(len(CONTENTS))]
    offset: I64
    size: I64
    path: OptionalTextIds

    def __len__(self) -> int:
        return len(self.event)


class TransferTensors(Struct, frozen=True, eq=False):
    """Tensors that transfers list. ``event``: int32 row of the events; ``name``: int32 text id, -1 none;
    ``bytes``: int64, -1 not stated."""

    event: Annotated[I32, Index("host_events.type")]
    name: OptionalTextIds
    bytes: I64

    def __len__(self) -> int:
        return len(self.event)


class MlTypes(Struct, frozen=True, eq=False):
    """Instructions that ``instruction_info`` classifies. ``event``: int32 row of the events; ``instruction``: int32
    text id; ``type``: int32 index into ML_TYPES."""

    event: Annotated[I32, Index("host_events.type")]
    instruction: TextIds
    type: Annotated[I32, Index(len(ML_TYPES))]

    def __len__(self) -> int:
        return len(self.event)


class HostEvents(Struct, frozen=True, eq=False):
    """Events in file order (IpuTraceEvent, sections 1 and 2); text ids are into ``strings``.

    ``type``: int32 (``event_type``; unknown numbers are preserved); ``time``: float64 seconds since 1970 (UTC), NaN if
    not given; ``ordinal``: int32, number of the device; ``module``: int32 text id, -1 none; ``step``: int64 of the
    summary that contains the event, -1 none; ``duration``: float64 seconds stated by a COMPILE_END, else NaN;
    ``bytes``: int64 stated by a transfer, else -1; ``layout``: int32 index into LAYOUTS; ``begin``: int32, row of the
    COMPILE_BEGIN that belongs to a COMPILE_END, -1 none; ``offset``, ``size``: int64, position of the event in the
    file. ``skipped_names`` and ``skipped_counts``: other contents of the file.
    """

    SECTION: ClassVar[str] = "host_events"
    container: Container
    strings: Strings
    type: I32
    time: F64
    ordinal: I32
    module: OptionalTextIds
    step: I64
    duration: F64
    bytes: I64
    layout: Annotated[I32, Index(len(LAYOUTS))]
    begin: Annotated[I32, Index("type", -1)]
    offset: I64
    size: I64
    attached: Attached = field(default_factory=partial(no_rows, Attached))
    tensors: TransferTensors = field(default_factory=partial(no_rows, TransferTensors))
    ml_types: MlTypes = field(default_factory=partial(no_rows, MlTypes))
    skipped_names: tuple[str, ...] = ()
    skipped_counts: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.type)

    def starts(self) -> F64:
        """float64[events], seconds since 1970: the start of each event. A compilation starts at its COMPILE_BEGIN or,
        without one, its stated duration before its end; the log has no duration for other events."""
        stated = np.where(np.isnan(self.duration), 0.0, self.duration)
        start = self.time - stated
        paired = np.flatnonzero(self.begin >= 0)
        known = self.time[self.begin[paired]]
        start[paired] = np.where(np.isnan(known), start[paired], known)
        return np.minimum(start, self.time)

    def timed(self) -> Bool:
        """bool[events]: whether the log gives a duration: true for compilations with a begin or a stated duration."""
        known: Bool = (self.begin >= 0) | ~np.isnan(self.duration)
        return known

    def since(self) -> F64:
        """float64[events]: seconds since ``zero``, rounded to the microseconds of the log."""
        return np.round(self.time - self.zero, GRAIN)

    @property
    def zero(self) -> float:
        """Seconds since 1970 of the first start, the zero point of times; NaN if no event has a time."""
        starts = self.starts()
        return float(np.nanmin(starts)) if np.isfinite(starts).any() else float("nan")


GENERATIONS = ("", "2018-10 to 2019-05", "2019-05-11 to 2019-05-13", "2019-05 to 2020-02", "2020-02 or later")
"""By number: the layout of the tensors of a map; the first if there are none (IpuTraceEvent, section 3)."""

ELEMENT_BYTES = {
    "bool": 1,
    "char": 1,
    "signed char": 1,
    "unsigned char": 1,
    "quarter": 1,
    "half": 2,
    "short": 2,
    "unsigned short": 2,
    "int": 4,
    "unsigned int": 4,
    "float": 4,
    "long": 8,
    "unsigned long": 8,
    "longlong": 8,
    "unsigned longlong": 8,
    "long long": 8,
    "unsigned long long": 8,
    "double": 8,
}
"""Size of an element in bytes, by Poplar's name of the type."""


class MappedTensors(Struct, frozen=True, eq=False):
    """``module``, ``computation``: int32 text ids (module -1 for a separate map file); ``instruction``: int32 text id
    of the XLA/HLO instruction; ``output``: int64, which of its outputs, -1 unknown; ``shape``: dimensions (none in the
    first generation); ``type``: int32 text id of Poplar's element type, -1 none; ``constant``, ``aliases``: int32, 1
    yes, 0 no, -1 not stated; ``elements``: int64 as stated, -1 not stated; ``name``: int32 text id of the TensorFlow
    name ("" if the map states that there is none), -1 not stated; ``generation``: int32 index into GENERATIONS."""

    module: OptionalTextIds
    computation: TextIds
    instruction: TextIds
    output: I64
    shape: Ragged
    type: OptionalTextIds
    constant: I32
    aliases: I32
    elements: I64
    name: OptionalTextIds
    generation: Annotated[I32, Index(len(GENERATIONS))]

    def __len__(self) -> int:
        return len(self.instruction)


MOST_TILES: Final = 1 << 21
"""More tiles than any machine has (1,024 IPUs with 1,472 tiles each have 1.5 million)."""


class TensorMap(Struct, frozen=True, eq=False):
    """Tensors in file order; text ids are into ``strings``.

    Tensor t has ``count[p]`` distinct elements on tile ``tile[p]`` (int32), in ``intervals[p]`` ranges (-1 not stated;
    empty if no tensor states them), for first[t] <= p < first[t + 1] (int64[tensors + 1]).
    """

    SECTION: ClassVar[str] = "tensor_map"
    strings: Strings
    first: Annotated[I64, Offsets("tile"), Rows("tensors.instruction")]
    tile: Annotated[I32, Index(MOST_TILES)]
    count: Integers
    intervals: Annotated[Integers, Rows("intervals")]
    tensors: MappedTensors = field(default_factory=partial(no_rows, MappedTensors))

    def __len__(self) -> int:
        return len(self.tensors)
