"""Sections about what programs, steps, compute sets, exchanges and tiles consist of, how their bytes and cycles spread
over tiles, and the steps that ran them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.memory import used
from app.analysis.part import Amount, Fact, Part, PartRow, Pointer, Words, sentence
from app.analysis.poplar.graph import descendants, edges
from app.analysis.poplar.liveness import fullest_node, name_of, step_of_node, variables_at
from app.analysis.poplar.matrices import BYTE_TITLES, SHARED
from app.analysis.poplar.names import TOTAL, instruction_words, instructions, vertex_type_names
from app.analysis.poplar.numbers import blocks
from app.analysis.poplar.tile_content import CONTENTS, ContentSpec, TileContents, TileItems
from app.analysis.relations import NONE, direct
from app.analysis.trees import walk
from app.language import Message, plural, tr
from app.profile.arrays import I64, Integers, among, distinct
from app.profile.poplar import EXCHANGE_KINDS, SHARED_KINDS, Programs
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.profile.strings import Strings

SCHEDULED: Final[tuple[Kind, Kind]] = ("compute_set", "exchange")


class Scope(Struct, frozen=True, eq=False):
    """int64 indices, ascending: ``programs`` (with all below them), ``sets`` and ``exchanges`` (numbered over all
    kinds) that they run, ``steps`` that ran these."""

    programs: I64
    sets: I64
    exchanges: I64
    steps: I64


def of_program(profile: Profile, index: I64) -> Scope | None:
    """The scope of one program; None if there is no such program."""
    own = profile.programs
    if own is None or not 0 <= index[0] < len(own):
        return None
    below = descendants(own, index)
    sets, exchanges = (direct(profile, "program", kind, below) for kind in SCHEDULED)
    return Scope(below, sets, exchanges, direct(profile, "program", "step", below))


def of_step(profile: Profile, index: I64) -> Scope | None:
    """The program that the step ran, and all steps of its compute set or exchange."""
    sets, exchanges = (direct(profile, "step", kind, index) for kind in SCHEDULED)
    programs = direct(profile, "step", "program", index)
    if not len(sets) and not len(exchanges) and not len(programs):
        return None
    kind, ran = (SCHEDULED[0], sets) if len(sets) else (SCHEDULED[1], exchanges)
    return Scope(programs, sets, exchanges, direct(profile, kind, "step", ran))


def of_slice(profile: Profile, index: I64) -> Scope | None:
    steps = direct(profile, "slice", "step", index)
    return of_step(profile, steps) if len(steps) else None


def of_compute_set(profile: Profile, index: I64) -> Scope:
    return Scope(NONE, index, NONE, direct(profile, "compute_set", "step", index))


def of_exchange(profile: Profile, index: I64) -> Scope:
    programs = direct(profile, "exchange", "program", index)
    return Scope(programs, NONE, index, direct(profile, "exchange", "step", index))


MOST_CELLS: Final = 30_000_000
"""Larger sums are skipped, because the user is waiting."""
ADDED: Final = tr("Sum over tiles, mean and median over all tiles, and the tile with the maximum.")


class _Series(Struct, frozen=True, eq=False):
    """``values``: int64[tiles]."""

    label: str
    unit: Literal["B", "cycles"]
    values: I64
    help: str = ADDED


def per_tile(profile: Profile, scope: Scope) -> Part | None:
    """The section; None if nothing of it is on any tile."""
    facts, worst = [], dict[str, tuple[int, Pointer]]()
    for series in (*_of_sets(profile, scope.sets), *_of_exchanges(profile, scope.exchanges)):
        tile = int(np.argmax(series.values)) if len(series.values) else 0
        most = int(series.values[tile]) if len(series.values) else 0
        if most > 0:
            facts.append(_fact(series, tile, most))
            if most > worst.get(series.unit, (0,))[0]:
                of = f" · {series.label.lower()}" if series.unit == "B" else ""
                text: Words = (tr("tile {tile:,} · ", tile=tile), Amount(most, series.unit), of)
                worst[series.unit] = most, Pointer(text, Selection("tile", (tile,), "details"))
    return Part(tr("On tiles"), tuple(facts), tuple(pointer for _, pointer in worst.values())) if facts else None


def _fact(series: _Series, tile: int, most: int) -> Fact:
    unit = series.unit
    where = sentence(tr("max {most} on\u00a0tile\u00a0{tile:,}", most=Amount(most, unit), tile=tile))
    total = int(series.values.sum())
    mean, median = total / len(series.values), float(np.median(series.values))
    middle = sentence(tr("mean {mean}, median {median}", mean=Amount(mean, unit), median=Amount(median, unit)))
    if series.unit == "cycles":  # the longest tile counts
        return Fact(series.label, (*where, ", ", *middle), series.help)
    return Fact(series.label, (Amount(total, unit), ", ", *middle, ", ", *where), series.help)


def _of_sets(profile: Profile, sets: I64) -> Iterator[_Series]:
    matrices = profile.compute_set_bytes.matrices if profile.compute_set_bytes is not None else {}
    for kind, matrix in matrices.items():
        shared = kind in SHARED_KINDS
        values = _added(matrix, sets) if len(sets) == 1 or not shared else None
        if values is not None:
            help_ = f"{ADDED} {SHARED}" if shared else ADDED
            yield _Series(BYTE_TITLES.get(kind, kind).removesuffix(" bytes"), "B", values, help_)
    if len(sets) != 1:
        return
    measured = profile.measured_cycles.compute_sets if profile.measured_cycles is not None else None
    estimate = profile.compute_sets.cycles if profile.compute_sets is not None else None
    for label, cycles in ((tr("Estimated cycles"), estimate), (tr("Measured cycles"), measured)):
        values = _added(cycles, sets)
        if values is not None:
            yield _Series(label, "cycles", values)


def _of_exchanges(profile: Profile, chosen: I64) -> Iterator[_Series]:
    exchanges = profile.exchanges
    parts = [
        (own, chosen[(chosen >= exchanges.first(kind)) & (chosen < exchanges.first(kind) + len(own))], kind)
        for kind in (EXCHANGE_KINDS if exchanges is not None else ())
        if exchanges is not None and (own := exchanges.of(kind)) is not None
    ]
    for label, key, unit in (
        (tr("Bytes sent"), "sent", "B"),
        (tr("Bytes received"), "received", "B"),
        (tr("Exchange code"), "code", "B"),
        (tr("Exchange cycles"), "cycles", "cycles"),
    ):
        if key == "cycles" and len(chosen) != 1:
            continue
        sums = [
            _added(getattr(own, key), rows - exchanges.first(kind))
            for own, rows, kind in parts
            if exchanges is not None and len(rows)
        ]
        known = [values for values in sums if values is not None]
        if known and len({len(values) for values in known}) == 1:
            yield _Series(label, "cycles" if unit == "cycles" else "B", np.sum(known, axis=0))


def _added(matrix: Integers | None, rows: I64) -> I64 | None:
    """int64[tiles]: the sum of the rows; None without any, or if there are too many."""
    if matrix is None:
        return None
    rows = rows[(rows >= 0) & (rows < len(matrix))]
    if not len(rows) or len(rows) * matrix.shape[1] > MOST_CELLS:
        return None
    out = np.zeros(matrix.shape[1], np.int64)
    for part in blocks(len(rows), matrix.shape[1]):
        out += matrix[rows[part]].sum(axis=0, dtype=np.int64)
    return out


SOURCE: Final = "details"
MOST_LISTED: Final = 6
MOST_FULLEST: Final = 5
MOST_COST: Final = 8_000_000
"""Longer sums are skipped, because the user is waiting; the table computes them in the background."""
IN_USE: Final = tr("Memory with gaps, which must fit. The shares below refer to this and add up to it in each list.")
TOO_MANY: Final = tr("Too many entries to add up here")


def contents_parts(contents: TileContents, chosen: I64) -> Iterator[Part]:
    """For the tiles ``chosen``: the fullest one if there are several, then the contents, largest first."""
    tiles = distinct(chosen[(chosen >= 0) & (chosen < contents.tiles)])
    if not len(tiles):
        return
    if len(tiles) > 1:
        yield from _fullest(contents, tiles)
    whole = contents.used(tiles)
    if whole is not None:
        title = plural("Memory contents", "Memory contents", count=len(tiles))
        yield Part(title, (Fact(tr("In use"), (Amount(whole, "B"),), IN_USE),))
    for kind, spec in CONTENTS.items():
        if contents.cost(kind, len(tiles)) > MOST_COST:
            yield Part(spec.title, (Fact(tr("Not shown"), (TOO_MANY,)),), rows=(_whole(spec, tiles, tr("All")),))
            continue
        taken = contents.taken(kind, tiles)
        if taken is not None:
            yield _part(spec, taken, tiles)
        elif kind == "variable":
            yield Part(spec.title, (Fact(tr("Unknown"), (spec.nothing,)),))


def _fullest(contents: TileContents, tiles: I64) -> Iterator[Part]:
    memory = contents.profile.tile_memory
    values = None if memory is None else used(memory)
    if values is None:
        return
    order = tiles[np.argsort(-values[tiles].astype(np.int64), kind="stable")][:MOST_FULLEST].tolist()
    pointers = (
        Pointer((tr("tile {tile:,} · ", tile=tile), Amount(int(values[tile]), "B")), Selection("tile", (tile,), SOURCE))
        for tile in order
    )
    yield Part(tr("Fullest tiles"), (), tuple(pointers))


def _part(spec: ContentSpec, taken: TileItems, tiles: I64) -> Part:
    """A table of the largest items, the sum of the others, and the remainders."""
    listed, count = range(min(len(taken.items), MOST_LISTED)), len(taken.items)
    rows = [
        PartRow(
            taken.names.strings.get(int(taken.names.ids[row]), tr("(no name)")),
            _size(taken, row),
            Selection(taken.kind, (int(taken.items[row]),), SOURCE),
        )
        for row in listed
    ]
    if count > MOST_LISTED:
        left = () if taken.bytes is None else _share(int(taken.bytes.known[MOST_LISTED:].sum()), taken.used)
        rows.append(_whole(spec, tiles, tr("{more:,} more", more=count - MOST_LISTED), left))
    rows += [PartRow(rest.title, _share(rest.bytes, taken.used), help=rest.help) for rest in taken.rests]
    return Part(spec.title, (), rows=tuple(rows))


def _whole(spec: ContentSpec, tiles: I64, name: str, cells: tuple[Words, ...] = ()) -> PartRow:
    """The row that leads to the table of all items, below the plot of tile memory."""
    chosen = Selection("tile", tuple(tiles.tolist()), SOURCE)
    help_ = tr("Show all of them in a table, below the plot of tile memory")
    return PartRow(name, cells, chosen, "tile_memory", spec.table, help_)


def _size(taken: TileItems, row: int) -> tuple[Words, ...]:
    """Bytes and share of an item; of one whose bytes are unknown, what else is known."""
    if taken.bytes is not None and taken.bytes.total[row] >= 0:
        return _share(int(taken.bytes.total[row]), taken.used)
    words: list[str | Amount] = []
    for key, values in taken.others.items():
        if values[row] < 0:
            continue
        words += [", " if words else "", *sentence(_OTHERS[key](Amount(int(values[row]), "B")))]
    return (tuple(words),)


_OTHERS: Final[dict[str, Callable[[Amount], Message]]] = {
    "overlapped": lambda amount: tr("{amount} overlapped", amount=amount),
    "code": lambda amount: tr("{amount} of code", amount=amount),
    "sent": lambda amount: tr("{amount} sent", amount=amount),
    "received": lambda amount: tr("{amount} received", amount=amount),
}
"""What further amounts of an item are, by their keys."""


def _share(bytes_: int, whole: int | None) -> tuple[Words, ...]:
    if not whole:
        return ((Amount(bytes_, "B"),),)
    return (Amount(bytes_, "B"),), (Amount(100.0 * bytes_ / whole, "%"),)


MOST_TYPES: Final = 8
MOST_VERTICES: Final = 1 << 45
"""Higher vertex counts are corrupt, and their sum could overflow."""
FIRST_STEPS: Final = 3
ADDED_STEPS: Final = tr("Sum of the steps' own cycles (cycles of the longest tile); steps may overlap.")


def program_parts(profile: Profile, index: I64) -> Iterator[Part]:
    """The program's call path, what is live in it, what it runs, and the steps that ran it."""
    path = path_part(profile, int(index[0]))
    if path is not None:
        yield path
    yield from liveness_parts(profile, direct(profile, "program", "liveness", index))
    yield from _run(profile, of_program, index)


def step_parts(profile: Profile, index: I64) -> Iterator[Part]:
    programs = direct(profile, "step", "program", index)
    yield from liveness_parts(profile, direct(profile, "program", "liveness", programs))
    yield from _run(profile, of_step, index)


def slice_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, of_slice, index)


def compute_set_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, of_compute_set, index)


def exchange_parts(profile: Profile, index: I64) -> Iterator[Part]:
    return _run(profile, of_exchange, index)


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
    inside = among(sets.vertex_types.owner, within.sets) & (sets.vertex_types.items >= 0)
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
    rows = table.bytes[among(table.program, within.programs)]
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
    facts += [Fact(instruction_words(kind), (Amount(size, "B"),), help_) for size, kind in some]
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
        facts.append(Fact(tr("Cycles"), (Amount(total, "cycles"),), ADDED_STEPS))
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


MOST_VARIABLES: Final = 8


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
    if len(variables) > MOST_VARIABLES:
        smaller = tr("{count:,} smaller: see the Liveness panel", count=len(variables) - MOST_VARIABLES)
        facts.append(Fact(tr("Not listed"), (smaller,)))
    pointers = [Pointer((where,), Selection("liveness", (node,), SOURCE))]
    for variable in variables[:MOST_VARIABLES].tolist():
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
