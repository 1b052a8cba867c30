"""The files of an Ascend operator report."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.language import Text, plural, tr
from app.profile.arrays import I64, U8
from app.profile.ascend_report import KIND_NAMES, NOT_READ, USE_NAMES, Entries
from app.profile.profile import Profile
from app.profile.strings import Strings

UNVERIFIED = tr("The layout of npu-rep was not verified with a file from a device.")


def entries(profile: Profile) -> Table | None:
    """One row per file of the report, in its order."""
    own = profile.entries
    if own is None:
        return None
    columns = (
        Column("number", tr("Number"), np.arange(1, len(own) + 1), help=tr("Position, from 1."), role="key"),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        Column(
            "kind",
            tr("Kind"),
            _named(own.kind, KIND_NAMES),
            help=tr("Determined from the content and the name."),
            role="kind",
        ),
        Column("use", tr("Use"), _named(own.use, USE_NAMES), help=tr("Whether and where the profile shows it.")),
        Column("size", tr("Size"), own.size, "B", tr("Size of the content.")),
        *(_places(own) if own.container else ()),
    )
    return Table("entries", tr("Files of the report"), columns, note=_note(own))


def _places(own: Entries) -> tuple[Column, ...]:
    """Columns that only a pack has."""
    variant = own.container
    return (
        Column(
            "offset",
            tr("Offset of the content"),
            own.offset,
            help=tr("Offset of the content in the file."),
            role="place",
        ),
        Column(
            "entry", tr("Offset of the entry"), own.header, help=tr("Offset of the entry in the file."), role="place"
        ),
        _type(
            own.type,
            tr("As stored in the entry; the numbers in {variant} files differ from those in others.", variant=variant),
        ),
    )


def _type(values: I64, meaning: Text) -> Column:
    return Column("type", tr("Type"), values, help=meaning, missing=values < 0, role="key")


def _note(own: Entries) -> str:
    """What kind of pack it is, and how many files are not read."""
    unread = int(np.count_nonzero(own.use == NOT_READ))
    notes = [tr("Pack {variant}.", variant=own.container) if own.container else ""]
    notes.append(UNVERIFIED if own.container.startswith("npu-rep") else "")
    notes.append(
        plural(
            "{unread:,} of {count:,} file is not read.",
            "{unread:,} of {count:,} files are not read.",
            count=len(own),
            unread=unread,
        )
        if unread
        else ""
    )
    return " ".join(note for note in notes if note)


def _named(codes: U8, names: tuple[Text, ...]) -> Coded:
    return Coded(codes.astype(np.int16), Strings.of(names))
