"""Anchors, tensors and feeds of PopEF models."""

from __future__ import annotations

import numpy as np

from app.analysis.popef.anchors import GROUPS, explained, groups, shape_text
from app.analysis.popef.columns import coded, counts, payload, shapes, texts, types, version
from app.analysis.popef.runs import elements_per_call
from app.analysis.popef.sizes import expected_payload, tensor_bytes
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import Bool
from app.profile.profile import Profile
from app.profile.strings import Strings

GROUP_HELP = tr(
    "PopEF provided: these files contain a tensor or feed with the anchor's name. The user provides the others."
)
ELEMENTS_HELP = tr(
    "Input elements that one call of the model takes (PopEF user guide, 2.3.3): device iterations × replication "
    "factor × micro-batch, and for training × gradient accumulation, here 1. Inputs used only for loading have none."
)
COUNT_HELP = tr("Consecutive tensors in the payload; a tensor blob contains one.")
ADDED_HELP = tr(
    "Outer dimensions required by the flags (PopEF user guide, 2.3.3): the replication factor if replicas use "
    "different data, then the repeats of a remote buffer; each only above 1."
)


def anchors(profile: Profile, within: Bool | None = None) -> Table | None:
    """One row per anchor, grouped by direction and by who provides the data; None without any. ``within``:
    bool[anchors], only these."""
    model = profile.model
    if model is None or not len(model.anchors):
        return None
    own, strings = model.anchors, model.strings
    group = groups(model)
    order = np.argsort(group, kind="stable").astype(np.int64)
    if within is not None:
        order = order[within[order]]
    per_call = elements_per_call(model)[order]
    size = tensor_bytes(own.shape, own.data_type)[order]
    factor = model.metadata.replication_factor
    dims = texts(explained(own, factor, anchor) for anchor in order.tolist())
    programs = coded(shape_text(tuple(own.programs.row(anchor).tolist())) for anchor in order.tolist())
    columns = (
        Column("group", tr("Group"), Coded(group[order], Strings.of(GROUPS)), help=GROUP_HELP),
        Column("name", tr("Name"), Coded(own.name[order], strings)),
        types(own.data_type[order]),
        Column(
            "shape", tr("Shape"), shapes(own.shape, order), help=tr("As stored in the file, added dimensions included.")
        ),
        Column("dims", tr("Added dimensions"), dims, help=ADDED_HELP),
        Column("size", tr("Size"), size, "B", tr("Product of the shape × bytes of an element."), missing=size < 0),
        Column("elements", tr("Elements per call"), per_call, help=ELEMENTS_HELP, missing=per_call < 0),
        Column("programs", tr("Programs"), programs, help=tr("Programs of the executable that use it.")),
        Column(
            "handle",
            tr("Handle"),
            Coded(own.handle[order], strings),
            help=tr("The name to which a runtime connects its callback."),
        ),
        Column(
            "per_replica", tr("Per replica"), own.per_replica[order], help=tr("Whether replicas use different data.")
        ),
        Column(
            "remote_buffer",
            tr("Remote buffer"),
            own.remote_buffer[order],
            help=tr("Whether the data is stored outside the IPU."),
        ),
        Column(
            "repeats",
            tr("Repeats"),
            own.repeats[order],
            help=tr("Number of equally sized blocks in the remote buffer."),
        ),
        Column("executable", tr("Executable"), Coded(model.metadata.executable[own.metadata[order]], strings)),
    )
    return Table("anchors", tr("Anchors"), columns, "anchor", order)


def tensors(profile: Profile) -> Table | None:
    """One row per DATA_TENSOR blob; None without any."""
    return _data(profile, "tensors", tr("Tensors"), feed=False)


def feeds(profile: Profile) -> Table | None:
    """One row per DATA_FEED blob; None without any."""
    return _data(profile, "feeds", tr("Feeds"), feed=True)


def data(profile: Profile) -> Table | None:
    """Tensors and feeds together in the order of the files; None before the model is read."""
    return _of_rows(profile, "data", tr("Tensors and feeds"), None)


def _data(profile: Profile, table_id: str, title: str, *, feed: bool) -> Table | None:
    made = _of_rows(profile, table_id, title, feed)
    return made if made is not None and made.rows else None


def _of_rows(profile: Profile, table_id: str, title: str, feed: bool | None) -> Table | None:
    """Only feeds, only tensors, or both (None) with a column that distinguishes them."""
    model, blobs = profile.model, profile.blobs
    if model is None or blobs is None:
        return None
    own = model.tensors
    rows = np.flatnonzero((own.feed == feed) | (feed is None)).astype(np.int64)
    blob, name, size = own.blob[rows], own.name[rows], expected_payload(own)[rows]
    expected = (
        tr("Product of the shape × bytes of an element × tensors.")
        if feed is not False
        else tr("Product of the shape × bytes of an element.")
    )
    kinds = Coded(own.feed[rows].astype(np.int32), Strings.of((tr("tensor"), tr("feed"))))
    columns = (
        *((Column("kind", tr("Kind"), kinds, help=tr("A tensor, or a feed of several.")),) if feed is None else ()),
        Column("name", tr("Name"), Coded(name, model.strings)),
        types(own.data_type[rows]),
        Column("shape", tr("Shape"), shapes(own.shape, rows), help=tr("Bytes of one tensor.")),
        *((Column("count", tr("Tensors"), own.count[rows], help=COUNT_HELP),) if feed is not False else ()),
        Column("size", tr("Size"), size, "B", expected, missing=size < 0),
        payload(blobs, blob),
        Column(
            "anchors", tr("Anchors"), counts(name, model.anchors.name), help=tr("Anchors of that name in these files.")
        ),
        version(blobs, blob),
    )
    return Table(table_id, title, columns, "tensor", rows)
