"""What was typed for each profile, and for none: kept with the profile from one run to the next."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.analysis.scaling.what_if import WhatIf
from app.document.document import Document
from app.panels.scaling.asked import EXAMPLE, Asked, kept, restored
from app.profile.profile import Profile

FAMILY = "poplar"


class Desk(QObject):
    """Signal ``changed``: something else was asked for, of the profile that is shown."""

    changed = Signal()

    def __init__(self, document: Document, source: str, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._source = source
        self._asked: dict[int | None, Asked] = {}
        self._others: dict[int | None, int] = {}
        self._replicas: dict[tuple[int | None, int], tuple[int, int]] = {}
        document.states.restored.connect(self._restored)

    @property
    def entry(self) -> int | None:
        """The profile that is shown."""
        current = self._document.current
        return None if current is None else current.id

    @property
    def asked(self) -> Asked:
        entry = self.entry
        if entry not in self._asked:
            found = None if entry is None else self._document.states.view(entry, self._source)
            self._asked[entry] = Asked() if found is None else restored(found)
        return self._asked[entry]

    def type_text(self, key: str, text: str) -> None:
        """Into the field of that key; "" takes it back."""
        self._change(self.asked.with_text(key, text))

    def choose_loop(self, program: int) -> None:
        """-1: the one that was found."""
        self._change(replace(self.asked, loop=program if program >= 0 else None))

    def change_what_if(self, what_if: WhatIf) -> None:
        self._change(replace(self.asked, what_if=what_if))

    def paste(self, text: str) -> None:
        """Measured throughputs."""
        self._change(replace(self.asked, pasted=text))

    def _change(self, after: Asked) -> None:
        """Something else is asked for."""
        entry, before = self.entry, self.asked
        self._asked[entry] = after
        if after == before:
            return
        if entry is not None and kept(after) != kept(before):
            self._document.states.set_view(entry, self._source, kept(after))
        self.changed.emit()

    def fill_example(self) -> None:
        """Numbers to begin with; what was typed stays."""
        self._change(replace(self.asked, texts={**EXAMPLE, **self.asked.texts}))

    # -- the other profile --------------------------------------------------------------------------------

    @property
    def others(self) -> list[tuple[int, str]]:
        """Open profiles that could be compared: (entry id, name)."""
        entries = [entry for entry in self._document.entries if entry.id != self.entry]
        return [(entry.id, entry.profile.name) for entry in entries if entry.profile.origin.format == FAMILY]

    @property
    def other(self) -> int:
        """The entry that is compared with; -1 none."""
        chosen = self._others.get(self.entry, -1)
        return chosen if chosen in [entry for entry, _ in self.others] else -1

    @property
    def other_profile(self) -> Profile | None:
        return next((entry.profile for entry in self._document.entries if entry.id == self.other), None)

    @property
    def replicas(self) -> tuple[int | None, int | None]:
        """Of the shown profile and the other, where a person has said them."""
        mine, theirs = self._replicas.get((self.entry, self.other), (0, 0))
        return mine or None, theirs or None

    def choose_other(self, entry: int) -> None:
        self._others[self.entry] = entry
        self.changed.emit()

    def give_replicas(self, mine: int, theirs: int) -> None:
        """0: as the profile says."""
        self._replicas[self.entry, self.other] = mine, theirs
        self.changed.emit()

    def _restored(self, entry: int) -> None:
        """What was left the last time has been found; unless the person was quicker."""
        if not kept(self._asked.get(entry, Asked())):
            self._asked.pop(entry, None)
            if entry == self.entry:
                self.changed.emit()
