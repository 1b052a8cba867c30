"""What the content panel shows for a selection: a tensor, the bytes of a blob, or nothing. No Qt."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.links import translate
from app.language import tr
from app.profile.popef import Blobs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.payload import Payload, payload_of

NOTHING = tr("Select a blob, a tensor or an anchor to see its content.")
USERS = tr("These files contain no data for this anchor: the user provides it at run time.")


class TensorSubject(Struct, frozen=True):
    """A row of the model's tensors and feeds, and its blob."""

    row: int
    blob: int


class BytesSubject(Struct, frozen=True):
    """The bytes of a blob: its payload, or the whole blob (``whole``) if it has none."""

    blob: int
    payload: Payload
    whole: bool


class Nothing(Struct, frozen=True):
    """Nothing to show, and the reason."""

    why: str


Subject: TypeAlias = TensorSubject | BytesSubject | Nothing


def subject_of(profile: Profile | None, selection: Selection | None) -> Subject:
    """The subject of the selection; the first one if several things are selected, the largest tensor if nothing is."""
    if profile is None or profile.blobs is None:
        return Nothing(NOTHING)
    if selection is None:
        return _largest(profile, profile.blobs)
    if selection.kind == "blob":
        return _of_blob(profile, profile.blobs, selection.first)
    if selection.kind not in ("tensor", "anchor"):
        return Nothing(NOTHING)
    rows = translate(profile, selection, "tensor").tolist()
    if not rows or profile.model is None or rows[0] >= len(profile.model.tensors):
        return Nothing(USERS if selection.kind == "anchor" else NOTHING)
    return TensorSubject(rows[0], int(profile.model.tensors.blob[rows[0]]))


def _largest(profile: Profile, blobs: Blobs) -> Subject:
    """The tensor or feed whose blob is the largest, the first of equal ones; nothing if there is none with values."""
    model = profile.model
    if model is None:
        return Nothing(NOTHING)
    readable = np.flatnonzero(model.tensors.data_type >= 0)
    if not readable.size:
        return Nothing(NOTHING)
    own = model.tensors.blob[readable]
    place = int(np.argmax(blobs.size[own]))
    return TensorSubject(int(readable[place]), int(own[place]))


def _of_blob(profile: Profile, blobs: Blobs, blob: int) -> Subject:
    if not 0 <= blob < len(blobs):
        return Nothing(NOTHING)
    rows = translate(profile, Selection("blob", (blob,)), "tensor").tolist()
    return TensorSubject(rows[0], blob) if rows else bytes_of(profile, blobs, blob)


def bytes_of(profile: Profile, blobs: Blobs, blob: int) -> BytesSubject:
    """The payload of a blob; the whole blob if there is no payload or its start is not known."""
    payload = payload_of(profile, blob)
    if payload is not None and payload.size:
        return BytesSubject(blob, payload, whole=False)
    offset, size = int(blobs.offset[blob]), int(blobs.size[blob])
    path = profile.origin.paths[int(blobs.file[blob])]
    whole = Payload(path, offset, size, offset, size, int(blobs.type[blob]))
    return BytesSubject(blob, whole if payload is None else replace(payload, offset=offset, size=size), whole=True)
