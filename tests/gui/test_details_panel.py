"""The page on what is selected: figures, what it is made of, and where it leads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis import details
from app.analysis.poplar import program_figures
from app.analysis.time.model import is_made
from app.formats.ascend_trace import FORMAT as TRACE
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels import details as panels
from app.panels.details import DetailsPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.sheet import Link
from fakes.shell import bare
from generators import epoch_trace, poplar
from generators.poplar_network import Scale
from generators.schedules import flagged


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = Scale(compute_sets=20, tiles_per_ipu=12)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("run"), scale))
    return profile


@pytest.fixture
def panel(qtbot: QtBot, context: Context) -> DetailsPanel:
    panel = DetailsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    return panel


def page(qtbot: QtBot, panel: DetailsPanel, selection: Selection) -> dict[str, str]:
    """The lines below their headings, once all of it has come: ``heading/label`` to figure."""
    panel.context.document.selection.set(selection)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not panel._links.isActive() and not panel._timing.busy)
    out, heading = {}, ""
    for line in panel.copy_text().splitlines():
        label, tab, value = line.partition("\t")
        heading = heading if tab else label
        out[f"{heading}/{label}"] = value
    return out


def open_(context: Context, profile: Profile) -> None:
    context.document.finish(context.document.add(profile, 1))


def test_a_program_tells_what_it_is_made_of(
    qtbot: QtBot, context: Context, panel: DetailsPanel, profile: Profile
) -> None:
    open_(context, profile)
    assert profile.programs is not None
    program = int(np.flatnonzero(profile.programs.compute_set == 3)[0])
    found = page(qtbot, panel, Selection("program", (program,)))
    number = f"Program {program:,}"
    assert found[f"{number}/Runs"] == "3"
    assert found[f"{number}/Memory"].endswith("B")
    assert f"{number}/Total memory" not in found  # there is nothing below it
    assert found["Vertices by type/Vertices"].isdigit()
    assert "max " in found["On tiles/Vertex data"]
    assert ", max " in found["On tiles/Code"]
    assert found["Steps that ran it/Steps"] == "3"
    assert "\u00a0" not in panel.copy_text()
    exchange = int(np.flatnonzero(profile.programs.of_type("DoExchange"))[0])
    exchange = int(profile.programs.of_type("DoExchange")[exchange])
    found = page(qtbot, panel, Selection("program", (exchange,)))
    assert found["Exchange instructions/Total"].endswith(" B")
    assert "On tiles/Bytes sent" in found


def test_links_of_a_part_select_what_they_name(
    qtbot: QtBot, context: Context, panel: DetailsPanel, profile: Profile
) -> None:
    open_(context, profile)
    page(qtbot, panel, Selection("compute_set", (3,)))
    links = {link.text(): link for link in panel.sheet.findChildren(Link)}
    for kind, sign in (("tile", "▸ tile "), ("step", "▸ step "), ("vertex_type", " × ")):
        page(qtbot, panel, Selection("compute_set", (3,)))
        links = {link.text(): link for link in panel.sheet.findChildren(Link)}
        next(link for text, link in links.items() if sign in text).click()
        chosen = context.document.selection.value
        assert chosen is not None
        assert (chosen.kind, chosen.source) == (kind, "details")


def test_a_slice_tells_of_its_step_too(qtbot: QtBot, context: Context, panel: DetailsPanel, profile: Profile) -> None:
    open_(context, profile)
    assert profile.timeline is not None
    assert profile.steps is not None
    slice_ = 5
    step = int(profile.timeline.slices.record[slice_])
    found = page(qtbot, panel, Selection("slice", (slice_,)))
    assert found["Steps/Step"] == f"{step:,}"
    assert float(found["Steps/Tile balance"]) == pytest.approx(profile.steps.tile_balance[step], abs=1e-3)


def test_balances_that_differ_from_the_files_are_shown_beside_it(
    qtbot: QtBot, context: Context, panel: DetailsPanel, profile: Profile
) -> None:
    steps = profile.steps
    assert steps is not None
    step = int(steps.of_type("OnTileExecute")[2])
    right = float(steps.tile_balance[step])
    doctored = steps.tile_balance.copy()
    doctored[step] = 0.123
    open_(context, replace(profile, steps=replace(steps, tile_balance=doctored)))
    found = page(qtbot, panel, Selection("step", (step,)))
    stated, again = (found[f"Step {step:,}/{label}"] for label in ("Tile balance", "Tile balance, recomputed"))
    assert float(stated) == pytest.approx(0.123)
    assert float(again) == pytest.approx(right, abs=1e-3)
    other = int(steps.of_type("OnTileExecute")[3])
    found = page(qtbot, panel, Selection("step", (other,)))
    assert f"Step {other:,}/Tile balance, recomputed" not in found
    slightly = steps.tile_balance.copy()
    slightly[step] += 5e-7
    entry = context.document.current
    assert entry is not None
    context.document.replace(entry.id, replace(profile, steps=replace(steps, tile_balance=slightly)), 2)
    assert not any("recomputed" in label for label in page(qtbot, panel, Selection("step", (step,))))


def test_of_very_many_programs_only_what_is_quick_is_worked_out(
    qtbot: QtBot, context: Context, panel: DetailsPanel, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_figures, "FEW_PROGRAMS", 3)
    monkeypatch.setattr(details, "by_id", None)  # would make all figures
    open_(context, profile)
    found = page(qtbot, panel, Selection("program", (5,)))
    assert found["Program 5/Runs"]
    assert "Program 5/Total memory" not in found


def test_of_a_slice_the_relative_start_comes_first(
    qtbot: QtBot, context: Context, panel: DetailsPanel, tmp_path: Path
) -> None:
    """And nearby slices are told apart; the timestamp of the file is whole."""
    path = tmp_path / "trace_view.json"
    steps = epoch_trace.write(path, 900, lanes=1)
    (profile,) = read(TRACE, [path])
    open_(context, profile)
    seen = set()
    for number in (700, 701, 702):
        found = page(qtbot, panel, Selection("slice", (number,)))
        places = {key.rpartition("/")[2]: value for key, value in found.items() if key.startswith("Slice/")}
        named = list(places)
        assert named.index("Start") + 1 == named.index("Start in the file")
        start = steps[number].start
        since, unit = places["Start"].split(" ")
        assert float(since) * {"ms": 1e6, "µs": 1e3}[unit] == pytest.approx(start - steps[0].start, abs=0.5)
        assert places["Start in the file"] == f"{start // 1000:,}.{start % 1000:03d} µs"
        seen.add(places["Start"])
    assert len(seen) == 3
    spread = page(qtbot, panel, Selection("slice", (700, 702)))
    assert next(value for key, value in spread.items() if key.endswith("/Start")).count(".") == 2


def test_what_is_still_to_come_is_released_with_the_profile(
    profile: Profile, panel: DetailsPanel, context: Context
) -> None:
    open_(context, profile)
    context.document.selection.set(Selection("program", (0,)))
    panel._refresh.now()
    assert panel._links.isActive()
    context.document.close(context.document.entries[0].id)
    panel._refresh.now()
    assert list(panel._more) == []


def waits() -> tuple[Profile, list[Selection]]:
    line = flagged()
    found = np.flatnonzero(line.slices.name == line.strings.find("WAIT_FLAG.MTE2.VECTOR.0")[0])
    return replace(bare(), timeline=line), [Selection("slice", (int(index),)) for index in found[2:4]]


def test_details_of_long_timelines_say_what_was_waited_for_as_soon_as_it_is_known(
    qtbot: QtBot, context: Context, panel: DetailsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panels, "MOST_TIMED", 10)
    profile, (first, second) = waits()
    open_(context, profile)
    assert not is_made(profile)
    context.document.selection.set(first)
    qtbot.waitUntil(lambda: "Waited\t1.53 µs for MTE2" in panel.copy_text())
    assert "is being computed" not in panel.copy_text()
    assert page(qtbot, panel, second)["Waiting/Waited"] == "1.53 µs for MTE2"


def test_of_very_long_timelines_it_is_asked_for_unless_it_is_known(
    qtbot: QtBot, context: Context, panel: DetailsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panels, "MOST_TIMED", 10)
    monkeypatch.setattr(panels, "MOST_UNASKED", 10)
    profile, (first, second) = waits()
    open_(context, profile)
    found = page(qtbot, panel, first)
    assert "Waiting/Waited" not in found
    (link,) = (link for link in panel.findChildren(Link) if "Find out" in link.text())
    link.click()
    qtbot.waitUntil(lambda: "Waited\t1.53 µs for MTE2" in panel.copy_text())
    assert is_made(profile)
    assert page(qtbot, panel, second)["Waiting/Waited"] == "1.53 µs for MTE2"
