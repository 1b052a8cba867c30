"""The tensors of a map: walked through a piece at a time, in any of their four generations, into columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, cast

import numpy as np

from app.formats.errors import FormatError
from app.formats.integers import Flat, whole_rows
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.rows import Rows
from app.formats.walk import Broken
from app.language import tr
from app.profile.arrays import I32, I64, Integers, sealed
from app.profile.strings import Interner
from app.profile.tensorflow import MOST_TILES, MappedTensors, TensorMap

ELEMENTS: Final = 1 << 32
"""More elements than fit on any tile; sums of such counts fit into 64 bits."""
LARGEST: Final = 1 << 62


class RawTensor(NamedTuple):
    """``places``: int64[tiles, 3] of tile, intervals (-1 not stated) and elements; the others as in MappedTensors, with
    texts instead of ids."""

    instruction: str
    output: int
    shape: list[int]
    type: str | None
    constant: int
    aliases: int
    elements: int
    name: str | None
    generation: int
    places: I64


def parse(value: Any) -> RawTensor:
    """A tensor from its JSON value; ValueError states what is wrong with it (IpuTraceEvent, section 3)."""
    if isinstance(value, list):
        return _listed(value)
    if isinstance(value, dict):
        return _named(value)
    raise ValueError(tr("it is not a list"))


def _listed(value: list[Any]) -> RawTensor:
    """[instruction, output, shape, type, constants, aliases, elements, tiles] and, since 2020-02, the name."""
    if len(value) < 8 or not isinstance(value[7], list):
        raise ValueError(tr("its eighth item is not a list of tiles"))
    if not isinstance(value[0], str):
        raise ValueError(tr("its first item is not the name of an instruction"))
    places, width = _pairs(value[7])
    named = len(value) > 8 and isinstance(value[8], str)
    generation = 4 if named else 2 if width == 3 else 3
    return RawTensor(
        value[0],
        _whole(value[1]),
        _shape(value[2]),
        value[3] if isinstance(value[3], str) else None,
        _flag(value[4]),
        _flag(value[5]),
        _whole(value[6]),
        value[8] if named else None,
        generation,
        places,
    )


def _named(value: dict[str, Any]) -> RawTensor:
    """The layout of 2018-10: nested objects, without a shape, with the type at each tile."""
    tiles = value.get("tiles")
    if not isinstance(tiles, list) or not isinstance(value.get("inst_name"), str):
        raise ValueError(tr("it has no inst_name or no list of tiles"))
    if not all(isinstance(tile, dict) for tile in tiles):
        raise ValueError(tr("one of its tiles is not an object"))
    rows = [[tile.get("tile_id"), tile.get("num_intervals", -1), tile.get("num_elements")] for tile in tiles]
    kinds = [kind for tile in tiles if isinstance(kind := tile.get("element_type"), str)]
    return RawTensor(
        value["inst_name"],
        _whole(value.get("output_index")),
        [],
        kinds[0] if kinds else None,
        _flag(value.get("constant")),
        _flag(value.get("has_aliases")),
        _whole(value.get("total_elements")),
        None,
        1,
        _checked(_array(rows), 3),
    )


def _pairs(tiles: list[Any]) -> tuple[I64, int]:
    """(places, numbers a tile had): [tile, elements], or [tile, intervals, elements]."""
    array = _array(tiles)
    width = array.shape[1] if len(array) else 2
    if width == 2 and len(array):
        array = np.stack((array[:, 0], np.full(len(array), -1, np.int64), array[:, 1]), axis=1)
    return _checked(array, width), width


def _array(rows: list[Any]) -> I64:
    try:
        return whole_rows(rows)
    except FormatError as error:
        raise ValueError(tr("its tiles: {error}", error=error.text)) from error


def _checked(array: I64, width: int) -> I64:
    if not len(array):
        return np.empty((0, 3), np.int64)
    if width not in (2, 3) or array.shape[1] != 3:
        raise ValueError(tr("its tiles have neither two nor three numbers"))
    tile, intervals, elements = array.T
    if int(tile.min()) < 0 or int(tile.max()) >= MOST_TILES:
        raise ValueError(tr("it names an implausible tile"))
    if not np.all((elements >= 0) & (elements < ELEMENTS) & (intervals > -ELEMENTS) & (intervals < ELEMENTS)):
        raise ValueError(tr("it has more elements on a tile than fit on one"))
    return array


def _whole(value: Any) -> int:
    """An integer from 0 on; -1 for anything else."""
    return value if type(value) is int and 0 <= value < LARGEST else -1


def _flag(value: Any) -> int:
    """1 yes, 0 no, -1 not stated."""
    return int(value) if isinstance(value, bool) or value in (0, 1) else -1


def _shape(value: Any) -> list[int]:
    if not isinstance(value, list) or not all(type(size) is int and 0 <= size < LARGEST for size in value):
        raise ValueError(tr("its shape is not a list of sizes"))
    return value


class MapColumns:
    """Builds ``TensorMap``; several maps (of the modules of a log) can be added one after another."""

    def __init__(self) -> None:
        self._text = Interner()
        self._tensors = Rows(MappedTensors)
        self._lengths = array("q")
        self._tiles: list[I32] = []
        self._counts = Flat()
        self._intervals = Flat()
        self._stated = False

    def __len__(self) -> int:
        return len(self._tensors)

    def add(self, module: str, computation: str, tensors: Iterable[RawTensor]) -> None:
        """Adds the tensors of one computation; ``module`` is "" for a separate map file."""
        places = []
        for tensor in tensors:
            self._tensors.add(
                self._text(module) if module else -1,
                self._text(computation),
                self._text(tensor.instruction),
                tensor.output,
                array("q", tensor.shape),
                self._id(tensor.type),
                tensor.constant,
                tensor.aliases,
                tensor.elements,
                self._id(tensor.name),
                tensor.generation,
            )
            self._lengths.append(len(tensor.places))
            places.append(tensor.places)
        if places:
            tile, intervals, count = np.concatenate(places).T
            self._tiles.append(tile.astype(np.int32))
            self._counts.add(count)
            self._intervals.add(intervals)
            self._stated = self._stated or bool(np.any(intervals >= 0))

    def finish(self) -> TensorMap:
        lengths = np.array(self._lengths, np.int64)
        intervals: Integers = self._intervals.done() if self._stated else np.empty(0, np.uint8)
        return TensorMap(
            strings=self._text.strings(),
            tensors=self._tensors.finish(),
            first=sealed(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))),
            tile=sealed(np.concatenate(self._tiles) if self._tiles else np.empty(0, np.int32)),
            count=sealed(self._counts.done()),
            intervals=sealed(intervals),
        )

    def _id(self, text: str | None) -> int:
        return -1 if text is None else self._text(text)


KEYS = ("mappings", "mapping")
"""The code has always written the first; its documentation has the second."""


def read_map(walk: JsonWalk, problems: Problems, columns: MapColumns, module: str = "") -> bool:
    """Adds the tensors of the map at the position of ``walk``; returns whether there was a map. FormatError if the text
    cannot be followed to its end (what comes before is added)."""
    has_map = False
    for key in walk.members():
        if key not in KEYS:
            continue
        has_map = True
        if walk.kind() == "object":
            _computations(walk, problems, columns, module)
        elif walk.value() is not None:
            problems.add(
                "warning", tr("mappings that are not objects"), walk.offset, tr("{key} is not an object", key=key)
            )
    return has_map


def _computations(walk: JsonWalk, problems: Problems, columns: MapColumns, module: str) -> None:
    for name in walk.members():
        if walk.kind() != "array":
            at = walk.offset
            if walk.value() is not None:
                text = tr("the tensors of computation {name} are not a list", name=name)
                problems.add("warning", tr("computations without a list"), at, text)
            continue
        try:
            for batch in walk.records(cast("type[Any]", Any), lambda value: value):
                numbered = zip(batch.ordinals.tolist(), batch.records, strict=True)
                columns.add(module, name, _tensors(numbered, name, problems))
        except Broken:
            raise
        except FormatError as error:
            text = tr("the tensors of computation {name}: {error}", name=name, error=error.text)
            problems.add("warning", tr("computations that cannot be read"), error.offset, text)


def _tensors(numbered: Iterator[tuple[int, Any]], computation: str, problems: Problems) -> Iterator[RawTensor]:
    for number, value in numbered:
        try:
            yield parse(value)
        except ValueError as error:
            text = tr(
                "tensor {number:,} of computation {computation} is skipped: {error}",
                number=number,
                computation=computation,
                error=error,
            )
            problems.add("warning", tr("skipped tensors"), None, text)
