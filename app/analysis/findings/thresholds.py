"""From which figures on the rules say something."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.language import tr


class Thresholds(Struct, frozen=True):
    """Shares are in percent. See HELP for what each is compared with."""

    unused_cores: float = 10.0
    last_wave: float = 50.0
    memory_imbalance: float = 25.0
    memory_full: float = 90.0


DEFAULT: Final = Thresholds()

HELP: Final[dict[str, str]] = {
    "unused_cores": tr("Percent of the chip's cores without a block, from which on they are reported."),
    "last_wave": tr("Percent of the cores that the last wave uses, below which it is reported."),
    "memory_imbalance": tr("Percent by which the fullest tile exceeds the mean, from which on it is reported."),
    "memory_full": tr("Percent of its memory that the fullest tile uses, from which on an imbalance is a warning."),
}
