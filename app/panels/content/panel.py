"""The content panel: what the file holds for the selection."""

from __future__ import annotations

from app.language import tr
from app.panels.content import SPEC
from app.panels.content.bytes_view import BytesView
from app.panels.content.counterparts import NONE, Counterparts
from app.panels.content.subject import BytesSubject, Nothing, TensorSubject, bytes_of, subject_of
from app.panels.content.tensor_view import TensorView
from app.panels.panel import Panel
from app.profile.profile import Profile
from app.widgets.frame import pages_of


class ContentPanel(Panel):
    """Follows the selection: shows values of a tensor or of an anchor's tensor, bytes of any other blob, the largest
    tensor while nothing is selected. With a baseline, it shows how they differ from those of the matched tensor or
    blob."""

    spec = SPEC
    by_selection = True
    compares = True

    def build(self) -> None:
        self.tensor = TensorView(self.context.display, self)
        self.bytes = BytesView(self.context.display, self)
        self._counterparts = Counterparts(self)
        self.pages = pages_of(self, (self.tensor, self.bytes))
        self.lay_out((self.pages, 1), controls=self.tensor.bar.controls)

    @property
    def busy(self) -> bool:
        """Whether values are still being read."""
        return self.tensor.busy or self.bytes.busy or self._counterparts.busy

    def why_empty(self, profile: Profile | None) -> str:
        subject = subject_of(profile, self.shared.selection)
        return subject.why if isinstance(subject, Nothing) else ""

    def clear(self) -> None:
        self.tensor.clear()
        self.bytes.clear()
        self._counterparts.forget()

    def fill(self, profile: Profile) -> None:
        subject = subject_of(profile, self.shared.selection)
        if isinstance(subject, TensorSubject):
            self.bytes.clear()
            self.pages.setCurrentWidget(self.tensor)
            self.tensor.show_tensor(profile, subject.row)
            self._compare_tensor(profile, subject.row)
        elif isinstance(subject, BytesSubject):
            self.tensor.clear()
            self.pages.setCurrentWidget(self.bytes)
            self.bytes.show_bytes(profile, subject)
            self._compare_bytes(subject)

    def _compare_tensor(self, profile: Profile, row: int) -> None:
        comparison, model = self.comparison, profile.model
        if comparison is None or model is None:
            self._counterparts.forget()
            self.tensor.end_comparison()
            return
        before = comparison.before

        def show(item: int) -> None:
            self.tensor.compare_with(None if item == NONE else (before, item))

        self._counterparts.find(comparison, "feeds" if model.tensors.feed[row] else "tensors", row, show)

    def _compare_bytes(self, subject: BytesSubject) -> None:
        comparison = self.comparison
        if comparison is None:
            self._counterparts.forget()
            self.bytes.compare_with(None)
            return
        before = comparison.before

        def show(item: int) -> None:
            if before.blobs is None or item == NONE:
                self.bytes.compare_with(None, tr("The baseline has no such blob."))
                return
            self.bytes.compare_with(bytes_of(before, before.blobs, item).payload)

        self._counterparts.find(comparison, "blobs", subject.blob, show)
