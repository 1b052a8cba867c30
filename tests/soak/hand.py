"""A hand on the mouse that does not wait: switches profiles, chooses, searches, resizes and closes at any moment."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QCoreApplication, QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.analysis.kinds import KINDS
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from soak.session import KEYS, MODIFIERS, Session

MOST_OPEN = 5
REST = 20
"""Steps after which everything may come to rest, and is checked."""
SIZES = ((320, 200), (640, 480), (1280, 800), (3840, 2160))
WORDS = ("a", "matmul", "0", "tile 5", "@3", ">dark", "conv load", "zzzz")
FEW = 50
"""Things of a kind from whose numbers a selection is chosen."""


class Hand:
    """``wrong``: a line for each fault."""

    def __init__(self, session: Session, random: Random, files: Sequence[Path]) -> None:
        self.session, self.random, self.files = session, random, files
        self.window, self.document = session.window, session.document
        self.wrong: list[str] = []
        self.at = ""
        qInstallMessageHandler(self._printed)

    def walk(self, count: int) -> None:
        """Takes ``count`` steps."""
        steps: Sequence[Callable[[], object]] = (
            *(self._open, self._switch, self._switch, self._press, self._press, self._poke, self._select),
            *(self._search, self._show, self._float, self._compare, self._resize, self._reload, self._close),
        )
        for number in range(count):
            step = self.random.choice(steps) if self.document.entries else self._open
            self.at = f"step {number}, {step.__name__.strip('_')}"
            with self.session.timed(self.at):
                step()
            self.session.pump(self.random.choice((0, 0, 0.01, 0.1)))
            if number % REST == REST - 1:
                self.rest()

    def rest(self) -> None:
        """Waits until everything is shown, and checks it."""
        docks = self.window.prepare().docks.values()
        self.session.until(lambda: not self.session.loader.busy, "the end of a load")
        self.session.until(lambda: not any(dock.on_screen and dock.filling for dock in docks), "the panels in sight")
        for name, chosen in (("selection", self.document.selection.value), ("hover", self.document.hover.value)):
            if chosen is not None and not _exists(self.document.profile, chosen):
                self.wrong.append(
                    f"{self.at}: {name} by {chosen.source} of a missing {chosen.kind}: {max(chosen.indices)}"
                )

    def leave(self) -> None:
        """Closes all profiles; nothing may hold one of them."""
        self.rest()
        self.session.close_all()
        self.session.pump(0.3)
        gc.unfreeze()
        gc.collect()
        left = [thing.name for thing in gc.get_objects() if type(thing) is Profile]
        if left:
            self.wrong.append(f"profiles that are held after they were closed: {left}")

    def _open(self) -> None:
        if len(self.document.entries) < MOST_OPEN:
            self.window.open([self.random.choice(self.files)])

    def _switch(self) -> None:
        self.window.tabs.setCurrentIndex(self.random.randrange(self.window.tabs.count()))
        if self.random.random() < 0.5:
            self._press()

    def _press(self) -> None:
        focus = QApplication.focusWidget() or self.window
        QTest.keyClick(focus, self.random.choice((*KEYS, Qt.Key.Key_Return)), self.random.choice(MODIFIERS))

    def _poke(self) -> None:
        self.session.poke(self.random)

    def _select(self) -> None:
        kind: Kind = self.random.choice(list(KINDS))
        chosen = Selection(kind, (self.random.randrange(FEW),))
        if _exists(self.document.profile, chosen):
            self.document.selection.set(chosen)

    def _search(self) -> None:
        self.window.omnibox.start()
        QTest.keyClicks(self.window.omnibox, self.random.choice(WORDS))
        self.session.pump(self.random.choice((0, 0.1)))
        QTest.keyClick(self.window.omnibox, self.random.choice((Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape)))
        if self.random.random() < 0.5:
            self.window.tabs.setFocus()

    def _show(self) -> None:
        offered = self.window.prepare().offered
        if offered:
            self.window.show_panel(self.random.choice(offered))

    def _float(self) -> None:
        shown = self.window.prepare().shown()
        if shown:
            self.random.choice(shown).turn_floating()

    def _compare(self) -> None:
        one, other = (self.random.choice(self.document.entries) for _ in range(2))
        if one is not other:
            self.window.baseline_opener.compare(one.id, other.id)

    def _resize(self) -> None:
        self.window.resize(*self.random.choice(SIZES))
        QCoreApplication.processEvents()

    def _reload(self) -> None:
        self.session.loader.reload(self.random.choice(self.document.entries).id)

    def _close(self) -> None:
        self.window.close_profile(self.random.choice(self.document.entries).id)

    def _printed(self, _kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
        if "propagateSizeHints" not in text and "plugin does not support" not in text:
            self.wrong.append(f"{self.at}: Qt says: {text}")


def _exists(profile: Profile | None, chosen: Selection) -> bool:
    """Whether the profile has these things, as far as their kind says how many there are."""
    if profile is None:
        return False
    spec = KINDS[chosen.kind]
    if spec.count is not None:
        return max(chosen.indices) < spec.count(profile)
    if spec.traits is None:
        return True
    traits = spec.traits(profile)
    return traits is not None and all(max(chosen.indices) < len(trait.values) for trait in traits)


def hand(seed: int, count: int, folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Walks through the window for ``count`` steps."""
    session = Session(folder / "data")
    walker = Hand(session, Random(seed), files)
    walker.walk(count)
    walker.leave()
    wrong = [*walker.wrong, *session.errors]
    session.end()
    return {
        "told": f"{count} steps; the longest took {session.longest[0]:.1f} s ({session.longest[1]})",
        "wrong": wrong,
    }
