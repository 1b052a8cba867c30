"""The blobs of PopEF files, and what is known about executables and opaque blobs besides their bytes."""

from __future__ import annotations

import numpy as np

from app.analysis.popef.columns import counts, numbered, payload, version, where
from app.analysis.popef.doubts import UNVERIFIED
from app.analysis.shares import shares
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.popef import EXECUTABLE, FEED, METADATA, OPAQUE, TENSOR, blob_type
from app.profile.profile import Profile
from app.profile.strings import Strings

NAMED = (EXECUTABLE, TENSOR, FEED, OPAQUE)
LINKED = (METADATA, OPAQUE)


def blobs(profile: Profile) -> Table | None:
    """One row per blob, in the order of the files."""
    own = profile.blobs
    if own is None:
        return None
    unknown = own.info_size < 0
    share = shares(own.size)
    named, linked = np.isin(own.type, NAMED), np.isin(own.type, LINKED)
    columns: tuple[Column, ...] = (
        Column("type", tr("Type"), numbered(own.type, blob_type)),
        Column("name", tr("Name"), where(own.name, own.strings, named), help=tr("From the message after the header.")),
        Column("size", tr("Size"), own.size, "B", tr("Size in the header: header, message and payload together.")),
        Column("share", tr("Share"), share, "%", tr("Size of the blob."), share_of=tr("all blobs")),
        Column("offset", tr("Offset"), own.offset, help=tr("First byte of the blob in its file."), role="place"),
        Column(
            "executable",
            tr("Executable"),
            where(own.executable, own.strings, linked),
            help=tr("The executable named by metadata or opaque data."),
        ),
        Column("header", tr("Header"), own.header_size, "B", tr("Size of the message at the start of the blob.")),
        Column("info", tr("Message"), own.info_size, "B", tr("Size of the message after the header."), missing=unknown),
        Column("payload", tr("Payload"), own.payload_size, "B", tr("Size of the rest of the blob."), missing=unknown),
        Column("version", tr("Version"), Coded(own.version, own.strings), help=tr("Version text of the header.")),
    )
    if len(profile.origin.paths) > 1:
        files = Coded(own.file, Strings.of(path.name for path in profile.origin.paths))
        columns = (Column("file", tr("File"), files), *columns)
    return Table("blobs", tr("Blobs"), columns, "blob", note=UNVERIFIED)


def executables(profile: Profile) -> Table | None:
    """One row per Poplar executable; None without any."""
    model, all_blobs = profile.model, profile.blobs
    if model is None or all_blobs is None or not len(model.executables):
        return None
    own = model.executables
    described, extended = counts(own.name, model.metadata.executable), counts(own.name, model.opaques.executable)
    columns = (
        Column("name", tr("Name"), Coded(own.name, model.strings)),
        Column(
            "compressed",
            tr("Compressed"),
            own.compressed,
            help=tr("Whether the uncompressed size differs from all ones."),
        ),
        payload(all_blobs, own.blob),
        Column(
            "uncompressed",
            tr("Uncompressed"),
            own.uncompressed_size,
            "B",
            tr("As stated in the message of a compressed executable."),
            missing=own.uncompressed_size < 0,
        ),
        Column("metadata", tr("Metadata"), described, help=tr("METADATA blobs that name it.")),
        Column("opaques", tr("Opaque blobs"), extended, help=tr("OPAQUE blobs that name it.")),
        version(all_blobs, own.blob),
    )
    return Table("executables", tr("Executables"), columns, "blob", own.blob.astype(np.int64))


def opaques(profile: Profile) -> Table | None:
    """One row per opaque blob; None without any."""
    model, all_blobs = profile.model, profile.blobs
    if model is None or all_blobs is None or not len(model.opaques):
        return None
    own = model.opaques
    here = np.isin(own.executable, model.executables.name)
    columns = (
        Column("name", tr("Name"), Coded(own.name, model.strings), help=tr("Usually the framework that wrote it.")),
        Column(
            "executable",
            tr("Executable"),
            Coded(own.executable, model.strings),
            help=tr("The executable that it names."),
        ),
        Column("linked", tr("Executable present"), here, help=tr("Whether these files contain that executable.")),
        payload(all_blobs, own.blob),
        version(all_blobs, own.blob),
    )
    return Table("opaques", tr("Opaque blobs"), columns, "blob", own.blob.astype(np.int64))
