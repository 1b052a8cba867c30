"""Reads a log of IPU events, in any container, into a profile."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.errors import FormatError
from app.formats.events import Began, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.pace import Pace
from app.formats.source import Source, Stretch
from app.formats.tensor_map.columns import MapColumns
from app.formats.tensor_map.walk import read_map
from app.formats.tensorflow_events import blocks, event_file, sequence, single
from app.formats.tensorflow_events.buffered import Buffered
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Place
from app.formats.tensorflow_events.sniff import HEAD_BYTES, container_of
from app.formats.tensorflow_events.timeline import timeline
from app.language import plural, tr
from app.profile.issue import Issue
from app.profile.tensorflow import HostEvents

PHASE = tr("reading events")
_EMPTY = tr("it contains no IPU events. To get them, use ipu_compile_summary, or compile_summary of an IPUEstimator")
_NOTHING = tr("no IPU events: it is neither a TensorBoard event file nor another file in which TensorFlow stores them")


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads one profile per file. FormatError if a file is not a log of events."""
    for source in sources:
        _Load(source, sink).run()


class _Load:
    def __init__(self, source: Source, sink: Sink) -> None:
        self._source = Buffered(source)
        self._sink = sink
        self._moved = Pace(sink, source.size, PHASE)

    def run(self) -> None:
        source = self._source
        container = container_of(source.head(HEAD_BYTES), source.path)
        if container is None:
            raise FormatError(_NOTHING, path=str(source.path))
        self._sink(Began(source.path.name, (source.path,)))
        problems = Problems(self._sink, source.path.name)
        columns = EventColumns(source, problems)
        skipped: dict[str, int] = {}
        try:
            if container == "event file":
                skipped = dict(event_file.read(source, problems, columns, self._moved).skipped)
            elif container == "text":
                blocks.read(source, problems, columns, self._moved)
            elif container == "sequence of reports":
                sequence.read(source, problems, columns, self._moved)
            else:
                single.read(source, columns)
        except FormatError as error:
            raise FormatError(error.text, path=str(source.path), offset=error.offset) from error
        events = columns.finish(container, skipped)
        if not len(events):
            self._sink(Issue("warning", source.path.name, _EMPTY))
        self._deliver(events, columns.maps, problems)
        problems.finish()

    def _deliver(self, events: HostEvents, maps: list[tuple[str, Place]], problems: Problems) -> None:
        self._sink(SectionReady(events))
        made = timeline(events)
        if made is not None:
            self._sink(SectionReady(made))
        if maps:
            self._tensor_maps(maps, problems)

    def _tensor_maps(self, maps: list[tuple[str, Place]], problems: Problems) -> None:
        """The last of several compilations of a module counts."""
        last = dict(maps)
        if len(last) < len(maps):
            text = plural(
                "{count:,} tensor map of a module that was compiled again is not shown",
                "{count:,} tensor maps of modules that were compiled again are not shown",
                count=len(maps) - len(last),
            )
            problems.add(
                "info",
                tr("tensor maps"),
                None,
                tr("{text}; all can be saved from the table of reports", text=text),
            )
        columns = MapColumns()
        for module, place in last.items():
            walk = JsonWalk(Stretch(self._source, place.end), problems, self._moved, place.begin)
            try:
                read_map(walk, problems, columns, module)
            except FormatError as error:
                text = tr(
                    "the tensor map of module {module} cannot be read completely: {error}",
                    module=module or tr("without name"),
                    error=error.text,
                )
                problems.add("warning", tr("tensor maps that cannot be read"), error.offset, text)
        self._sink(SectionReady(columns.finish()))
