"""Mnemonics (underlined letters): with Alt they open menus and press buttons; in an open menu they work alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from PySide6.QtWidgets import QAbstractButton, QMenu

DOUBLED = "\0"
IDEOGRAPHS = "\u2e80"
"""The first of the letters that no key types."""


def mark_menu(menu: QMenu) -> None:
    """Gives every entry of ``menu`` a mnemonic of its own, as far as letters are available."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(entries, marked([action.text() for action in entries]), strict=True):
        action.setText(text)


def mark_buttons(buttons: Iterable[QAbstractButton]) -> None:
    """Gives every button of a dialog a mnemonic of its own, as far as letters are available."""
    known = list(buttons)
    for button, text in zip(known, marked([button.text() for button in known]), strict=True):
        button.setText(text)


def menu_title(text: str, letter: str) -> str:
    """Returns the title of a menu with its first letter marked; one in ideographs has ``letter`` in brackets."""
    return f"{text}(&{letter})" if text[:1] >= IDEOGRAPHS else f"&{text}"


def marked(texts: list[str]) -> list[str]:
    """Returns ``texts`` with a different letter marked in each: preferably the first of a word, else any; none only if
    there are no letters left. Text after a tab is a key and is not marked."""
    bare = [plain(text) for text in texts]
    letters = [list(dict.fromkeys(text[place].casefold() for place in _places(text))) for text in bare]
    owner: dict[str, int] = {}
    for entry in range(len(bare)):
        _claim(entry, letters, owner, set())
    chosen = {entry: letter for letter, entry in owner.items()}
    free = (letter for letter in ascii_lowercase if letter not in owner)
    return [
        _mark(text, chosen[entry]) if entry in chosen else _with_letter(text, free) for entry, text in enumerate(bare)
    ]


def _with_letter(text: str, free: Iterator[str]) -> str:
    """``text`` with the next free letter in brackets, as is usual in Chinese, if it has ideographs."""
    if not any(letter >= IDEOGRAPHS for letter in text) or (letter := next(free, "")) == "":
        return text
    named, tab, key = text.partition("\t")
    name = named.removesuffix("…")
    return f"{name}(&{letter.upper()}){named[len(name) :]}{tab}{key}"


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
    return f"{text[:place]}&{text[place:]}"


def plain(text: str) -> str:
    """Returns ``text`` without a mnemonic mark; "&&" stays."""
    return text.replace("&&", DOUBLED).replace("&", "").replace(DOUBLED, "&&")


def _places(text: str) -> Iterator[int]:
    """Yields the indices of letters that could be marked, the best first."""
    named = text.split("\t")[0]
    letters = [place for place, letter in enumerate(named) if letter.isalnum() and letter < IDEOGRAPHS]
    first = [place for place in letters if place == 0 or not named[place - 1].isalnum()]
    yield from first
    yield from letters
