"""TensorBoard event files: records of summaries, some of which contain IPU events."""

from __future__ import annotations

from collections.abc import Callable

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Dialect, Place, parse
from app.formats.tensorflow_events.summary import SummaryReader
from app.formats.tensorflow_events.tfrecord import records, sound
from app.language import tr


def read(source: Source, problems: Problems, columns: EventColumns, moved: Callable[[int], None]) -> SummaryReader:
    """Fills ``columns`` record by record and returns the counts of other contents. FormatError if the file is not an
    event file. A damaged record is reported, and everything before the damage is used."""
    dialect = Dialect()

    def take(place: Place, step: int) -> None:
        try:
            columns.add(parse(source, *place, dialect), step)
        except FormatError as error:
            problems.add("warning", tr("IPU events that cannot be decoded"), error.offset, error.text)

    summaries = SummaryReader(source, take, moved)
    for record in records(source, problems):
        if not sound(source, record, moved):
            text = tr(
                "the data of record {number:,} do not fit their checksum: what they say may be wrong",
                number=record.number,
            )
            problems.add("warning", tr("records that do not fit their checksums"), record.begin, text)
        try:
            summaries.read(record.begin, record.end)
        except FormatError as error:
            text = tr("record {number:,} cannot be read to its end: {error}", number=record.number, error=error.text)
            problems.add("warning", tr("records that cannot be read to their ends"), error.offset, text)
        moved(record.end)
    return summaries
