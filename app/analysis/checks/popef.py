"""Whether the blobs of PopEF files conform to the user guide.

Errors are what the guide rules out (2.2: names of executables; 2.4: sizes of data); what it does not mention is a
warning.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.popef.findings import again, few, place
from app.analysis.popef.sizes import expected_payload
from app.language import plural, tr
from app.profile.issue import Issue
from app.profile.popef import DATA_TYPES, METADATA, Blobs, Model, data_type
from app.profile.profile import Profile


def payloads(profile: Profile) -> list[Issue]:
    """Data that are shorter (error) or longer (warning) than their shape, and impossible shapes."""
    blobs, model = profile.blobs, profile.model
    if blobs is None or model is None:
        return []
    return few(_payloads(profile, blobs, model)) + few(_after_metadata(profile, blobs))


def executables(profile: Profile) -> list[Issue]:
    """Executables without a name or with a duplicate one."""
    blobs, model = profile.blobs, profile.model
    return [] if blobs is None or model is None else few(_executables(profile, blobs, model))


def _payloads(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    data = model.tensors
    expected, actual = expected_payload(data), blobs.payload_size[data.blob]
    for row in np.flatnonzero((expected != actual) & (actual >= 0) & (data.data_type >= 0)).tolist():
        name = model.strings.get(int(data.name[row]))
        what = tr("feed {name}", name=name) if data.feed[row] else tr("tensor {name}", name=name)
        where = place(profile, blobs, int(data.blob[row]))
        needs, has = int(expected[row]), int(actual[row])
        if data.data_type[row] >= len(DATA_TYPES):
            kind = data_type(int(data.data_type[row]))
            yield Issue(
                "warning",
                where,
                plural(
                    "{what}: its {count:,} byte cannot be checked, because its data type is {kind}",
                    "{what}: its {count:,} bytes cannot be checked, because its data type is {kind}",
                    count=has,
                    what=what,
                    kind=kind,
                ),
            )
        elif np.any(data.shape.row(row) < 0):
            yield Issue("error", where, tr("{what}: its shape has a negative dimension", what=what))
        elif needs < 0:
            yield Issue(
                "error",
                where,
                tr("{what}: its shape needs 2^63 bytes or more, but the payload has {has:,}", what=what, has=has),
            )
        elif has < needs:
            yield Issue(
                "error",
                where,
                plural(
                    "{what}: its shape needs {count:,} byte, but the payload has {has:,}",
                    "{what}: its shape needs {count:,} bytes, but the payload has {has:,}",
                    count=needs,
                    what=what,
                    has=has,
                ),
            )
        else:
            yield Issue(
                "warning",
                where,
                plural(
                    "{what}: its shape needs {count:,} byte, but the payload has {has:,}",
                    "{what}: its shape needs {count:,} bytes, but the payload has {has:,}",
                    count=needs,
                    what=what,
                    has=has,
                ),
            )


def _after_metadata(profile: Profile, blobs: Blobs) -> Iterator[Issue]:
    for blob in np.flatnonzero((blobs.type == METADATA) & (blobs.payload_size > 0)).tolist():
        text = plural(
            "the purpose of the {count:,} byte after the metadata is unknown",
            "the purpose of the {count:,} bytes after the metadata is unknown",
            count=int(blobs.payload_size[blob]),
        )
        yield Issue("info", place(profile, blobs, blob), text)


def _executables(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    own = model.executables
    repeated = set(again(own.name))
    for row, (blob, name) in enumerate(zip(own.blob.tolist(), own.name.tolist(), strict=True)):
        if not model.strings.get(name):
            yield Issue(
                "error", place(profile, blobs, blob), tr("the executable has no name, so nothing can refer to it")
            )
        elif row in repeated:
            text = tr("an earlier executable has the same name, {name}", name=model.strings.get(name))
            yield Issue("error", place(profile, blobs, blob), text)
