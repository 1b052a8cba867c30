"""Reads separate tensor map files, and those in the same folder as the reports of their graph."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.errors import FormatError
from app.formats.events import Began, Pace, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Source
from app.formats.tensor_map.tensors import MapColumns, read_map
from app.language import tr
from app.profile.tensorflow import TensorMap

PHASE = tr("reading the tensor map")


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads one profile per file. FormatError if a file is not a tensor map."""
    for source in sources:
        _Load(source, sink).run()


class _Load:
    def __init__(self, source: Source, sink: Sink) -> None:
        self._source = source
        self._sink = sink

    def run(self) -> None:
        source, columns = self._source, MapColumns()
        if next(iter(source.head(64).removeprefix(b"\xef\xbb\xbf").lstrip()), 0) != ord("{"):
            raise FormatError(tr("not a tensor map: it does not start with an object"), path=str(source.path))
        self._sink(Began(name_of(source), (source.path,)))
        problems = Problems(self._sink, source.path.name)
        has_map = False
        try:
            has_map = read_map(JsonWalk(source, problems, Pace(self._sink, source.size, PHASE)), problems, columns)
        except FormatError as error:
            if not len(columns):
                raise FormatError(
                    tr("not a tensor map: {error}", error=error.text), path=str(source.path), offset=error.offset
                ) from error
            text = tr(
                "it cannot be read completely: {error}; the tensors before this place are shown", error=error.text
            )
            problems.add("error", "ends", error.offset, text)
            has_map = True
        if not has_map:
            raise FormatError(tr('not a tensor map: it has no "mappings"'), path=str(source.path))
        problems.finish()
        self._sink(SectionReady(columns.finish()))


def name_of(source: Source) -> str:
    """The module, which is the part of the name before ``.tensor_map.json``; else the file's name."""
    name = source.path.name
    module = name.partition(".tensor_map")[0]
    return module if module and module != name else name


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
