"""Reads one or several PopEF files into one profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.popef import decode
from app.formats.popef.columns import BlobColumns, ModelColumns
from app.formats.popef.framing import Message, take
from app.formats.popef.records import Anchor
from app.formats.popef.schema import errors, reason
from app.formats.popef.walk import RawBlob, find_info, walk
from app.formats.source import Source
from app.language import plural, tr
from app.profile.issue import Issue, Severity
from app.profile.popef import EXECUTABLE, FEED, METADATA, OPAQUE, blob_type

BLOBS_PER_PROGRESS = 64
ANCHORS_PER_PROGRESS = 1024


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads the headers and messages of all blobs, never a payload. Files that are not PopEF are issues as long as one
    of them is; FormatError if none is."""
    refusals = [_refusal(source) for source in sources]
    if all(refusals) and refusals[0]:
        raise refusals[0]
    sink(Began(_name(sources), tuple(source.path for source in sources)))
    reader = _Reader(sources, sink)
    for number, (source, refusal) in enumerate(zip(sources, refusals, strict=True)):
        if refusal:
            sink(Issue("error", source.path.name, str(refusal)))
        else:
            reader.file(number, source)
    reader.finish()


def _refusal(source: Source) -> FormatError | None:
    """Why nothing in this file can be shown; None if its first blob is complete."""
    try:
        if next(walk(source.read, source.size), None) is None:
            return FormatError(tr("the file is empty"), path=str(source.path))
    except FormatError as error:
        return FormatError(error.text, path=str(source.path), offset=error.offset)
    return None


def _name(sources: Sequence[Source]) -> str:
    """The file's name for a single file, the folder's for several."""
    path = sources[0].path
    return path.name if len(sources) == 1 else path.absolute().parent.name or path.name


class _Parts:
    """Passes on the members of long lists, and reports progress now and then (which may cancel)."""

    def __init__(self, model: ModelColumns, progress: Callable[[], None]) -> None:
        self._model = model
        self._progress = progress
        self._count = 0
        self.option = model.option
        self.program = model.program

    def anchor(self, record: Anchor) -> None:
        self._count += 1
        if self._count % ANCHORS_PER_PROGRESS == 0:
            self._progress()
        self._model.anchor(record)


class _Reader:
    def __init__(self, sources: Sequence[Source], sink: Sink) -> None:
        self._sink = sink
        self._total = sum(source.size for source in sources)
        self._done = 0
        self._problems = Problems(sink)
        self._blobs = BlobColumns()
        self._model = ModelColumns()

    def file(self, number: int, source: Source) -> None:
        """Adds all complete blobs of a file, and reports what is wrong after them."""
        before = self._done
        try:
            for blob in walk(source.read, source.size):
                self._done = before + blob.offset
                if blob.number % BLOBS_PER_PROGRESS == 0:
                    self._progress()
                self._blob(number, source, blob)
        except FormatError as error:
            offset = error.offset or 0
            self._problems.add("error", tr("{path}: byte {offset:,}", path=source.path.name, offset=offset), error.text)
        self._done = before + source.size
        self._progress()

    def finish(self) -> None:
        self._problems.close()
        self._sink(SectionReady(self._blobs.section()))
        self._sink(SectionReady(self._model.section()))

    def _progress(self) -> None:
        self._sink(Progress(self._done, self._total, tr("Reading blobs")))

    def _blob(self, number: int, source: Source, blob: RawBlob) -> None:
        where = place(source.path.name, blob.number, blob.offset)
        if blob.header.version is None:
            self._problems.add("warning", where, tr("its version text cannot be read"))
        info_size, name, executable = -1, None, None
        try:
            message = find_info(source.read, blob)
            if message is None:
                kind = blob_type(blob.header.type)
                self._problems.add(
                    "warning", where, tr("{kind} is an unknown blob type; the blob is ignored", kind=kind)
                )
            else:
                info_size = message.size
                name, executable = self._decode(source, blob, message, partial(self._problems.add, "error", where))
        except FormatError as error:
            self._problems.add("error", where, str(error))
        self._blobs.add(number, blob, info_size, name, executable)

    def _decode(
        self, source: Source, blob: RawBlob, message: Message, report: decode.Report
    ) -> tuple[str | None, str | None]:
        """Adds the contents of the message; returns (name of the blob, executable it refers to), None where it has
        none."""
        content = take(source.read, message)
        try:
            return self._add(blob.header.type, len(self._blobs), content, report)
        except errors() as error:
            report(tr("the message after the header cannot be decoded: {reason}", reason=reason(error)))
            return None, None

    def _add(self, kind: int, index: int, content: bytes, report: decode.Report) -> tuple[str | None, str | None]:
        if kind == EXECUTABLE:
            executable = decode.executable(content, report)
            self._model.executable(index, executable)
            return executable.name, None
        if kind == METADATA:
            metadata = decode.metadata(content, report, _Parts(self._model, self._progress))
            self._model.metadata(index, metadata)
            return None, metadata.executable
        if kind == OPAQUE:
            opaque = decode.opaque(content, report)
            self._model.opaque(index, opaque)
            return opaque.name, opaque.executable
        data = decode.feed(content, report) if kind == FEED else decode.tensor(content, report)
        self._model.data(index, data, feed=kind == FEED)
        return data.name, None


MOST = 100


class Problems:
    """Passes issues to a sink; after MOST of them it only counts."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._reported = 0

    def add(self, severity: Severity, where: str, text: str) -> None:
        self._reported += 1
        if self._reported <= MOST:
            self._sink(Issue(severity, where, text))

    def close(self) -> None:
        """Reports how many were not listed."""
        if self._reported > MOST:
            text = plural(
                "{count:,} more problem is not listed",
                "{count:,} more problems are not listed",
                count=self._reported - MOST,
            )
            self._sink(Issue("warning", "PopEF", text))


def place(name: str, number: int, offset: int) -> str:
    """The ``where`` of an issue about a blob."""
    return tr("{name}: blob {number} at byte {offset:,}", name=name, number=number, offset=offset)
