"""Mnemonics (underlined letters): with Alt they open menus and press buttons; in an open menu they work alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase

from PySide6.QtWidgets import QAbstractButton, QDialogButtonBox

from app.views.texts import IDEOGRAPHS, has_ideographs

MARK = "&"
DOUBLED = "\0"


def mark_mnemonics(buttons: Iterable[QAbstractButton]) -> None:
    """Gives every button of a dialog, Qt's standard buttons too, a mnemonic of its own, as far as letters are
    available."""
    known = list(buttons)
    texts = [button.text() for button in known]
    for button, text in zip(known, marked(texts, [standard_name(button) for button in known]), strict=True):
        button.setText(text)


def standard_name(button: QAbstractButton) -> str:
    """``Cancel`` for the button that has this name in Qt; "" for a button of our own."""
    box = button.parent()
    if not isinstance(box, QDialogButtonBox):
        return ""
    standard = box.standardButton(button)
    return "" if standard == QDialogButtonBox.StandardButton.NoButton else standard.name or ""


def marked(texts: Sequence[str], english: Sequence[str] | None = None) -> list[str]:
    """Returns ``texts`` with a different letter marked in each: that which is marked already, else preferably the first
    of a word, else any; none only if there are no letters left. Text after a tab is a key and is not marked. A text in
    ideographs has a letter in brackets, of the same text in ``english`` ("" if it is not known) if one is left."""
    bare, own = [plain(text) for text in texts], [_marked_letter(text) for text in texts]
    letters = [
        sorted(dict.fromkeys(_letters(text)), key=lambda letter: letter != mark)
        for text, mark in zip(bare, own, strict=True)
    ]
    owner: dict[str, int] = {}
    for entry in sorted(range(len(bare)), key=lambda entry: not own[entry]):
        _claim(entry, letters, owner, set())
    chosen = {entry: letter for letter, entry in owner.items()}
    others = [entry for entry in range(len(bare)) if entry not in chosen]
    brackets = _brackets(others, english or [""] * len(bare), set(owner))
    return [
        _mark(text, chosen[entry]) if entry in chosen else _with_letter(text, brackets[entry])
        for entry, text in enumerate(bare)
    ]


def plain(text: str) -> str:
    """Returns ``text`` without a mnemonic mark; "&&" stays."""
    return text.replace(MARK * 2, DOUBLED).replace(MARK, "").replace(DOUBLED, MARK * 2)


def kept_mark(before: str, text: str) -> str:
    """Returns ``text`` with the letter marked that is marked in ``before``, in brackets where it is there; as it is
    where there is none, or ``text`` does not have the letter."""
    letter = _marked_letter(before)
    if letter and f"({MARK}{letter}" in before.casefold():
        return _with_letter(text, letter)
    return _mark(text, letter) if letter and letter in _letters(text) else text


def _marked_letter(text: str) -> str:
    """The letter that is marked in ``text``, in lower case; "" if there is none."""
    _, _, after = text.replace(MARK * 2, DOUBLED).partition(MARK)
    return after[:1].casefold()


def _brackets(entries: list[int], english: Sequence[str], taken: set[str]) -> dict[int, str]:
    """A letter for each of ``entries`` that is not in ``taken``: one of its English text as far as possible."""
    letters = [[letter for letter in _letters(text) if letter not in taken] for text in english]
    owner: dict[str, int] = {}
    for entry in entries:
        _claim(entry, letters, owner, set())
    chosen = {entry: letter for letter, entry in owner.items()}
    free = (letter for letter in ascii_lowercase if letter not in taken and letter not in owner)
    return {entry: chosen[entry] if entry in chosen else next(free, "") for entry in entries}


def _with_letter(text: str, letter: str) -> str:
    """``text`` with ``letter`` in brackets, as is usual in Chinese, if it has ideographs."""
    if not letter or not has_ideographs(text):
        return text
    named, tab, key = text.partition("\t")
    name = named.removesuffix("…")
    return f"{name}({MARK}{letter.upper()}){named[len(name) :]}{tab}{key}"


def _claim(entry: int, letters: list[list[str]], owner: dict[str, int], tried: set[str]) -> bool:
    """Assigns ``entry`` a free letter, or one whose owner can take another (bipartite matching by augmenting paths);
    returns False if there is none."""
    free = next((letter for letter in letters[entry] if letter not in owner), None)
    if free is not None:
        owner[free] = entry
        return True
    for letter in letters[entry]:
        if letter not in tried:
            tried.add(letter)
            if _claim(owner[letter], letters, owner, tried):
                owner[letter] = entry
                return True
    return False


def _mark(text: str, letter: str) -> str:
    place = next(place for place in _places(text) if text[place].casefold() == letter)
    return f"{text[:place]}{MARK}{text[place:]}"


def _letters(text: str) -> list[str]:
    """The letters that could be marked, in lower case, the best first; some may be repeated."""
    return [text[place].casefold() for place in _places(text)]


def _places(text: str) -> Iterator[int]:
    """Yields the indices of letters that could be marked, the best first."""
    named = text.split("\t")[0]
    letters = [place for place, letter in enumerate(named) if letter.isalnum() and letter < IDEOGRAPHS]
    first = [place for place in letters if place == 0 or not named[place - 1].isalnum()]
    yield from first
    yield from letters
