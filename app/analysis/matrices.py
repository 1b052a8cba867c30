"""Every matrix of bytes or cycles, for the heat table and export."""

from __future__ import annotations

from app.analysis.matrix import Matrix, column_figures, row_figures
from app.analysis.poplar.matrices import matrices
from app.analysis.tensor_map.mapping import FEW, tensor_matrix
from app.profile.profile import Profile

__all__ = ["Matrix", "available", "column_figures", "matrix_of", "row_figures"]


def available(profile: Profile) -> list[Matrix]:
    """All matrices of the profile; only the last one, of mapped tensors, is computed on each call."""
    mapped = None if profile.tensor_map is None else tensor_matrix(profile.tensor_map, cells=FEW)
    return [*matrices(profile), *([] if mapped is None else [mapped])]


def matrix_of(profile: Profile, matrix_id: str) -> Matrix | None:
    """The matrix of that id; None if the profile has none, or only an empty one."""
    return next((matrix for matrix in available(profile) if matrix.id == matrix_id and matrix.values.size), None)
