"""A tour in the window: each step brings its panel to the front; it ends cleanly whatever happens to its profile."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.help.pages import page
from app.help.tours import TOURS, Step, Tour, steps
from app.profile.profile import Profile
from app.resources import resource
from app.widgets.display import Display
from app.window import samples, start_page, tour
from app.window.central_widget import stops
from app.window.help_window import HelpWindow
from app.window.main_window import MainWindow
from app.window.samples import Sample
from app.window.screenshot import settle
from app.window.settings import SettingsFile
from app.window.tour import Mark, TourBar
from fakes.shell import loader_of

POPEF = steps(page("tour-popef").text)


@pytest.fixture
def touring(qtbot: QtBot, looks: None) -> MainWindow:
    """The window with its own loader and the real panels, nothing open."""
    document = Document()
    window = MainWindow(SettingsFile(None))
    qtbot.addWidget(window)
    window.fill(Loader(document), document, Display(parent=window))
    window.appearance.refresh()
    window.resize(1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def begun(touring: MainWindow, qtbot: QtBot) -> tuple[MainWindow, TourBar]:
    """The same at the first step of the tour of PopEF."""
    return touring, begin(touring, qtbot, "tour-popef")


def begin(window: MainWindow, qtbot: QtBot, topic: str) -> TourBar:
    window.actions_.actions[f"help.{topic}"].trigger()
    (bar,) = window.findChildren(TourBar)
    qtbot.waitUntil(bar.isVisible, timeout=30_000)
    qtbot.waitUntil(bar.next.hasFocus)
    settle(window)
    return bar


def framed(window: MainWindow) -> list[str]:
    """The panels with a frame that can be seen."""
    panels = [mark.parent() for mark in window.findChildren(Mark) if mark.isVisible()]
    return [panel.objectName() for panel in panels if panel is not None]


@pytest.mark.parametrize("one", TOURS, ids=lambda one: one.topic)
def test_enter_leads_through_all_steps(touring: MainWindow, qtbot: QtBot, one: Tour) -> None:
    bar, own = begin(touring, qtbot, one.topic), steps(page(one.topic).text)
    docks = touring.prepare()
    for number, step in enumerate(own, 1):
        assert bar.place.text() == f"Step {number} of {len(own)}: {step.heading}"
        assert docks.in_sight(step.panel)
        assert framed(touring) == [step.panel]
        assert bar.show_me.isVisible() == bool(step.action)
        if step.action:
            QTest.mouseClick(bar.show_me, Qt.MouseButton.LeftButton)
            settle(touring)
            assert docks.in_sight(step.panel)
            assert bar.show_me.hasFocus()
            assert touring.document.selection.value is not None or step.action.startswith("command:")
            bar.next.setFocus()
        card = bar.mapTo(touring, bar.rect().topLeft()).y()
        assert docks.mapTo(touring, docks.rect().bottomLeft()).y() < card
        QTest.keyClick(bar.next, Qt.Key.Key_Return)
        settle(touring)
    assert bar.isHidden()
    assert framed(touring) == []
    qtbot.waitUntil(lambda: docks.holds(QApplication.focusWidget() or touring))


def test_tab_goes_from_the_panels_through_the_card_to_the_status_bar(begun: tuple[MainWindow, TourBar]) -> None:
    window, bar = begun
    order = [widget for widget in stops(window) if bar.isAncestorOf(widget)]
    assert order == [bar.text, bar.show_me, bar.next, bar.close_]
    assert bar.card.accessibleName() == "Tour: a PopEF model"
    assert bar.next.accessibleDescription().startswith("Step 1 of ")
    assert all(widget.accessibleName() or isinstance(widget, QPushButton) for widget in order)
    bar.go(1)
    bar.back.setFocus()
    QTest.keyClick(bar.back, Qt.Key.Key_Space)
    assert bar.next.hasFocus()
    assert not bar.back.isEnabled()


def test_links_of_a_step_are_followed_by_keys(begun: tuple[MainWindow, TourBar]) -> None:
    window, bar = begun
    bar.text.setFocus()
    QTest.keyClick(bar.text, Qt.Key.Key_Tab)  # the panel
    QTest.keyClick(bar.text, Qt.Key.Key_Tab)  # the feed
    QTest.keyClick(bar.text, Qt.Key.Key_Return)
    selected = window.document.selection.value
    assert selected is not None
    assert selected.kind == "blob"
    bar.text.followed.emit("popef.md")  # there is none
    bar.text.followed.emit("tour-poplar.md")
    (opened,) = window.findChildren(HelpWindow)
    assert opened.topic == "tour-poplar"
    opened.close()


@pytest.mark.parametrize("how", ["escape", "button", "profile"])
def test_it_ends(begun: tuple[MainWindow, TourBar], qtbot: QtBot, how: str) -> None:
    window, bar = begun
    bar.go(2)
    if how == "escape":
        QTest.keyClick(bar.next, Qt.Key.Key_Escape)
    elif how == "button":
        bar.close_.click()
    else:
        window.close_profile(window.document.entries[0].id)
    qtbot.waitUntil(bar.isHidden)
    assert framed(window) == []
    settle(window)
    assert begin(window, qtbot, "tour-popef") is bar
    assert bar.place.text().startswith("Step 1 of ")


def test_it_is_hidden_while_something_else_is_shown(begun: tuple[MainWindow, TourBar], qtbot: QtBot) -> None:
    window, bar = begun
    own = window.document.entries[0].id
    window.show_start(True)
    assert bar.isHidden()
    window.show_start(False)
    assert (bar.isVisible(), framed(window)) == (True, [POPEF[0].panel])
    window.open([resource("samples/matmul_leakyrelu.bin")])
    qtbot.waitUntil(lambda: window.document.current_id != own and not window.loader.busy, timeout=30_000)
    settle(window)
    assert (bar.isHidden(), framed(window)) == (True, [])
    bar.go(1)
    window.document.show(own)
    settle(window)
    assert (bar.isVisible(), bar.place.text()[:6]) == (True, "Step 2")
    window.show_start(True)
    assert begin(window, qtbot, "tour-popef").place.text()[:6] == "Step 2"  # its command leads back to it


def test_it_survives_a_closed_panel_a_reload_and_another_look(begun: tuple[MainWindow, TourBar], qtbot: QtBot) -> None:
    window, bar = begun
    docks = window.prepare()
    docks.docks[POPEF[0].panel].close()
    settle(window)
    assert framed(window) == []
    bar.go(1)
    bar.go(0)
    settle(window)
    assert framed(window) == [POPEF[0].panel]
    window.choose(theme="dark", text_size=200)
    settle(window)
    assert bar.card.width() <= window.width()
    assert bar.text.height() <= window.height() // tour.MOST
    window.loader.reload(window.document.entries[0].id)
    qtbot.waitUntil(lambda: not window.loader.busy, timeout=30_000)
    settle(window)
    assert bar.isVisible()
    docks.turn_floating(POPEF[0].panel)
    settle(window)
    bar.go(1)
    bar.go(0)
    docks.turn_floating(POPEF[0].panel)
    settle(window)
    window.close()


def test_another_tour_takes_its_place(begun: tuple[MainWindow, TourBar], qtbot: QtBot) -> None:
    window, bar = begun
    bar.go(3)
    window.start_tour("tour-ascend")
    qtbot.waitUntil(lambda: bar.card.accessibleName() == "Tour: an Ascend operator" and bar.isVisible(), timeout=30_000)
    assert bar.place.text().startswith("Step 1 of ")
    assert [entry.profile.name for entry in window.document.entries] == ["resnet_inference.popef", "matmul_leakyrelu"]
    window.close_profile(window.document.entries[0].id)
    assert bar.isVisible()


def test_a_panel_that_the_profile_does_not_have(
    begun: tuple[MainWindow, TourBar], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, bar = begun
    unknown = (Step("A", "[B](panel:liveness)", "liveness", "select:tile/1"), Step("C", "D", "no-such-panel", ""))
    monkeypatch.setattr(tour, "steps", lambda _: unknown)
    bar.end()
    window.start_tour("tour-popef")
    assert bar.place.text() == "Step 1 of 2: this profile has no such panel"
    assert (bar.show_me.isVisible(), framed(window)) == (False, [])
    bar.next.click()
    bar.next.click()
    assert bar.isHidden()


def test_a_missing_sample_and_one_that_cannot_be_read(
    touring: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tour, "samples", list)
    touring.start_tour("tour-popef")
    assert touring.notices.text == "The sample of this tour is missing. Installing Tilesight again restores it."
    broken = tmp_path / "broken.popef"
    broken.write_bytes(b"nothing")
    monkeypatch.setattr(tour, "samples", lambda: [Sample("popef", (str(broken),))])
    touring.start_tour("tour-popef")
    qtbot.waitUntil(lambda: "broken.popef" in touring.notices.text, timeout=30_000)
    qtbot.waitUntil(lambda: not touring.loader.busy)
    settle(touring)
    (bar,) = touring.findChildren(TourBar)
    assert bar.isHidden()
    broken.write_bytes(resource("samples/resnet_inference.popef").read_bytes())
    touring.open([broken])
    qtbot.waitUntil(lambda: bool(touring.document.entries) and not touring.loader.busy, timeout=30_000)
    settle(touring)
    assert bar.isHidden()  # the tour has ended


def test_a_closed_profile_is_not_held(begun: tuple[MainWindow, TourBar]) -> None:
    window, bar = begun
    bar.go(5)
    bar.show_me.click()
    settle(window)

    def column(profile: Profile | None) -> weakref.ref[object]:
        assert profile is not None
        assert profile.blobs is not None
        return weakref.ref(profile.blobs.offset)

    ref = column(window.document.profile)
    window.close_profile(window.document.entries[0].id)
    settle(window)
    gc.collect()
    assert ref() is None


def test_tours_start_from_the_start_page_and_the_help(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    started = list[str]()
    monkeypatch.setattr(MainWindow, "start_tour", lambda _, topic: started.append(topic))
    cards = {card.sample.id: card for card in window.start.findChildren(start_page.Card)}
    assert cards["poplar-measured"].findChild(QPushButton) is None
    button = cards["popef"].findChild(QPushButton)
    assert isinstance(button, QPushButton)
    assert (button.text(), button.accessibleDescription()) == ("Take the tour", "Tour: a PopEF model")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert loader_of(window).asked == []
    window.show_help("tour-trace")
    (opened,) = window.findChildren(HelpWindow)
    opened.follow("command:help.tour-trace")
    opened.follow("select:tile/1")  # nothing is open
    opened.close()
    assert started == ["tour-popef", "tour-trace"]


def test_links_of_the_help_select(busy: MainWindow, qtbot: QtBot) -> None:
    busy.show_help("tour-ascend")
    (opened,) = busy.findChildren(HelpWindow)
    follow: Callable[[str], None] = opened.follow
    follow("select:block/1")
    assert busy.document.selection.value is not None
    assert (busy.document.selection.value.kind, busy.document.selection.value.indices) == ("block", (1,))
    for nothing in (
        "select:block/99",
        "select:no-such-kind/1",
        "select:",
        "select:slice/no such name",
        "select:block/-1",
    ):
        follow(nothing)
    assert busy.document.selection.value.indices == (1,)
    opened.close()


def test_the_bundled_samples_are_those_of_tours() -> None:
    assert {one.sample for one in TOURS} <= {sample.id for sample in samples.samples()}
