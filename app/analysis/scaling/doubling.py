"""How the parts of a program change with more replicas: two profiles of it side by side.

Scaling over replicas, sections 7.2 and 7.7: measure, double the replicas, measure again. Each replica then has as much
to do as before. A part whose time stays the same scales well: per sample it takes half. A part whose time doubles does
not scale at all.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.names import meaning
from app.analysis.scaling import amdahl
from app.analysis.scaling.gradients import StepNames
from app.analysis.scaling.loops import loops
from app.analysis.scaling.measure import Derived, measure, replicas_of
from app.analysis.scaling.quantities import a_count, above_zero
from app.analysis.table import Column, Table
from app.language import Message, labelled, plural, tr
from app.profile.arrays import F64, I64
from app.profile.poplar import Steps
from app.profile.profile import Profile

NEAR: Final = 0.1
"""A ratio this close to a factor counts as that factor."""
EXCHANGE_CODE: Final = ("internalExchangeCode", "globalExchangeCode", "hostExchangeCode")
"""Code for communication grows with the replicas and may fill the memory (section 7.7)."""

Verdict: TypeAlias = Literal["no data", "only in A", "only in B", "stays", "doubles", "halves", "grows", "shrinks"]
"""What happens to a part: for programs, the same in every language."""
WORDS: Final[dict[Verdict, Message]] = {
    "no data": tr("no data"),
    "only in A": tr("only in A"),
    "only in B": tr("only in B"),
    "stays": tr("stays"),
    "doubles": tr("doubles"),
    "halves": tr("halves"),
    "grows": tr("grows"),
    "shrinks": tr("shrinks"),
}
"""What a table shows of it."""
GROWN: Final[frozenset[Verdict]] = frozenset({"doubles", "grows", "only in B"})


class Sides(Struct, frozen=True):
    """The two profiles. ``replicas`` of A and of B, which has more; ``divided``: the number of repeats of the
    micro-batch loop by which the cycles of each side are divided, (1, 1) for the whole run."""

    a: Profile
    b: Profile
    replicas: tuple[int, int]
    divided: tuple[int, int]

    @property
    def factor(self) -> float:
        """How many times as many replicas B has."""
        return self.replicas[1] / self.replicas[0]

    @property
    def whole_run(self) -> bool:
        return self.divided == (1, 1)


def sides(a: Profile, b: Profile, replicas: tuple[int | None, int | None] = (None, None)) -> Sides:
    """The profiles as A and B, A with fewer replicas. ``replicas``: those of ``a`` and ``b``, if the user has given
    them. ValueError if they are unknown, or equal."""
    first, second = _replicas(a, replicas[0]), _replicas(b, replicas[1])
    if first == second:
        raise ValueError(
            plural("both profiles have {count:,} replica", "both profiles have {count:,} replicas", count=first)
        )
    if first > second:
        a, b, first, second = b, a, second, first
    runs = [loops(profile).of_micro_batches for profile in (a, b)]
    counted = [len(loop.starts) for loop in runs if loop is not None]
    divided = (counted[0], counted[1]) if len(counted) == 2 else (1, 1)
    return Sides(a, b, (first, second), divided)


def _replicas(profile: Profile, typed: int | None) -> int:
    measured = replicas_of(profile)[0]
    if typed is not None:
        a_count(typed, tr("replicas"))
        return typed
    if isinstance(measured, Derived):
        return int(measured.value)
    raise ValueError(tr("{profile} does not state its number of replicas: enter it", profile=profile.name))


def verdict(a: float, b: float, factor: float) -> Verdict:
    """What happens from ``a`` to ``b`` with ``factor`` times as many replicas (2 if they double); "doubles" and
    "halves" refer to that factor. NaN: the side has no such part."""
    above_zero(factor, "factor")
    if np.isnan(a) or np.isnan(b):
        if not np.nan_to_num(a) and not np.nan_to_num(b):
            return "no data"
        return "only in B" if np.isnan(a) else "only in A"
    if a == b:
        return "stays"
    ratio = b / a if a else np.inf
    known: tuple[tuple[float, Verdict], ...] = (
        (1.0, "stays"),
        (factor, "doubles"),
        (1 / factor, "halves"),
    )
    for wanted, word in known:
        if abs(ratio / wanted - 1) <= NEAR:
            return word
    return "grows" if ratio > 1 else "shrinks"


def tables(pair: Sides) -> list[Table]:
    """Kinds of steps, steps by name, categories of memory: those that both sides have."""
    made = [_steps(pair, by_name=False), _steps(pair, by_name=True), _memory(pair)]
    return [table for table in made if table is not None]


def _steps(pair: Sides, *, by_name: bool) -> Table | None:
    a, b = pair.a.steps, pair.b.steps
    if a is None or b is None or not len(a) or not len(b):
        return None
    left, right = _grouped(pair.a, a, by_name=by_name), _grouped(pair.b, b, by_name=by_name)
    keys = list(dict.fromkeys([*left, *right]))
    values = [[side.get(key, np.nan) for key in keys] for side in (left, right)]
    before, after = (np.array(own, np.float64) / n for own, n in zip(values, pair.divided, strict=True))
    order = _order(before, after)
    rows = [keys[row] for row in order.tolist()]
    heads = [Column("type", tr("Type"), tuple(kind for kind, _ in rows))]
    if by_name:
        heads.insert(0, Column("name", tr("Steps"), tuple(name or tr("(no name)") for _, name in rows)))
    help_ = tr("Cycles of these steps per repeat of the micro-batch loop.")
    note = tr("Values are per repeat of the micro-batch loop.")
    if pair.whole_run:
        help_, note = tr("Cycles of these steps in the whole run."), tr("Values are those of the whole run.")
    columns = _compared(before[order], after[order], pair.factor, "cycles", help_)
    share = Column(
        "per_sample",
        tr("Time of a sample, B / A"),
        _ratio(before[order], after[order]) / pair.factor,
        help=tr("B / A / factor of the replicas: 0.5 is ideal when they double, 1 means no improvement."),
    )
    title = tr("Steps by name") if by_name else tr("Kinds of steps")
    table_id = "scaling-steps" if by_name else "scaling-step-types"
    return Table(table_id, title, (*heads, *columns, share), note=_note(pair, note))


def _grouped(profile: Profile, steps: Steps, *, by_name: bool) -> dict[tuple[str, str], float]:
    """The steps' own cycles, summed by type and name."""
    known = np.flatnonzero(steps.cycles >= 0)
    names, texts = StepNames(profile, steps).texts() if by_name else (np.zeros(len(steps), np.int64), ("",))
    pairs, place = np.unique(np.stack([steps.type[known], names[known]], axis=1), axis=0, return_inverse=True)
    sums = np.bincount(place.reshape(-1), steps.cycles[known], minlength=len(pairs))
    cycles: dict[tuple[str, str], float] = {}
    for (kind, name), total in zip(pairs.tolist(), sums.tolist(), strict=True):
        key = steps.strings.get(kind, tr("without type")), texts[name]
        cycles[key] = cycles.get(key, 0.0) + total
    return cycles


def _memory(pair: Sides) -> Table | None:
    left, right = _categories(pair.a), _categories(pair.b)
    if not left or not right:
        return None
    keys = list(dict.fromkeys([*left, *right]))
    before, after = (np.array([side.get(key, np.nan) for key in keys]) for side in (left, right))
    code = np.array([key in EXCHANGE_CODE for key in keys])
    order = _order(before, after)
    order = order[np.argsort(~code[order], kind="stable")]
    head = Column("category", tr("Category"), tuple(keys[row] for row in order.tolist()))
    help_ = tr("Mean bytes on a tile of one replica: sum over the tiles / tiles.")
    columns = _compared(before[order], after[order], pair.factor, "B", help_)
    help_code = tr("Code for communication, which may grow with the replicas.")
    kind = Column("exchange_code", tr("Exchange code"), code[order], help=help_code)
    what = Column("meaning", tr("Meaning"), tuple(meaning(keys[row]) for row in order.tolist()))
    return Table(
        "scaling-memory",
        tr("Memory by category"),
        (head, *columns, kind, what),
        note=_note(pair, tr("Values are per tile.")),
    )


def _categories(profile: Profile) -> dict[str, float]:
    memory = profile.tile_memory
    if memory is None or memory.categories is None or not memory.tiles:
        return {}
    categories = memory.categories
    sums = np.bincount(
        categories.category, categories.bytes.sum(axis=1, dtype=np.int64), minlength=len(categories.names)
    )
    return {name: float(total) / memory.tiles for name, total in zip(categories.names, sums.tolist(), strict=True)}


def _compared(a: F64, b: F64, factor: float, unit: Literal["cycles", "B"], help_: str) -> tuple[Column, ...]:
    words = tuple(WORDS[verdict(x, y, factor)] for x, y in zip(a.tolist(), b.tolist(), strict=True))
    return (
        Column(
            "verdict",
            tr("When replicas double") if factor == 2 else tr("With {factor}x the replicas", factor=f"{factor:g}"),
            words,
            "",
            HELP,
        ),
        Column("a", "A", a, unit, help_, compared=BOTH),
        Column("b", "B", b, unit, help_, compared=BOTH),
        Column("difference", "B − A", b - a, unit, tr("Same unit as A and B."), compared=BOTH),
        Column("ratio", "B / A", _ratio(a, b)),
    )


BOTH: Final = tr("both profiles")
WITHIN: Final = f"{100 * NEAR:g} %"
HELP: Final = tr(
    "doubles, halves: by the factor of the replicas, within {within}; stays: equal within {within}; grows, shrinks: "
    "by another factor.",
    within=WITHIN,
)


def _order(a: F64, b: F64) -> I64:
    """Rows by falling difference, then by falling amount."""
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    return np.lexsort((-np.maximum(a, b), -np.abs(b - a)))


def _ratio(a: F64, b: F64) -> F64:
    out = np.full(len(a), np.nan)
    known = a > 0
    out[known] = b[known] / a[known]
    return out


def _note(pair: Sides, what: str) -> str:
    first, second = (plural("{count:,} replica", "{count:,} replicas", count=count) for count in pair.replicas)
    return tr(
        "A: {a} ({first}), B: {b} ({second}). {what}",
        a=pair.a.name,
        first=first,
        b=pair.b.name,
        second=second,
        what=what,
    )


def constant_share(pair: Sides) -> float | None:
    """The share of A's time that more replicas do not shorten (Karp and Flatt), from the time per sample in both
    runs: weight update / (replicas x accumulation), the micro-batch being the same. None if it cannot be measured
    in a run."""
    measurements = [measure(profile) for profile in (pair.a, pair.b)]
    times = []
    for own, replicas in zip(measurements, pair.replicas, strict=True):
        if not isinstance(own.update, Derived) or not isinstance(own.accumulation, Derived):
            return None
        times.append(own.update.value / (replicas * own.accumulation.value))
    return amdahl.constant_share(times[0], pair.replicas[0], times[1], pair.replicas[1])


def verdicts(table: Table) -> list[Verdict]:
    """The verdict of each row. Two of them may read alike in a language, so they are told apart by their words."""
    column = next(column for column in table.columns if column.key == "verdict")
    own: dict[object, Verdict] = {words.english: verdict for verdict, words in WORDS.items()}
    values = column.values if isinstance(column.values, tuple) else ()
    return [own[words.english] for words in values if isinstance(words, Message)]


def counts(table: Table) -> dict[Verdict, int]:
    """Number of rows with each verdict."""
    return dict(Counter(verdicts(table)))


def counted_words(table: Table) -> str:
    """Number of rows with each verdict, for people."""
    return ", ".join(labelled(WORDS[verdict], f"{count:,}") for verdict, count in counts(table).items())


def growing_exchange_code(table: Table) -> tuple[str, ...]:
    """The categories of exchange code that grow."""
    by_key = {column.key: column for column in table.columns}
    return tuple(
        str(by_key["category"].value(row))
        for row, verdict in enumerate(verdicts(table))
        if by_key["exchange_code"].value(row) and verdict in GROWN
    )
