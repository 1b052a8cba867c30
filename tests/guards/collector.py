"""Collects cyclic garbage only between tests and in the main thread.

The program does the same (app.window.idle): a collection that happened to run in a loader's thread would
destroy Qt objects of an earlier test there, and crash a later test.
"""

from __future__ import annotations

import gc

THRESHOLDS = gc.get_threshold()


def pytest_configure() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    _set_aside()


def pytest_runtest_logfinish() -> None:
    if gc.isenabled():  # as the program does at its end; asking how much is set aside would take milliseconds
        gc.disable()
        _set_aside()
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > THRESHOLDS[generation]:
            gc.collect(generation)
            return


def _set_aside() -> None:
    """Freezes modules, which are never collected: examining them at every collection would take most of a test's
    time."""
    gc.collect()
    gc.freeze()
