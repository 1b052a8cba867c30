"""What tests of texts share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dev_catalogues import texts_of
from dev_texts import Text


@pytest.fixture(scope="session")
def texts(root: Path) -> Sequence[Text]:
    """All marked texts of the program; parsing all modules takes seconds."""
    return tuple(texts_of(root))
