"""What runs in a thread: the list of tables, and statements. No Qt."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from app.analysis.table import Table
from app.query.errors import QueryError
from app.query.limits import SHOWN_ROWS
from app.query.session import Source, answer
from app.store.token import Token


class Outcome(Struct, frozen=True, eq=False):
    """The result of a statement, or why there is none; ``seconds`` it took."""

    statement: str
    table: Table | None
    error: QueryError | None
    seconds: float


def run(sources: Sequence[Source], statement: str, token: Token) -> Outcome:
    """Runs a statement; Cancelled if the token is."""
    begin = time.monotonic()
    table, error = None, None
    try:
        table = answer(sources, statement, token, SHOWN_ROWS)
    except QueryError as wrong:
        error = wrong
    return Outcome(statement, table, error, time.monotonic() - begin)
