"""The headings of docks: one line each, at most."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QMenu, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.panels.panel import Panel
from app.panels.spec import PanelSpec
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.fields import SearchField
from app.window.dock import LINE, Dock
from app.window.dock_tabs import TabCorner
from app.window.main_window import MainWindow
from fakes.shell import PANELS, ascend, bare, build_panels, make_window, spec


class FieldPanel(Panel):
    """A field and two boxes, and nothing to show without a source."""

    spec = PanelSpec("source", "Source", lambda: FieldPanel, (), "", "Shows source.")
    empty = "No source."

    def build(self) -> None:
        self.content = QWidget(self)
        self.content.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.field = SearchField("Find", self)
        self.boxes = QCheckBox("The first box", self), QCheckBox("The second box", self)
        controls = Controls(self, (self.field, 1), *self.boxes, folds=self.boxes)
        self.lay_out((self.content, 1), home=self.content, controls=controls)

    def why_empty(self, profile: Profile | None) -> str:
        return "" if profile is not None and profile.sources is not None else self.empty

    def fill(self, profile: Profile) -> None:
        pass


def field_panel(context: Context) -> QWidget:
    return FieldPanel(context)


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    panels = [spec("source", "Source", field_panel) if one.id == "source" else one for one in PANELS]
    window = make_window(panels=panels)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    return window


def dock_of(window: MainWindow, name: str) -> Dock:
    return window.prepare().docks[name]


def corner_beside(bar: QTabBar) -> TabCorner:
    (corner,) = (one for one in bar.window().findChildren(TabCorner) if one.isVisible() and one.y() == bar.y())
    return corner


def test_tabs_have_the_name_and_the_buttons_and_one_row_the_controls(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.prepare()
    docks.focus("source")
    dock = dock_of(window, "source")
    panel = dock.widget()
    assert isinstance(panel, FieldPanel)
    (bar,) = (
        one for one in docks.tabs.bars() if one.isVisible() and docks.tabs.dock_of(one, one.currentIndex()) is dock
    )
    corner = corner_beside(bar)
    assert corner.geometry().left() > bar.geometry().right()
    assert corner.geometry().right() <= dock.geometry().right()
    assert panel.field.isVisible()
    assert panel.field.mapTo(dock, panel.field.rect().topLeft()).y() < dock.heading.height()
    assert not dock.heading.title.isVisible()
    assert not dock.heading.buttons.isVisible()
    with qtbot.waitSignal(docks.help_wanted) as asked:
        corner.help.click()
    assert asked.args == ["source"]
    docks.focus("instructions")
    plain = dock_of(window, "instructions")
    assert plain.heading.height() == LINE
    assert corner.help.toolTip() == "Shows instructions."
    plain.close()
    assert dock.heading.title.isVisible()
    assert dock.heading.buttons.isVisible()
    qtbot.waitUntil(lambda: not corner.isVisible())
    controls = dock.heading.controls
    assert controls is not None
    least = controls.minimumSizeHint().width()
    dock.heading.resize(dock.heading.buttons.width() + least + 60, dock.heading.height())
    assert controls.width() >= least  # the name is elided, the field is not cut off
    assert 0 < dock.heading.title.width() < dock.heading.title.minimumSizeHint().width()


def test_controls_go_with_the_content_and_serve_it_from_the_heading(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.prepare()
    docks.focus("source")
    dock = dock_of(window, "source")
    panel = dock.widget()
    assert isinstance(panel, FieldPanel)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.field.setFocus()
    assert docks.at(panel.field) is dock
    window.keyboard.leave(panel.field)
    qtbot.waitUntil(panel.content.hasFocus)
    window.document.finish(window.document.add(bare(format_id="ascend-bin"), 2))
    docks.focus("source")
    qtbot.waitUntil(lambda: panel.stack.is_empty)
    assert not panel.field.isVisible()


def test_the_menu_lists_what_has_no_room_then_the_commands(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.prepare()
    docks.focus("source")
    dock = dock_of(window, "source")
    panel = dock.widget()
    assert isinstance(panel, FieldPanel)
    assert not list(dock.folded())
    panel.controls.resize(panel.controls.comfort - 1, 30)  # type: ignore[union-attr]
    assert list(dock.folded()) == [panel.boxes[0]]
    dock.ask_menu(window.pos())
    (menu,) = (one for one in window.findChildren(QMenu) if one.isVisible())
    texts = [action.text().split("\t")[0].replace("&", "") for action in menu.actions()]
    assert texts[0] == "The first box"
    assert {"Close panel", "Float or dock panel"} <= set(texts)
    assert any("elp" in text for text in texts)
    menu.actions()[0].trigger()
    assert panel.boxes[0].isChecked()
    menu.close()


def test_a_floating_dock_has_the_name_and_can_be_docked_and_closed(window: MainWindow) -> None:
    dock = dock_of(window, "source")
    dock.setFloating(True)
    assert dock.heading.title.isVisible()
    assert {button.isVisible() for button in (dock.heading.buttons.dock, dock.heading.buttons.close_)} == {True}
    dock.heading.buttons.dock.click()
    assert not dock.isFloating()
