"""Mnemonics (underlined letters): with Alt they open menus and press buttons; in an open menu they work alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QMenu

from app.language import Message
from app.widgets.mnemonics import standard_name

DOUBLED = "\0"
ENGLISH = "english"
"""The property of an action that has its text in English, whose letters a Chinese entry takes."""
IDEOGRAPHS = "\u2e80"
"""The first of the letters that no key types."""


def mark_menu(menu: QMenu) -> None:
    """Gives every entry of ``menu`` a mnemonic of its own, as far as letters are available."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    texts = [action.text() for action in entries]
    for action, text in zip(entries, marked(texts, [in_english(action) for action in entries]), strict=True):
        action.setText(text)


def name_in_english(action: QAction, text: str) -> None:
    """Remembers the English of ``text``, the name of ``action``, for its mnemonic in other languages."""
    action.setProperty(ENGLISH, text.english if isinstance(text, Message) else text)


def in_english(action: QAction) -> str:
    """What ``name_in_english`` remembered; "" if nothing."""
    return str(action.property(ENGLISH) or "")


def mark_buttons(buttons: Iterable[QAbstractButton]) -> None:
    """Gives every button of a dialog a mnemonic of its own, as far as letters are available."""
    known = list(buttons)
    texts = [button.text() for button in known]
    for button, text in zip(known, marked(texts, [standard_name(button) for button in known]), strict=True):
        button.setText(text)


def menu_title(text: str, letter: str) -> str:
    """Returns the title of a menu with its first letter marked; one in ideographs has ``letter`` in brackets."""
    return f"{text}(&{letter})" if text[:1] >= IDEOGRAPHS else f"&{text}"


def marked(texts: list[str], english: list[str] | None = None) -> list[str]:
    """Returns ``texts`` with a different letter marked in each: preferably the first of a word, else any; none only if
    there are no letters left. Text after a tab is a key and is not marked. A text in ideographs has a letter in
    brackets, of the same text in ``english`` ("" if it is not known) if one is left."""
    bare = [plain(text) for text in texts]
    letters = [list(dict.fromkeys(text[place].casefold() for place in _places(text))) for text in bare]
    owner: dict[str, int] = {}
    for entry in range(len(bare)):
        _claim(entry, letters, owner, set())
    chosen = {entry: letter for letter, entry in owner.items()}
    others = [entry for entry in range(len(bare)) if entry not in chosen]
    brackets = _brackets(others, english or [""] * len(bare), set(owner))
    return [
        _mark(text, chosen[entry]) if entry in chosen else _with_letter(text, brackets[entry])
        for entry, text in enumerate(bare)
    ]


def _brackets(entries: list[int], english: list[str], taken: set[str]) -> dict[int, str]:
    """A letter for each of ``entries`` that is not in ``taken``: one of its English text as far as possible."""
    letters = [
        [letter for place in _places(text) if (letter := text[place].casefold()) not in taken] for text in english
    ]
    owner: dict[str, int] = {}
    for entry in entries:
        _claim(entry, letters, owner, set())
    found = {entry: letter for letter, entry in owner.items()}
    free = (letter for letter in ascii_lowercase if letter not in taken and letter not in owner)
    return {entry: found[entry] if entry in found else next(free, "") for entry in entries}


def _with_letter(text: str, letter: str) -> str:
    """``text`` with ``letter`` in brackets, as is usual in Chinese, if it has ideographs."""
    if not letter or not any(one >= IDEOGRAPHS for one in text):
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
