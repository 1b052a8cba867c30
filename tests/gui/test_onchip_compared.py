"""A memory plan beside a baseline: peaks of both, what a block was, outlines of what lay elsewhere, and the table."""

from __future__ import annotations

import copy

import numpy as np
import orjson
import pytest
from pytestqt.qtbot import QtBot

from app.formats.ascend_memory_info import FORMAT as PLAN
from app.panels.onchip.panel import OnchipPanel
from app.panels.onchip.picture import PlanScene
from app.profile.profile import Profile
from app.views.look import LIGHT, Look
from app.views.onchip import about, heading
from app.widgets.context import Context
from fakes.panels import Opened
from fakes.poplar_pairs import compare, end
from generators import memory_plan
from generators.reading import profile_of

GROWN, MORE = 2, 64


@pytest.fixture(scope="module")
def pair() -> tuple[Profile, Profile]:
    """(before, after): a buffer has grown, and another one is new."""
    tree = memory_plan.plan(8, scopes=1)
    after = copy.deepcopy(tree)
    buffers = after["Record"][0]["memory_info_array"]
    buffers[GROWN]["extent"] += 8 * MORE
    buffers.append({**copy.deepcopy(buffers[0]), "buffer": "planted", "offset": [160_000], "extent": 8 * 1024})
    return profile_of(PLAN, orjson.dumps(tree)), profile_of(PLAN, orjson.dumps(after))


def scene(panel: OnchipPanel) -> PlanScene:
    shown = panel.canvas.scene
    assert shown is not None
    return shown


def test_a_plan_shows_both_peaks_and_what_has_changed(
    qtbot: QtBot, context: Context, opened: Opened, pair: tuple[Profile, Profile]
) -> None:
    panel = opened(OnchipPanel, pair[1])
    compare(context.document, panel, pair[0])
    shown, look = scene(panel), Look(theme=LIGHT)
    assert shown.baseline is not None
    assert shown.ghosts is not None
    assert pair[0].onchip is not None
    assert len(shown.ghosts.left) == int((pair[0].onchip.blocks.buffer == _id(pair[0], GROWN)).sum())
    assert "baseline" in heading(shown.boxes.bands[0], look, shown.baseline)
    names = [shown.plan.strings.get(int(name)) for name in shown.plan.blocks.buffer]
    planted = names.index("planted")
    assert "Only in the comparison" in about(shown.plan, planted, look, shown.baseline)
    grown = int(np.flatnonzero(shown.plan.blocks.buffer == _id(pair[1], GROWN))[0])
    assert "difference +64 B" in about(shown.plan, grown, look, shown.baseline)
    panel.grab()

    panel.as_table.setChecked(True)
    qtbot.waitUntil(lambda: "size_difference" in {column.key for column in panel.table.view.items.table.columns})
    table = panel.table.view.items.table
    columns = {column.key: column for column in table.columns}
    buffers = {columns["buffer"].value(row) for row in range(table.rows)}
    assert buffers == {"planted", names[grown]}
    end(context.document, panel)
    assert scene(panel).baseline is None


def test_a_plan_against_itself_has_no_outlines(context: Context, opened: Opened, pair: tuple[Profile, Profile]) -> None:
    panel = opened(OnchipPanel, pair[0])
    compare(context.document, panel, pair[0])
    ghosts = scene(panel).ghosts
    assert ghosts is not None
    assert not len(ghosts.left)
    assert "difference 0 B" in heading(scene(panel).boxes.bands[0], Look(theme=LIGHT), scene(panel).baseline)


def _id(profile: Profile, buffer: int) -> int:
    """The text of the n-th buffer of the file."""
    assert profile.onchip is not None
    ids = profile.onchip.blocks.buffer.tolist()
    return int(list(dict.fromkeys(ids))[buffer])
