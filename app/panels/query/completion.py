"""What can follow at a place in a statement: names of tables and columns, and words of SQL. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from app.query.session import QueryTable

_KEYWORDS: Final = (
    "select from where group by order by limit join left join using on as and or not in between is null like desc asc "
    "having with union all distinct case when then else end over partition by exclude filter qualify describe summarize"
)
_FUNCTIONS: Final = (
    "count sum avg min max median quantile_cont stddev arg_max arg_min any_value first last round abs coalesce "
    "regexp_extract regexp_matches split_part contains lower upper length row_number lag lead rank list string_agg"
)
WORDS: Final = (*sorted(set(_KEYWORDS.split())), *sorted(_FUNCTIONS.split()))
MOST: Final = 200
_WORD: Final = re.compile(r"[\w.]*$")
_AFTER_FROM: Final = re.compile(
    r"\b(?:from|join|describe|summarize)\s+[\w.]*$|\bfrom\s[^()]*,\s*[\w.]*$", re.IGNORECASE
)
_NAMED: Final = re.compile(r"(?:\bfrom\s|\bjoin\s|,)\s*([\w.]+)(?=(?:\s+(?:as\s+)?(\w+))?)", re.IGNORECASE)


def word_before(text: str) -> str:
    """The word at the end of ``text``, with what it belongs to: `s.dur`."""
    match = _WORD.search(text)
    return match[0] if match else ""


def completions(before: str, text: str, tables: Sequence[QueryTable]) -> list[str]:
    """Words that can replace the last part of the word at the end of ``before``; ``text``: the whole statement."""
    word = word_before(before)
    by_name = {table.name.lower(): table for table in tables}
    if _AFTER_FROM.search(before):
        return _fitting((table.name for table in tables), word)
    owner, dot, start = word.rpartition(".")
    if dot:
        named = _meant(text, by_name).get(owner.lower()) or by_name.get(owner.lower())
        return [] if named is None else _fitting((column for column, _ in named.columns), start)
    used = {table.name: table for table in _meant(text, by_name).values()} or by_name
    columns = dict.fromkeys(column for table in used.values() for column, _ in table.columns)
    return _fitting((*columns, *(table.name for table in tables), *WORDS), start)


def _meant(text: str, by_name: dict[str, QueryTable]) -> dict[str, QueryTable]:
    """The tables that the statement names, by their name and their alias."""
    meant: dict[str, QueryTable] = {}
    for name, alias in _NAMED.findall(text):
        table = by_name.get(name.lower())
        if table is not None:
            meant[name.lower()] = table
            if alias and alias.lower() not in WORDS:
                meant[alias.lower()] = table
    return meant


def _fitting(words: Iterable[str], start: str) -> list[str]:
    """The words that begin so; none if ``start`` is one of them, so that Enter after it is a new line."""
    wanted = start.lower()
    fitting = [word for word in words if word.lower().startswith(wanted)]
    if any(len(word) == len(wanted) for word in fitting):
        return []
    return list(dict.fromkeys(fitting))[:MOST]
