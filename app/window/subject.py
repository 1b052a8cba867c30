"""What commands act on: looked for whenever one of them runs, or is enabled or checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from app.window.reach import nearest

if TYPE_CHECKING:
    from app.window.command import CommandContext

Thing = TypeVar("Thing")


class Subject(Generic[Thing]):
    """``find`` returns what the commands are about now, None if there is nothing."""

    def __init__(self, find: Callable[[CommandContext], Thing | None]) -> None:
        self.find = find

    def act(self, act: Callable[[Thing], object]) -> Callable[[CommandContext], None]:
        """Returns what a command runs: ``act``, or nothing while there is no subject."""
        return self.act_in(lambda _, thing: act(thing))

    def act_in(self, act: Callable[[CommandContext, Thing], object]) -> Callable[[CommandContext], None]:
        """The same for what needs the window, too."""

        def run(context: CommandContext) -> None:
            thing = self.find(context)
            if thing is not None:
                act(context, thing)

        return run

    def meets(self, condition: Callable[[Thing], bool] = lambda _: True) -> Callable[[CommandContext], bool]:
        """Returns when a command is enabled, or checked: while there is a subject that meets ``condition``."""

        def holds(context: CommandContext) -> bool:
            thing = self.find(context)
            return thing is not None and condition(thing)

        return holds


def focused(ability: type[Thing]) -> Subject[Thing]:
    """The nearest widget with ``ability``, from the focus outwards."""
    return Subject(lambda context: nearest(context.keys.last_focus, ability))


def on_canvas(ability: type[Thing]) -> Subject[Thing]:
    """The canvas that has the focus or had it last, if it has ``ability``."""

    def find(context: CommandContext) -> Thing | None:
        canvas = context.keys.canvas
        return canvas if isinstance(canvas, ability) else None

    return Subject(find)
