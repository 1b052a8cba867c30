"""One of the matrices of a profile."""

from __future__ import annotations

from app.analysis.matrices import Matrix, available
from app.profile.profile import Profile


def by_id(profile: Profile, matrix_id: str) -> Matrix | None:
    return next((matrix for matrix in available(profile) if matrix.id == matrix_id), None)
