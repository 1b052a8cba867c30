"""Sections about what programs, steps, compute sets, exchanges and tiles consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from app.analysis.hierarchy import walk
from app.analysis.part import Amount, Fact, Part, Pointer, Words, sentence
from app.analysis.poplar import scope
from app.analysis.poplar.instructions import TOTAL, instructions, words
from app.analysis.poplar.live_variables import fullest_node, name_of, step_of_node, variables_at
from app.analysis.poplar.names import vertex_type_names
from app.analysis.poplar.scope import Scope
from app.analysis.poplar.tile_content import TileContents
from app.analysis.poplar.tile_parts import contents_parts, per_tile
from app.analysis.poplar.trees import edges
from app.analysis.relations import direct
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.poplar import Programs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings

SOURCE: Final = "details"
MOST_TYPES: Final = 8
MOST_VERTICES: Final = 1 << 45
"""Higher vertex counts are corrupt, and their sum could overflow."""
FIRST_STEPS: Final = 3
ADDED: Final = tr("Sum of the steps' own cycles (cycles of the longest tile); steps may overlap.")


def program_parts(profile: Profile, index: I64) -> Iterator[Part]:
    """The program's call path, what is live in it, what it runs, and the steps that ran it."""
    path = path_part(profile, int(index[0]))
    if path is not None:
        yield path
    yield from liveness_parts(profile, direct(profile, "program", "liveness", index))
    yield from _run(profile, scope.of_program, index)


def step_parts(profile: Profile, index: I64) -> Iterator[Part]:
    programs = direct(profile, "step", "program", index)
    yield from liveness_parts(profile, direct(profile, "program", "liveness", programs))
    yield from _run(profile, scope.of_step, index)


def slice_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, scope.of_slice, index)


def compute_set_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, scope.of_compute_set, index)


def exchange_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, scope.of_exchange, index)


def liveness_parts(profile: Profile, nodes: I64) -> Iterator[Part]:
    live = live_part(profile, nodes)
    if live is not None:
        yield live


def tile_parts(profile: Profile, tiles: I64) -> Iterator[Part]:
    """What occupies the memory of the tiles."""
    return contents_parts(TileContents(profile), tiles)


def _run(profile: Profile, make_scope: Callable[[Profile, I64], Scope | None], index: I64) -> Iterator[Part]:
    """What one thing runs; empty for a step or slice of other formats."""
    inside = make_scope(profile, index) if profile.origin.format == "poplar" else None
    if inside is None:
        return
    for make in (_vertices, _instructions, per_tile, _steps):
        made = make(profile, inside)
        if made is not None:
            yield made


def _vertices(profile: Profile, within: Scope) -> Part | None:
    """The number of vertices of each type in the compute sets, largest first."""
    sets = profile.compute_sets
    if sets is None or sets.vertex_counts is None or sets.vertex_types is None or not len(within.sets):
        return None
    inside = np.isin(sets.vertex_types.owner, within.sets) & (sets.vertex_types.items >= 0)
    if not inside.any():
        return None
    types, place = np.unique(sets.vertex_types.items[inside].astype(np.int64), return_inverse=True)
    counts = np.clip(np.bincount(place, sets.vertex_counts.items[inside]), 0, MOST_VERTICES).astype(np.int64)
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0].tolist()
    names = vertex_type_names(profile, len(profile.vertex_types or ()))
    facts = [Fact(tr("Vertices"), (Amount(int(counts.sum()), ""),), "computeSets.vertexCounts")]
    if len(order) > MOST_TYPES:
        rest = int(counts[order[MOST_TYPES:]].sum())
        text = tr("{rest} of {count:,} other types", rest=Amount(rest, ""), count=len(order) - MOST_TYPES)
        facts.append(Fact(tr("Not listed"), sentence(text)))
    pointers = (_of_type(names, int(types[number]), int(counts[number])) for number in order[:MOST_TYPES])
    return Part(tr("Vertices by type"), tuple(facts), tuple(pointers))


def _of_type(names: Strings, kind: int, count: int) -> Pointer:
    name = names.get(kind, tr("vertex type {kind}", kind=kind))  # a file may use types that it does not list
    return Pointer((Amount(count, ""), " × ", name), Selection("vertex_type", (kind,), SOURCE))


def _instructions(profile: Profile, within: Scope) -> Part | None:
    """Bytes of the exchange instructions of the programs, by kind."""
    table = instructions(profile)
    if table is None:
        return None
    rows = table.bytes[np.isin(table.program, within.programs)]
    if not len(rows):
        return None
    sums = np.where(rows < 0, 0, rows).sum(axis=0).tolist()
    by_kind = dict(zip(table.kinds, sums, strict=True))
    total = by_kind.pop(TOTAL, sum(by_kind.values()))
    help_ = "memoryByInstruction"
    if len(rows) > 1:
        help_ = plural(
            "{help}, sum over {count:,} program that exchanges",
            "{help}, sum over {count:,} programs that exchange",
            count=len(rows),
            help=help_,
        )
    some = sorted(((size, kind) for kind, size in by_kind.items() if size > 0), key=lambda entry: -entry[0])
    facts = [Fact(tr("Total"), (Amount(total, "B"),), help_)]
    facts += [Fact(words(kind), (Amount(size, "B"),), help_) for size, kind in some]
    return Part(tr("Exchange instructions"), tuple(facts))


def _steps(profile: Profile, within: Scope) -> Part | None:
    """The steps that ran it: how many, how long, the first and the longest."""
    steps = profile.steps
    if steps is None or not len(within.steps):
        return None
    cycles = steps.cycles[within.steps]
    known = cycles >= 0
    facts = [Fact(tr("Steps"), (Amount(len(within.steps), ""),))]
    shown = within.steps[:FIRST_STEPS].tolist()
    if bool(known.any()):
        total, least, most = int(cycles[known].sum()), int(cycles[known].min()), int(cycles.max())
        facts.append(Fact(tr("Cycles"), (Amount(total, "cycles"),), ADDED))
        spread: Words = (Amount(most, "cycles"),)
        if least != most:
            mean, median = total / int(known.sum()), float(np.median(cycles[known]))
            text = tr(
                "{least} to {most}, mean {mean}, median {median}",
                least=Amount(least, "cycles"),
                most=Amount(most, "cycles"),
                mean=Amount(mean, "cycles"),
                median=Amount(median, "cycles"),
            )
            spread = sentence(text)
        if not known.all():
            missing = int((~known).sum())
            spread = sentence(
                plural(
                    "{spread} ({count:,} step without cycles)",
                    "{spread} ({count:,} steps without cycles)",
                    count=missing,
                    spread=spread,
                )
            )
        facts.append(Fact(tr("Each step"), spread))
        longest = int(within.steps[int(np.argmax(cycles))])
        shown += [longest] if least != most and longest not in shown else []
    return Part(tr("Steps that ran it"), tuple(facts), tuple(_pointer(profile, step) for step in shown))


def _pointer(profile: Profile, step: int) -> Pointer:
    steps = profile.steps
    assert steps is not None
    cycles = int(steps.cycles[step])
    took: Words = (" · ", Amount(cycles, "cycles")) if cycles >= 0 else ()
    return Pointer((tr("step {step:,}", step=step), *took), Selection("step", (step,), SOURCE))


MOST_LISTED: Final = 8


def live_part(profile: Profile, nodes: I64) -> Part | None:
    """What is live at the fullest of the ``nodes`` of the liveness tree; None if the file does not say."""
    own, tree = profile.live_variables, profile.liveness
    if own is None or tree is None:
        return None
    node = fullest_node(profile, nodes)
    variables = None if node is None else variables_at(profile, np.array([node], np.int64), always=False)
    if node is None or variables is None:
        return None
    step = step_of_node(tree, node)
    where = tr("node {node:,}", node=node) if step is None else tr("program step {step:,}", step=step)
    known = own.size[variables]
    help_ = tr(
        "The node with the most live bytes among this program and those below it, without the always-live bytes."
    )
    what = plural("{count:,} variable at {where}", "{count:,} variables at {where}", count=len(variables), where=where)
    facts = [Fact(tr("Temporarily live"), (what,), help_)]
    if bool(np.any(known >= 0)):
        facts.append(
            Fact(tr("Total size"), (Amount(int(known[known >= 0].sum()), "B"),), tr("Sum of the sizes listed."))
        )
    if len(variables) > MOST_LISTED:
        smaller = tr("{count:,} smaller: see the Liveness panel", count=len(variables) - MOST_LISTED)
        facts.append(Fact(tr("Not listed"), (smaller,)))
    pointers = [Pointer((where,), Selection("liveness", (node,), SOURCE))]
    for variable in variables[:MOST_LISTED].tolist():
        size = int(own.size[variable])
        amount = (" · ", Amount(size, "B")) if size >= 0 else ()
        pointers.append(Pointer((name_of(profile, variable), *amount), Selection("live_variable", (variable,), SOURCE)))
    return Part(tr("Live variables"), tuple(facts), tuple(pointers))


MOST_AROUND: Final = 10
"""Of more ancestors only the nearest are listed."""


def path_part(profile: Profile, index: int) -> Part | None:
    """The call path to the first place where the program is met; None for one at the top, or that nothing runs."""
    own = profile.programs
    if own is None or not 0 <= index < len(own):
        return None
    parent = walk(np.concatenate((own.control, own.functions)).astype(np.int64), edges(own)).parent
    around: list[int] = []
    while (index := int(parent[index])) >= 0:
        around.append(index)
    if not around:
        return None
    listed = around[:MOST_AROUND][::-1]
    title = (
        tr("Path")
        if len(listed) == len(around)
        else tr("Path, nearest {count} of {around_count:,} levels", count=len(listed), around_count=len(around))
    )
    return Part(title, (), tuple(Pointer(_called(own, program), _selected(program)) for program in listed))


def _called(own: Programs, program: int) -> Words:
    kind = own.strings.get(int(own.type[program]), tr("program"))
    name = own.strings.get(int(own.name[program]), "")
    return (f"{name} ({kind})" if name else f"{kind} {program:,}",)


def _selected(program: int) -> Selection:
    return Selection("program", (program,), SOURCE)
