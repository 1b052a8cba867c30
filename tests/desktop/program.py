"""Tilesight in a separate process on a desktop, and a user's actions in it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop.accessible import Node, Tree
from desktop.eyes import Eyes, changed
from desktop.hands import Hands
from desktop.server import Desktop, end_group
from desktop.waiting import PATIENCE_S, until

ROOT = Path(__file__).resolve().parent.parent.parent
MENU_ITEMS = ("menu item", "check menu item", "radio menu item")
BUTTONS = ("push button", "button", "button menu", "check box", "toggle button")
FIELDS = ("text", "entry")
TABS = ("page tab",)
AWAY = (2, 1)
"""Where the pointer is at the start, beside the window: what is below it may stay in front, and the program before left
it anywhere."""
MENU_PIXELS = 2000
"""A menu that pops up changes at least this many."""


class Program:
    """``tree`` is the accessibility tree; all actions use ``hands``, and ``eyes`` look at the screen."""

    def __init__(self, desktop: Desktop, process: subprocess.Popen[bytes], tree: Tree) -> None:
        self.desktop = desktop
        self.hands = Hands(desktop.environment)
        self.eyes = Eyes(desktop.framebuffer)
        self._process = process
        self.tree = tree.program(process.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """Ends the program as a crash does: it cannot do anything more."""
        self._process.kill()
        self._process.wait()

    def wait_ended(self, seconds: float = PATIENCE_S) -> int:
        """The exit status."""
        until(lambda: not self.running, "the program ends", seconds)
        return int(self._process.returncode)

    @property
    def windows(self) -> list[Node]:
        """Main window, floating docks, dialogs and menus in the accessibility tree."""
        return self.tree.children

    def window(self, title: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S) -> Node:
        """The first window with the title (its beginning, or a predicate on it); waits until there is one."""
        fits = title if callable(title) else lambda name: name.startswith(title)
        return until(lambda: next((w for w in self.windows if fits(w.name)), None), f"a window {title}", seconds)

    def gone(self, title: str, seconds: float = PATIENCE_S) -> None:
        """Waits until no window has a title that begins like this."""
        until(lambda: not any(w.name.startswith(title) for w in self.windows), f"the end of window {title}", seconds)

    def find(
        self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S
    ) -> Node:
        """The first visible control in any window of the program, the newest window first; waits until there is one."""
        try:
            return until(lambda: next(self._all(role, name), None), f"a control: {role} {name}", seconds)
        except AssertionError as error:
            shown = "\n".join(window.outline() for window in self.windows)
            raise AssertionError(f"{error}\nWhat answered:\n{shown or 'no window'}") from None

    def has(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> bool:
        """Whether such a control is visible now."""
        return next(self._all(role, name), None) is not None

    def _all(self, role: str | Sequence[str], name: str | Callable[[str], bool]) -> Iterator[Node]:
        for window in reversed(self.windows):
            yield from window.each(role, name)

    @property
    def focused(self) -> Node | None:
        """The control with the keyboard focus, according to the accessibility tree."""
        return next((at for window in reversed(self.windows) if (at := window.focused) is not None), None)

    def click(self, role: str | Sequence[str], name: str | Callable[[str], bool]) -> None:
        """Finds a control and clicks its middle."""
        self.hands.click(self.find(role, name).middle)

    def menu(self, *path: str) -> None:
        """Selects from the menu bar with the mouse, item by item: ``menu("View", "Appearance", "Dark")``."""
        for text in path:
            self.click(MENU_ITEMS, _begins(text))

    def command(self, words: str) -> None:
        """Runs the command that the palette finds by ``words``."""
        self.hands.press("ctrl+shift+p")
        self.hands.type(words)
        self.hands.press("Return")

    def show_panel(self, title: str) -> Node:
        """Clicks the tab of a dock; where another panel of its group has the tab, finds it with the palette. Returns
        the dock."""
        tab = self.find(TABS, title)
        if tab.box[2] > 1:
            self.hands.click(tab.middle)
        else:
            self.command(title)
        return until(lambda: self._dock(title), f"the panel {title}")

    def panel_menu(self, title: str, *keys: str) -> None:
        """Opens the menu "⋯" of a panel in front, in its heading or at the end of its tabs, and presses keys in it:
        assistive tools are not told of menus that pop up."""
        left, top, width, _ = self.find("panel", title).box
        buttons = [one for window in self.windows for one in window.all(BUTTONS, "Panel menu")]
        near = [one for one in buttons if left <= one.middle[0] < left + width]
        place = min(near, key=lambda one: abs(one.middle[1] - top)).middle
        self.hands.move(place)
        before = self.eyes.still()
        self.hands.click(place)
        until(lambda: changed(before, self.eyes.look()) > MENU_PIXELS, "a menu")
        self.hands.press(*keys)

    def _dock(self, title: str) -> Node | None:
        docks = self.tree.all("panel", title)
        return docks[0] if docks else None

    def open(self, path: Path) -> None:
        """Opens with the dialog: a file by its path, a folder with the dialog for folders."""
        if path.is_dir():
            self.menu("File", "Open folder…")
        else:
            self.hands.press("ctrl+o")
        self.type_path(path, "Open")

    def fill_screen(self) -> None:
        """Maximises the main window."""
        words = [
            "search",
            "--sync",
            "--onlyvisible",
            "--name",
            "Tilesight",
            "windowmove",
            "0",
            "0",
            "windowsize",
            "100%",
            "100%",
        ]
        subprocess.run(["xdotool", *words], env=dict(self.desktop.environment), check=True, capture_output=True)
        self.rest()

    def type_path(self, path: Path, dialog: str) -> None:
        """Types a path into the file dialog with the title ``dialog``, and Enter; waits until it is closed."""
        self.type_into_field(str(path), self.window(dialog))
        self.hands.press("Return")
        self.gone(dialog)

    def type_into_field(self, text: str, window: Node) -> None:
        """Types into the field of ``window`` that has the keyboard focus, replacing its content."""
        until(lambda: (at := window.focused) is not None and at.role in FIELDS, f"a field to type in: {window.name}")
        until(lambda: self._typed(text, window), f"the field says {text}")

    def _typed(self, text: str, window: Node) -> bool:
        """Types like a user who watches the field: Qt's file dialog may complete a path while it is typed, and then it
        is typed again."""
        self.hands.press("ctrl+a")
        self.hands.type(text)
        self.rest()
        return (at := window.focused) is not None and at.text == text

    def rest(self) -> None:
        """Waits until the screen is at rest."""
        self.eyes.still()


@contextmanager
def started(desktop: Desktop, home: Path, files: Sequence[Path | str] = (), scale: int = 1) -> Iterator[Program]:
    """Runs the program with ``files`` on its command line and its settings in ``home``, at ``scale``. It must not print
    a line to standard error, such as a Qt warning or a traceback."""
    Hands(desktop.environment).move(AWAY)
    tree = Tree(desktop.accessible_bus, scale)
    log = home / "program.log"
    own = {"HOME": str(home), "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    own |= {"PYTHONUTF8": "1", "LANG": "C.UTF-8", "QT_SCALE_FACTOR": str(scale)}
    own["QT_LOGGING_RULES"] = "qt.accessibility.atspi.warning=false"  # controls may disappear while they are queried
    own |= {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "CACHE", "DATA", "STATE")}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), *map(str, files)],
            env={**desktop.environment, **own},
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            process_group=0,
        )
    try:
        program = Program(desktop, process, tree)
        program.window("")
        program.rest()
        yield program
    finally:
        end_group(process)
        tree.close()
    written = log.read_text(encoding="utf-8", errors="replace")
    assert not written, f"the program wrote to its output:\n{written}"


def _begins(text: str) -> Callable[[str], bool]:
    """A predicate for the menu item that has this text before its shortcut."""
    return lambda name: name.split("\t")[0] == text
