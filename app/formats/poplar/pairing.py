"""Checks whether a graph and an execution belong together. The files have no common id, so they match unless their data
contradict each other."""

from __future__ import annotations

import re
from itertools import repeat
from typing import Final

import numpy as np

from app.formats.poplar.execution import ExecutionParts
from app.formats.poplar.graph import GraphParts, ProgramList
from app.language import joined, plural, tr
from app.profile.arrays import I32, I64, Bool, among, distinct, middle
from app.profile.poplar import EXCHANGE_OF_TYPE, TILE_CYCLE_KINDS, ExchangeKind, Steps
from app.profile.strings import Strings

_MOST: Final = 3
"""The largest number of reasons reported; they are joined into one sentence."""


def misfits(graph: GraphParts, run: ExecutionParts, *, one_file: bool) -> list[str]:
    """Reasons why the two cannot belong together, as phrases; empty where they can. Missing data is not a
    contradiction. What the engine wrote into one file is of one program, so with ``one_file`` totals, balances and the
    programs of the steps are not compared."""
    reasons = [
        *tile_misfits(graph, run, one_file=one_file),
        *_rows(graph, run),
        *_beyond(tr("the program trace"), run.trace, graph.programs, tr("programs")),
        *_vertices(graph, run),
    ]
    if run.steps is not None:
        reasons += _beyond(tr("a step"), run.steps.program, graph.programs, tr("programs"))
        reasons += _beyond(tr("a step"), run.steps.compute_set, graph.compute_sets, tr("compute sets"))
        reasons += exchange_misfits(graph, run.steps)
        reasons += [] if one_file else program_misfits(graph, run.steps)
    more = len(reasons) - _MOST
    return (
        reasons
        if more <= 0
        else [*reasons[:_MOST], plural("{count:,} more difference", "{count:,} more differences", count=more)]
    )


def _rows(graph: GraphParts, run: ExecutionParts) -> list[str]:
    lists = {
        "compute_sets": (graph.compute_sets, tr("compute sets")),
        "compute_sets_single": (graph.compute_sets, tr("compute sets")),
        "external_exchanges": (graph.exchanges.get("external"), tr("external exchanges")),
        "host_exchanges": (graph.exchanges.get("host"), tr("host exchanges")),
    }
    reasons: list[str] = []
    for key, (count, what) in lists.items():
        measured = run.measured.get(key)
        if measured is not None and count is not None and len(measured) != count:
            reasons.append(
                tr(
                    "the execution measured {measured:,} {what}, but the graph has {count:,}",
                    measured=len(measured),
                    what=what,
                    count=count,
                )
            )
    return reasons


def _beyond(what: str, numbers: I32 | None, count: int | None, of: str) -> list[str]:
    highest = -1 if numbers is None or count is None else int(np.max(numbers, initial=-1))
    if count is None or highest < count:
        return []
    return [
        tr(
            "{what} refers to number {highest:,} of the {of}, but the graph has {count:,}",
            what=what,
            highest=highest,
            of=of,
            count=count,
        )
    ]


def _vertices(graph: GraphParts, run: ExecutionParts) -> list[str]:
    """Reasons from measured vertices: each must be of a type that the graph has in its compute set."""
    if run.vertices is None:
        return []
    sets, types = run.vertices.compute_set, run.vertices.type
    beyond = [
        *_beyond(tr("a measured vertex"), sets, graph.compute_sets, tr("compute sets")),
        *_beyond(tr("a measured vertex"), types, graph.vertex_types, tr("vertex types")),
    ]
    if beyond or graph.set_types is None:
        return beyond
    both = (sets >= 0) & (types >= 0)
    width = 1 + max(int(np.max(types, initial=0)), int(np.max(graph.set_types.items, initial=0)))
    measured = distinct(sets[both].astype(np.int64) * width + types[both])
    listed = graph.set_types.owner.astype(np.int64) * width + graph.set_types.items
    strange = measured[~among(measured, listed)]
    if not len(strange):
        return []
    number, kind = divmod(int(strange[0]), width)
    return [
        tr(
            "the execution measured a vertex of type {kind:,} in compute set {number:,}, but the graph has none",
            kind=kind,
            number=number,
        )
    ]


_LEAVES: Final = ("ontileexecute", "doexchange", "globalexchange", "streamcopy")
"""Types that steps and programs share; how other types correspond is not documented."""
_BODIES: Final = (
    "sequence",
    "repeat",
    "repeatwhile",
    "repeatwhiletrue",
    "repeatwhilefalse",
    "if",
    "ifelse",
    "switch",
    "call",
)
"""Types of programs that run other programs and create no step."""
_LOWERED: Final = re.compile(r"^cs\d+_")
"""The prefix that lowering adds to the debug path of a compute set."""
_COMPARED: Final = 20_000
"""The largest number of pairs of different names that are compared; real files have no mismatch or very many."""
_TOGETHER: Final = 65_536
"""Texts that are decoded at once."""
_SHOWN: Final = 80
"""Characters shown of a name: its end, where paths differ."""


_EXCHANGES: Final[dict[ExchangeKind, str]] = {
    "internal": tr("internal exchanges"),
    "external": tr("external exchanges"),
    "host": tr("host exchanges"),
}


def exchange_misfits(graph: GraphParts, steps: Steps) -> list[str]:
    """Reasons from steps that name exchanges the graph does not have."""
    reasons: list[str] = []
    for name, kind in EXCHANGE_OF_TYPE.items():
        count = graph.exchanges.get(kind)
        highest = int(np.max(steps.exchange[steps.of_type(name)], initial=-1))
        if count is not None and highest >= count:
            reasons.append(
                tr(
                    "a step refers to number {highest:,} of the {exchanges}, but the graph has {count:,}",
                    highest=highest,
                    exchanges=_EXCHANGES[kind],
                    count=count,
                )
            )
    return reasons


def program_misfits(graph: GraphParts, steps: Steps) -> list[str]:
    """Reasons why the steps do not match the programs that they name, as phrases. Types, names and numbers missing on
    one side, and types that only one side uses, are not contradictions."""
    programs = graph.program_list
    if programs is None:
        return []
    named = np.flatnonzero((steps.program >= 0) & (steps.program < len(programs.type)))
    return [
        *_types(programs, steps, named),
        *_numbers(tr("compute set"), steps.compute_set, programs.compute_set, steps, named),
        *_numbers(tr("exchange"), steps.exchange, programs.exchange, steps, named),
        *_names(graph, programs, steps, named),
    ]


def _types(programs: ProgramList, steps: Steps, named: I64) -> list[str]:
    of_step = _which(steps.strings, steps.type[named], _LEAVES)
    of_program = _which(programs.strings, programs.type[steps.program[named]], (*_LEAVES, *_BODIES))
    wrong = named[(of_step >= 0) & (of_program >= 0) & (of_step != of_program)]
    if not len(wrong):
        return []
    first = int(wrong[0])
    program = int(steps.program[first])
    step_type, program_type = steps.strings[steps.type[first]], programs.strings[programs.type[program]]
    return [
        tr(
            "step {first:,} is of type {step_type}, but its program {program:,} is of type {program_type} in the graph",
            first=first,
            step_type=step_type,
            program=program,
            program_type=program_type,
        )
    ]


def _which(strings: Strings, column: I32, names: tuple[str, ...]) -> I64:
    """int64: the index in ``names`` of each text, ignoring case; -1 for others."""
    places = {name: place for place, name in enumerate(names)}
    table = np.full(len(strings) + 1, -1, np.int64)
    for number in np.flatnonzero(np.bincount(column[column >= 0])).tolist():
        table[number] = places.get(strings[number].casefold(), -1)
    return table[column]


def _numbers(what: str, of_step: I32, of_program: I32, steps: Steps, named: I64) -> list[str]:
    stated, known = of_step[named], of_program[steps.program[named]]
    wrong = named[(stated >= 0) & (known >= 0) & (stated != known)]
    if not len(wrong):
        return []
    first = int(wrong[0])
    program = int(steps.program[first])
    return [
        tr(
            "step {first:,} runs {what} {of_step:,}, but its program {program:,} has {what} {of_program:,} in "
            "the graph",
            first=first,
            what=what,
            of_step=int(of_step[first]),
            program=program,
            of_program=int(of_program[program]),
        )
    ]


def _names(graph: GraphParts, programs: ProgramList, steps: Steps, named: I64) -> list[str]:
    """Reasons from names: a step has the name of its program or of the program's compute set."""
    at = named[(steps.name[named] >= 0) & ~_called_alike(programs, steps, named)]
    pairs = steps.program[at].astype(np.int64) * (len(steps.strings) + 1) + steps.name[at]
    _, first = np.unique(pairs, return_index=True)
    for step in at[np.sort(first)][:_COMPARED].tolist():
        program = int(steps.program[step])
        known = _names_of(graph, programs, program)
        stated = steps.strings[steps.name[step]]
        if known and not any(_same(stated, name) for name in known):
            return [
                tr(
                    "step {step:,} is named {name}, but its program {program:,} is named {known} in the graph",
                    step=step,
                    name=_quoted(stated),
                    program=program,
                    known=_quoted(known[0]),
                )
            ]
    return []


def _called_alike(programs: ProgramList, steps: Steps, named: I64) -> Bool:
    """bool: for each of the steps ``named``, whether its name is exactly that of its program."""
    ids = {text: number for number, text in enumerate(programs.strings)}
    table = np.full(len(steps.strings) + 1, -1, np.int64)
    for start in range(0, len(steps.strings), _TOGETHER):
        some = steps.strings.some(start, start + _TOGETHER)
        table[start : start + len(some)] = list(map(ids.get, some.tolist(), repeat(-1)))
    of_step, of_program = table[steps.name[named]], programs.name[steps.program[named]]
    alike: Bool = (of_step >= 0) & (of_step == of_program)
    return alike


def _names_of(graph: GraphParts, programs: ProgramList, program: int) -> list[str]:
    names = []
    if programs.name[program] >= 0:
        names.append(programs.strings[programs.name[program]])
    number = int(programs.compute_set[program])
    if graph.set_names is not None and 0 <= number < len(graph.set_names) and graph.set_names[number]:
        names.append(graph.set_names[number])
    return names


def _same(one: str, other: str) -> bool:
    """Whether both are the same debug path, or one is a prefix or suffix of the other."""
    first, second = (_LOWERED.sub("", name).strip("/") for name in (one, other))
    short, long = sorted((first, second), key=len)
    return short == long or long.startswith(f"{short}/") or long.endswith(f"/{short}")


def _quoted(name: str) -> str:
    return f'"{name}"' if len(name) <= _SHOWN else f'"…{name[-_SHOWN:]}"'


_EXCESS: Final = 1.01
"""Real reports are below cycles x tiles by less than a thousandth, and never above."""
_PRECISE: Final = 1e-6
_DOUBTFUL: Final = 0.02
"""Balances whose estimates of the number of tiles differ by more than this are not used."""
_LEAST_BALANCE: Final = 1e-9
"""A smaller balance of a step that is active on a tile would be that of more tiles than there are."""
_LONG: Final = 1000
"""In a run of at least this many cycles, a whole number of tiles is not a coincidence."""


MOST_IPUS: Final = 1 << 12
"""Files may state any number; the largest machines have hundreds."""


def tile_misfits(graph: GraphParts, run: ExecutionParts, *, one_file: bool) -> list[str]:
    """The reason why the execution cannot have run on the tiles of the graph, as at most one phrase. The arrays of a
    replicated graph may cover the tiles of one replica, those of the execution one replica or all. With ``one_file``
    sums and balances are not compared: there a mismatch is an error in the file, not another program."""
    tiles = graph.target.tiles if graph.target is not None else None
    own = graph.entries | ({tiles} if tiles is not None else set())
    if not own:
        return []
    rows = own | (set() if graph.entries else _of_replicas(graph))
    parts = rows | _of_ipus(graph)
    has = joined(tr(" or "), (f"{count:,}" for count in sorted(own)))
    if (count := _of_rows(run, rows)) is not None:
        return [
            plural(
                "the execution has {count:,} tile, but the graph has {has}",
                "the execution has {count:,} tiles, but the graph has {has}",
                count=count,
                has=has,
            )
        ]
    if one_file:
        return []
    if (count := _of_tile_cycles(run, parts, max(own))) is not None:
        text = plural(
            "the tile cycles of the execution are those of {count:,} tile, but the graph has {has}",
            "the tile cycles of the execution are those of {count:,} tiles, but the graph has {has}",
            count=count,
            has=has,
        )
        return [text]
    if (count := _of_balances(run.steps, parts)) is not None:
        text = plural(
            "the tile balances of the steps are those of {count:,} tile, but the graph has {has}",
            "the tile balances of the steps are those of {count:,} tiles, but the graph has {has}",
            count=count,
            has=has,
        )
        return [text]
    if (count := _of_steps(run.steps, max(own))) is not None:
        return [
            plural(
                "a step of the execution has {count:,} active tile, but the graph has {has}",
                "a step of the execution has {count:,} active tiles, but the graph has {has}",
                count=count,
                has=has,
            )
        ]
    return []


def _of_replicas(graph: GraphParts) -> set[int]:
    """Numbers of tiles of one replica, for each number of replicas that divides the IPUs."""
    target = graph.target
    if target is None or not target.tiles or not target.ipus:
        return set()
    return {target.tiles // count for count in range(1, min(target.ipus, MOST_IPUS) + 1) if target.ipus % count == 0}


def _of_ipus(graph: GraphParts) -> set[int]:
    """Numbers of tiles of one IPU, of two, and so on: activity on some IPUs may be counted for their tiles alone."""
    target = graph.target
    if target is None or not target.ipus or not target.tiles_per_ipu:
        return set()
    return {count * target.tiles_per_ipu for count in range(1, min(target.ipus, MOST_IPUS) + 1)}


def _of_rows(run: ExecutionParts, allowed: set[int]) -> int | None:
    lengths = {matrix.shape[1] for matrix in run.measured.values() if matrix.ndim == 2 and len(matrix)}
    return min(lengths - allowed, default=None)


def _of_steps(steps: Steps | None, most: int) -> int | None:
    highest = -1 if steps is None else int(np.max(steps.active_tiles, initial=-1))
    return highest if highest > most else None


def _of_tile_cycles(run: ExecutionParts, allowed: set[int], most: int) -> int | None:
    """The number of tiles by the sum of all kinds of tile cycles, None if it may match. The sum is cycles x tiles, or
    less where some kinds were not measured."""
    if not run.cycles or "sync" not in run.tile_cycles:
        return None
    total = sum(run.tile_cycles.get(kind, 0) for kind in TILE_CYCLE_KINDS)
    tiles, rest = divmod(total, run.cycles)
    if total > run.cycles * most * _EXCESS:
        return round(total / run.cycles)
    whole = (
        rest == 0 and tiles > 0 and run.cycles >= _LONG and all(kind in run.tile_cycles for kind in TILE_CYCLE_KINDS)
    )
    return tiles if whole and tiles not in allowed else None


def _of_balances(steps: Steps | None, allowed: set[int]) -> int | None:
    """The number of tiles by the balances, None if it may match: tileBalance x tiles = activeTileBalance x activeTiles
    in every step with active tiles."""
    if steps is None:
        return None
    with np.errstate(invalid="ignore"):
        known = (steps.tile_balance > _LEAST_BALANCE) & (steps.active_tile_balance > 0) & (steps.active_tiles > 0)
    if not np.any(known):
        return None
    counts = steps.active_tile_balance[known] * steps.active_tiles[known] / steps.tile_balance[known]
    count = middle(counts)
    slack = max(_PRECISE, 3 * float(np.max(np.abs(counts / count - 1))))
    if slack > _DOUBTFUL or any(abs(count - tiles) <= slack * count for tiles in allowed):
        return None
    return round(count)
