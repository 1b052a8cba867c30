"""A sequential walk through the JSON text of a tensor map, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.tensor_map.columns import MapColumns
from app.formats.tensor_map.tensor import RawTensor, parse
from app.formats.walk import Broken
from app.language import tr

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
