"""Texts of the program and of its help use established terms, not phrases that have to be read twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from dev_texts import Text

OLD = re.compile(
    "|".join(
        (
            r"\bas the system\b",
            r"\bas many as\b",
            r"\bview (before|after)\b",
            r"\blet (it|all|this)\b",
            r"\b(fold|unfold)(s|ed)?\b",
            r"\bby hand\b",
            r"\bin all\b(?! [a-z])",
            r"\bat the most\b",
            r"\b(is|are) no (number|text|file|size|unit|threshold)\b",
            r"\bdoes not say\b",
            r"\bnot known\b",
            r"\bcannot be told\b",
            r"\banything to say\b",
            r"\bhas the keyboard\b",
            r"\bof (its|their) own\b",
            r"\b(in|to) its panel\b",
            r"\ba row an? \w",
            r"\bwhoever\b",
            r"\bbesides\b",
            r"\b(lie|lies|lay)\b(?! claim)",
            r"\bset anew\b",
            r"\btaken away\b",
            r"\bmost / mean\b",
            r"\btoo much\b",
            r"\(gone\)",
        )
    ),
    re.IGNORECASE,
)
SHOWN = ("app/api/", "app/cli/", "app/help/", "app/panels/", "app/widgets/", "app/window/", "resources/")


def test_no_text_of_the_window_or_the_command_line_has_an_old_phrase(texts: Sequence[Text]) -> None:
    spoken = {english for text in texts if text.path.startswith(SHOWN) for english in (text.english, text.several)}
    assert [english for english in sorted(spoken) if OLD.search(english)] == []


@pytest.mark.parametrize("pattern", ["resources/help/en/*.md", "README.md"])
def test_no_page_has_an_old_phrase(root: Path, pattern: str) -> None:
    pages = {path.name: " ".join(path.read_text("utf-8").split()) for path in sorted(root.glob(pattern))}
    assert {(name, match[0]) for name, text in pages.items() for match in OLD.finditer(text)} == set()
