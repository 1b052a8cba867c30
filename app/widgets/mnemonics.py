"""Mnemonics: letters that press buttons together with Alt."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

from PySide6.QtWidgets import QAbstractButton, QDialogButtonBox

MARK = "&"
IDEOGRAPHS = "\u2e80"
"""The first of the letters that no key types."""


def mnemonic(text: str) -> str:
    """The mnemonic in the text of a button, in lower case; "" if there is none."""
    plain = text.replace(MARK * 2, "")
    at = plain.find(MARK)
    return plain[at + 1 : at + 2].lower() if at >= 0 else ""


def mark_mnemonics(buttons: Iterable[QAbstractButton]) -> None:
    """Gives every button without a mnemonic a unique one, preferably the first letter of a word. Applies to Qt's
    standard buttons too."""
    buttons = list(buttons)
    taken = {mnemonic(button.text()) for button in buttons} - {""}
    for button in buttons:
        text = button.text()
        if mnemonic(text):
            continue
        for place in sorted(range(len(text)), key=lambda at: (at > 0 and text[at - 1] != " ", at)):
            letter = text[place].lower()
            if letter.isalnum() and letter < IDEOGRAPHS and letter not in taken:
                taken.add(letter)
                button.setText(text[:place] + MARK + text[place:])
                break
        else:
            button.setText(_with_letter(text, standard_name(button).lower(), taken))


def standard_name(button: QAbstractButton) -> str:
    """``Cancel`` for the button that has this name in Qt; "" for a button of our own."""
    box = button.parent()
    if not isinstance(box, QDialogButtonBox):
        return ""
    standard = box.standardButton(button)
    return "" if standard == QDialogButtonBox.StandardButton.NoButton else standard.name or ""


def _with_letter(text: str, english: str, taken: set[str]) -> str:
    """``text`` with a free letter in brackets (of ``english`` if possible), as is usual in Chinese, if it has
    ideographs; takes that letter."""
    letter = next((letter for letter in english + ascii_lowercase if letter not in taken), "")
    if not letter or not any(one >= IDEOGRAPHS for one in text):
        return text
    taken.add(letter)
    name = text.removesuffix("…")
    return f"{name}({MARK}{letter.upper()}){text[len(name) :]}"
