"""The underlined letters: Alt with them opens menus and presses buttons, they alone choose from an open menu."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtWidgets import QAbstractButton, QMenu

DOUBLED = "\0"


def mark_menu(menu: QMenu) -> None:
    """A letter of its own for every entry of ``menu``, as far as its letters go."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(entries, marked([action.text() for action in entries]), strict=True):
        action.setText(text)


def mark_buttons(buttons: Iterable[QAbstractButton]) -> None:
    """The same for the buttons of a dialog."""
    known = list(buttons)
    for button, text in zip(known, marked([button.text() for button in known]), strict=True):
        button.setText(text)


def marked(texts: list[str]) -> list[str]:
    """``texts`` with a different letter marked in each: the first of a word, else any; none where all are taken.
    What follows a tab is a key, not a text."""
    used: set[str] = set()
    made = []
    for text in map(plain, texts):
        place = next((place for place in _places(text) if text[place].casefold() not in used), None)
        if place is not None:
            used.add(text[place].casefold())
            text = f"{text[:place]}&{text[place:]}"
        made.append(text)
    return made


def plain(text: str) -> str:
    """``text`` without a mark."""
    return text.replace("&&", DOUBLED).replace("&", "").replace(DOUBLED, "&&")


def _places(text: str) -> Iterator[int]:
    """Where a letter could be marked, the best first."""
    named = text.split("\t")[0]
    letters = [place for place, letter in enumerate(named) if letter.isalnum()]
    first = [place for place in letters if place == 0 or not named[place - 1].isalnum()]
    yield from first
    yield from letters
