"""A line above the timeline where it is longer than the task that it should show."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.analysis.checks.task_length import longer
from app.analysis.timeline.times import megahertz, unit_text
from app.language import tr
from app.profile.profile import Profile
from app.profile.task_time import TaskTime
from app.profile.timeline import Timeline
from app.views.units import duration, plain
from app.widgets.display import Display
from app.widgets.labels import Label, paint_text


class UnitNotice(Label):
    """The line, hidden without a text."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._display = display
        self.setWordWrap(True)
        self.setContentsMargins(8, 0, 8, 4)
        self.show_profile(None)
        display.changed.connect(self._tint)
        self._tint()

    def show_profile(self, profile: Profile | None) -> None:
        """Shows both lengths if they differ too much."""
        length = None if profile is None else longer(profile)
        self.setText("" if length is None or profile is None else f"▲ {notice(length, profile)}")
        self.setVisible(length is not None)

    def _tint(self) -> None:
        paint_text(self, self._display.theme.warning)


def notice(length: TaskTime, profile: Profile) -> str:
    """Both lengths, and what the difference means."""
    drawn = duration(length.seconds)
    if profile.timeline is not None and profile.timeline.unit == "cycles":
        clock = "" if length.clock_hz is None else tr(" at {megahertz} MHz", megahertz=megahertz(length.clock_hz))
        drawn = tr("{span} cycles ({drawn}{clock})", span=plain(length.span), drawn=drawn, clock=clock)
    return tr(
        "The timeline covers {drawn}, but the operator took {task}: another run, or times in another unit",
        drawn=drawn,
        task=duration(length.task),
    )


def button_text(timeline: Timeline | None) -> str:
    """The unit, and whether the user set it; "" where the format states it."""
    if timeline is None or timeline.basis == "format":
        return ""
    unit = unit_text(timeline)
    return tr("{unit}, set manually", unit=unit) if timeline.basis == "hand" else unit
