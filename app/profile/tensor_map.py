"""The mapping of the tensors of a TensorFlow graph to tiles."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec import Struct, field

from app.profile.arrays import I32, I64, Integers
from app.profile.empty import no_rows
from app.profile.ragged import Ragged
from app.profile.strings import Strings

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

    module: I32
    computation: I32
    instruction: I32
    output: I64
    shape: Ragged
    type: I32
    constant: I32
    aliases: I32
    elements: I64
    name: I32
    generation: I32

    def __len__(self) -> int:
        return len(self.instruction)


class TensorMap(Struct, frozen=True, eq=False):
    """Tensors in file order; text ids are into ``strings``.

    Tensor t has ``count[p]`` distinct elements on tile ``tile[p]`` (int32), in ``intervals[p]`` ranges (-1 not stated;
    empty if no tensor states them), for first[t] <= p < first[t + 1] (int64[tensors + 1]).
    """

    SECTION: ClassVar[str] = "tensor_map"
    strings: Strings
    first: I64
    tile: I32
    count: Integers
    intervals: Integers
    tensors: MappedTensors = field(default_factory=partial(no_rows, MappedTensors))

    def __len__(self) -> int:
        return len(self.tensors)
