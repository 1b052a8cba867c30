"""Tilesight itself as a process of its own on a desktop, and what a person does with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop.accessible import Node, Tree
from desktop.eyes import Eyes
from desktop.hands import Hands
from desktop.server import Desktop, end_group
from desktop.waiting import PATIENCE_S, until

ROOT = Path(__file__).resolve().parent.parent.parent
MENU_ITEMS = ("menu item", "check menu item", "radio menu item")
BUTTONS = ("push button", "button", "button menu", "check box", "toggle button")
FIELDS = ("text", "entry")
TABS = ("page tab",)


class Program:
    """``tree`` is what assistive tools are told; everything is done with ``hands`` and seen with ``eyes``."""

    def __init__(self, desktop: Desktop, process: subprocess.Popen[bytes], tree: Tree) -> None:
        self.desktop = desktop
        self.hands = Hands(desktop.environment)
        self.eyes = Eyes(desktop.framebuffer)
        self._process = process
        self.tree = tree.program(process.pid)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_ended(self, seconds: float = PATIENCE_S) -> int:
        """The exit status."""
        until(lambda: not self.running, "the program ends", seconds)
        return int(self._process.returncode)

    @property
    def windows(self) -> list[Node]:
        """Main window, torn-off docks, dialogs and menus, as assistive tools are told of them."""
        return self.tree.children

    def window(self, title: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S) -> Node:
        """The first window with the title (a text that it begins with, or a test of it), waited for."""
        fits = title if callable(title) else lambda name: name.startswith(title)
        return until(lambda: next((w for w in self.windows if fits(w.name)), None), f"a window {title}", seconds)

    def gone(self, title: str, seconds: float = PATIENCE_S) -> None:
        """Waits until no window has a title that begins so."""
        until(lambda: not any(w.name.startswith(title) for w in self.windows), f"the end of window {title}", seconds)

    def find(
        self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "", seconds: float = PATIENCE_S
    ) -> Node:
        """The first control shown in any window of the program, the newest window first; waited for."""
        try:
            return until(lambda: next(self._all(role, name), None), f"a control: {role} {name}", seconds)
        except AssertionError as error:
            shown = "\n".join(window.outline() for window in self.windows)
            raise AssertionError(f"{error}\nWhat answered:\n{shown or 'no window'}") from None

    def has(self, role: str | Sequence[str] = (), name: str | Callable[[str], bool] = "") -> bool:
        """Whether such a control is shown now."""
        return next(self._all(role, name), None) is not None

    def _all(self, role: str | Sequence[str], name: str | Callable[[str], bool]) -> Iterator[Node]:
        for window in reversed(self.windows):
            yield from window.each(role, name)

    @property
    def focused(self) -> Node | None:
        """What has the keyboard, as assistive tools are told."""
        return next((at for window in reversed(self.windows) if (at := window.focused) is not None), None)

    def click(self, role: str | Sequence[str], name: str | Callable[[str], bool]) -> None:
        """Looks for a control and clicks its middle."""
        self.hands.click(self.find(role, name).middle)

    def menu(self, *path: str) -> None:
        """Chooses from the menu bar with the mouse, item by item: ``menu("View", "Theme", "Dark")``."""
        for text in path:
            self.click(MENU_ITEMS, _begins(text))

    def show_panel(self, title: str) -> Node:
        """Clicks the tab of a dock; the dock."""
        self.click(TABS, title)
        return until(lambda: self._dock(title), f"the panel {title}")

    def _dock(self, title: str) -> Node | None:
        docks = self.tree.all("panel", title)
        return docks[0] if docks else None

    def open(self, path: Path) -> None:
        """By the dialog: a file by its path, a folder by the dialog for folders."""
        if path.is_dir():
            self.menu("File", "Open folder…")
        else:
            self.hands.press("ctrl+o")
        self.type_path(path, "Open")

    def fill_screen(self) -> None:
        """The main window as large as the screen."""
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
        """Types a path into the file dialog that has the title ``dialog``, and Enter; waits until it is closed."""
        self.type_into_field(str(path), self.window(dialog))
        self.hands.press("Return")
        self.gone(dialog)

    def type_into_field(self, text: str, window: Node) -> None:
        """Types into the field of ``window`` that has the keyboard, in place of what stands there."""
        until(lambda: (at := window.focused) is not None and at.role in FIELDS, f"a field to type in: {window.name}")
        until(lambda: self._typed(text, window), f"the field says {text}")

    def _typed(self, text: str, window: Node) -> bool:
        """Types as a person does who looks at the field: Qt's file dialog may complete a path while it is typed, and
        then it is typed again."""
        self.hands.press("ctrl+a")
        self.hands.type(text)
        self.rest()
        return (at := window.focused) is not None and at.text == text

    def rest(self) -> None:
        """Waits until the screen does not change any more."""
        self.eyes.still()


@contextmanager
def started(desktop: Desktop, home: Path, files: Sequence[Path | str] = (), scale: int = 1) -> Iterator[Program]:
    """The program with ``files`` on its command line and its settings in ``home``, ``scale`` times as large. At the
    end it must not have written a line to standard error, such as a warning of Qt's or a traceback."""
    tree = Tree(desktop.accessible_bus, scale)
    log = home / "program.log"
    own = {"HOME": str(home), "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    own |= {"PYTHONUTF8": "1", "LANG": "C.UTF-8", "QT_SCALE_FACTOR": str(scale)}
    own["QT_LOGGING_RULES"] = "qt.accessibility.atspi.warning=false"  # we ask for controls that go while we do
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
    """A test for the item of a menu that has this text before its keys."""
    return lambda name: name.split("\t")[0] == text
