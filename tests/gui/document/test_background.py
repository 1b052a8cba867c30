"""Results of functions that run in a thread: the newest question wins, nothing is left running."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.document.background import WAITING, Background, Task
from app.formats.errors import FormatError
from app.store.token import Token

Tell = Callable[[int, int], None]
PATIENCE = 5.0


class Asker:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.parent = QObject()
        self.background = Background(self.parent)
        self.heard: list[Any] = []

    def run(self, work: Callable[[Token, Tell], Any]) -> None:
        keep = self.heard.append
        self.background.run(Task(work, keep, keep, lambda *part: keep(part)))


@pytest.fixture
def asker(qapp: object) -> Asker:
    return Asker()


def test_a_result_arrives_in_the_windows_thread(qtbot: QtBot, asker: Asker) -> None:
    threads: list[threading.Thread] = []

    def work(token: Token, tell: Tell) -> int:
        threads.append(threading.current_thread())
        tell(1, 2)
        return 42

    asker.run(work)
    assert asker.background.busy
    qtbot.waitUntil(lambda: asker.heard == [(1, 2), 42])
    assert threads[0] is not threading.main_thread()
    assert not asker.background.busy


def test_the_newest_question_wins(qtbot: QtBot, asker: Asker) -> None:
    begun, told = threading.Event(), threading.Event()

    def slow(token: Token, tell: Tell) -> str:
        begun.set()
        assert told.wait(PATIENCE)
        return "old"

    ran: list[str] = []
    asker.run(slow)
    assert begun.wait(PATIENCE)
    asker.run(lambda token, tell: ran.append("passed over"))
    asker.run(lambda token, tell: "new")
    told.set()
    qtbot.waitUntil(lambda: asker.heard == ["new"])
    assert ran == []


def test_the_one_that_runs_is_told_to_stop(qtbot: QtBot, asker: Asker) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(token: Token, tell: Tell) -> None:
        begun.set()
        try:
            while True:
                token.check()
        finally:
            ended.set()

    asker.run(endless)
    assert begun.wait(PATIENCE)
    asker.background.cancel()
    assert not asker.background.busy
    assert ended.wait(PATIENCE)
    asker.run(lambda token, tell: "next")
    qtbot.waitUntil(lambda: asker.heard == ["next"])


def raising(error: Exception) -> Callable[[Token, Tell], None]:
    def work(token: Token, tell: Tell) -> None:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FormatError("the file is gone"), "the file is gone"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (MemoryError(), "not enough memory"),
        (ZeroDivisionError("division"), "a defect in Tilesight"),
    ],
)
def test_whatever_goes_wrong_is_one_line(qtbot: QtBot, asker: Asker, error: Exception, text: str) -> None:
    asker.run(raising(error))
    qtbot.waitUntil(lambda: bool(asker.heard))
    assert isinstance(asker.heard[0], FormatError)
    assert text in str(asker.heard[0])


def test_nothing_runs_on_when_the_owner_is_gone(qtbot: QtBot) -> None:
    asker = Asker()
    begun, ended = threading.Event(), threading.Event()

    def endless(token: Token, tell: Tell) -> None:
        begun.set()
        try:
            while True:
                token.check()
        finally:
            ended.set()

    asker.run(endless)
    assert begun.wait(PATIENCE)
    asker.parent.deleteLater()
    qtbot.waitUntil(ended.is_set)
    assert asker.heard == []


def test_an_answer_may_ask_again(qtbot: QtBot, asker: Asker) -> None:
    heard: list[Any] = []

    def take(value: int) -> None:
        heard.append(value)
        if value < 3:
            asker.background.run(Task(lambda token, tell: value + 1, take, heard.append))

    asker.background.run(Task(lambda token, tell: 1, take, heard.append))
    qtbot.waitUntil(lambda: heard == [1, 2, 3])


def test_incremental_work_waits_for_the_thread(asker: Asker) -> None:
    threads: list[threading.Thread] = []

    def work(_token: Token) -> str:
        threads.append(threading.current_thread())
        return "made"

    def whole() -> Generator[object, None, None]:
        results.append((yield from asker.background.waited(work)))

    results: list[str] = []
    assert set(whole()) <= {WAITING}
    assert results == ["made"]
    assert threads[0] is not threading.main_thread()


def test_incremental_work_that_is_dropped_cancels_the_thread(qtbot: QtBot, asker: Asker) -> None:
    tokens: list[Token] = []
    begun = threading.Event()

    def work(token: Token) -> None:
        tokens.append(token)
        begun.set()

    pieces = asker.background.waited(work)
    assert next(pieces) is WAITING
    assert begun.wait(PATIENCE)
    pieces.close()
    assert tokens[0].cancelled
    qtbot.waitUntil(lambda: asker.background._state.running is None)


def test_incremental_work_raises_the_error_of_the_thread(asker: Asker) -> None:
    def work(_token: Token) -> None:
        raise FormatError("not whole")

    with pytest.raises(FormatError, match="not whole"):
        for _ in asker.background.waited(work):
            pass


@pytest.mark.parametrize("how", ["cancel", "stop"])
def test_what_ends_the_work_is_asked_again_until_it_ends(qtbot: QtBot, asker: Asker, how: str) -> None:
    begun, ended, asked = threading.Event(), threading.Event(), threading.Semaphore(0)

    def work(token: Token, tell: Tell) -> None:
        token.attach(asked.release)
        begun.set()
        for _ in range(3):  # as a database whose statement had not begun
            assert asked.acquire(timeout=PATIENCE)
        ended.set()
        token.check()

    asker.run(work)
    assert begun.wait(PATIENCE)
    getattr(asker.background, how)()
    qtbot.waitUntil(ended.is_set)
    assert asker.heard == []
