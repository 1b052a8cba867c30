"""The content panel: what lies in the file behind the selection."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.document.document import Update
from app.panels.content.bytes_view import BytesView
from app.panels.content.subject import BytesSubject, Nothing, TensorSubject, subject_of
from app.panels.content.tensor_view import TensorView
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh


class ContentPanel(QWidget):
    """Follows the selection: values of a tensor or of an anchor's tensor, bytes of any other blob."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.tensor = TensorView(context.display, self)
        self.bytes = BytesView(context.display, self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.tensor)
        self.pages.addWidget(self.bytes)
        self.stack = OrEmpty(context.display, self.pages, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        context.document.selection.changed.connect(self._refresh.request)
        self._refresh.request()

    @property
    def busy(self) -> bool:
        """Whether values are still being read."""
        return self.tensor.busy

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("model", "blobs"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        subject = subject_of(profile, self._context.document.selection.value)
        if profile is None or isinstance(subject, Nothing):
            self.tensor.clear()
            self.stack.show_empty(subject.why if isinstance(subject, Nothing) else "")
            return
        if isinstance(subject, TensorSubject):
            self.pages.setCurrentWidget(self.tensor)
            self.tensor.show_tensor(profile, subject.row)
        elif isinstance(subject, BytesSubject):
            self.tensor.clear()
            self.pages.setCurrentWidget(self.bytes)
            self.bytes.show_bytes(profile, subject)
        self.stack.show_content()
