"""The content panel: what the file holds for the selection."""

from __future__ import annotations

from app.panels.content import SPEC
from app.panels.content.bytes_view import BytesView
from app.panels.content.subject import BytesSubject, Nothing, TensorSubject, subject_of
from app.panels.content.tensor_view import TensorView
from app.panels.panel import Panel
from app.profile.profile import Profile
from app.widgets.frame import pages_of


class ContentPanel(Panel):
    """Follows the selection: shows values of a tensor or of an anchor's tensor, bytes of any other blob."""

    spec = SPEC
    by_selection = True

    def build(self) -> None:
        self.tensor = TensorView(self.context.display, self)
        self.bytes = BytesView(self.context.display, self)
        self.pages = pages_of(self, (self.tensor, self.bytes))
        self.lay_out((self.pages, 1))

    @property
    def busy(self) -> bool:
        """Whether values are still being read."""
        return self.tensor.busy

    def why_empty(self, profile: Profile | None) -> str:
        subject = subject_of(profile, self.shared.selection)
        return subject.why if isinstance(subject, Nothing) else ""

    def clear(self) -> None:
        self.tensor.clear()

    def fill(self, profile: Profile) -> None:
        subject = subject_of(profile, self.shared.selection)
        if isinstance(subject, TensorSubject):
            self.pages.setCurrentWidget(self.tensor)
            self.tensor.show_tensor(profile, subject.row)
        elif isinstance(subject, BytesSubject):
            self.tensor.clear()
            self.pages.setCurrentWidget(self.bytes)
            self.bytes.show_bytes(profile, subject)
