"""Blobs, executables, anchors, tensors, feeds and metadata of PopEF models.

Values of a tensor come from the payload, which a profile does not hold, so TABLES does not list them: panels make them
of what they have read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from app.analysis.amounts import shares
from app.analysis.bins import Bins, table
from app.analysis.popef.anchors import (
    GROUPS,
    elements_per_call,
    expected_payload,
    explained,
    groups,
    shape_text,
    tensor_bytes,
)
from app.analysis.popef.doubts import UNVERIFIED
from app.analysis.popef.values import Slice, Summary
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I32, I64, Array, Bool, Ragged, among, rows_with
from app.profile.popef import EXECUTABLE, FEED, METADATA, OPAQUE, TENSOR, Blobs, Model, blob_type, data_type
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings


def coded(texts: Iterable[str]) -> Coded:
    """Texts as ids of distinct strings; an empty text is missing."""
    intern = Interner()
    ids = np.array([intern(text) if text else -1 for text in texts], np.int32)
    return Coded(ids, intern.strings())


def texts(items: Iterable[str]) -> Coded:
    """Texts as ids of distinct strings; an empty text is a value too (a field that is empty, or that does not
    apply)."""
    intern = Interner()
    return Coded(np.array([intern(item) for item in items], np.int32), intern.strings())


def where(ids: I32, strings: Strings, has: Bool) -> Coded:
    """Texts ``ids``; empty ones in rows that cannot have any, so that only missing values are shown as "no data"."""
    with_empty = Strings(strings.blob, np.append(strings.ends, strings.ends[-1] if len(strings) else 0))
    return Coded(np.where(has | (ids >= 0), ids, len(strings)).astype(np.int32), with_empty)


def numbered(numbers: I32, name: Callable[[int], str]) -> Coded:
    """The names of numbers of an enumeration; negative ones are missing."""
    intern = Interner()
    different, where = np.unique(numbers, return_inverse=True)
    ids = np.array([intern(name(number)) if number >= 0 else -1 for number in different.tolist()], np.int32)
    return Coded(ids[where], intern.strings())


def payload(blobs: Blobs, of: I32) -> Column:
    """Payload bytes of the blobs ``of``."""
    size = blobs.payload_size[of]
    return Column("bytes", tr("Bytes"), size, "B", tr("Payload bytes in the file."), missing=size < 0)


def version(blobs: Blobs, of: I32) -> Column:
    """Version texts of the blobs ``of``."""
    return Column(
        "version", tr("Version"), Coded(blobs.version[of], blobs.strings), help=tr("Version text of the header.")
    )


def types(numbers: I32) -> Column:
    return Column("type", tr("Data type"), numbered(numbers, data_type))


def shapes(rows: Ragged, of: I64 | None = None) -> Coded:
    """The shapes of the rows ``of`` (None: all) as texts."""
    indices = range(len(rows)) if of is None else of.tolist()
    return coded(shape_text(tuple(rows.row(index).tolist())) for index in indices)


def counts(names: I32, texts: I32) -> I64:
    """int64[names]: how often each text id occurs in ``texts``."""
    different, times = np.unique(texts, return_counts=True)
    if not len(different):
        return np.zeros(len(names), np.int64)
    at = np.searchsorted(different, names).clip(0, len(different) - 1)
    return np.where(different[at] == names, times[at], 0).astype(np.int64)


NAMED = (EXECUTABLE, TENSOR, FEED, OPAQUE)
LINKED = (METADATA, OPAQUE)


def blobs(profile: Profile) -> Table | None:
    """One row per blob, in the order of the files."""
    own = profile.blobs
    if own is None:
        return None
    unknown = own.info_size < 0
    share = shares(own.size)
    named, linked = among(own.type, NAMED), among(own.type, LINKED)
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
    return Table("blobs", tr("Blobs"), columns, "blob", note=UNVERIFIED, doubtful=True)


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
    here = among(own.executable, model.executables.name)
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


MOST_PLACES = 8


def metadata(profile: Profile) -> Table | None:
    """Every field of every METADATA blob as key and value; None without any."""
    model = profile.model
    if model is None or not len(model.metadata):
        return None
    rows = [(row, *pair) for row in range(len(model.metadata)) for pair in fields(profile, model, row)]
    columns = (
        _of(model, np.array([row for row, _, _ in rows], np.int64)),
        Column("key", tr("Field"), coded(key for _, key, _ in rows)),
        Column("value", tr("Value"), texts(value for _, _, value in rows)),
    )
    blobs = np.array([model.metadata.blob[row] for row, _, _ in rows], np.int64)
    return Table("metadata", tr("Metadata"), columns, "blob", blobs)


def options(profile: Profile, only: int | None = None) -> Table | None:
    """Engine and device options (of one row of the metadata); None without any."""
    model = profile.model
    if model is None or not len(model.options):
        return None
    own = model.options
    rows = np.flatnonzero((own.metadata == only) | (only is None))
    columns: tuple[Column, ...] = (
        Column("kind", tr("Kind"), coded("device" if device else "engine" for device in own.device[rows].tolist())),
        Column("name", tr("Option"), Coded(own.name[rows], model.strings)),
        Column("value", tr("Value"), Coded(own.value[rows], model.strings)),
    )
    if only is None:
        columns = (_of(model, own.metadata.astype(np.int64)), *columns)
    return Table("options", tr("Options"), columns, "blob", model.metadata.blob[own.metadata[rows]].astype(np.int64))


def programs(profile: Profile, only: int | None = None) -> Table | None:
    """The programs of each executable (of one row of the metadata) that the programs map or the program flow knows;
    None without any."""
    model = profile.model
    rows = [] if model is None else [entry for entry in _programs(model) if only in (None, entry[0])]
    if model is None or not rows:
        return None
    of, index, name, flow, anchors = zip(*rows, strict=True)
    whose = np.array(of, np.int64)
    columns: tuple[Column, ...] = (
        Column("index", tr("Program"), np.array(index, np.int64), help=tr("Index in the executable."), role="key"),
        Column("name", tr("Name"), texts(name), help=tr("From the programs map.")),
        Column("flow", tr("Program flow"), texts(flow), help=tr("Where load, main or save run it, counted from 1.")),
        Column("anchors", tr("Anchors"), np.array(anchors, np.int64), help=tr("Anchors that name this program.")),
    )
    if only is None:
        columns = (_of(model, whose), *columns)
    return Table("programs-map", tr("Programs"), columns, "blob", model.metadata.blob[whose].astype(np.int64))


def _of(model: Model, rows: I64) -> Column:
    """The model that each row belongs to, by the name of its executable."""
    return Column("executable", tr("Executable"), Coded(model.metadata.executable[rows], model.strings))


def fields(profile: Profile, model: Model, row: int) -> Iterator[tuple[str, str]]:
    """Every field of one METADATA blob except lists, formatted for display."""
    own, strings, blobs = model.metadata, model.strings, profile.blobs
    yield tr("Version"), "" if blobs is None else blobs.strings.get(int(blobs.version[own.blob[row]]))
    yield tr("Runs"), tr("inference") if own.inference[row] else tr("training or not stated")
    yield tr("Replication factor"), str(own.replication_factor[row])
    yield tr("IPUs"), str(own.ipus[row])
    yield tr("IPU version"), str(own.ipu_version[row])
    yield tr("Processes"), str(own.processes[row])
    yield tr("Pod"), tr("yes") if own.pod[row] else tr("no or not stated")
    yield (
        tr("Device iterations"),
        str(own.device_iterations[row]) if own.device_iterations[row] else tr("0 or not stated"),
    )
    yield tr("Seed handle"), strings.get(int(own.seed_handle[row]))
    yield tr("Program flow: load"), _sequence(own.load, row)
    yield tr("Program flow: main"), _sequence(own.main, row)
    yield tr("Program flow: save"), _sequence(own.save, row)


def _sequence(flow: Ragged, row: int) -> str:
    return shape_text(tuple(flow.row(row).tolist()))


def _programs(model: Model) -> Iterator[tuple[int, int, str, str, int]]:
    """(metadata, program, name, places in the flow, anchors), by model and rising program."""
    own, named, anchors = model.metadata, model.programs, model.anchors
    every = np.arange(len(own) + 1)
    first_name = np.searchsorted(named.metadata, every).tolist()  # rows of one model are adjacent
    first_anchor = np.searchsorted(anchors.metadata, every).tolist()
    for row in range(len(own)):
        entries = range(first_name[row], first_name[row + 1])
        names = {int(named.index[entry]): model.strings.get(int(named.name[entry])) for entry in entries}
        used = rows_with(anchors.programs.gather(np.arange(first_anchor[row], first_anchor[row + 1])))
        places = _places(model, row)
        for program in sorted({*names, *places}):
            yield row, program, names.get(program, ""), ", ".join(places.get(program, ())), used.get(program, 0)


def _places(model: Model, row: int) -> dict[int, list[str]]:
    """Where load, main and save of one model run each program, the first few times."""
    places: dict[int, list[str]] = {}
    own = model.metadata
    for word, flow in (("load", own.load), ("main", own.main), ("save", own.save)):
        for position, program in enumerate(flow.row(row).tolist(), 1):
            of_program = places.setdefault(program, [])
            if len(of_program) < MOST_PLACES:
                of_program.append(f"{word} {position}")
    return places


def values_table(part: Slice, numbers: Array, missing: Bool | None) -> Table:
    """``numbers``, [rows, columns] (``missing``: which are no data), as an index column and one column for each index
    across."""
    columns = [Column("index", tr("Index"), np.array(part.rows, np.int64), role="key")] if part.open else []
    names = [str(index) for index in part.columns] if len(part.open) > 1 else ["value"]
    for place, name in enumerate(names):
        absent = None if missing is None else missing[:, place]
        columns.append(Column(name, name, _exported(numbers[:, place]), missing=absent))
    return Table("values", tr("Values {part}", part=part.text), tuple(columns))


def histogram_table(summary: Summary) -> Table:
    """One row per bar."""
    return table(tr("Histogram of the values"), Bins(summary.edges, summary.bins), "", "values")


def _exported(numbers: Array) -> Array | tuple[str, ...]:
    """A column for export; as texts if it has non-finite numbers, which would otherwise be taken for missing data."""
    if numbers.dtype.kind != "f" or np.isfinite(numbers).all():
        return numbers
    return tuple(str(number) for number in numbers.tolist())
