"""Which examples hypothesis tries.

Always the same ones: a verdict changes only with the code that is tested, and never hangs on how busy the
machine is. ``--hypothesis-profile search`` looks for new ones.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

FIXED = "fixed"
settings.register_profile(
    FIXED, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile(
    "search", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, database=None
)
settings.load_profile(FIXED)


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis also draws on the constants in whatever modules are imported, so that examples change with every
    unrelated edit and with the choice of tests; not for the fixed ones. (No public switch as of 6.170.)"""
    if config.getoption("--hypothesis-profile", None) in (None, FIXED):
        none = Constants()
        providers._get_local_constants = lambda: none
