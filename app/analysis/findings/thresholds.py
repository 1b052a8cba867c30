"""From which figures on the rules say something, and why from these."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from app.analysis.table import Unit
from app.language import tr


class Thresholds(Struct, frozen=True):
    """Shares are in percent, sizes in bytes, lengths in cycles. See LIMITS for what each is compared with."""

    unused_cores: float = 10.0
    last_wave: float = 50.0
    memory_imbalance: float = 25.0
    memory_full: float = 90.0
    block_imbalance: float = 10.0
    core_imbalance: float = 10.0
    frequency: float = 3.0
    l2_hits: float = 50.0
    small_transfer: float = 512.0
    small_transfers: float = 25.0
    misaligned: float = 5.0
    pipe_wait: float = 20.0
    overlap: float = 10.0
    scalar_head: float = 10.0
    scalar: float = 80.0
    conflicts: float = 10.0
    icache_misses: float = 10.0
    hot_line: float = 20.0
    stall_reason: float = 40.0
    compute_imbalance: float = 10.0
    thread_use: float = 50.0
    exchange: float = 25.0
    host: float = 10.0
    unbuffered: float = 2.0
    small_step: float = 1000.0
    repeated: float = 20.0
    small_steps: float = 2.0
    rearrangement: float = 5.0
    code: float = 30.0
    constants: float = 20.0
    rearranged_copies: float = 10.0
    gaps: float = 15.0
    unused_tiles: float = 5.0
    compiling: float = 50.0
    idle: float = 5.0
    input_bound: float = 50.0
    regression: float = 2.0


DEFAULT: Final = Thresholds()


class Limit(Struct, frozen=True):
    """What a threshold is compared with (``help``), its ``unit`` ("" for a count), and why its default is what it
    is."""

    unit: Unit
    help: str
    reason: str


LIMITS: Final[dict[str, Limit]] = {
    "unused_cores": Limit(
        "%",
        tr("Percent of the chip's cores without a block, from which on they are reported."),
        tr("Fewer idle cores cannot save more than this share of the time."),
    ),
    "last_wave": Limit(
        "%",
        tr("Percent of the cores that the last wave uses, below which it is reported."),
        tr("With more than half of the cores at work, another division of the blocks gains little."),
    ),
    "memory_imbalance": Limit(
        "%",
        tr("Percent by which the fullest tile exceeds the mean, from which on it is reported."),
        tr("Real graphs stay below a quarter; outliers above it decide whether the graph fits."),
    ),
    "memory_full": Limit(
        "%",
        tr("Percent of its memory that the fullest tile uses, from which on an imbalance is a warning."),
        tr("The last tenth is what alignment and the next change of a model easily take."),
    ),
    "block_imbalance": Limit(
        "%",
        tr("Percent by which the longest block exceeds the mean, from which on it is reported."),
        tr("Blocks of equal work differ by a few percent from one run to the next."),
    ),
    "core_imbalance": Limit(
        "%",
        tr("Percent by which the cycles of a sub-core exceed the mean of its kind."),
        tr("Cores with equal work differ by a few percent from one run to the next."),
    ),
    "frequency": Limit(
        "%",
        tr("Percent below the rated frequency."),
        tr("The vendor warns from 5 % on; from 3 % on, times of two runs do not compare."),
    ),
    "l2_hits": Limit(
        "%",
        tr("Percent of accesses that hit the L2 cache, below which it is reported."),
        tr("Below a half, most accesses pay for main memory."),
    ),
    "small_transfer": Limit(
        "B",
        tr("Bytes below which a transfer with main memory counts as small."),
        tr("One line of the L2 cache has 512 bytes; smaller transfers move it in part."),
    ),
    "small_transfers": Limit(
        "%",
        tr("Percent of transfers that are small, from which on they are reported."),
        tr("A few small ones (tails, scalars) are usual."),
    ),
    "misaligned": Limit(
        "%",
        tr("Percent of transfers at odd addresses, from which on they are reported."),
        tr("A few at the edges of a tensor are usual."),
    ),
    "pipe_wait": Limit(
        "%",
        tr("Percent of the time of a core that a pipe waits for another one, from which on it is reported."),
        tr("Short waits belong to every hand-over of data between two pipes."),
    ),
    "overlap": Limit(
        "%",
        tr("Percent of the time of a core that more overlap of transfers and computing could save."),
        tr("The first transfer and the last result overlap with nothing, in every operator."),
    ),
    "scalar_head": Limit(
        "%",
        tr("Percent of the time of a core before its first transfer or computation."),
        tr("Reading the arguments takes some time in every operator."),
    ),
    "scalar": Limit(
        "%",
        tr("Percent of the cycles in which the scalar unit is active, from which on it is reported."),
        tr("Below 80 % the vendor calls a pipe not busy either (roofline)."),
    ),
    "conflicts": Limit(
        "%",
        tr("Conflicts of banks and resources in percent of the vector instructions (or cycles)."),
        tr("Real operators without a problem stay at a few percent."),
    ),
    "icache_misses": Limit(
        "%",
        tr("Percent of the accesses to the instruction cache that miss, from which on it is reported."),
        tr("The first pass over any code misses; loops then hit."),
    ),
    "hot_line": Limit(
        "%",
        tr("Percent of the cost of all lines (or instructions) that a single one has."),
        tr("A fifth of the whole is where work on a single place is worth while."),
    ),
    "stall_reason": Limit(
        "%",
        tr("Percent of the samples of stalls that have one reason."),
        tr("There are eight reasons; one with 40 % clearly dominates."),
    ),
    "compute_imbalance": Limit(
        "%",
        tr("Percent of the run that computing steps lose to imbalance, from which on it is reported."),
        tr("Some imbalance is in every graph, as work does not divide evenly by tiles."),
    ),
    "thread_use": Limit(
        "%",
        tr("Percent of the threads that computing steps use, below which it is reported."),
        tr("Below a half, three of the six threads of a tile have nothing to do."),
    ),
    "exchange": Limit(
        "%",
        tr("Percent of the run that exchanges between tiles take without computing."),
        tr("Exchanges cannot run beside computing on the same tile, so some share is always needed."),
    ),
    "host": Limit(
        "%",
        tr("Percent of the run that transfers with the host take without computing."),
        tr("A tenth of the run is worth the work of prefetching."),
    ),
    "unbuffered": Limit(
        "%",
        tr("Percent of the run that transfers with the host take, from which on they should be beside computing."),
        tr("Below it, double buffering costs more memory than it saves time."),
    ),
    "small_step": Limit(
        "cycles",
        tr("Cycles below which a step counts as short."),
        tr("A sync between two steps takes some hundred cycles, as much as such a step."),
    ),
    "repeated": Limit(
        "",
        tr("How often a short step is repeated, from which on it is reported."),
        tr("Fewer repetitions are not worth a change of the program."),
    ),
    "small_steps": Limit(
        "%",
        tr("Percent of the run that the short steps of one name take."),
        tr("Less than that is lost in the spread between two runs."),
    ),
    "rearrangement": Limit(
        "%",
        tr("Percent of the run that rearranging steps take."),
        tr("Some rearrangement is in every graph; from a twentieth on, another layout pays."),
    ),
    "code": Limit(
        "%",
        tr("Percent of the memory without gaps that is code."),
        tr("Real networks have a tenth to a fifth of code."),
    ),
    "constants": Limit(
        "%",
        tr("Percent of the memory without gaps that is constants."),
        tr("Real networks have a few percent of constants."),
    ),
    "rearranged_copies": Limit(
        "%",
        tr("Percent of the memory without gaps that is rearranged copies."),
        tr("Some copies are in every graph; from a tenth on, another layout pays."),
    ),
    "gaps": Limit(
        "%",
        tr("Percent of the fullest tile that is gaps."),
        tr("The regions of the memory leave some gaps on every tile."),
    ),
    "unused_tiles": Limit(
        "%",
        tr("Percent of the tiles that hold nothing, from which on they are reported."),
        tr("Some tiles stay empty where work does not divide evenly."),
    ),
    "compiling": Limit(
        "%",
        tr("Percent of the time of a log that compilations take."),
        tr("Logs of short tests are mostly compilation, which is usual."),
    ),
    "idle": Limit(
        "",
        tr("How many times the median a pause between two executions is, from which on it is reported."),
        tr("Checkpoints and the end of an epoch make pauses of a few times the median."),
    ),
    "input_bound": Limit(
        "%",
        tr("Percent of the time of the executions that passes before the next input arrives."),
        tr("The executions themselves may be in this time, so a small share says nothing."),
    ),
    "regression": Limit(
        "%",
        tr("Percent by which a main figure differs from the baseline, from which on it is reported."),
        tr("Two runs of one program differ by about one percent."),
    ),
}


def described(names: Iterable[str], thresholds: Thresholds) -> str:
    """The thresholds of a rule with their values, one a line: ``host = 10 %: Percent of the run …``."""
    return "\n".join(
        tr(
            "{name} = {value}: {help}",
            name=name,
            value=f"{getattr(thresholds, name):g} {LIMITS[name].unit}".rstrip(),
            help=LIMITS[name].help,
        )
        for name in names
    )


def changed(thresholds: Thresholds) -> dict[str, float]:
    """The values that differ from the defaults, by name."""
    return {name: value for name in LIMITS if (value := getattr(thresholds, name)) != getattr(DEFAULT, name)}


def with_values(values: Mapping[str, float]) -> Thresholds:
    """The defaults with these values; unknown names, and values that are no thresholds, are ignored."""
    return Thresholds(**{name: float(value) for name, value in values.items() if name in LIMITS and is_value(value)})


def is_value(value: float) -> bool:
    """Whether ``value`` can be a threshold."""
    return math.isfinite(value) and value >= 0
