"""The tokens of every theme: texts and marks are legible on every ground, also for those who see fewer colours."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtGui import QFont

from app.panels.comparison.panel import signed_colours
from app.panels.core_load.cards import SELECTED as CARD
from app.panels.core_load.cards import STRONGEST
from app.panels.memory_paths.diagram import TINT
from app.views import colours
from app.views.core_load import ground as load_ground
from app.views.look import CONTRAST, THEMES, Theme
from app.views.memory_paths import FAMILIES
from app.views.timeline.shades import PALER
from app.widgets.table.delegate import BAR, SELECTED, CellDelegate
from app.widgets.table.model import TableModel

READABLE, VISIBLE = 4.5, 3.0
"""Contrast of texts, and of what must be seen to use a control (WCAG 2.2, 1.4.3 and 1.4.11)."""
TEXTS = {"text", "muted", "accent", "ok", "warning", "error", "less", "more", "baseline"}
MARKS = {"border", "disabled", "focus", "selection", "hover"}
GROUNDS = {"surface", "raised", "control", "control_hover", "control_on", "range", "no_data", "zero"}
SEPARATORS = {"line"}
OTHERS = {"name", "dark", "faintest", "categories"}
APART = 20.0
"""Colours with this ``difference`` are clearly different."""

# The matrices for the full deficiency, on linear-light sRGB: Machado, Oliveira, Fernandes, "A Physiologically-based
# Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009, table 1.
SEEN = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}

every = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
vision = pytest.mark.parametrize("matrix", SEEN.values(), ids=SEEN.keys())


def seen(colour: str, matrix: np.ndarray) -> str:
    """``colour`` as someone with this colour vision sees it."""
    light = np.clip(matrix @ np.array(colours.linear(colour)), 0, 1)
    steps = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    red, green, blue = np.round(steps * 255).astype(int).tolist()
    return f"#{red:02X}{green:02X}{blue:02X}"


def test_every_token_has_a_role() -> None:
    assert set(Theme.__struct_fields__) == TEXTS | MARKS | GROUNDS | SEPARATORS | OTHERS


@every
def test_every_text_is_readable_on_the_grounds_of_panels(theme: Theme) -> None:
    for name in TEXTS:
        for ground in ("surface", "raised", "control"):
            assert colours.contrast(getattr(theme, name), getattr(theme, ground)) >= READABLE, (name, ground)
    for ground in GROUNDS:
        assert colours.contrast(theme.text, getattr(theme, ground)) >= READABLE, ground
    assert colours.contrast(theme.surface, theme.accent) >= READABLE  # text of the default button, ticks of boxes


def grounds_of_cells(theme: Theme) -> tuple[str, ...]:
    """What is behind the cells of tables and trees."""
    return CellDelegate(TableModel(), theme, QFont()).grounds


@every
def test_texts_are_readable_where_they_are_drawn_on_other_grounds(theme: Theme, qapp: object) -> None:
    """Rows that are selected or of one side, bars in cells, tints of cards and boxes, slices that recede."""
    cells = grounds_of_cells(theme)
    for ground in cells:
        for ink in ("muted", "accent", "warning", "error", "less", "more"):
            assert colours.contrast(colours.legible(getattr(theme, ink), ground), ground) >= READABLE, (ink, ground)
    bars = [colours.blend(theme.surface, theme.accent, share) for share in (BAR, SELECTED + BAR)]
    changes = [colours.blend(theme.surface, end, STRONGEST) for end in (theme.less, theme.more)]
    tints = [colours.blend(theme.surface, hue, TINT) for hue in FAMILIES.values()]
    loads = [load_ground(level, theme) for level in range(-1, 11)]
    card = colours.blend(theme.surface, theme.selection, CARD)
    for ground in (*cells, *bars, *changes, *tints, *loads, card):
        assert colours.contrast(theme.text, ground) >= READABLE, ground
    receding = [colours.blend(colours.fitted(fill, theme), theme.surface, PALER) for fill in theme.categories]
    for ground in (*tints, card, theme.raised, *receding):
        assert colours.contrast(theme.muted, ground) >= READABLE, ground
    for value in (-1.0, 1.0):
        ink, ground = signed_colours(theme, value)
        assert colours.contrast(colours.legible(ink, ground), ground) >= READABLE


@every
def test_what_is_disabled_is_fainter_and_still_seen(theme: Theme) -> None:
    """WCAG asks for no contrast of it. It is clearly fainter than a text, and than a muted one."""
    for ground in (theme.surface, theme.raised):
        faint = colours.contrast(theme.disabled, ground)
        assert VISIBLE <= faint < 0.75 * colours.contrast(theme.muted, ground)


@every
def test_borders_focus_and_marks_are_visible(theme: Theme) -> None:
    for name in MARKS | (SEPARATORS if theme is CONTRAST else set()):
        for ground in ("surface", "raised", "control"):
            assert colours.contrast(getattr(theme, name), getattr(theme, ground)) >= VISIBLE, (name, ground)


@every
@vision
def test_neighbours_of_the_sequence_are_apart_for_every_colour_vision(theme: Theme, matrix: np.ndarray) -> None:
    fills = [seen(colours.fitted(fill, theme), matrix) for fill in theme.categories]
    for one, other in pairwise([*fills, fills[0]]):
        assert colours.difference(one, other) >= APART, (one, other)


@every
@vision
@pytest.mark.parametrize(
    "names",
    [
        ("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy", "Sync", "Sequence"),
        ("SCALAR", "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP", "FLOWCTRL"),
    ],
    ids=["steps", "pipes"],
)
def test_what_one_timeline_shows_is_apart_for_every_colour_vision(
    theme: Theme, matrix: np.ndarray, names: tuple[str, ...]
) -> None:
    fills = {name: seen(colours.colour(name, theme), matrix) for name in names}
    for one, other in combinations(names, 2):
        assert colours.difference(fills[one], fills[other]) >= APART * 0.85, (one, other)


@every
@vision
def test_less_and_more_are_apart_for_every_colour_vision(theme: Theme, matrix: np.ndarray) -> None:
    assert colours.difference(seen(theme.less, matrix), seen(theme.more, matrix)) >= APART * 2
