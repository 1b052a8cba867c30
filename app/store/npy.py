"""Writes a tensor as a NumPy file, piece by piece."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from app.analysis.popef.values import Dtype, decoded
from app.formats.errors import FormatError
from app.language import tr
from app.profile.popef import data_type
from app.store.outputs import output_file
from app.store.payload import OnProgress, Tensor, opened, pieces
from app.store.token import Token


def saved_as(tensor: Tensor) -> Dtype:
    """The dtype of the saved elements: bool for BOOL (nonzero is true), float32 for the two float8 formats that can be
    decoded, else the tensor's own."""
    if data_type(tensor.data_type) == "BOOL":
        return np.dtype(np.bool_)
    return decoded(np.zeros(0, tensor.stored), tensor.data_type).dtype


def save(tensor: Tensor, path: Path, token: Token, report: OnProgress | None = None) -> None:
    """Write all of the tensor, or nothing: the file appears when it is complete. FormatError if the payload is shorter
    than the shape, OSError if ``path`` cannot be written, Cancelled between two pieces."""
    if tensor.there < tensor.elements:
        raise FormatError(
            tr(
                "the shape has {elements:,} elements, but the payload contains {there:,}; it cannot be saved",
                elements=tensor.elements,
                there=tensor.there,
            ),
            path=str(tensor.payload.path),
            offset=tensor.payload.offset,
        )
    target = saved_as(tensor)
    head = {"descr": npy.dtype_to_descr(target), "fortran_order": False, "shape": tensor.shape}
    inputs = [tensor.payload.path]
    with output_file(path, inputs) as part, part.open("wb") as file, opened(tensor.payload) as source:
        npy.write_array_header_1_0(file, head)
        for values in pieces(tensor, source, token, report):
            file.write((values != 0 if target.kind == "b" else values.astype(target, copy=False)).tobytes())
