"""The matrices of a Poplar profile: bytes and cycles by compute set, vertex type and exchange."""

from __future__ import annotations

from collections.abc import Iterator

from app.analysis.matrix import Matrix
from app.analysis.poplar.names import (
    EXCHANGE_TITLES,
    compute_set_names,
    exchange_names,
    numbered_exchanges,
    vertex_type_names,
)
from app.analysis.poplar.numbers import Measured, counted
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import Integers
from app.profile.poplar import EXCHANGE_KINDS, SHARED_KINDS, ExchangeKind
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings

SHARED = tr(
    "Code shared by several compute sets or vertex types is counted in each of them, so sums count it several times. "
    "Memory by category shows the actual amount of code."
)


def matrices(profile: Profile) -> list[Matrix]:
    """All matrices of the profile; none is copied."""
    return [*_compute_sets(profile), *_bytes(profile), *_exchanges(profile), *_measured(profile)]


def _compute_sets(profile: Profile) -> Iterator[Matrix]:
    sets = profile.compute_sets
    if sets is None:
        return
    names = compute_set_names(profile, sets.count)
    group = tr("Compute sets, estimated cycles")
    if sets.cycles is not None:
        help_ = tr("Estimated cycles of each tile (computeSets.cycleEstimates.cyclesByTile).")
        yield Matrix(
            "compute-set-cycles", tr("Cycles (estimate)"), group, sets.cycles, "cycles", help_, "compute_set", names
        )
    if sets.active_cycles is not None:
        help_ = tr("Estimated cycles in which a thread runs (computeSets.cycleEstimates.activeCyclesByTile).")
        yield Matrix(
            "compute-set-active-cycles",
            tr("Active cycles (estimate)"),
            group,
            sets.active_cycles,
            "cycles",
            help_,
            "compute_set",
            names,
        )
    if sets.active_cycles_by_type is not None:
        help_ = tr("Estimated active cycles by vertex type (computeSets.cycleEstimates.activeCyclesByVertexType).")
        types = vertex_type_names(profile, sets.active_cycles_by_type.shape[1])
        yield Matrix(
            "compute-set-type-cycles",
            tr("Active cycles by vertex type (estimate)"),
            group,
            sets.active_cycles_by_type,
            "cycles",
            help_,
            "compute_set",
            names,
            "vertex_type",
            types,
        )


def _bytes(profile: Profile) -> Iterator[Matrix]:
    of_sets, of_types = profile.compute_set_bytes, profile.vertex_type_bytes
    if of_sets is not None:
        yield from _byte_kinds(profile, of_sets.matrices, "compute_set", "byComputeSet")
    if of_types is not None:
        yield from _byte_kinds(profile, of_types.matrices, "vertex_type", "byVertexType")


def _byte_kinds(profile: Profile, matrices: dict[str, Integers], rows: Kind, key: str) -> Iterator[Matrix]:
    for kind, values in matrices.items():
        of_sets = rows == "compute_set"
        names = compute_set_names(profile, len(values)) if of_sets else vertex_type_names(profile, len(values))
        shared = kind in SHARED_KINDS
        help_ = f"memory.{key}.{kind}. {SHARED}" if shared else f"memory.{key}.{kind}."
        yield Matrix(
            f"{rows.replace('_', '-')}-{BYTE_IDS.get(kind, kind)}",
            BYTE_TITLES.get(kind, kind),
            tr("Compute sets, bytes") if of_sets else tr("Vertex types, bytes"),
            values,
            "B",
            help_,
            rows,
            names,
            column_summary="maximum" if shared else "sum",
        )


BYTE_TITLES = {
    "codeBytes": tr("Code bytes"),
    "copyPtrBytes": tr("Copy pointer bytes"),
    "descriptorBytes": tr("Descriptor bytes"),
    "edgePtrBytes": tr("Edge pointer bytes"),
    "paddingBytes": tr("Padding bytes"),
    "vertexDataBytes": tr("Vertex data bytes"),
    "totalBytes": tr("Total bytes"),
}
BYTE_IDS = {kind: title.english.lower().replace(" ", "-") for kind, title in BYTE_TITLES.items()}
"""Parts of ids, which are the same in every language."""

_EXCHANGE_KEYS: dict[ExchangeKind, str] = {
    "internal": "exchanges",
    "external": "externalExchanges",
    "host": "hostExchanges",
}


def _exchanges(profile: Profile) -> Iterator[Matrix]:
    exchanges = profile.exchanges
    for kind in EXCHANGE_KINDS if exchanges is not None else ():
        own = exchanges.of(kind) if exchanges is not None else None
        if own is None or exchanges is None or not len(own):
            continue
        names, key, group = (
            exchange_names(profile, kind),
            _EXCHANGE_KEYS[kind],
            EXCHANGE_TITLES[kind],
        )
        cycles = tr("Cycles") if kind == "internal" else tr("Cycles (estimate)")
        parts: tuple[tuple[str, str, Integers | None, Unit], ...] = (
            ("sent", tr("Bytes sent"), own.sent, "B"),
            ("received", tr("Bytes received"), own.received, "B"),
            ("cycles", cycles, own.cycles, "cycles"),
            ("code", tr("Code bytes"), own.code, "B"),
        )
        for name, title, values, unit in parts:
            if values is not None:
                yield Matrix(
                    f"{kind}-exchange-{name}",
                    title,
                    group,
                    values,
                    unit,
                    tr("{key}, {title} per exchange and tile.", key=key, title=title.lower()),
                    "exchange",
                    names,
                    first_row=exchanges.first(kind),
                )


def _measured(profile: Profile) -> Iterator[Matrix]:
    measured = profile.measured_cycles
    if measured is None:
        return
    group = tr("Measured cycles")
    if measured.compute_sets is not None:
        names = compute_set_names(profile, len(measured.compute_sets))
        label, words = _counted(profile, "compute_sets")
        help_ = tr("computeSetCyclesByTile of the execution profile. {words}", words=words)
        yield Matrix(
            "measured-compute-sets",
            tr("Compute sets ({label})", label=label),
            group,
            measured.compute_sets,
            "cycles",
            help_,
            "compute_set",
            names,
        )
    kinds: tuple[tuple[ExchangeKind, Measured, Integers | None], ...] = (
        ("external", "external_exchanges", measured.external_exchanges),
        ("host", "host_exchanges", measured.host_exchanges),
    )
    for kind, key, values in kinds:
        if values is not None:
            label, words = _counted(profile, key)
            names = exchange_names(profile, kind)
            fits = len(names) == len(values)
            yield Matrix(
                f"measured-{kind}-exchanges",
                tr("{title} ({label})", title=EXCHANGE_TITLES[kind], label=label),
                group,
                values,
                "cycles",
                tr("{kind}ExchangeCycles of the execution profile. {words}", kind=kind, words=words),
                "exchange",
                names if fits else Strings.of(numbered_exchanges(kind, len(values))),
                first_row=profile.exchanges.first(kind) if profile.exchanges is not None else 0,
            )


def _counted(profile: Profile, measured: Measured) -> tuple[str, str]:
    """What the values count, as a few words and as a sentence."""
    counting = counted(profile, measured)
    return ("", "") if counting is None else (counting.label, counting.words)
