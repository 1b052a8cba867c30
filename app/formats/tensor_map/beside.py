"""Tensor maps in the same folder as the reports of their graph."""

from __future__ import annotations

from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Source
from app.formats.tensor_map.columns import MapColumns
from app.formats.tensor_map.read import name_of
from app.formats.tensor_map.walk import read_map
from app.profile.tensorflow import TensorMap


class MapsReader:
    """Collects the maps of one or several modules in one section."""

    def __init__(self) -> None:
        self._columns = MapColumns()
        self._any = False

    def read(self, source: Source, problems: Problems) -> None:
        """Adds the map in ``source``; FormatError if it cannot be followed to its end."""
        name = name_of(source)
        self._any = True
        read_map(JsonWalk(source, problems), problems, self._columns, "" if name == source.path.name else name)

    def done(self) -> TensorMap | None:
        return self._columns.finish() if self._any else None
