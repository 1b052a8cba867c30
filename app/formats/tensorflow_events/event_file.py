"""TensorBoard event files: records of summaries, some of which contain IPU events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Dialect, Place, parse
from app.formats.tensorflow_events.tfrecord import records, sound
from app.formats.tensorflow_events.wire import LENGTH, VARINT, Field, fields
from app.language import tr


def read(
    source: Source,
    problems: Problems,
    columns: EventColumns,
    moved: Callable[[int], None],
    *,
    checked: bool = True,
) -> SummaryReader:
    """Fills ``columns`` record by record and returns the counts of other contents. FormatError if the file is not an
    event file. A damaged record is reported, and everything before the damage is used; ``checked``: also one whose
    checksum is wrong."""
    dialect = Dialect()

    def take(place: Place, step: int) -> None:
        try:
            columns.add(parse(source, *place, dialect), step)
        except FormatError as error:
            problems.add("warning", tr("IPU events that cannot be decoded"), error.offset, error.text)

    summaries = SummaryReader(source, take, moved)
    for record in records(source, problems):
        if checked and not sound(source, record, moved):
            text = tr(
                "the data of record {number:,} does not match its checksum: its values may be wrong",
                number=record.number,
            )
            problems.add("warning", tr("records that do not match their checksums"), record.begin, text)
        try:
            summaries.read(record.begin, record.end)
        except FormatError as error:
            text = tr("record {number:,} cannot be read completely: {error}", number=record.number, error=error.text)
            problems.add("warning", tr("incomplete records"), error.offset, text)
        moved(record.end)
    return summaries


PLUGIN: Final = "ipu"
TAG: Final = "ipu_trace"
_DT_STRING: Final = 7
_LONGEST: Final = 256
_MOST_TAGS: Final = 10_000
_MOST_NAMES: Final = 100
_KINDS: Final = {4: "graphs", 6: "log messages", 7: "session logs", 8: "run metadata", 9: "meta graphs"}
_VALUES: Final = {2: "scalars", 3: "histograms", 4: "images", 5: "histograms", 6: "audio"}
OTHERS: Final = "other tensors"

Take = Callable[[Place, int], None]
"""Receives each serialised IPU event, and the step of its summary."""


class SummaryReader:
    """Reads the data of records; ``skipped`` counts data that are not for the IPU, ``version`` is the version stated in
    the file.

    The plugin's name is only in the first summary of a tag (TensorFlow's writer omits it in later ones), so tags are
    stored.
    """

    def __init__(self, source: Source, take: Take, moved: Callable[[int], None]) -> None:
        self.skipped: Counter[str] = Counter()
        self.version = ""
        self._source = source
        self._take = take
        self._moved = moved
        self._tags: set[str] = set()

    def read(self, begin: int, end: int) -> None:
        """Passes on the events of one record as they are read; FormatError when the rest is not a message."""
        step = 0
        for field in fields(self._source, begin, end):
            if field.number == 2 and field.wire == VARINT:
                step = field.signed if field.signed >= 0 else -1
            elif field.number == 3 and field.wire == LENGTH:
                self.version = self._text(field)
            elif field.number == 5 and field.wire == LENGTH:
                for value in fields(self._source, field.begin, field.end):
                    self._moved(value.begin)
                    if value.number == 1 and value.wire == LENGTH:
                        self._value(value, step)
            elif field.number in _KINDS:
                self._skip(_KINDS[field.number])

    def _value(self, message: Field, step: int) -> None:
        tag, plugin, kind = "", "", ""
        tensor: Field | None = None
        for field in fields(self._source, message.begin, message.end):
            if field.number == 1 and field.wire == LENGTH:
                tag = self._text(field)
            elif field.number == 8 and field.wire == LENGTH:
                tensor = field
            elif field.number == 9 and field.wire == LENGTH:
                plugin = self._plugin(field)
            elif field.number in _VALUES:
                kind = _VALUES[field.number]
        if tensor is not None and self._is_ours(tag, plugin):
            self._tensor(tensor, step)
        else:
            self._skip(kind or plugin or OTHERS)

    def _is_ours(self, tag: str, plugin: str) -> bool:
        if plugin == PLUGIN and len(self._tags) < _MOST_TAGS:
            self._tags.add(tag)
        return plugin == PLUGIN or (not plugin and (tag in self._tags or tag.rsplit("/", 1)[-1] == TAG))

    def _tensor(self, message: Field, step: int) -> None:
        """Passes on each text of the tensor as one event (TensorProto: 1 data type, 8 string_val)."""
        for field in fields(self._source, message.begin, message.end):
            self._moved(field.begin)
            if field.number == 1 and field.wire == VARINT and field.value != _DT_STRING:
                self._skip(OTHERS)
                return
            if field.number == 8 and field.wire == LENGTH and field.size:
                self._take(Place(field.begin, field.end), step)

    def _plugin(self, message: Field) -> str:
        """SummaryMetadata: 1 plugin_data { 1 plugin_name }."""
        for field in fields(self._source, message.begin, message.end):
            if field.number == 1 and field.wire == LENGTH:
                for inner in fields(self._source, field.begin, field.end):
                    if inner.number == 1 and inner.wire == LENGTH:
                        return self._text(inner)
        return ""

    def _text(self, field: Field) -> str:
        return self._source.read(field.begin, min(field.size, _LONGEST)).decode("utf-8", "replace")

    def _skip(self, name: str) -> None:
        known = name in self.skipped or len(self.skipped) < _MOST_NAMES
        self.skipped[name if known else OTHERS] += 1
