"""Program counters, as the arguments of events write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from app.profile.arrays import I64

_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]{1,16}")


def parsed(addresses: Iterable[str | int | None]) -> I64:
    """int64[n]: hexadecimal texts and numbers; -1 for none, and for what is no address below 2^63."""
    return np.array([_parsed(address) for address in addresses], np.int64)


def _parsed(address: str | int | None) -> int:
    if isinstance(address, str):
        address = int(address, 16) if _HEX.fullmatch(address) else None
    return address if address is not None and 0 <= address < 1 << 63 else -1
