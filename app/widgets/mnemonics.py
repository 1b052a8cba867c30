"""Mnemonics: letters that press buttons together with Alt."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QAbstractButton

MARK = "&"


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
            if letter.isalnum() and letter not in taken:
                taken.add(letter)
                button.setText(text[:place] + MARK + text[place:])
                break
