"""Reads one or several PopEF files into one profile, and says which files form one model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.popef import decode
from app.formats.popef.blobs import Message, RawBlob, find_info, take, walk
from app.formats.popef.decode import Anchor, errors, reason
from app.formats.rows import Rows
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import I32
from app.profile.issue import Issue, Severity
from app.profile.popef import (
    EXECUTABLE,
    FEED,
    METADATA,
    OPAQUE,
    Anchors,
    Blobs,
    Executables,
    Metadata,
    Model,
    Opaques,
    Options,
    ProgramNames,
    TensorData,
    blob_type,
)
from app.profile.strings import Interner

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


NOT_COMPRESSED = 2**64 - 1
LARGEST = 2**63 - 1


class BlobColumns:
    """Builds ``Blobs``."""

    def __init__(self) -> None:
        self._texts = Interner()
        self._rows = Rows(Blobs)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, file: int, blob: RawBlob, info_size: int, name: str | None, executable: str | None) -> None:
        """Adds a blob. ``info_size``: -1 if unknown; ``executable``: the one that the blob refers to."""
        header = blob.header
        payload = header.size - header.length - info_size if info_size >= 0 else -1
        self._rows.add(
            file,
            blob.offset,
            header.type,
            self._id(header.version),
            self._id(name),
            self._id(executable),
            header.size,
            header.length,
            info_size,
            payload,
        )

    def section(self) -> Blobs:
        return self._rows.finish(strings=self._texts.strings())

    def _id(self, text: str | None) -> int:
        return -1 if text is None else self._texts(text)


class ModelColumns:
    """Builds ``Model``. Anchors, options and programs belong to the metadata that is added after them."""

    def __init__(self) -> None:
        self._text = Interner()
        self._metadata = Rows(Metadata)
        self._options = Rows(Options)
        self._programs = Rows(ProgramNames)
        self._anchors = Rows(Anchors)
        self._tensors = Rows(TensorData)
        self._executables = Rows(Executables)
        self._opaques = Rows(Opaques)

    def anchor(self, record: decode.Anchor) -> None:
        self._anchors.add(
            len(self._metadata),
            self._text(record.name),
            self._text(record.handle),
            record.programs,
            record.tensor.shape,
            record.tensor.data_type,
            record.type,
            record.per_replica,
            record.remote_buffer,
            record.repeats,
        )

    def option(self, record: decode.Option) -> None:
        self._options.add(len(self._metadata), record.device, self._text(record.name), self._text(record.value))

    def program(self, record: decode.Program) -> None:
        self._programs.add(len(self._metadata), record.number, self._text(record.name))

    def metadata(self, blob: int, record: decode.Metadata) -> None:
        self._metadata.add(
            blob,
            record.replication_factor,
            record.ipus,
            record.processes,
            record.ipu_version,
            record.device_iterations,
            record.pod,
            record.inference,
            self._text(record.seed_handle),
            self._text(record.executable),
            record.load,
            record.main,
            record.save,
        )

    def executable(self, blob: int, record: decode.Executable) -> None:
        compressed = record.uncompressed_size != NOT_COMPRESSED
        size = record.uncompressed_size if compressed and record.uncompressed_size <= LARGEST else -1
        self._executables.add(blob, self._text(record.name), compressed, size)

    def opaque(self, blob: int, record: decode.Opaque) -> None:
        self._opaques.add(blob, self._text(record.name), self._text(record.executable))

    def data(self, blob: int, record: decode.Data, *, feed: bool) -> None:
        tensor = record.tensor
        self._tensors.add(blob, self._text(record.name), tensor.shape, tensor.data_type, feed, record.tensors)

    def section(self) -> Model:
        return Model(
            strings=self._text.strings(),
            metadata=self._metadata.finish(),
            options=self._options.finish(),
            programs=self._programs.finish(),
            anchors=self._anchors.finish(),
            tensors=self._tensors.finish(),
            executables=self._executables.finish(),
            opaques=self._opaques.finish(),
        )


MOST_BLOBS = 2000
MOST_MESSAGE_BYTES = 1024 * 1024


class Names(Struct, frozen=True):
    """The contents of a file, the executables that it refers to without containing them, and tensor data that none of
    its anchors uses."""

    executables: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()
    spare: frozenset[str] = frozenset()

    def completes(self, other: Names) -> bool:
        """Whether it has an executable that ``other`` lacks, or an anchor for unused data of ``other``."""
        return bool(self.executables & other.lacking or self.anchors & other.spare)


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Groups of files that complete each other: files of one folder where one refers to an executable, or has data for
    an anchor, that it lacks and the other has. All other files are separate, even if they use the same names: two
    complete models are two profiles."""
    sets: list[list[Path]] = []
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path)
    for together in folders.values():
        sets += _linked(together)
    return [tuple(members) for members in sets]


def heavy(sources: Sequence[Source]) -> bool:
    """Whether the files have many blobs or long metadata; their size does not matter, since payloads are not read."""
    blobs = messages = 0
    for source in sources:
        try:
            for blob in islice(walk(source.read, source.size), MOST_BLOBS):
                blobs += 1
                messages += blob.header.size if blob.header.type == METADATA else 0
        except FormatError:
            continue  # the reader reports it
    return blobs >= MOST_BLOBS or messages > MOST_MESSAGE_BYTES


def _linked(paths: list[Path]) -> list[list[Path]]:
    if len(paths) == 1:
        return [paths]
    names = {path: _names(path) for path in paths}
    sets: list[list[Path]] = []
    for path in paths:
        own = names[path]
        touching = [s for s in sets if any(own.completes(names[p]) or names[p].completes(own) for p in s)]
        sets = [s for s in sets if s not in touching]
        sets.append([*(member for s in touching for member in s), path])
    return [sorted(members) for members in sets]


def _names(path: Path) -> Names:
    """Names for linking; none for a file that would take long to read."""
    try:
        with Source(path) as source:
            if heavy((source,)):
                return Names()
            sink = Collector("popef")
            read((source,), sink)
    except FormatError:
        return Names()
    model = sink.profiles[-1].model
    return _of(model) if model else Names()


def _of(model: Model) -> Names:
    def texts(ids: I32) -> frozenset[str]:
        return frozenset(model.strings.get(index) for index in set(ids.tolist()))

    executables, anchors = texts(model.executables.name), texts(model.anchors.name)
    wanted = texts(model.metadata.executable) | texts(model.opaques.executable)
    return Names(executables, anchors, wanted - executables - {""}, texts(model.tensors.name) - anchors)
