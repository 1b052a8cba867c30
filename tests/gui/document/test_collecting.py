"""Garbage in the window's thread, without costing frames."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.window import idle as collecting
from app.window.idle import Collecting


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[Collecting]:
    gc.unfreeze()  # as the program begins (guards.collector sets modules aside again)
    made = Collecting()
    yield made
    made.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


class Thing:
    """Holds itself."""

    def __init__(self) -> None:
        self.myself = self


def check_all(made: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "_thresholds", (1, 1, 1))
    monkeypatch.setattr(gc, "get_count", lambda: (5, 5, 5))
    made._check()


def test_cycles_are_collected_by_the_timer_only(collector: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not gc.isenabled()
    gone = weakref.ref(Thing())
    assert gone() is not None
    check_all(collector, monkeypatch)
    assert gone() is None


def test_what_survives_a_long_collection_is_set_aside(collector: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "SLOW", 1e9)
    check_all(collector, monkeypatch)
    assert gc.get_freeze_count() == 0
    monkeypatch.setattr(collecting, "SLOW", -1.0)
    check_all(collector, monkeypatch)
    assert gc.get_freeze_count() > 1000
    later = weakref.ref(Thing())
    check_all(collector, monkeypatch)
    assert later() is None


def test_small_collections_set_nothing_aside(collector: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "SLOW", -1.0)
    monkeypatch.setattr(collector, "_thresholds", (1, 1, 1))
    monkeypatch.setattr(gc, "get_count", lambda: (5, 5, 0))
    collector._check()
    assert gc.get_freeze_count() == 0


def test_survivors_do_not_gather_for_a_long_collection(collector: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would all be traversed in one turn of the event loop."""
    monkeypatch.setattr(collector, "_thresholds", (1, 10, 10))
    kept = [Thing() for _ in range(100)]
    collector._check()
    assert not any(thing in gc.get_objects(1) for thing in kept)
    assert gc.get_freeze_count() == 0
