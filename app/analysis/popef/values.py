"""Converts the bytes of a tensor to numbers.

BOOL is one byte per element and not converted, so that values other than 0 and 1 remain visible. The two float8 formats
are decoded as the format families that their names suggest: F8143 has 4 bits of exponent with bias 8 and 3 of mantissa
(largest 240), F8152 has 5 with bias 16 and 2 (largest 57,344); 0x80 is NaN, there are no infinities. A power of two may
scale them, which PopEF does not store, so the values are unscaled. Plain F8 does not say which format it is, and stays
bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from app.language import tr
from app.profile.arrays import F32, Array
from app.profile.popef import DATA_TYPES

Dtype: TypeAlias = np.dtype[Any]

STORED = {
    "BOOL": "u1",
    "F8": "u1",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "S8": "i1",
    "U8": "u1",
    "S16": "<i2",
    "U16": "<u2",
    "S32": "<i4",
    "U32": "<u4",
    "S64": "<i8",
    "U64": "<u8",
    "F8143": "u1",
    "F8152": "u1",
}
FLOAT8 = {"F8143": (4, 3, 8), "F8152": (5, 2, 16)}
"""Bits of exponent, bits of mantissa, bias."""

UNSCALED = tr("float8 values are unscaled: PopEF does not store the power of two by which they may be scaled")
RAW_FLOAT8 = tr("F8 does not state the kind of float8, so its bytes are shown as integers")


def stored_as(data_type: int) -> Dtype | None:
    """The dtype of elements in the payload; None for an unknown data type."""
    return np.dtype(STORED[DATA_TYPES[data_type].name]) if 0 <= data_type < len(DATA_TYPES) else None


def decoded(stored: Array, data_type: int) -> Array:
    """Elements as numbers, in their own type; the two float8 formats as float32."""
    name = DATA_TYPES[data_type].name
    return float8_table(name)[stored] if name in FLOAT8 else stored


def remark(data_type: int) -> str:
    """A remark to display beside values of this type; "" for most."""
    name = DATA_TYPES[data_type].name if 0 <= data_type < len(DATA_TYPES) else ""
    return UNSCALED if name in FLOAT8 else RAW_FLOAT8 if name == "F8" else ""


@lru_cache(maxsize=2)
def float8_table(name: str) -> F32:
    """float32[256]: the value of each byte (exact: float32 holds them all)."""
    exponent_bits, mantissa_bits, bias = FLOAT8[name]
    codes = np.arange(256)
    exponent = codes >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = (codes & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
    size = np.where(exponent > 0, np.ldexp(1 + mantissa, exponent - bias), np.ldexp(mantissa, 1 - bias))
    values = np.where(codes & 0x80, -size, size)
    values[0x80] = np.nan
    table = values.astype(np.float32)
    table.flags.writeable = False
    return table
