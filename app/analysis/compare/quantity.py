"""Numbers with units in conditions."""

from __future__ import annotations

from typing import Final

from app.language import tr

_SIZES: Final = {
    "B": 1.0,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "KiB": 1024.0,
    "MiB": 1024.0**2,
    "GiB": 1024.0**3,
    "TiB": 1024.0**4,
}
_TIMES: Final = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "μs": 1e-6, "us": 1e-6, "ns": 1e-9}
_RATES: Final = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}
_SHARES: Final = {"%": 1.0, "pp": 1.0}
_SCALES: Final = (_SIZES, _TIMES, _RATES, {"cycles": 1.0}, _SHARES, {"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12})


def converted(number: float, written: str, unit: str) -> float:
    """``number`` of the unit ``written`` in ``unit``; without a unit it is in that already. ValueError says why it
    cannot be converted."""
    if not written or written == unit:
        return number
    for scale in _SCALES:
        if written in scale and unit in scale:
            return number * (scale[written] / scale[unit])
    raise ValueError(
        tr("the unit of the figure is {unit}, not {written}", unit=unit or tr("plain numbers"), written=written)
    )
