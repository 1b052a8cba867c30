"""Slices that wait have a look of their own, which is no work: light, striped, and not counted as busy."""

from __future__ import annotations

import numpy as np
import pytest

from app.profile.arrays import distinct
from app.views import look
from app.views.colours import contrast, packed, text_on
from app.views.look import Look, Theme
from app.views.timeline.body import draw_body
from app.views.timeline.colouring import WAITING
from app.views.timeline.cover import Pixels, Raster
from app.views.timeline.legend_entries import WAITS, entries
from app.views.timeline.model import Model
from app.views.timeline.raster import Renderer, Strips, put
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from generators.schedules import flagged
from generators.timelines import timeline

THEMES = (look.LIGHT, look.DARK, look.CONTRAST)


def shown_of(count: int = 8, look: Theme = look.LIGHT) -> Shown:
    shown = Shown(Model.of(flagged(count)), Look(theme=look), Place(800, 200))
    shown.lanes.resize(800, 200)
    while shown.contents.work():
        pass
    return shown


def test_waits_have_a_slot_of_their_own_on_every_lane() -> None:
    model = Model.of(flagged())
    slots = model.rows.slot(np.arange(len(model.rows.start)))
    waits = np.array([model.name(index).startswith("WAIT") for index in range(len(slots))])
    assert model.waits
    assert (slots[waits] == WAITING).all()
    assert not (slots[~waits] == WAITING).any()


def test_a_timeline_without_waits_is_as_it_was() -> None:
    line = timeline([("core", "VECTOR", [[(0.0, 1.0, "VADD", "VECTOR"), (1.0, 1.0, "MMAD", "CUBE")]])])
    model = Model.of(line)
    assert not model.waits
    assert model.rows.key is line.slices.category
    assert WAITS not in [entry.label for entry in entries(model, model.colours, shown_of().shades, Look())]


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_stripes_can_be_seen_and_names_be_read_in_every_theme(look: Theme) -> None:
    shown = shown_of(look=look)
    shades = shown.shades
    fill = shades.fill[WAITING]
    assert contrast(shades.stripes, fill) >= 1.5
    assert contrast(fill, look.surface) >= 1.2
    assert contrast(text_on(fill), shades.stripes) >= 3
    image = draw_body(shown.scene(), 1.0).image
    assert packed(shades.stripes) in image
    assert packed(shades.fill[WAITING]) in image


def test_the_legend_says_what_stripes_mean() -> None:
    shown = shown_of()
    first = entries(shown.model, shown.model.colours, shown.shades, shown.look)[0]
    assert (first.label, first.stripes) == (WAITS, shown.shades.stripes)


def test_what_a_search_leaves_out_has_paler_stripes() -> None:
    shown = shown_of()
    names = np.array([shown.model.name(index) for index in range(len(shown.model.rows.start))])
    shown.search(names == "VADD")
    while shown.contents.work():
        pass
    image = draw_body(shown.scene(), 1.0).image
    assert packed(shown.shades.pale_stripes) in image
    assert packed(shown.shades.stripes) not in image


def test_zoomed_out_both_are_seen_about_as_often_as_they_fill_time() -> None:
    shown = shown_of(5_000)
    rows, width = shown.model.rows, 700
    strips = Strips(np.arange(rows.count), np.arange(rows.count), rows.count)
    step = (shown.model.end - shown.model.start) / width
    picture = shown.contents.renderer.render(strips, Pixels(shown.model.start, step, width))
    assert isinstance(shown.contents.renderer, Renderer)
    lanes = [shown.model.thread(lane) for lane in shown.model.lane_of_row.tolist()]
    waits = (picture.raster.slot == WAITING).mean(1)
    assert waits[lanes.index("MTE2")] == 0
    assert 0.5 < waits[lanes.index("VECTOR")] < 0.9  # 1.52 of 2.15
    assert 0.6 < waits[lanes.index("MTE3")] < 0.95  # 1.65 of 2.15


def test_in_a_folded_process_work_is_before_waiting() -> None:
    blank = np.zeros((1, 4), np.uint8)
    raster, full = Raster(blank, blank.copy()), np.full((2, 4), 255, np.uint8)
    fresh = Raster(np.array([[WAITING] * 4, [3, 3, WAITING, WAITING]], np.uint8), full)
    put(raster, np.array([0, 0]), fresh, shared=True)
    assert raster.slot.tolist() == [[3, 3, WAITING, WAITING]]


def test_lanes_are_busy_only_while_they_work() -> None:
    shown = shown_of()
    use, line = shown.contents.use, shown.model.timeline
    span = shown.model.end - shown.model.start
    lanes = {line.strings.get(int(text)): lane for lane, text in enumerate(line.lanes.thread.tolist())}
    assert use.busy[lanes["VECTOR"]] * span == pytest.approx(8 * (0.6 + 0.01))
    assert use.busy[lanes["MTE3"]] * span == pytest.approx(8 * 0.5)
    assert use.waiting[lanes["MTE2"]] == 0
    assert use.waiting[lanes["MTE3"]] * span == pytest.approx(17.22 - 8 * 0.5)
    assert len(distinct(shown.model.rows.slots)) > 3
