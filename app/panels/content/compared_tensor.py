"""The tensor of the baseline that belongs to a shown tensor, and how both differ."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.analysis.popef.anchors import shape_text
from app.analysis.popef.values import Slice, difference
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.content.tensor_bar import AFTER, BEFORE, TensorBar
from app.panels.content.values import Sides
from app.profile.profile import Profile
from app.store.compare_contents import tensor_difference
from app.store.payload import Payload, Tensor, Values, payload_of, read_slice, tensor_of
from app.store.token import Token
from app.views.content import words

AUTOMATIC = 256 << 20
"""Values of larger tensors (bytes) are compared only as far as they are seen."""


class ComparedTensor(QObject):
    """``before``: the tensor whose values can be subtracted from those of the shown one, None without one. Says in
    ``bar`` how both differ."""

    def __init__(self, bar: TensorBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self._sums = Background(self)
        self._baseline: tuple[Profile, int] | None = None
        self.before: Tensor | None = None

    @property
    def busy(self) -> bool:
        return self._sums.busy

    @property
    def payload(self) -> Payload | None:
        """The payload of the baseline's tensor."""
        if self._baseline is None:
            return None
        profile, row = self._baseline
        return None if profile.model is None else payload_of(profile, int(profile.model.tensors.blob[row]))

    def forget(self) -> None:
        """There is nothing to compare."""
        self._sums.cancel()
        self._baseline = self.before = None
        self._bar.offer_sides("", values=False)

    def show(self, before: tuple[Profile, int] | None, after: tuple[Profile, int], number: int) -> None:
        """Compares with this row of the baseline's tensors (None: it has no such tensor). ``number``: which tensor of a
        feed is shown."""
        self._sums.cancel()
        self._baseline = before
        self.before = None if before is None else tensor_of(*before, number)
        shown = tensor_of(*after, number)
        if before is None:
            self._bar.offer_sides(tr("The baseline has no tensor of this name."), values=False)
            return
        why = _why_not(self.before, shown)
        if why:
            self.before = None
            self._bar.offer_sides(why, values=False)
            return
        assert shown is not None
        self._bar.offer_sides(tr("comparing"), values=True)
        if shown.there * shown.stored.itemsize > AUTOMATIC:
            self._bar.offer_sides(tr("Too large to compare all values at once; use the Values page."), values=True)
            return
        self._sums.run(
            Task(
                lambda token, report: tensor_difference(before, after, token, report),
                lambda content: self._bar.offer_sides(words.differences(content), values=True),
                self._fail,
                lambda done, of: self._bar.offer_sides(words.progress(done, of), values=True),
            )
        )

    def reader(self, tensor: Tensor, side: int) -> Callable[[Slice, Token], tuple[Values, Sides | None]]:
        """Reads a slice of the chosen side of the shown ``tensor``: its values, and what they are the difference of."""
        before = self.before

        def read(part: Slice, token: Token) -> tuple[Values, Sides | None]:
            if before is None or side == AFTER:
                return read_slice(tensor, part, token), None
            if side == BEFORE:
                return read_slice(before, part, token), None
            sides = Sides(read_slice(before, part, token), read_slice(tensor, part, token))
            return subtracted(sides), sides

        return read

    def _fail(self, error: FormatError) -> None:
        self._bar.offer_sides(tr("The values cannot be compared: {error}", error=error), values=True)


def subtracted(sides: Sides) -> Values:
    """After minus before; missing where either is."""
    before, after = sides
    missing = before.missing if after.missing is None else after.missing
    if before.missing is not None and after.missing is not None:
        missing = before.missing | after.missing
    return Values(after.part, difference(before.numbers, after.numbers), missing)


def _why_not(before: Tensor | None, after: Tensor | None) -> str:
    """Why the values cannot be subtracted; "" if they can."""
    if before is None or after is None:
        return tr("Not compared by value: its type or shape is not valid.")
    if before.data_type != after.data_type:
        return tr("Not compared by value: the types are different.")
    if before.shape != after.shape:
        return tr("Not compared by value: the baseline has the shape {shape}.", shape=shape_text(before.shape))
    return ""
