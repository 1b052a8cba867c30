"""What the rules say about a profile, those included that read its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from app.analysis import findings
from app.analysis.compare.comparison import Comparison
from app.analysis.findings import popef
from app.analysis.findings.compared import FindingChange, finding_changes
from app.analysis.findings.finding import Outcome, Rule
from app.analysis.findings.popef import Counted, counted
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import Array
from app.profile.profile import Profile
from app.store.payload import opened, pieces, tensor_of, whole_feed
from app.store.token import Token

MOST_BYTES: Final = 1 << 28
"""Bytes of values that are read at most: a model may have many gigabytes of them."""


def outcomes(
    profile: Profile,
    thresholds: Thresholds = DEFAULT,
    *,
    rules: Iterable[Rule] = RULES,
    look: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> list[Outcome]:
    """What the rules that apply say, with the one about stored values. ``look`` is called before each rule and each
    piece of values, and may raise to stop; ``progress`` (done, total) before each rule."""
    made: list[Outcome] = []
    every = tuple(rules)
    for done, rule in enumerate(every):
        progress(done, len(every))
        if rule is popef.RULE and rule.applies(profile):
            look()
            made.append(_values(profile, look))
        else:
            made += findings.outcomes(profile, thresholds, rules=(rule,), look=look)
    return made


def changed_findings(
    comparison: Comparison,
    thresholds: Thresholds = DEFAULT,
    look: Callable[[], None] = lambda: None,
    *,
    contents: bool = True,
) -> list[FindingChange]:
    """Which findings came, went and stayed; none against a baseline document, which has no findings. ``contents``: also
    those for which stored values are read."""
    if comparison.kept is not None:
        return []
    rules = [rule for rule in RULES if contents or rule is not popef.RULE]
    before, after = (
        findings.ranked(outcomes(profile, thresholds, rules=rules, look=look))
        for profile in (comparison.before, comparison.after)
    )
    return finding_changes(before, after)


def _values(profile: Profile, look: Callable[[], None]) -> Outcome:
    """Reads the tensors and feeds in the order of the files, up to MOST_BYTES; a file that has changed, or cannot be
    read, ends it."""
    model, left = profile.model, MOST_BYTES
    assert model is not None
    tensors: list[Counted] = []
    for row in range(len(model.tensors)):
        look()
        tensor = tensor_of(profile, row)
        if tensor is None or not tensor.elements:
            continue
        count = int(model.tensors.count[row])
        if model.tensors.feed[row] and count != 1:
            tensor = whole_feed(tensor, max(count, 0))
        size = tensor.there * tensor.stored.itemsize
        if size > left:
            why = tr("values beyond {limit} MiB were not read", limit=MOST_BYTES >> 20)
            return popef.outcome(profile, tensors, why)
        left -= size
        try:
            with opened(tensor.payload) as source:
                tensors.append(counted(row, _looking(pieces(tensor, source, Token()), look)))
        except (FormatError, OSError) as error:
            return popef.outcome(profile, tensors, str(error))
    return popef.outcome(profile, tensors)


def _looking(values: Iterable[Array], look: Callable[[], None]) -> Iterable[Array]:
    for piece in values:
        look()
        yield piece
