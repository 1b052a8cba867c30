"""Keys and mouse of a user, as events of the X server, from outside the program."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]
"""A point on the screen in pixels, from its top left corner."""

NO_KEYS: Mapping[int, Sequence[str]] = {}
LEFT, MIDDLE, RIGHT, WHEEL_UP, WHEEL_DOWN = 1, 2, 3, 4, 5


class Hands:
    """Each call returns when the X server has received the events; tests wait for their effects themselves."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)

    def press(self, *keys: str) -> None:
        """Presses keys one after another, each with its modifiers: ``press("ctrl+e", "Return")`` (names of X
        keysyms)."""
        self._do("key", "--clearmodifiers", *keys)

    def hold(self, key: str, seconds: float) -> None:
        """Holds a key down; the X server repeats it like a keyboard does."""
        self._do("keydown", key)
        time.sleep(seconds)  # the length of the hold is the gesture itself
        self._do("keyup", key)

    def type(self, text: str) -> None:
        self._do("type", "--clearmodifiers", "--delay", "5", text)

    def move(self, place: Place) -> None:
        """Moves in two steps, because a single jump is not a movement to programs that compare positions."""
        self._do("mousemove", *_words(place[0] - 2, place[1] - 1), "mousemove", *_words(*place))

    def click(self, place: Place, button: int = LEFT, *, modifiers: Sequence[str] = (), times: int = 1) -> None:
        self.move(place)
        down = [word for key in modifiers for word in ("keydown", key)]
        up = [word for key in modifiers for word in ("keyup", key)]
        self._do(*down, "click", "--repeat", str(times), "--delay", "60", str(button), *up)

    def double_click(self, place: Place) -> None:
        self.click(place, times=2)

    def drag(
        self, start: Place, end: Place, button: int = LEFT, steps: int = 8, keys: Mapping[int, Sequence[str]] = NO_KEYS
    ) -> None:
        """Presses at ``start``, moves to ``end`` in ``steps``, and releases the button; ``keys``: pressed meanwhile,
        after the step of that number."""
        self.take(start, end, button, steps, keys)
        self.let_go(button)

    def take(
        self, start: Place, end: Place, button: int = LEFT, steps: int = 8, keys: Mapping[int, Sequence[str]] = NO_KEYS
    ) -> None:
        """The same without the release."""
        self.move(start)
        words = ["mousedown", str(button)]
        for step in range(1, steps + 1):
            across = round(start[0] + (end[0] - start[0]) * step / steps)
            down = round(start[1] + (end[1] - start[1]) * step / steps)
            words += ["mousemove", *_words(across, down), "sleep", "0.02"]
            for key in keys.get(step, ()):
                words += ["key", key]
        self._do(*words)

    def let_go(self, button: int = LEFT) -> None:
        self._do("mouseup", str(button))

    def wheel(self, place: Place, notches: int, *, modifiers: Sequence[str] = ()) -> None:
        """Turns the wheel, away from the user if ``notches`` is positive."""
        self.click(place, WHEEL_UP if notches > 0 else WHEEL_DOWN, modifiers=modifiers, times=abs(notches))

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, capture_output=True)


def _words(across: int, down: int) -> tuple[str, str]:
    return str(max(0, across)), str(max(0, down))
