"""Questions about the times of a timeline that are answered in a thread: its critical path, what a slice waited for,
what a change would save."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from app.document.background import Background, Task, raise_error
from app.language import tr
from app.views.texts import shown_line
from app.window.notices import Notice, Notices

if TYPE_CHECKING:
    from app.analysis.time.model import TimeModel
    from app.document.document import Document, Update
    from app.profile.profile import Profile
    from app.profile.timeline import Timeline
    from app.widgets.abilities import ShowsCriticalPath
    from app.window.footer import Footer, ProgressRow

Question: TypeAlias = Literal["path", "neighbour", "saving"]
Result = TypeVar("Result")
SHOWN_MS = 6000
NO_DEPENDENCIES = tr("No flags or arrows in the file: waits have no known cause.")
NO_PATH = tr("No flags or arrows in the file: waits have no known cause, so there is no critical path.")
NO_ESTIMATE = tr("No flags or arrows in the file: what a change would save is unknown.")
WAITS_FOR_NONE = tr("What this slice waited for is not in the file.")
NONE_WAITS = tr("No slice is known to wait for this one.")
READING_TIMES = tr("What waits for what…")


class Around(Protocol):
    """What a window has that questions need."""

    @property
    def document(self) -> Document: ...
    @property
    def footer(self) -> Footer: ...
    @property
    def notices(self) -> Notices: ...
    @property
    def main(self) -> QMainWindow: ...
    def refresh_soon(self) -> None: ...


class TimeQuestions(QObject):
    """One thread for each kind of question; a new one replaces that before it. What takes long has a line in the
    status bar, with a button to cancel it. Questions end with the profile that they are about."""

    def __init__(self, context: Around) -> None:
        super().__init__(context.main)
        self._context = context
        self._backgrounds: dict[Question, Background] = {}
        self._rows: dict[Question, ProgressRow] = {}
        self._saving: Notice | None = None
        context.document.updated.connect(self._updated)

    def ask(
        self,
        question: Question,
        profile: Profile,
        answer: Callable[[TimeModel, Callable[[], None]], Result],
        done: Callable[[Result], object],
    ) -> None:
        """Calls ``done`` with what ``answer`` returns for the model of ``profile``; ``answer`` runs in a thread, and
        calls the second argument at times."""

        def work(token: Any, _: object) -> Result:
            from app.analysis.time.model import looked_at  # not needed to start the window

            return answer(looked_at(profile, token.check), token.check)

        def show(found: Result) -> None:
            self._end_row(question)
            done(found)

        self._end_row(question)
        background = self._backgrounds.setdefault(question, Background(self))
        self._rows[question] = self._context.footer.begin(READING_TIMES, partial(self.cancel, question))
        background.run(Task(work, show, raise_error))

    def cancel(self, question: Question) -> None:
        """Ends a question without an answer."""
        self._end_row(question)
        if question in self._backgrounds:
            self._backgrounds[question].cancel()

    def _end_row(self, question: Question) -> None:
        row = self._rows.pop(question, None)
        if row is not None:
            row.hide()
            row.deleteLater()

    def _updated(self, update: Update) -> None:
        if update.whole or not update.outdated.isdisjoint(("timeline", "instructions")):
            for question in tuple(self._backgrounds):
                self.cancel(question)

    # -- the questions ------------------------------------------------------------------------------------

    def toggle_path(self, canvas: ShowsCriticalPath) -> None:
        """Marks the critical path of the timeline of a canvas, or says why there is none; or unmarks it."""
        profile = self._profile_with(canvas.path_timeline)
        if canvas.path_shown or profile is None:
            self.cancel("path")
            canvas.show_path(None)
            return

        def show(model: TimeModel) -> None:
            if model.has_dependencies:
                canvas.show_path(model)
            else:
                self._context.notices.add(Notice("info", NO_PATH))
            self._context.refresh_soon()

        self.ask("path", profile, lambda model, _: model, show)

    def _profile_with(self, timeline: Timeline | None) -> Profile | None:
        """The shown profile, or its baseline: the one that has this timeline."""
        document = self._context.document
        comparison = document.baselines.comparison
        shown = (document.profile, None if comparison is None else comparison.before)
        return next((one for one in shown if one is not None and one.timeline is timeline is not None), None)

    def go_beside(self, profile: Profile, index: int, direction: int) -> None:
        """Selects the slice that a slice waited for (-1), or that waits for it (+1); says so if none is known."""
        from app.analysis.time.model import is_made, time_model

        def answer(model: TimeModel, *_: object) -> tuple[bool, int | None]:
            from app.analysis.time.of_slice import beside

            return model.has_dependencies, beside(model.graph, index, direction)

        def go(found: tuple[bool, int | None]) -> None:
            known, other = found
            selection = self._context.document.selection
            if selection.value is None or selection.value.kind != "slice" or selection.value.first != index:
                return  # something else was selected meanwhile
            if other is not None:
                from app.profile.selection import Selection  # imports numpy, which the first window does not need

                selection.set(Selection("slice", (other,), "arrow"))
                return
            text = WAITS_FOR_NONE if direction < 0 else NONE_WAITS
            self._context.footer.showMessage(shown_line(text if known else NO_DEPENDENCIES), SHOWN_MS)

        if is_made(profile):
            go(answer(time_model(profile)))  # at once, so that no key of several is lost
        else:
            self.ask("neighbour", profile, answer, go)

    def say_saving(self, text: str, steps: dict[str, Callable[[], object]]) -> None:
        """Shows an estimate instead of the one before."""
        if self._saving is not None:
            self._context.notices.withdraw([self._saving])
        self._saving = Notice("info", text, steps=steps)
        self._context.notices.add(self._saving)
