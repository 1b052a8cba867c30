"""Whether the blobs of PopEF files conform to the user guide, and the names in them resolve and are unambiguous.

Errors are what the guide rules out (2.2: names of executables; 2.4: sizes of data); what it does not mention is a
warning, as is a name that does not resolve: the guide does not say what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from app.analysis.popef.anchors import expected_payload, tensor_bytes
from app.language import plural, tr
from app.profile.arrays import I32, among, distinct
from app.profile.issue import Issue
from app.profile.popef import DATA_TYPES, METADATA, Blobs, Model, data_type
from app.profile.profile import Profile

MOST = 50


def place(profile: Profile, blobs: Blobs, blob: int) -> str:
    """File, number and byte of a blob, as the reader's issues name it."""
    file = int(blobs.file[blob])
    number = blob - int(np.searchsorted(blobs.file, file))
    return tr(
        "{path}: blob {number} at byte {offset:,}",
        path=profile.origin.paths[file].name,
        number=number,
        offset=int(blobs.offset[blob]),
    )


def few(all_issues: Iterable[Issue]) -> list[Issue]:
    """The first MOST issues of a kind, and a note if there are more."""
    issues = list(islice(all_issues, MOST + 1))
    if len(issues) > MOST:
        last = issues[MOST - 1]
        issues[MOST:] = [Issue("info", last.where, tr("more issues of this kind are not listed"))]
    return issues


def again(ids: I32) -> list[int]:
    """Rows whose id an earlier row already has."""
    repeated = np.ones(len(ids), np.bool_)
    repeated[np.unique(ids, return_index=True)[1]] = False
    return [int(row) for row in np.flatnonzero(repeated)]


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


def executable_links(profile: Profile) -> list[Issue]:
    """Executables that are named but missing, and those that several metadata describe."""
    blobs, model = profile.blobs, profile.model
    return [] if blobs is None or model is None else few(_executable_links(profile, blobs, model))


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


def _executable_links(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
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
    for row in np.flatnonzero(~among(executable, model.executables.name)).tolist():
        text = tr(
            "the {what} names the executable {quoted}, which is missing",
            what=what,
            quoted=_quoted(model, int(executable[row])),
        )
        yield Issue("warning", place(profile, blobs, int(blob[row])), text)


def _data(profile: Profile, blobs: Blobs, model: Model) -> Iterator[Issue]:
    own = model.tensors
    for row in np.flatnonzero(~among(own.name, model.anchors.name)).tolist():
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
    for anchor in np.flatnonzero(among(own.name, data.name)).tolist():
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
        unknown = distinct(used[~among(used, known)])
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
