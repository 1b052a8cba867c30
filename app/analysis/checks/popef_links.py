"""Whether the names in PopEF files resolve, and are unambiguous.

The PopEF user guide does not say what follows if they do not, so these are warnings.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.popef.findings import again, few, place
from app.analysis.popef.sizes import tensor_bytes
from app.language import plural, tr
from app.profile.arrays import I32, distinct
from app.profile.issue import Issue
from app.profile.popef import Blobs, Model, data_type
from app.profile.profile import Profile


def executable_links(profile: Profile) -> list[Issue]:
    """Executables that are named but missing, and those that several metadata describe."""
    blobs, model = profile.blobs, profile.model
    return [] if blobs is None or model is None else few(_executables(profile, blobs, model))


def data_links(profile: Profile) -> list[Issue]:
    """Data that no anchor uses, and data with the same name. A file of variables alone is not reported."""
    blobs, model = profile.blobs, profile.model
    if blobs is None or model is None or not len(model.metadata):
        return []
    return few(_data(profile, blobs, model))


def anchor_data(profile: Profile) -> list[Issue]:
    """Anchors that contradict their data."""
    blobs, model = profile.blobs, profile.model
    return [] if blobs is None or model is None else few(_anchors(profile, blobs, model))


def program_flow(profile: Profile) -> list[Issue]:
    """Programs that the flow runs, but that are missing from an existing programs map."""
    blobs, model = profile.blobs, profile.model
    return [] if blobs is None or model is None else few(_flow(profile, blobs, model))


def _executables(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    yield from _dangling(profile, blobs, model, tr("metadata"), (model.metadata.blob, model.metadata.executable))
    yield from _dangling(profile, blobs, model, tr("opaque blob"), (model.opaques.blob, model.opaques.executable))
    own = model.metadata
    for row in again(own.executable):
        text = tr(
            "earlier metadata describes the same executable, {quoted}", quoted=_quoted(model, int(own.executable[row]))
        )
        yield Issue("warning", place(profile, blobs, int(own.blob[row])), text)


def _dangling(profile: Profile, blobs: Blobs, model: Model, what: str, link: tuple[I32, I32]) -> Iterator[Issue]:
    blob, executable = link
    for row in np.flatnonzero(~np.isin(executable, model.executables.name)).tolist():
        text = tr(
            "the {what} names the executable {quoted}, which is missing",
            what=what,
            quoted=_quoted(model, int(executable[row])),
        )
        yield Issue("warning", place(profile, blobs, int(blob[row])), text)


def _data(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    own = model.tensors
    for row in np.flatnonzero(~np.isin(own.name, model.anchors.name)).tolist():
        text = tr("no anchor is named {quoted} like this data", quoted=_quoted(model, int(own.name[row])))
        yield Issue("warning", place(profile, blobs, int(own.blob[row])), text)
    for row in again(own.name):
        text = tr(
            "earlier data has the same name, {quoted}; the reference is ambiguous",
            quoted=_quoted(model, int(own.name[row])),
        )
        yield Issue("warning", place(profile, blobs, int(own.blob[row])), text)


def _anchors(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    own, data = model.anchors, model.tensors
    wanted, actual = tensor_bytes(own.shape, own.data_type), tensor_bytes(data.shape, data.data_type)
    rows = {name: row for row, name in reversed(list(enumerate(data.name.tolist())))}  # the first of each name
    for anchor in np.flatnonzero(np.isin(own.name, data.name)).tolist():
        row = rows[int(own.name[anchor])]
        where, name = place(profile, blobs, int(data.blob[row])), _quoted(model, int(own.name[anchor]))
        if data.data_type[row] < 0:
            continue
        if own.data_type[anchor] != data.data_type[row]:
            says, is_ = data_type(int(own.data_type[anchor])), data_type(int(data.data_type[row]))
            yield Issue(
                "warning", where, tr("{name} is {is_} here, but {says} in its anchor", name=name, is_=is_, says=says)
            )
        elif not data.feed[row] and wanted[anchor] != actual[row]:  # a feed may be cut into batches of its own
            is_, says = _bytes(int(actual[row])), _bytes(int(wanted[anchor]))
            yield Issue(
                "warning",
                where,
                tr("{name} has shape {is_} here, but {says} in its anchor", name=name, is_=is_, says=says),
            )


def _flow(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    own, named = model.metadata, model.programs
    first = np.searchsorted(named.metadata, np.arange(len(own) + 1)).tolist()
    for row in range(len(own)):
        known = named.index[first[row] : first[row + 1]]
        used = np.concatenate([flow.row(row) for flow in (own.load, own.main, own.save)])
        unknown = distinct(used[~np.isin(used, known)])
        if len(known) and len(unknown):
            text = tr(
                "the program flow runs program {unknown}, which is not in the programs map", unknown=int(unknown[0])
            )
            yield Issue("warning", place(profile, blobs, int(own.blob[row])), text)


def _quoted(model: Model, text: int) -> str:
    return f'"{model.strings.get(text)}"'


def _bytes(size: int) -> str:
    return (
        plural(
            "{count:,} byte",
            "{count:,} bytes",
            count=size,
        )
        if size >= 0
        else tr("invalid size")
    )
