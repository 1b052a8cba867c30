"""The metadata of PopEF models: fields, options, and the programs with their flow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.popef.anchors import shape_text
from app.analysis.popef.columns import coded, texts
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I64, Ragged, rows_with
from app.profile.popef import Model
from app.profile.profile import Profile

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
