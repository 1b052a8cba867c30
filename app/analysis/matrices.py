"""Every matrix of bytes or cycles, for the heat table and export."""

from __future__ import annotations

from app.analysis.matrix import Matrix, column_figures, falling_rows, row_figures
from app.analysis.poplar.matrices import matrices
from app.profile.profile import Profile

__all__ = ["Matrix", "available", "by_id", "column_figures", "falling_rows", "row_figures"]


def available(profile: Profile) -> list[Matrix]:
    """All matrices of the profile; none is copied."""
    return matrices(profile)


def by_id(profile: Profile, matrix_id: str) -> Matrix | None:
    return next((matrix for matrix in available(profile) if matrix.id == matrix_id), None)
