"""The pipes of an Ascend core, as traces name their lanes and slices (Ascend operator files, section 4; Ascend operator
reports, sections 2.3 and 5)."""

from __future__ import annotations

import re
from typing import Final

PIPES: Final = (
    *("SCALAR", "FLOWCTRL", "MTE1", "CUBE", "FIXP", "MTE2", "VECTOR", "MTE3", "CACHEMISS"),
    *("SCALARLDST", "ALL", "USERMARK", "EVENT"),
)
"""Lanes of a core, in the order in which the vendor shows them."""
STATES: Final = {
    "S": "SCALAR",
    "V": "VECTOR",
    "M": "CUBE",
    "MTE1": "MTE1",
    "MTE2": "MTE2",
    "MTE3": "MTE3",
    "FIX": "FIXP",
}
"""The pipes as PIPE_STATE records name them, by rising bit of their mask."""

PIPE_STATES, REGIONS, MARKS, TRACE_POINTS_LANE = "pipe states", "regions", "marks", "trace points"
"""What the lanes of their own are called that slices get which are not work of a pipe: ``VECTOR (regions)``."""

USER_MARKS: Final = "USERMARK"

_OF_STATE: Final = re.compile(r"(?:(.*)/)?PIPE_(S|V|M|MTE[123]|FIX)(?:/.*|_busy)?")
_WHATS: Final = (PIPE_STATES, REGIONS, MARKS, TRACE_POINTS_LANE, "instants")
_OF_THREAD: Final = re.compile(rf"(.*) \(({'|'.join(_WHATS)})\)", re.DOTALL)
_CORE: Final = re.compile(r"(?:warp\.)?core\d{1,6}(?:\..+)?", re.DOTALL)
_MASK: Final = re.compile(r"marker_(\d{1,4})")


def pipe_of(name: str) -> str:
    """The pipe that a lane (``VECTOR``, ``AIV0/PIPE_V/status``) or a slice (``PIPE_V_busy``) is named after; "" for
    other names."""
    if name in PIPES:
        return name
    state = _OF_STATE.fullmatch(name)
    return STATES[state[2]] if state else ""


def core_of(lane: str) -> str:
    """The core of a lane of pipe states (``AIV0/PIPE_V/status``); other names unchanged."""
    state = _OF_STATE.fullmatch(lane)
    return state[1] if state and state[1] else lane


def is_work(lane: str) -> bool:
    """Whether the slices of a lane are work, not remarks about it: states, regions and marks."""
    thread, what = split_lane(lane)
    return not what and thread != USER_MARKS


def split_lane(name: str) -> tuple[str, str]:
    """The thread of a lane, and what the lane has of it: ("VECTOR", "regions") for ``VECTOR (regions)``; "" for the
    work of the thread itself."""
    own = _OF_THREAD.fullmatch(name)
    if own:
        return own[1], own[2]
    return ("", name.lower()) if name.lower() in _WHATS else (name, "")


def of_a_core(process: str, thread: str) -> bool:
    """Whether a lane is that of a pipe of an Ascend core: ``core0.veccore1``, ``VECTOR`` or ``AIV0/PIPE_V/status``."""
    lane = split_lane(thread)[0]
    return bool(_OF_STATE.fullmatch(lane)) or (lane in PIPES and bool(_CORE.fullmatch(process)))


def busy_pipes(name: str) -> tuple[str, ...] | None:
    """The pipes that are busy from a PIPE_STATE record of this name (``marker_17``) on; None for other names."""
    mask = _MASK.fullmatch(name)
    if mask is None:
        return None
    return tuple(pipe for bit, pipe in enumerate(STATES.values()) if int(mask[1]) >> bit & 1)
