"""Which examples hypothesis uses.

They are always the same, so that a result changes only with the tested code and never depends on the load of the
machine. ``--hypothesis-profile search`` searches for new ones.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

FIXED = "fixed"
EXAMPLES = 60
"""Of a test that does not say how many; always the same ones, so that more would find nothing new in the next run."""
settings.register_profile(
    FIXED,
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "search", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, database=None
)
settings.load_profile(FIXED)


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis also uses constants of the imported modules, so that examples change with every unrelated edit and
    with the selection of tests; this disables it for the fixed profile. (There is no public switch as of 6.170.)"""
    if config.getoption("--hypothesis-profile", None) in (None, FIXED):
        none = Constants()
        providers._get_local_constants = lambda: none
