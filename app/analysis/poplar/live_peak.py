"""Where the memory of a program peaks, and what is live there."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.peaks import peaks
from app.language import tr
from app.profile.poplar import Liveness, program_steps
from app.profile.profile import Profile


class LivePeak(Struct, frozen=True):
    """``node`` of the liveness tree and its ``name``; bytes: ``program`` in all, ``always`` of them always live,
    ``extra`` only there. ``variables``: rows of the live variables there, largest first."""

    node: int
    name: str
    program: int
    always: int
    extra: int
    variables: tuple[int, ...]
    largest: tuple[str, int] | None


def live_peak(profile: Profile, most: int = 5) -> LivePeak | None:
    """The peak of the program (``Peaks.program``), with at most so many variables; None without liveness of
    programs."""
    known, tree = peaks(profile), profile.liveness
    if known is None or tree is None or known.node is None or known.program is None or known.always_live is None:
        return None
    steps = program_steps(tree)
    node = int(steps[tree.bytes[steps].argmax()])  # of a node and its parents with the same bytes, the innermost
    rows = _variables(profile, node)[:most]
    live = profile.live_variables
    largest = None if live is None or not rows else (variable_name(profile, rows[0]), int(live.size[rows[0]]))
    extra = known.program - known.always_live
    return LivePeak(node, _name(profile, tree, node), known.program, known.always_live, extra, tuple(rows), largest)


def variable_name(profile: Profile, row: int) -> str:
    """The name of a live variable, else its number."""
    live = profile.live_variables
    return "" if live is None else live.strings.get(int(live.name[row])) or str(int(live.number[row]))


def _variables(profile: Profile, node: int) -> list[int]:
    """The variables that are live at a node and whose size is known, largest first."""
    live = profile.live_variables
    if live is None or not live.stated[node]:
        return []
    rows = live.at.row(node)
    rows = rows[live.size[rows] >= 0]
    return [int(row) for row in rows[np.argsort(-live.size[rows], kind="stable")]]


def _name(profile: Profile, tree: Liveness, node: int) -> str:
    """The name of the node, else of its program, else its number."""
    name = tree.strings.get(int(tree.name[node])) if tree.name[node] >= 0 else ""
    program, programs = int(tree.program[node]), profile.programs
    if not name and programs is not None and 0 <= program < len(programs) and programs.name[program] >= 0:
        name = programs.strings.get(int(programs.name[program]))
    return name or tr("node {node:,}", node=node)
