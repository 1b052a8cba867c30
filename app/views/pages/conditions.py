"""Conditions of a comparison in words, and as a section of a page."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.compare.conditions import Judged
from app.language import tr
from app.views.pages.document import Rows, Section, Sentence
from app.views.units import NO_DATA, exact, format_value


def condition_words(judged: Judged) -> str:
    """The figures of a condition that holds: before, after and limit; or why it cannot be evaluated."""
    if judged.holds is None:
        return judged.why
    before, after, limit = sides(judged)
    return tr("{before} before, {after} after, limit {limit}", before=before, after=after, limit=limit)


def sides(judged: Judged) -> tuple[str, str, str]:
    """The figures before and after, and the limit; with all digits where rounded ones would be the same."""
    values = judged.before, judged.after, judged.limit
    texts = [format_value(value, judged.unit) for value in values]
    if texts[1] == texts[2] and judged.after != judged.limit:
        texts = [NO_DATA if value is None else exact(value, judged.unit) for value in values]
    return texts[0], texts[1], texts[2]


def conditions_section(judged: Sequence[Judged]) -> Section:
    """Every condition, with its result."""
    heads = (tr("Condition"), tr("Result"), tr("Baseline"), tr("Comparison"), tr("Limit"))
    cells = tuple((one.condition, result_word(one), *sides(one)) for one in judged)
    failed = any(one.holds is not False for one in judged)
    reasons = tuple(Sentence(one.why, "warning") for one in judged if one.why)
    return Section(
        tr("Conditions"), (Rows(heads, cells, frozenset({2, 3, 4})), *reasons), colour="error" if failed else "text"
    )


def result_word(judged: Judged) -> str:
    """What became of it."""
    if judged.holds is None:
        return tr("not evaluated")
    return tr("holds") if judged.holds else tr("does not hold")
