"""Builders of the two sections of a PopEF profile."""

from __future__ import annotations

from app.formats.popef import records
from app.formats.popef.walk import RawBlob
from app.formats.rows import Rows
from app.profile.popef import Anchors, Blobs, Executables, Metadata, Model, Opaques, Options, ProgramNames, TensorData
from app.profile.strings import Interner

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

    def anchor(self, record: records.Anchor) -> None:
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

    def option(self, record: records.Option) -> None:
        self._options.add(len(self._metadata), record.device, self._text(record.name), self._text(record.value))

    def program(self, record: records.Program) -> None:
        self._programs.add(len(self._metadata), record.number, self._text(record.name))

    def metadata(self, blob: int, record: records.Metadata) -> None:
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

    def executable(self, blob: int, record: records.Executable) -> None:
        compressed = record.uncompressed_size != NOT_COMPRESSED
        size = record.uncompressed_size if compressed and record.uncompressed_size <= LARGEST else -1
        self._executables.add(blob, self._text(record.name), compressed, size)

    def opaque(self, blob: int, record: records.Opaque) -> None:
        self._opaques.add(blob, self._text(record.name), self._text(record.executable))

    def data(self, blob: int, record: records.Data, *, feed: bool) -> None:
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
