"""What launched a kernel or a collective: the calls whose arrows lead to its slice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from app.analysis.capture.slices import collective_slices, kernel_slices
from app.analysis.part import Part, Pointer
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection

_MOST: Final = 8


def kernel_parts(profile: Profile, kernels: I64) -> Iterator[Part]:
    """The calls that launched the first of ``kernels``."""
    return _parts(profile, kernels, kernel_slices)


def collective_parts(profile: Profile, rows: I64) -> Iterator[Part]:
    """The calls that launched the first of these collectives."""
    return _parts(profile, rows, collective_slices)


def launching_slices(profile: Profile, slice_: int) -> I64:
    """int64: the slices at the starts of the arrows that lead to ``slice_``, in the order of the arrows."""
    line = profile.timeline
    if line is None or slice_ < 0:
        return np.empty(0, np.int64)
    rows = np.flatnonzero((line.flows.to_slice == slice_) & (line.flows.from_slice >= 0))
    return line.flows.from_slice[rows]


def _parts(profile: Profile, rows: I64, slices: Callable[[Profile], I64]) -> Iterator[Part]:
    line, known = profile.timeline, slices(profile)
    if line is None or not len(rows) or not 0 <= rows[0] < len(known):
        return
    calls = launching_slices(profile, int(known[rows[0]]))[:_MOST].tolist()
    if calls:
        names = [line.strings.get(int(line.slices.name[call])) for call in calls]
        pointers = tuple(
            Pointer((name,), Selection("slice", (call,), "details")) for name, call in zip(names, calls, strict=True)
        )
        yield Part(tr("Launched by"), (), pointers)
