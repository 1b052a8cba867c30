"""From which figures on the rules say something."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.language import tr


class Thresholds(Struct, frozen=True):
    """Shares are in percent, sizes in bytes, lengths in cycles. See HELP for what each is compared with."""

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
    hot_line: float = 20.0
    stall_reason: float = 40.0
    compute_imbalance: float = 10.0
    thread_use: float = 50.0
    exchange: float = 25.0
    host: float = 10.0
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
    regression: float = 2.0


DEFAULT: Final = Thresholds()

HELP: Final[dict[str, str]] = {
    "unused_cores": tr("Percent of the chip's cores without a block, from which on they are reported."),
    "last_wave": tr("Percent of the cores that the last wave uses, below which it is reported."),
    "memory_imbalance": tr("Percent by which the fullest tile exceeds the mean, from which on it is reported."),
    "memory_full": tr("Percent of its memory that the fullest tile uses, from which on an imbalance is a warning."),
    "block_imbalance": tr("Percent by which the longest block exceeds the mean, from which on it is reported."),
    "core_imbalance": tr("Percent by which the cycles of a sub-core exceed the mean of its kind."),
    "frequency": tr("Percent below the rated frequency."),
    "l2_hits": tr("Percent of accesses that hit the L2 cache, below which it is reported."),
    "small_transfer": tr("Bytes below which a transfer with main memory counts as small."),
    "small_transfers": tr("Percent of transfers that are small, from which on they are reported."),
    "misaligned": tr("Percent of transfers at odd addresses, from which on they are reported."),
    "hot_line": tr("Percent of the cost of all lines (or instructions) that a single one has."),
    "stall_reason": tr("Percent of the samples of stalls that have one reason."),
    "compute_imbalance": tr("Percent of the run that computing steps lose to imbalance, from which on it is reported."),
    "thread_use": tr("Percent of the threads that computing steps use, below which it is reported."),
    "exchange": tr("Percent of the run that exchanges between tiles take without computing."),
    "host": tr("Percent of the run that transfers with the host take without computing."),
    "small_step": tr("Cycles below which a step counts as short."),
    "repeated": tr("How often a short step is repeated, from which on it is reported."),
    "small_steps": tr("Percent of the run that the short steps of one name take."),
    "rearrangement": tr("Percent of the run that rearranging steps take."),
    "code": tr("Percent of the memory without gaps that is code."),
    "constants": tr("Percent of the memory without gaps that is constants."),
    "rearranged_copies": tr("Percent of the memory without gaps that is rearranged copies."),
    "gaps": tr("Percent of the fullest tile that is gaps."),
    "unused_tiles": tr("Percent of the tiles that hold nothing, from which on they are reported."),
    "compiling": tr("Percent of the time of a log that compilations take."),
    "idle": tr("How many times the median a pause between two executions is, from which on it is reported."),
    "regression": tr("Percent by which a main figure differs from the baseline, from which on it is reported."),
}
