"""Collects cyclic garbage between tests and in the main thread only.

As the program does (app.document.collecting): a collection that happens to run in a loader's thread would
destroy there what an earlier test left of Qt objects, and crash some later one.
"""

from __future__ import annotations

import gc

THRESHOLDS = gc.get_threshold()


def pytest_configure() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    _set_aside()


def pytest_runtest_logfinish() -> None:
    gc.disable()  # a test may have given collection back, as the program does at its end
    if not gc.get_freeze_count():
        _set_aside()
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > THRESHOLDS[generation]:
            gc.collect(generation)
            return


def _set_aside() -> None:
    """Modules stay until the end: looking through them at every collection would take most of the time of a test."""
    gc.collect()
    gc.freeze()
