"""Links between anchors, tensors (and feeds) and blobs, in both directions."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I32, I64, Array, distinct
from app.profile.popef import Model
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)


def anchor_tensors(profile: Profile, anchors: I64) -> I64:
    """Tensors and feeds that carry the anchors' names."""
    model = profile.model
    return NONE if model is None else _where(np.isin(model.tensors.name, _take(model.anchors.name, anchors)))


def tensor_anchors(profile: Profile, tensors: I64) -> I64:
    """Anchors that carry the names of the tensors or feeds."""
    model = profile.model
    return NONE if model is None else _where(np.isin(model.anchors.name, _take(model.tensors.name, tensors)))


def tensor_blobs(profile: Profile, tensors: I64) -> I64:
    """The blobs of these tensors or feeds."""
    return NONE if profile.model is None else _unique(_take(profile.model.tensors.blob, tensors))


def blob_tensors(profile: Profile, blobs: I64) -> I64:
    """The tensors or feeds in these blobs."""
    return NONE if profile.model is None else _where(np.isin(profile.model.tensors.blob, blobs))


def anchor_blobs(profile: Profile, anchors: I64) -> I64:
    """The metadata that describe the anchors, the executables that these name, and the data of the anchors."""
    model = profile.model
    if model is None:
        return NONE
    rows = _take(model.anchors.metadata, anchors)
    named = np.isin(model.executables.name, _take(model.metadata.executable, rows))
    described = (_take(model.metadata.blob, rows), model.executables.blob[named])
    return _unique(np.concatenate((*described, tensor_blobs(profile, anchor_tensors(profile, anchors)))))


def blob_anchors(profile: Profile, blobs: I64) -> I64:
    """Anchors whose data, metadata or executables are among these blobs."""
    model = profile.model
    if model is None:
        return NONE
    of_data = tensor_anchors(profile, blob_tensors(profile, blobs))
    described = _where(np.isin(model.anchors.metadata, _metadata(model, blobs)))
    return _unique(np.concatenate((of_data, described)))


def _metadata(model: Model, blobs: I64) -> I64:
    """Rows of metadata that are among these blobs, or that name an executable among them."""
    names = model.executables.name[np.isin(model.executables.blob, blobs)]
    return _where(np.isin(model.metadata.blob, blobs) | np.isin(model.metadata.executable, names))


def _take(column: I32, indices: Array) -> I32:
    return column[indices[(indices >= 0) & (indices < len(column))]]


def _where(mask: Array) -> I64:
    return np.flatnonzero(mask).astype(np.int64)


def _unique(indices: Array) -> I64:
    return distinct(indices).astype(np.int64)
