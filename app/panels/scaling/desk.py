"""What the user typed for each profile, and without one; saved with the profile between runs."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.analysis.scaling.what_if import WhatIf
from app.document.document import Document
from app.profile.profile import Profile
from app.views.scaling.typed_inputs import EXAMPLE, TypedInputs, restored, saved_state

FAMILY = "poplar"


class Desk(QObject):
    """The inputs of each profile. Signal ``changed``: inputs of the shown profile changed."""

    changed = Signal()

    def __init__(self, document: Document, source: str, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._source = source
        self._inputs: dict[int | None, TypedInputs] = {}
        self._others: dict[int | None, int] = {}
        self._replicas: dict[tuple[int | None, int], tuple[int, int]] = {}
        document.states.restored.connect(self._restored)

    @property
    def entry(self) -> int | None:
        """Entry id of the shown profile; None if there is none."""
        current = self._document.current
        return None if current is None else current.id

    @property
    def inputs(self) -> TypedInputs:
        return self._of(self.entry)

    def _of(self, entry: int | None) -> TypedInputs:
        if entry not in self._inputs:
            state = None if entry is None else self._document.states.view(entry, self._source)
            self._inputs[entry] = TypedInputs() if state is None else restored(state)
        return self._inputs[entry]

    @property
    def baseline(self) -> int | None:
        """Entry id of the baseline of the shown profile, None without one."""
        return self._document.baselines.of(self.entry)

    @property
    def baseline_inputs(self) -> TypedInputs:
        """What was typed for the baseline."""
        return self._of(self.baseline)

    def type_text(self, key: str, text: str) -> None:
        """Sets the text of a field; "" resets it."""
        self._change(self.inputs.with_text(key, text))

    def choose_loop(self, program: int) -> None:
        """Sets the program of the micro-batch loop; -1: the detected one."""
        self._change(replace(self.inputs, loop=program if program >= 0 else None))

    def change_what_if(self, what_if: WhatIf) -> None:
        self._change(replace(self.inputs, what_if=what_if))

    def paste(self, text: str) -> None:
        """Sets the text of measured throughputs."""
        self._change(replace(self.inputs, pasted=text))

    def _change(self, after: TypedInputs) -> None:
        """Sets and saves the inputs."""
        entry, before = self.entry, self.inputs
        self._inputs[entry] = after
        if after == before:
            return
        if entry is not None and saved_state(after) != saved_state(before):
            self._document.states.set_view(entry, self._source, saved_state(after))
        self.changed.emit()

    def fill_example(self) -> None:
        """Fills in the example; typed values stay."""
        self._change(replace(self.inputs, texts={**EXAMPLE, **self.inputs.texts}))

    # -- the other profile --------------------------------------------------------------------------------

    @property
    def others(self) -> list[tuple[int, str]]:
        """Other open profiles that can be compared with: (entry id, name)."""
        entries = [entry for entry in self._document.entries if entry.id != self.entry]
        return [(entry.id, entry.profile.name) for entry in entries if entry.profile.origin.format == FAMILY]

    @property
    def other(self) -> int:
        """Entry id of the profile to compare with: the chosen one, else the baseline; -1 for none."""
        baseline = self.baseline
        chosen = self._others.get(self.entry, -1 if baseline is None else baseline)
        return chosen if chosen in [entry for entry, _ in self.others] else -1

    @property
    def other_profile(self) -> Profile | None:
        return next((entry.profile for entry in self._document.entries if entry.id == self.other), None)

    @property
    def replicas(self) -> tuple[int | None, int | None]:
        """Replicas of the shown profile and of the other one; None unless the user typed them."""
        mine, theirs = self._replicas.get((self.entry, self.other), (0, 0))
        return mine or None, theirs or None

    def choose_other(self, entry: int) -> None:
        self._others[self.entry] = entry
        self.changed.emit()

    def give_replicas(self, mine: int, theirs: int) -> None:
        """Sets the replicas of both profiles; 0: the number in the profile."""
        self._replicas[self.entry, self.other] = mine, theirs
        self.changed.emit()

    def _restored(self, entry: int) -> None:
        """Takes over inputs restored from the last run, unless the user has already typed something."""
        if not saved_state(self._inputs.get(entry, TypedInputs())):
            self._inputs.pop(entry, None)
            if entry == self.entry:
                self.changed.emit()
