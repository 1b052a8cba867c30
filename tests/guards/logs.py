"""Fails a test that logs an unexpected warning."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator

import pytest


class Unexpected(logging.Handler):
    """Records messages logged at WARNING or above, except those that a test allows."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.allowed: list[re.Pattern[str]] = []
        self.kept: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record)

    def lines(self) -> list[str]:
        """One line per record, without allowed ones, even if they were allowed afterwards."""
        texts = [f"{record.levelname} {record.name}: {record.getMessage()}" for record in self.kept]
        return [text for text in texts if not any(pattern.search(text) for pattern in self.allowed)]


@pytest.fixture(autouse=True)
def log_guard() -> Iterator[Unexpected]:
    handler = Unexpected()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)
    if lines := handler.lines():
        pytest.fail("logged, but not expected (see the fixture allow_log):\n" + "\n".join(lines))


@pytest.fixture
def allow_log(log_guard: Unexpected) -> Callable[[str], None]:
    """``allow_log(pattern)``: records that match ("LEVEL logger: text") do not fail this test."""
    return lambda pattern: log_guard.allowed.append(re.compile(pattern))
