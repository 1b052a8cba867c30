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
    uneven_work: float = 5.0
    vector_pair: float = 10.0
    outside_blocks: float = 20.0
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
    register_limit: float = 32.0
    register_use: float = 90.0
    compute_imbalance: float = 10.0
    thread_use: float = 50.0
    exchange: float = 25.0
    host: float = 10.0
    unbuffered: float = 2.0
    small_step: float = 1000.0
    repeated: float = 20.0
    small_steps: float = 2.0
    rearrangement: float = 5.0
    hot_compute_set: float = 20.0
    code: float = 30.0
    constants: float = 20.0
    rearranged_copies: float = 10.0
    gaps: float = 15.0
    unused_tiles: float = 5.0
    always_live: float = 75.0
    compiling: float = 50.0
    idle: float = 5.0
    input_bound: float = 50.0
    exposed_communication: float = 10.0
    late_launches: float = 10.0
    launch_gaps: float = 10.0
    exposed_in_step: float = 20.0
    free: float = 10.0
    late_rank: float = 1.0
    pipeline_wait: float = 10.0
    uneven_ranks: float = 5.0
    slow_link: float = 80.0
    small_packets: float = 20.0
    bound_kernels: float = 5.0
    ai_cpu_kernel: float = 20.0
    reserved_memory: float = 20.0
    memory_calls: float = 10_000.0
    synchronizing: float = 50.0
    data_loading: float = 10_000.0
    dispatch_gaps: float = 10.0
    data_wait: float = 20.0
    idle_worker_cores: float = 10.0
    uneven_worker_cores: float = 10.0
    operation_gaps: float = 10.0
    busy_link: float = 65.0
    bound_operations: float = 5.0
    low_use: float = 30.0
    l1_full: float = 90.0
    stalled_tile: float = 20.0
    uneven_tiles: float = 25.0
    regression: float = 2.0


DEFAULT: Final = Thresholds()


class Limit(Struct, frozen=True):
    """A threshold for readers (``title``), what it is compared with (``help``), its ``unit`` ("" for a count), and why
    its default is what it is. The command line calls thresholds by their names in LIMITS."""

    title: str
    unit: Unit
    help: str
    reason: str


LIMITS: Final[dict[str, Limit]] = {
    "unused_cores": Limit(
        tr("Cores without a block"),
        "%",
        tr("Report if at least this percentage of the chip's cores has no block."),
        tr("Fewer idle cores cannot save more than this share of the time."),
    ),
    "last_wave": Limit(
        tr("Last wave"),
        "%",
        tr("Report if the last wave uses less than this percentage of the cores."),
        tr("If more than half of the cores are busy, another division of the blocks gains little."),
    ),
    "memory_imbalance": Limit(
        tr("Memory imbalance"),
        "%",
        tr("Report if the fullest tile exceeds the mean by at least this percentage."),
        tr("Real graphs stay below a quarter. Larger outliers decide whether the graph fits."),
    ),
    "memory_full": Limit(
        tr("Full tile"),
        "%",
        tr("An imbalance is a warning if the fullest tile uses at least this percentage of its memory."),
        tr("Alignment and the next change of a model easily take the last tenth."),
    ),
    "uneven_work": Limit(
        tr("Uneven work"),
        "%",
        tr("Report if even work would save at least this percentage of the operator (else of the longest core)."),
        tr("Blocks of equal work differ by a few percent from one run to the next."),
    ),
    "vector_pair": Limit(
        tr("Vector cores of a block"),
        "%",
        tr("Report if the two vector cores of the longest block differ by at least this percentage of its time."),
        tr("Both do the same kind of work; a tenth is more than their spread."),
    ),
    "outside_blocks": Limit(
        tr("Time outside the blocks"),
        "%",
        tr("Report if at least this percentage of the operator's time passes outside its blocks."),
        tr("Launch and synchronisation take some microseconds, which longer operators do not notice."),
    ),
    "frequency": Limit(
        tr("Clock frequency"),
        "%",
        tr("Report if the chip runs at least this percentage below its rated frequency."),
        tr("The vendor warns from 5 %. From 3 %, times of two runs are not comparable."),
    ),
    "l2_hits": Limit(
        tr("L2 hit rate"),
        "%",
        tr("Report if less than this percentage of the L2 cache accesses hits."),
        tr("Below one half, most accesses go to main memory."),
    ),
    "small_transfer": Limit(
        tr("Size of small transfers"),
        "B",
        tr("Transfers with main memory below this size count as small."),
        tr("One line of the L2 cache has 512 bytes; smaller transfers move it in part."),
    ),
    "small_transfers": Limit(
        tr("Small transfers"),
        "%",
        tr("Report if at least this percentage of the transfers is small."),
        tr("A few small transfers (tails, scalars) are normal."),
    ),
    "misaligned": Limit(
        tr("Unaligned transfers"),
        "%",
        tr("Report if at least this percentage of the transfers has an unaligned address."),
        tr("A few at the edges of a tensor are normal."),
    ),
    "pipe_wait": Limit(
        tr("Waits between pipes"),
        "%",
        tr("Report if a pipe waits for another one for at least this percentage of the core's time."),
        tr("Every hand-over of data between two pipes has short waits."),
    ),
    "overlap": Limit(
        tr("Missing overlap"),
        "%",
        tr("Report waits and missing overlap if overlap could save at least this percentage of the core's time."),
        tr("In every operator, the first transfer and the last result overlap with nothing."),
    ),
    "scalar_head": Limit(
        tr("Scalar work at the start"),
        "%",
        tr("Report if at least this percentage of the core's time passes before its first transfer or computation."),
        tr("Reading the arguments takes some time in every operator."),
    ),
    "scalar": Limit(
        tr("Scalar unit"),
        "%",
        tr("Report if the scalar unit is active in at least this percentage of the cycles."),
        tr("The vendor also calls a pipe busy only from 80 % (roofline)."),
    ),
    "conflicts": Limit(
        tr("Bank and resource conflicts"),
        "%",
        tr("Report if bank and resource conflicts reach this percentage of the vector instructions (or cycles)."),
        tr("Real operators without a problem stay at a few percent."),
    ),
    "icache_misses": Limit(
        tr("Instruction cache misses"),
        "%",
        tr("Report if at least this percentage of the instruction cache accesses misses."),
        tr("The first pass over any code misses; later passes of a loop hit."),
    ),
    "hot_line": Limit(
        tr("Hottest line"),
        "%",
        tr("Report if a single line (or instruction) has at least this percentage of the total cost."),
        tr("Optimising a single place pays off from about a fifth of the whole."),
    ),
    "stall_reason": Limit(
        tr("Stall reason"),
        "%",
        tr("Report if at least this percentage of the stall samples has the same reason."),
        tr("There are eight reasons; one with 40 % clearly dominates."),
    ),
    "register_limit": Limit(
        tr("Registers of a thread"),
        "",
        tr(
            "The registers that the compiler may use: 127 for up to 256 threads, 64 for 512, 32 for 1,024, 16 for "
            "2,048 (__launch_bounds__). If more are live, the next larger of these applies."
        ),
        tr("Without __launch_bounds__, the compiler assumes 1,024 threads."),
    ),
    "register_use": Limit(
        tr("Live registers"),
        "%",
        tr("Report if at least this percentage of the registers of a thread is live at an instruction."),
        tr("Beyond the limit the compiler spills to memory, and a small change of the code can exceed it."),
    ),
    "compute_imbalance": Limit(
        tr("Imbalance of computing"),
        "%",
        tr("Report if computing steps lose at least this percentage of the run to imbalance."),
        tr("Every graph has some imbalance, because work does not divide evenly by tiles."),
    ),
    "thread_use": Limit(
        tr("Thread use"),
        "%",
        tr("Report if computing steps use less than this percentage of the threads."),
        tr("Below one half, three of the six threads of a tile have nothing to do."),
    ),
    "exchange": Limit(
        tr("Exchanges between tiles"),
        "%",
        tr("Report if exchanges between tiles without computing take at least this percentage of the run."),
        tr("Exchanges cannot overlap with computing on the same tile, so some share is always needed."),
    ),
    "host": Limit(
        tr("Host transfers"),
        "%",
        tr("Report if host transfers without computing take at least this percentage of the run."),
        tr("Prefetching is worth the effort from about a tenth of the run."),
    ),
    "unbuffered": Limit(
        tr("Host transfers without overlap"),
        "%",
        tr("Report if host transfers take at least this percentage of the run without any overlap."),
        tr("Below it, the memory for double buffering outweighs the saved time."),
    ),
    "small_step": Limit(
        tr("Length of short steps"),
        "cycles",
        tr("Steps below this number of cycles count as short."),
        tr("A sync between two steps takes some hundred cycles, as long as such a step."),
    ),
    "repeated": Limit(
        tr("Repetitions of a short step"),
        "",
        tr("Report if a short step is repeated at least this many times."),
        tr("For fewer repetitions, changing the program is not worthwhile."),
    ),
    "small_steps": Limit(
        tr("Short steps"),
        "%",
        tr("Report if the short steps of one name take at least this percentage of the run."),
        tr("Smaller shares are within the noise of two runs."),
    ),
    "rearrangement": Limit(
        tr("Rearrangement"),
        "%",
        tr("Report if rearranging steps take at least this percentage of the run."),
        tr("Every graph has some rearrangement. From a twentieth, another layout pays off."),
    ),
    "hot_compute_set": Limit(
        tr("Hot compute set"),
        "%",
        tr("Report if the steps of one compute set take at least this percentage of the run."),
        tr("Optimising a single place pays off from about a fifth of the whole."),
    ),
    "code": Limit(
        tr("Code"),
        "%",
        tr("Report if code takes at least this percentage of the fullest tile without gaps."),
        tr("In real networks, a tenth to a fifth is code."),
    ),
    "constants": Limit(
        tr("Constants"),
        "%",
        tr("Report if constants take at least this percentage of the fullest tile without gaps."),
        tr("In real networks, a few percent are constants."),
    ),
    "rearranged_copies": Limit(
        tr("Rearranged copies"),
        "%",
        tr("Report if rearranged copies take at least this percentage of the fullest tile without gaps."),
        tr("Every graph has some copies. From a tenth, another layout pays off."),
    ),
    "gaps": Limit(
        tr("Gaps"),
        "%",
        tr("Report if gaps take at least this percentage of the fullest tile."),
        tr("The regions of the memory leave some gaps on every tile."),
    ),
    "unused_tiles": Limit(
        tr("Empty tiles"),
        "%",
        tr("Report if at least this percentage of the tiles is empty."),
        tr("Some tiles stay empty where work does not divide evenly."),
    ),
    "always_live": Limit(
        tr("Always live"),
        "%",
        tr("Report if at least this percentage of the fullest tile is always live."),
        tr("Weights and code are always live. Above three quarters, little is left for activations."),
    ),
    "compiling": Limit(
        tr("Compilation"),
        "%",
        tr("Report if compilations take at least this percentage of the time of the log."),
        tr("Logs of short tests are mostly compilation, which is normal."),
    ),
    "idle": Limit(
        tr("Pauses between executions"),
        "",
        tr("Report if a pause between two executions is at least this many times the median."),
        tr("Checkpoints and ends of epochs cause pauses of a few times the median."),
    ),
    "input_bound": Limit(
        tr("Waiting for input"),
        "%",
        tr("Report if at least this percentage of the time of the executions passes before the next input arrives."),
        tr("This time may include the executions themselves, so a small share does not indicate a problem."),
    ),
    "exposed_communication": Limit(
        tr("Exposed communication"),
        "%",
        tr("Report if collectives run for at least this percentage of a device's time while no kernel computes."),
        tr("The last collective of a step overlaps with nothing in any run."),
    ),
    "late_launches": Limit(
        tr("Late launches"),
        "%",
        tr("Report if a device is idle for at least this percentage of its time until the next kernel is launched."),
        tr("The first kernels of a step are launched while the device is idle in any run."),
    ),
    "launch_gaps": Limit(
        tr("Gaps after launches"),
        "%",
        tr("Report if a device is idle for at least this percentage of its time although a kernel is launched."),
        tr("Every kernel needs some microseconds to start."),
    ),
    "exposed_in_step": Limit(
        tr("Exposed communication in training steps"),
        "%",
        tr("Report if communication runs for more than this percentage of a rank's steps while no kernel computes."),
        tr("The last collective of a step overlaps with nothing in any run."),
    ),
    "free": Limit(
        tr("Free time in training steps"),
        "%",
        tr("Report if neither kernels nor communication run for more than this percentage of a rank's steps."),
        tr("The vendor's advisor calls more than a tenth a problem."),
    ),
    "late_rank": Limit(
        tr("Late ranks"),
        "%",
        tr("Report if the others wait for a rank for more than this percentage of the steps."),
        tr("Ranks of equal work differ by less than one percent."),
    ),
    "pipeline_wait": Limit(
        tr("Waits of a pipeline"),
        "%",
        tr("Report if point-to-point operations take more than this percentage of a rank's steps."),
        tr("Every pipeline has a bubble at its start and end."),
    ),
    "uneven_ranks": Limit(
        tr("Uneven ranks"),
        "%",
        tr("Report if the computing times of the ranks differ by more than this percentage of the mean step."),
        tr("The vendor's advisor calls five percent a slow rank."),
    ),
    "slow_link": Limit(
        tr("Slow links"),
        "%",
        tr("Report links with less than this percentage of the median bandwidth of their transport."),
        tr("Links of one transport differ by a few percent."),
    ),
    "small_packets": Limit(
        tr("Small packets"),
        "%",
        tr("Report if more than this percentage of the bytes is in packets below 16 MB (SDMA) or 1 MB (RDMA)."),
        tr("The vendor's advisor uses the same limits."),
    ),
    "bound_kernels": Limit(
        tr("Kernels bound by memory or by nothing"),
        "%",
        tr("Report if the kernels of one type take more than this percentage of the time of all kernels."),
        tr("Faster kernels of a rarer type gain little."),
    ),
    "ai_cpu_kernel": Limit(
        tr("Kernels on the AI CPU"),
        "µs",
        tr("Report if a kernel on the AI CPU takes at least this long."),
        tr("The vendor's advisor uses the same limit."),
    ),
    "reserved_memory": Limit(
        tr("Reserved memory"),
        "%",
        tr("Report if the memory reserved at the peak exceeds the allocated one by more than this percentage."),
        tr("Caches of the allocator take some percent in any run."),
    ),
    "memory_calls": Limit(
        tr("Calls for memory of the device"),
        "µs",
        tr("Report if these calls together take more than this time per step."),
        tr("The vendor's advisor uses the same limit."),
    ),
    "synchronizing": Limit(
        tr("Synchronisations"),
        "%",
        tr("Report if there are more synchronisations with a stream than this percentage of the launches."),
        tr("The vendor's advisor calls one for two launches a problem."),
    ),
    "data_loading": Limit(
        tr("Loading of data"),
        "µs",
        tr("Report if a step waits longer than this for the data loader."),
        tr("The vendor's advisor uses the same limit."),
    ),
    "dispatch_gaps": Limit(
        tr("Gaps until tasks begin"),
        "%",
        tr("Report if cores in use wait at least this percentage of their time for tasks whose data are there."),
        tr("Every task needs some microseconds from its dispatch to its start."),
    ),
    "data_wait": Limit(
        tr("Waits for data of other tasks"),
        "%",
        tr("Report if cores in use wait at least this percentage of their time for what their next task depends on."),
        tr("At the start and the end of every graph, few tasks can run."),
    ),
    "idle_worker_cores": Limit(
        tr("Idle worker cores"),
        "%",
        tr("Report if at least this percentage of the cores in the device log runs no kernel."),
        tr("Fewer idle cores cannot save more than this share of the time."),
    ),
    "uneven_worker_cores": Limit(
        tr("Uneven worker cores"),
        "%",
        tr("Report if the slowest cores take this percentage of the kernel time longer than the mean."),
        tr("Work that does not divide evenly by the cores differs by some percent."),
    ),
    "operation_gaps": Limit(
        tr("Gaps between operations"),
        "%",
        tr("Report if devices wait between operations for at least this percentage of gaps and kernels."),
        tr("Profiling itself makes each gap longer by one or two microseconds."),
    ),
    "busy_link": Limit(
        tr("Busy DRAM or NoC"),
        "%",
        tr("An operation is bound by DRAM or the NoC if it uses at least this percentage of its bandwidth."),
        tr("The vendor's report calls operations bound from 65 % on."),
    ),
    "bound_operations": Limit(
        tr("Share of operations"),
        "%",
        tr("Report operations that are bound, far from their ideal or of mixed layouts from this share of time on."),
        tr("What takes less than a twentieth of the time is not worth the first look."),
    ),
    "low_use": Limit(
        tr("Far from the ideal"),
        "%",
        tr("An operation is far from its ideal if that is less than this percentage of its kernel time."),
        tr("The ideal of the performance model assumes that every core is busy, which few operations reach."),
    ),
    "l1_full": Limit(
        tr("Full L1"),
        "%",
        tr("Report if the fullest core uses at least this percentage of its L1."),
        tr("Circular buffers of kernels need room that reports do not count."),
    ),
    "stalled_tile": Limit(
        tr("Stalled tile"),
        "%",
        tr("Report if a tile waits at least this percentage of its time for one kind of stall."),
        tr("Less than a fifth of the time is rarely the first thing to change."),
    ),
    "uneven_tiles": Limit(
        tr("Unevenly stalled tiles"),
        "pp",
        tr("Report if a stall takes this much more of the time of one tile than of another."),
        tr("Tiles wait for one another while a run begins and ends, which alone makes shares differ."),
    ),
    "regression": Limit(
        tr("Difference from the baseline"),
        "%",
        tr("Report if a main figure differs from the baseline by at least this percentage."),
        tr("Two runs of the same program differ by about one percent."),
    ),
}


ALIASES: Final = {"block_imbalance": "uneven_work", "core_imbalance": "uneven_work"}
"""Names that thresholds had in earlier versions."""


def threshold_named(name: str) -> str:
    """The name in LIMITS of a threshold that may have an earlier one; "" for other names."""
    current = ALIASES.get(name, name)
    return current if current in LIMITS else ""


def described(names: Iterable[str], thresholds: Thresholds) -> str:
    """The thresholds of a rule with their values, one a line: ``Host transfers, 10 %. Report if …``."""
    return "\n".join(
        tr(
            "{title}, {value}. {help}",
            title=LIMITS[name].title,
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
    current = {threshold_named(name): float(value) for name, value in values.items() if is_value(value)}
    return Thresholds(**{name: value for name, value in current.items() if name})


def is_value(value: float) -> bool:
    """Whether ``value`` can be a threshold."""
    return math.isfinite(value) and value >= 0
