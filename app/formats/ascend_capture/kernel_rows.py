"""kernel_details.csv and op_summary: kernels, and the communication operations among them (Ascend captures, section
2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.joining import Texts
from app.formats.ascend_capture.sheet import CellKind, Sheet, rounded
from app.profile.arrays import I32, I64, Array, Bool, distinct, sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_capture import Kernels
from app.profile.strings import Strings, taken

NAME: Final = ("name", "opname")
TYPE: Final = ("type", "optype")
CORE: Final = ("acceleratorcore", "tasktype")
STATE: Final = ("opstate",)
TEXT_COLUMNS: Final = (
    *(NAME, TYPE, CORE, STATE),
    *(("inputshapes",), ("inputdatatypes",), ("inputformats",)),
    *(("outputshapes",), ("outputdatatypes",), ("outputformats",)),
)
START: Final = ("starttime(us)", "taskstarttime(us)")
DURATION: Final = ("duration(us)", "taskduration(us)")
WAIT: Final = ("waittime(us)", "taskwaittime(us)")
NUMBERS: Final = (
    *("stepid", "device_id", "modelid", "taskid", "streamid", "contextid"),
    *("blockdim", "blocknum", "mixblockdim", "mixblocknum"),
)
_TEXTS: Final = frozenset(title for titles in TEXT_COLUMNS for title in titles) | {"hf32eligible"}
KNOWN: Final = _TEXTS | {*START, *DURATION, *WAIT, *NUMBERS}
COMMUNICATION: Final = frozenset(("HCCL", "COMMUNICATION"))
"""Cores of communication operations (section 2)."""
_MOST_DEVICES: Final = 1 << 10
"""No machine has more; larger numbers are no devices."""
NO_CONTEXT: Final = 4294967295


class KernelRows(Struct, frozen=True, eq=False):
    """``kernels``: of this rank (column ``rank`` 0); ``names``, ``step``, ``start``, ``end``: of each communication
    operation, in nanoseconds; ``devices``: the number of the device of each kernel, then of each operation, -1
    none."""

    kernels: Kernels
    names: list[str]
    step: I64
    start: I64
    end: I64
    devices: I64

    @property
    def device(self) -> int:
        """The first of its devices, -1 without one."""
        known = self.devices[self.devices >= 0]
        return int(known.min()) if len(known) else -1

    def by_device(self) -> list[KernelRows]:
        """The rows of each device, those without one with the first."""
        numbers = distinct(self.devices[self.devices >= 0]).tolist()
        if len(numbers) < 2:
            return [self]
        own = np.where(self.devices < 0, numbers[0], self.devices)
        return [self._only(own == number) for number in numbers]

    def _only(self, chosen: Bool) -> KernelRows:
        here, there = np.flatnonzero(chosen[: len(self.kernels)]), np.flatnonzero(chosen[len(self.kernels) :])
        columns = {
            name: sealed(getattr(self.kernels, name)[here])
            for name in Kernels.__struct_fields__
            if name not in ("strings", "pmu")
        }
        pmu = tuple(TypedColumn(each.name, each.kind, sealed(each.values[here])) for each in self.kernels.pmu)
        return KernelRows(
            Kernels(strings=self.kernels.strings, pmu=pmu, **columns),
            [self.names[place] for place in there.tolist()],
            self.step[there],
            self.start[there],
            self.end[there],
            self.devices[chosen],
        )


def kind_of(title: str) -> CellKind:
    """What the cells of a column are."""
    if title in START:
        return "time"
    return "text" if title in _TEXTS else "number"


def kernel_rows(sheet: Sheet) -> KernelRows:
    """The rows of ``sheet``, communication apart from kernels."""
    texts = [sheet.texts(*titles) for titles in TEXT_COLUMNS]
    core_ids, cores = texts[2]
    name_ids, names = texts[0]
    task = sheet.integers("taskid")
    apart = _communication(core_ids, cores, name_ids, names, task)
    start, duration = sheet.times(*START), rounded(sheet.numbers(*DURATION) * 1000)
    step = sheet.integers("stepid")
    device = sheet.integers("device_id")
    device = np.where(device < _MOST_DEVICES, device, -1)
    here = np.flatnonzero(~apart)
    there = np.flatnonzero(apart)
    end = np.where((start[there] >= 0) & (duration[there] >= 0), start[there] + np.maximum(duration[there], 0), -1)
    return KernelRows(
        _kernels(sheet, texts, here, task, start, duration, step),
        taken(names, name_ids[there]).tolist(),
        step[there],
        start[there],
        end,
        np.concatenate((device[here], device[there])),
    )


def _communication(core_ids: I32, cores: Strings, name_ids: I32, names: Strings, task: I64) -> Bool:
    """bool[rows]: communication operations, by their core; without one (Level0), by their name, if they are no
    task."""
    by_core = np.array([*(core.upper() in COMMUNICATION for core in cores.tolist()), False], np.bool_)
    result: Bool = by_core[core_ids]
    for row in np.flatnonzero((core_ids < 0) & (task < 0)).tolist():
        result[row] = names.get(int(name_ids[row])).startswith("hcom_")
    return result


def _kernels(
    sheet: Sheet,
    texts: Sequence[tuple[I32, Strings]],
    here: I64,
    task: I64,
    start: I64,
    duration: I64,
    step: I64,
) -> Kernels:
    collected = Texts()
    for place, (ids, table) in enumerate(texts):
        collected.add(ids[here], table, required=place == 0)
    strings, columns = collected.finish()
    context = sheet.integers("contextid")
    context = np.where(context == NO_CONTEXT, -1, context)

    def chosen(values: Array) -> Array:
        return sealed(values[here])

    return Kernels(
        strings=strings,
        rank=sealed(np.zeros(len(here), np.int32)),
        step=chosen(step),
        name=columns[0],
        type=columns[1],
        core=columns[2],
        stream=chosen(sheet.integers("streamid")),
        task=chosen(task),
        context=chosen(context),
        start=chosen(start),
        duration=chosen(duration),
        wait=chosen(rounded(sheet.numbers(*WAIT) * 1000)),
        blocks=chosen(sheet.integers("blockdim", "blocknum")),
        mix_blocks=chosen(sheet.integers("mixblockdim", "mixblocknum")),
        connection=sealed(np.full(len(here), -1, np.int64)),
        state=columns[3],
        input_shapes=columns[4],
        input_types=columns[5],
        input_formats=columns[6],
        output_shapes=columns[7],
        output_types=columns[8],
        output_formats=columns[9],
        pmu=tuple(
            TypedColumn(title, "float", sealed(values[here].reshape(-1, 1)))
            for title, values in sheet.other_numbers(KNOWN)
        ),
    )
