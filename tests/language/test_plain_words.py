"""No text of the program or of its help falls back to phrases that readers stopped at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from dev_texts import Text

INSTEAD: Final = {
    r"\bby hand\b": "manually",
    r"\bbesides\b": "in addition to, other than",
    r"\bcannot be meant\b|\bwhich (are|is) meant\b": "implausible, ambiguous",
    r"\bat the most\b": "at most",
    r"\b(fold|unfold)(s|ed)?\b": "collapse, expand",
    r"\b(in|to) its panel\b": "the name of the panel",
    r"\ba row an? \w": "one row per",
    r"\bwhoever\b|\bhas the keyboard\b": "the user; has the focus",
    r"\bset anew\b|\btaken away\b|\(gone\)": "reset, removed",
    r"\bcannot be told\b|\bdoes not say\b|\banything to say\b": "unknown, does not state",
    r"\bpassed over\b|\bleft out\b|\bleav(e|es|ing) out\b": "ignored, skipped, omitted",
    r"\bcom(e|es|ing) along\b": "is stored in",
    r"\bcom(e|es) twice\b": "appears twice, duplicate",
    r"\bli(e|es|ying)\b|\blay\b": "is (at, in, below); offset of",
    r"\bone behind the other\b|\bone after another in\b": "consecutive",
    r"\bbehind the\b": "after the",
    r"\b(is|are) told\b|\btold (by|apart)\b|\btells? which\b": "is reported, determined from, distinguished",
    r"\bas not given\b": "ignored",
    r"(?<!here )\b(is|are) no (?!longer\b)": "is not a",
    r"\bfrom which on\b": "at least",
    r"\beach moment counted once\b": "overlaps counted once",
    r"\bas many as\b|\bas long before\b|\bso many\b": "the number itself: fit all, same length",
    r"\b(this|these) very\b": "itself, exactly",
    r"\bof (its|their) own\b(?! \w)": "separate, own",
    r"\bin all\b(?! [a-z])": "in total, Total",
    r"\btoo much\b(?! for)|\bmuch too\b": "over the limit",
    r"\bpass(es)? the end\b": "extends beyond the end",
    r"\btaken for\b": "read as",
    r"\bwhat stands\b|\bstands? (before|beside|here|in|under|at)\b": "the data before, in the same folder, here",
    r"\b(as|that) the file has it\b|, by the (file|steps)\b": "as stated (stored) in the file",
    r"\bnobody\b": "unknown; nothing is",
    r"\b(is|are) to be\b|\bhas to fit\b": "must",
    r"\bthat which\b|\bthose which\b": "the noun",
    r"\bnot known\b|\bnot said\b": "unknown, not stated",
    r"\bperhaps\b": "possibly; did you mean",
    r"^(Least|Most|In all|At work)$|\bmost / mean\b": "Minimum, Maximum, Total, Busy share, Max / mean",
    r"\bread all the same\b": "read anyway",
    r"\blife time\b": "lifetime",
    r"\bleads? nowhere\b": "unresolved; the target is missing",
    r"\bat work\b": "busy, active",
    r"\bbeside (one another|computing|compute|it)\b": "in the same folder; overlaps with",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bodd\b(?![:,}])": "invalid, unaligned",
    r"\bclaim(s|ed)?\b(?![:,}])": "declares",
    r"\bmakes? do\b|\blet(s)? (it|them|\w+ lanes?) go\b|\blet (it|all|this)\b": "use; unpin, release",
    r"\bas the system\b|\bview (before|after)\b|\bonwards\b|\bthat is hidden\b": "follow system, previous view, hidden",
    r"\bis met\b|panels go on\b": "occurs, continues",
    r"—": "two sentences, a colon or a comma",
}
"""Pattern of a phrase: what says it in plain words."""
EVERY = re.compile("|".join(f"(?:{pattern})" for pattern in INSTEAD), re.IGNORECASE)


def rephrased(words: str) -> Iterator[str]:
    """Each phrase in ``words`` that readers stopped at, and what to say instead."""
    if EVERY.search(words):
        for pattern, better in INSTEAD.items():
            for phrase in re.finditer(pattern, words, re.IGNORECASE):
                yield f"{phrase[0]!r}: {better}"


def test_texts_are_plain_words(texts: Sequence[Text]) -> None:
    spoken = ((text, words) for text in texts for words in {text.english, text.several})
    assert [(text.path, text.line, words, *better) for text, words in spoken if (better := [*rephrased(words)])] == []


@pytest.mark.parametrize("pattern", ["resources/help/en/*.md", "README.md"])
def test_pages_are_plain_words(root: Path, pattern: str) -> None:
    pages = {path.name: " ".join(path.read_text("utf-8").split()) for path in sorted(root.glob(pattern))}
    assert [(name, *better) for name, words in pages.items() if (better := [*rephrased(words)])] == []


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("The unit was set by hand.", True),
        ("{text} is no number", True),
        ("there is no column {name}", False),
        ("it is no longer there", False),
        ("{count:,} slices in all", True),
        ("the vertices in all compute sets", False),
        ("{odd:,} values of {block}", False),
    ],
)
def test_phrases_are_seen(words: str, seen: bool) -> None:
    assert bool([*rephrased(words)]) == seen
