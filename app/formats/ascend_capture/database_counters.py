"""Counters of a database over time: frequency, memory and bandwidths (Ascend captures, section 3)."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from app.formats.ascend_capture.database_columns import NONE, Kind
from app.formats.ascend_capture.database_safe import Database, Fetched
from app.formats.ascend_capture.database_texts import Texts, Words
from app.profile.arrays import F64, I64, distinct, sealed
from app.profile.timeline import Counters

MOST_TRACKS: Final = 1024
_LATEST: Final = 1 << 62
_KIB: Final = 1024.0
_Track = tuple[str, str, str]
"""Process, name, series."""


def counters(database: Database, texts: Texts, strings: Words, origin: int) -> tuple[Counters, int]:
    """(the tracks, the moment that their times are relative to). ``origin``: that of slices in nanoseconds, -1 without
    any: then the first of the counters. Bandwidths are in bytes per second as in the file; memory in KB, frequencies in
    MHz and hit rates in percent as in the trace of the text form."""
    found = dict[_Track, tuple[I64, F64]]()
    for add in (_frequency, _memory, _hbm, _cache):
        add(database, texts, found)
    tracks = [(track, time, value) for track, (time, value) in found.items() if len(time)][:MOST_TRACKS]
    if origin < 0:
        origin = min((int(time.min()) for _, time, _ in tracks), default=-1)
    columns = [[strings(track[place]) for track, _, _ in tracks] for place in range(3)]
    process, name, series = (sealed(np.array(column, np.int32)) for column in columns)
    first = np.concatenate(([0], np.cumsum([len(time) for _, time, _ in tracks]))).astype(np.int64)
    times = [(time - origin).astype(np.float64) for _, time, _ in tracks]
    values = [value for _, _, value in tracks]
    made = Counters(
        process=process,
        name=name,
        series=series,
        first=sealed(first),
        time=sealed(np.concatenate([*times, np.empty(0)])),
        value=sealed(np.concatenate([*values, np.empty(0)])),
    )
    return made, origin


def _put(found: dict[_Track, tuple[I64, F64]], track: _Track, time: I64, value: F64) -> None:
    """Adds a track, sorted, without what has no time or value."""
    good = np.flatnonzero((time >= 0) & (time < _LATEST) & np.isfinite(value))
    order = good[np.argsort(time[good], kind="stable")]
    found[track] = time[order], value[order]


def _frequency(database: Database, _texts: Texts, found: dict[_Track, tuple[I64, F64]]) -> None:
    if database.has("AICORE_FREQ") and not database.lacks("AICORE_FREQ", "timestampNs", "freq"):
        fetched = database.read("AICORE_FREQ", {"timestampNs": "int", "freq": "float", "deviceId": "int"})
        for suffix, own in _devices(fetched):
            track = (f"AI Core Freq{suffix}", "AI Core Freq", "MHz")
            _put(found, track, fetched.ints("timestampNs")[own], fetched.floats("freq")[own])


def _memory(database: Database, texts: Texts, found: dict[_Track, tuple[I64, F64]]) -> None:
    if not database.has("NPU_MEM") or database.lacks("NPU_MEM", "type", "timestampNs"):
        return
    wanted: dict[str, Kind] = {"type": "int", "ddr": "float", "hbm": "float", "timestampNs": "int", "deviceId": "int"}
    fetched = database.read("NPU_MEM", wanted)
    time, kinds = fetched.ints("timestampNs"), fetched.ints("type")
    for (suffix, here), (one, title) in product(_devices(fetched), _titles(texts, kinds)):
        own = here[kinds[here] == one]
        process, name = f"NPU MEM{suffix}", {"app": "APP", "device": "Device"}.get(title, title)
        ddr, hbm = fetched.floats("ddr")[own] / _KIB, fetched.floats("hbm")[own] / _KIB
        _put(found, (process, f"{name}/DDR", "KB"), time[own], ddr)
        _put(found, (process, f"{name}/HBM", "KB"), time[own], hbm)
        _put(found, (process, f"{name}/Memory", "KB"), time[own], np.nan_to_num(ddr) + np.nan_to_num(hbm))


def _hbm(database: Database, texts: Texts, found: dict[_Track, tuple[I64, F64]]) -> None:
    if not database.has("HBM") or database.lacks("HBM", "timestampNs", "bandwidth", "hbmId", "type"):
        return
    wanted: dict[str, Kind] = {"timestampNs": "int", "bandwidth": "float", "hbmId": "int", "type": "int"}
    fetched = database.read("HBM", {**wanted, "deviceId": "int"})
    kinds, memory = fetched.ints("type"), fetched.ints("hbmId")
    for (suffix, here), number, (one, title) in product(_devices(fetched), _few(memory), _titles(texts, kinds)):
        own = here[(kinds[here] == one) & (memory[here] == number)]
        track = (f"HBM{suffix}", f"HBM {number}/{title.capitalize()}", "B/s")
        _put(found, track, fetched.ints("timestampNs")[own], fetched.floats("bandwidth")[own])


def _cache(database: Database, texts: Texts, found: dict[_Track, tuple[I64, F64]]) -> None:
    if not database.has("LLC") or database.lacks("LLC", "timestampNs", "llcId", "mode"):
        return
    wanted: dict[str, Kind] = {"timestampNs": "int", "llcId": "int", "mode": "int"}
    fetched = database.read("LLC", {**wanted, "hitRate": "float", "throughput": "float", "deviceId": "int"})
    modes, cache, time = fetched.ints("mode"), fetched.ints("llcId"), fetched.ints("timestampNs")
    for (suffix, here), number, (one, title) in product(_devices(fetched), _few(cache), _titles(texts, modes)):
        own = here[(modes[here] == one) & (cache[here] == number)]
        process, name = f"LLC{suffix}", f"LLC {number} {title.capitalize()}"
        _put(found, (process, f"{name}/Throughput", "B/s"), time[own], fetched.floats("throughput")[own])
        _put(found, (process, f"{name}/Hit Rate", "Hit Rate(%)"), time[own], fetched.floats("hitRate")[own])


def _devices(fetched: Fetched) -> list[tuple[str, I64]]:
    """(what the names of processes end with, the rows) of each device; a single one needs no words."""
    device = fetched.ints("deviceId")
    known = _few(device)
    if len(known) < 2:
        return [("", np.arange(fetched.count))]
    return [(of_device(one), np.flatnonzero(device == one)) for one in known]


def of_device(number: int) -> str:
    """What the name of a process ends with where there are several devices."""
    return f" (NPU {number})"


def _titles(texts: Texts, ids: I64) -> list[tuple[int, str]]:
    """The named ones of ``ids``, as many as can have tracks."""
    return [(one, title) for one, title in texts.by_id(ids).items() if title][: int(MOST_TRACKS**0.5)]


def _few(values: I64) -> list[int]:
    return [one for one in distinct(values).tolist() if one != NONE][: int(MOST_TRACKS**0.5)]
