"""Exchanges of a Poplar graph: what they move, how long they take, how evenly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from app.analysis.poplar.columns import masked, max_column, optional, texts
from app.analysis.poplar.exchanges import Transfers, measured_of, row_balances, runs_of_exchanges, transfers
from app.analysis.poplar.graph import exchange_numbers
from app.analysis.poplar.names import all_exchange_names
from app.analysis.poplar.numbers import Measured, active_columns, counted, row_maxima, row_sums
from app.analysis.poplar.runs import sums_of_steps
from app.analysis.table import Coded, Column, Table
from app.language import joined, tr
from app.profile.arrays import F64, I64, Integers
from app.profile.poplar import EXCHANGE_KINDS, ExchangeKind, ExchangeList
from app.profile.profile import Profile
from app.profile.strings import Strings

_KEYS: dict[ExchangeKind, Measured] = {"external": "external_exchanges", "host": "host_exchanges"}
KINDS: Final[dict[ExchangeKind, str]] = {
    "internal": tr("internal"),
    "external": tr("external"),
    "host": tr("host"),
}
"""What tables call the kinds of exchanges."""
Parts = Sequence[tuple[ExchangeKind, ExchangeList]]


def exchanges(profile: Profile) -> Table | None:
    """One row per exchange: internal ones, then external, then host."""
    by_kind = profile.exchanges
    if by_kind is None or not len(by_kind):
        return None
    parts = [(kind, own) for kind in EXCHANGE_KINDS if (own := by_kind.of(kind)) is not None and len(own)]
    kinds = np.repeat([EXCHANGE_KINDS.index(kind) for kind, _ in parts], [len(own) for _, own in parts])
    numbers = np.concatenate([np.arange(len(own), dtype=np.int64) for _, own in parts])
    columns = [
        Column(
            "kind",
            tr("Kind"),
            Coded(kinds.astype(np.int32), Strings.of(KINDS[kind] for kind in EXCHANGE_KINDS)),
            role="kind",
        ),
        Column("number", tr("Number"), numbers, help=tr("Index in the file's list of that kind."), role="key"),
        texts(
            "name", tr("Name"), all_exchange_names(profile), len(numbers), tr("Name of the first program that runs it.")
        ),
        *_bytes(parts),
        *_cycles(profile, parts),
        *_balances(parts),
        *_runs(profile, len(numbers)),
    ]
    return Table("exchanges", tr("Exchanges"), tuple(columns), "exchange")


def _bytes(parts: Parts) -> Iterator[Column]:
    sums = (
        ("sent", tr("Bytes sent"), [own.sent for _, own in parts]),
        ("received", tr("Bytes received"), [own.received for _, own in parts]),
        ("code", tr("Code bytes"), [own.code for _, own in parts]),
    )
    for key, title, matrices in sums:
        if any(matrix is not None for matrix in matrices):
            yield masked(key, title, _each(parts, matrices, row_sums), "B", tr("Sum over tiles."))


def _cycles(profile: Profile, parts: Parts) -> Iterator[Column]:
    help_: str = tr("Exact for internal exchanges, estimates for the others.")
    cycles = _each(parts, [own.cycles for _, own in parts], row_maxima)
    yield max_column("cycles", tr("Cycles"), cycles, "cycles", help_, cycles < 0)
    measured = [_measured(profile, kind, own) for kind, own in parts]
    if any(matrix is not None for matrix in measured):
        words = [counting.words for key in _KEYS.values() if (counting := counted(profile, key)) is not None]
        help_ = " ".join((tr("As counted by the hardware."), *words))
        values = _each(parts, measured, row_maxima)
        yield max_column("measured", tr("Measured cycles"), values, "cycles", help_, values < 0)


def _balances(parts: Parts) -> Iterator[Column]:
    tiles = _each(parts, [own.cycles for _, own in parts], active_columns)
    yield masked("tiles", tr("Busy tiles"), tiles, help_=tr("Number of tiles with cycles."))
    data, time = (np.concatenate([figure(own) for _, own in parts]) for figure in (_data_balance, _time_balance))
    yield Column(
        "data_balance", tr("Data balance"), data, help=tr("Bytes sent and received / (maximum of a tile x tiles).")
    )
    yield Column("cycle_balance", tr("Tile balance"), time, help=tr("Sum of the cycles / (longest x tiles)."))


def _data_balance(own: ExchangeList) -> F64:
    if own.sent is None or own.received is None or own.sent.shape != own.received.shape:
        return np.full(len(own), np.nan)
    return row_balances(own.sent, own.received)[0]


def _time_balance(own: ExchangeList) -> F64:
    return np.full(len(own), np.nan) if own.cycles is None else row_balances(own.cycles)[0]


def _runs(profile: Profile, count: int) -> Iterator[Column]:
    runs, steps = runs_of_exchanges(profile), profile.steps
    if runs is None or steps is None:
        return
    yield from optional("runs", tr("Runs"), runs, count, help_=tr("Steps that ran it."))
    numbers = exchange_numbers(profile, steps).astype(np.int32)
    cycles, data = (sums_of_steps(numbers, values, count) for values in (steps.cycles, steps.data))
    yield masked("run_cycles", tr("Cycles, all runs"), cycles, "cycles", tr("Sum of its steps' own cycles."))
    yield masked(
        "data", tr("Data, all runs"), data, "B", tr("Sum of the data moved by its steps, as stated in the file.")
    )
    clock = profile.target.clock_hz if profile.target is not None else None
    if clock:
        rate = np.full(count, np.nan)
        np.divide(data * clock, cycles * 1e9, out=rate, where=(cycles > 0) & (data >= 0))
        yield Column("bandwidth", tr("Bandwidth"), rate, "GB/s", tr("Data of its steps / (their cycles / clock)."))


def _each(parts: Parts, matrices: Sequence[Integers | None], figure: Callable[[Integers], I64]) -> I64:
    """The figure of each row of all lists, -1 where a list has no such matrix."""
    values = [
        np.full(len(own), -1, np.int64) if matrix is None else figure(matrix)
        for matrix, (_, own) in zip(matrices, parts, strict=True)
    ]
    return np.concatenate(values)


def _measured(profile: Profile, kind: ExchangeKind, own: ExchangeList) -> Integers | None:
    matrix = measured_of(profile.measured_cycles, kind)
    return matrix if matrix is not None and len(matrix) == len(own) else None


_CYCLES: Final[dict[ExchangeKind, str]] = {
    "internal": tr("Internal cycles (exact)"),
    "external": tr("External cycles (estimate)"),
    "host": tr("Host cycles (estimate)"),
}


def _listed(kinds: tuple[ExchangeKind, ...]) -> str:
    *first, last = (KINDS[kind] for kind in kinds)
    return tr("{first} and {last}", first=joined(", ", first), last=last) if first else last


def per_tile(profile: Profile, moved: Transfers) -> Table:
    """The sums in ``moved`` as a table, one row per tile."""
    columns = [Column("tile", tr("Tile"), np.arange(moved.tiles, dtype=np.int64), role="key")]
    target = profile.target
    if target is not None and target.tiles_per_ipu and target.tiles_per_ipu > 0:
        columns.append(Column("ipu", "IPU", np.arange(moved.tiles) // target.tiles_per_ipu, role="key"))
    amounts = (
        ("sent", tr("Bytes sent"), moved.sent),
        ("received", tr("Bytes received"), moved.received),
        ("code", tr("Code bytes"), moved.code),
    )
    for key, title, values in amounts:
        lacking = moved.lacking.get(key, ())
        help_ = (
            tr("Without {lacking} exchanges, which the file does not have.", lacking=_listed(lacking))
            if lacking
            else ""
        )
        if values is not None:
            columns.append(Column(key, title, values, "B", help_))
    for kind, values in moved.cycles.items():
        columns.append(Column(f"{kind}_cycles", _CYCLES[kind], values, "cycles"))
    for key, title, part in (
        ("estimated", tr("Estimated"), moved.estimated),
        ("measured", tr("Measured"), moved.measured),
    ):
        if part is not None and moved.measured is not None:
            help_ = tr("Only for measured exchanges.")
            columns.append(Column(key, tr("{title} cycles", title=title), part, "cycles", help_))
    return Table("exchanges-per-tile", tr("Exchanges per tile"), tuple(columns), "tile")


def all_per_tile(profile: Profile) -> Table | None:
    """The sums of all exchanges, each counted once."""
    summed = None
    if profile.exchanges is not None:
        summed = transfers(profile, np.arange(len(profile.exchanges), dtype=np.int64), all_runs=False)
    return None if summed is None else per_tile(profile, summed)
