"""Slow computations for long runs: measuring one, and comparing two. Short runs are computed at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.analysis.scaling.doubling import Sides, constant_share, sides, tables
from app.analysis.scaling.measure import Measurement, measure
from app.analysis.table import Table
from app.document.background import Background, Task
from app.language import tr
from app.panels.registry import SPECS
from app.profile.profile import Profile

AT_ONCE = 100_000
"""Runs of up to this many steps are measured at once, before the next frame."""
Made = TypeVar("Made")


class Compared(Struct, frozen=True, eq=False):
    """The result of a comparison. ``sides`` None: ``error`` says why. ``constant``: the share of the time that more
    replicas do not shorten, None if the runs do not tell."""

    sides: Sides | None = None
    tables: Sequence[Table] = ()
    error: str = ""
    constant: float | None = None

    @property
    def memory(self) -> Table | None:
        return next((table for table in self.tables if table.id == "scaling-memory"), None)


class _LastAnswer:
    """The last answer with the key of its request."""

    def __init__(self, parent: QObject) -> None:
        self.background = Background(parent)
        self.key: tuple[object, ...] = ()
        self.answer: object = None

    def forget(self) -> None:
        """Cancels the request and drops the answer, so that closed profiles are released."""
        if self.key:
            self.background.cancel()
            self.key, self.answer = (), None


class Work(QObject):
    """Measures and compares, in the background if necessary. Signal ``ready``: an answer that was None before is
    available."""

    ready = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._measured, self._before, self._compared = (_LastAnswer(self) for _ in range(3))

    @property
    def busy(self) -> bool:
        return any(last.background.busy for last in (self._measured, self._before, self._compared))

    def measurement(self, profile: Profile | None, loop: int | None) -> Measurement | None:
        """The measurement of a run; None without a profile, and while a long run is being measured."""
        return self._measure(self._measured, profile, loop)

    def baseline(self, profile: Profile | None, loop: int | None) -> Measurement | None:
        """The same of the baseline."""
        return self._measure(self._before, profile, loop)

    def _measure(self, last: _LastAnswer, profile: Profile | None, loop: int | None) -> Measurement | None:
        if profile is None or profile.origin.format != "poplar":
            last.forget()
            return None
        key = (loop, *(profile.section(name) for name in SPECS["scaling"].shown))
        return self._answer(last, key, lambda: measure(profile, loop), _steps(profile) <= AT_ONCE)

    def comparison(self, a: Profile, b: Profile, replicas: tuple[int | None, int | None]) -> Compared | None:
        """The comparison of two profiles; None while long runs are being compared."""
        key = (*replicas, *(profile.section(name) for profile in (a, b) for name in SPECS["scaling"].shown))
        return self._answer(self._compared, key, lambda: _compare(a, b, replicas), _steps(a) + _steps(b) <= AT_ONCE)

    def forget_comparison(self) -> None:
        """Drops the last comparison, so that closed profiles are released."""
        self._compared.forget()

    def _answer(
        self, last: _LastAnswer, key: tuple[object, ...], make: Callable[[], Made], at_once: bool
    ) -> Made | None:
        if _same(key, last.key):
            return cast("Made | None", last.answer)
        last.key, last.answer = key, None
        if at_once:
            made = make()
            last.answer = made
            return made

        def take(answer: Made) -> None:
            last.answer = answer
            self.ready.emit()

        last.background.run(Task(lambda *_: make(), take, lambda _: self.ready.emit()))
        return None


def _same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    """Whether two keys are equal: sections by identity, numbers by value."""
    pairs = zip(a, b, strict=False)
    return len(a) == len(b) and all(x is y or (isinstance(x, int) and x == y) for x, y in pairs)


def _steps(profile: Profile) -> int:
    return 0 if profile.steps is None else len(profile.steps)


def _compare(a: Profile, b: Profile, replicas: tuple[int | None, int | None]) -> Compared:
    try:
        pair = sides(a, b, replicas)
    except ValueError as error:
        text = str(error)
        return Compared(error=f"{text[:1].upper()}{text[1:]}.")
    made = tables(pair)
    nothing = "" if made else tr("The two profiles have no steps and no memory in common.")
    return Compared(pair, made, nothing, constant_share(pair))
