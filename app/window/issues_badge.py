"""The badge in the status bar that counts the issues of the shown profile; a click opens them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.document.document import Document
from app.language import joined, plural, tr
from app.views.severities import SEVERITIES, SIGNS
from app.views.texts import shown_line
from app.widgets.style_property import set_style_property
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.profile.issue import Issue

TONES: Final = {"error": "error", "warning": "warning", "info": "muted"}
MOST_SHOWN = 5


class IssuesBadge(QToolButton):
    """Visible only while the shown profile has issues; its sign and colour are those of the worst."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self.setObjectName("issuesBadge")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        document.updated.connect(self.follow)
        document.entries_changed.connect(self.follow)

    def follow(self) -> None:
        """Counts the issues of the shown profile."""
        profile = self._document.profile
        issues = () if profile is None else profile.issues
        self.setVisible(bool(issues))
        if not issues:
            return
        worst = min(issues, key=lambda issue: SEVERITIES.index(issue.severity)).severity
        counted = plural("{count:,} issue", "{count:,} issues", count=len(issues))
        self.setText(f"{SIGNS[worst]} {counted}")
        set_style_property(self, "tone", TONES[worst])
        set_tip(self, _words(issues))
        self.setAccessibleName(shown_line(self.text()))


def _words(issues: tuple[Issue, ...]) -> str:
    """The first issues, the worst first, and what a click does."""
    first = sorted(issues, key=lambda issue: SEVERITIES.index(issue.severity))[:MOST_SHOWN]
    lines = [f"{SIGNS[issue.severity]} {shown_line(issue.text)}" for issue in first]
    if len(issues) > len(first):
        lines.append(tr("and {count:,} more", count=len(issues) - len(first)))
    return joined("\n", [*lines, tr("Click to show all issues.")])
