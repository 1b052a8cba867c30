"""The line above the panels that says what decides about a profile."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.formats.errors import FormatError
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.store.findings import outcomes
from app.window.main_window import MainWindow
from app.window.verdict_strip import FEW, MOST, Claim
from fakes.shell import make_window


def claims(window: MainWindow) -> list[Claim]:
    return [claim for claim in window.verdict_strip.findChildren(Claim) if claim.isVisible()]


def test_it_says_what_bounds_an_operator_and_how_much_was_found(busy: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    said = [text.replace("\N{NO-BREAK SPACE}", " ") for text in busy.verdict_strip.claims]
    assert said[0] == "No single bound: VECTOR works 67.0 %"
    assert "6.40 µs on Ascend910B4" in said
    assert "2 of 20 AI cores" in said
    found = busy.document.answers.of(busy.document.entries[0].profile).findings
    assert said[-1] == f"{len(found)} findings"
    assert FEW <= len(said) - 1 <= MOST


def test_a_click_selects_the_evidence_in_sight(busy: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    busy.show_panel("tables")
    line = next(claim for claim in claims(busy) if "matmul_leaky.cpp" in claim.text())
    QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    selection = busy.document.selection.value
    assert selection is not None
    assert selection.kind == "line"
    assert busy.prepare().in_sight("source")


def test_findings_open_from_it(busy: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    assert not busy.prepare().in_sight("findings")
    QTest.mouseClick(busy.verdict_strip.findings, Qt.MouseButton.LeftButton)
    assert busy.prepare().in_sight("findings")


def test_its_place_is_kept_while_a_file_is_read(qtbot: QtBot, kernel: Profile) -> None:
    window = make_window(panels=PANELS)
    qtbot.addWidget(window)
    window.show()
    assert not window.verdict_strip.isVisible()
    entry = window.document.add(kernel, 1)
    strip = window.verdict_strip
    qtbot.waitUntil(strip.isVisible)
    height = strip.height()
    assert strip.waiting.text == "Reading…"
    assert not claims(window)
    window.document.finish(entry)
    qtbot.waitUntil(lambda: len(claims(window)) > 2)
    assert strip.height() == height
    window.close_profile(entry)
    assert not strip.isVisible()


def test_in_a_narrow_window_the_last_sentences_give_way_and_findings_stay(busy: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(claims(busy)) > 4)
    wide = len(claims(busy))
    busy.resize(700, 600)
    qtbot.waitUntil(lambda: len(claims(busy)) < wide)
    assert busy.verdict_strip.findings.isVisible()
    for claim in claims(busy):
        assert claim.geometry().right() <= busy.verdict_strip.width()


def test_it_is_reached_with_the_keyboard(busy: MainWindow, qtbot: QtBot) -> None:
    from app.window.central_widget import stops

    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    order = stops(busy)
    places = [order.index(claim) for claim in claims(busy)]
    assert places == sorted(places)
    busy.verdict_strip.findings.setFocus()
    QTest.keyClick(busy.verdict_strip.findings, Qt.Key.Key_Space)
    assert busy.prepare().in_sight("findings")


def test_beside_a_baseline_it_says_both_totals(busy: MainWindow, qtbot: QtBot, kernel: Profile) -> None:
    assert kernel.operator is not None
    slower = replace(kernel, name="slower", operator=replace(kernel.operator, duration_us=8.0))
    entry = busy.document.add(slower, 2)
    busy.document.finish(entry)
    busy.document.baselines.set(entry, busy.document.entries[0].id)
    qtbot.waitUntil(lambda: any("baseline" in text for text in busy.verdict_strip.claims))
    said = busy.verdict_strip.claims
    assert said[0] == "Duration: 8.00 µs, baseline 6.40 µs (+25.0 %)"
    assert "finding" in said[-1]
    busy.document.baselines.end(entry)
    qtbot.waitUntil(lambda: not any("baseline" in text for text in busy.verdict_strip.claims))


def test_what_cannot_be_computed_is_said(busy: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FormatError("the disk is gone")

    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    monkeypatch.setattr("app.store.findings.outcomes", fail)
    entry = busy.document.add(replace(busy.document.entries[0].profile, name="again"), 2)
    busy.document.finish(entry)
    strip = busy.verdict_strip
    qtbot.waitUntil(lambda: strip.waiting.text == "This could not be computed: the disk is gone")
    assert not claims(busy)


def test_it_counts_the_findings_that_its_panel_lists(busy: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(claims(busy)) > 2)
    profile = busy.document.entries[0].profile
    found = [finding for one in outcomes(profile) for finding in one.findings]
    assert busy.verdict_strip.claims[-1] == f"{len(found)} findings"
