"""Worker cores and operations of Tenstorrent captures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.tenstorrent import core_names
from app.language import tr
from app.profile.profile import Profile
from app.profile.strings import Strings


def _cores(profile: Profile) -> Iterator[Named]:
    if profile.worker_cores is not None:
        yield Named(Strings.of(core_names(profile.worker_cores)))


def _core_traits(profile: Profile) -> list[Trait] | None:
    own = profile.worker_cores
    return None if own is None else numbers(own.device, own.x, own.y, own.logical)


def _operations(profile: Profile) -> Iterator[Named]:
    if profile.operations is not None:
        yield Named(profile.operations.strings, profile.operations.code)


def _operation_traits(profile: Profile) -> list[Trait] | None:
    own = profile.operations
    return None if own is None else [*texts(own.strings, own.code), *numbers(own.device, own.call)]


def _memory_operations(profile: Profile) -> Iterator[Named]:
    if profile.core_memory is not None:
        yield Named(profile.core_memory.strings, profile.core_memory.operations.name)


def _memory_operation_traits(profile: Profile) -> list[Trait] | None:
    own = profile.core_memory
    return None if own is None else numbers(own.operations.number)


KINDS: Final = (
    KindSpec(
        "worker_core",
        tr("worker core or tile"),
        tr("worker cores or tiles"),
        ("worker-cores", "noc-cores", "tile-events"),
        names=_cores,
        near=True,
        traits=_core_traits,
    ),
    KindSpec(
        "operation",
        tr("operation"),
        tr("operations"),
        ("operations",),
        names=_operations,
        near=True,
        traits=_operation_traits,
    ),
    KindSpec(
        "memory_operation",
        tr("operation of a memory report"),
        tr("operations of a memory report"),
        ("report-operations",),
        names=_memory_operations,
        near=True,
        traits=_memory_operation_traits,
    ),
)
