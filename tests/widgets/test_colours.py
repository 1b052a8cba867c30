"""Colours by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views import colours
from app.views.look import THEMES, Theme

both = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())


@both
def test_every_fill_stands_out_and_takes_readable_text(theme: Theme) -> None:
    for name in (*colours.KNOWN, *map(str, range(100))):
        fill = colours.colour(name, theme)
        assert colours.contrast(fill, theme.surface) >= 1.5
        assert colours.contrast(colours.text_on(fill), fill) >= 4.5


@given(st.integers(0, 0xFFFFFF))
def test_black_or_white_always_reads(value: int) -> None:
    fill = f"#{value:06X}"
    assert colours.contrast(colours.text_on(fill), fill) >= 4.5


@both
def test_names_keep_the_hue_their_users_know(theme: Theme) -> None:
    red, green, blue = colours.rgb(colours.colour("OnTileExecute", theme))
    assert red > 1.5 * max(green, blue)
    assert colours.colour("startup", theme) == colours.colour("SCALAR", theme)
    assert colours.label("rail_response") == "MTE3"


@both
def test_names_seen_together_do_not_share_a_colour(theme: Theme) -> None:
    names = [f"kernel {number}" for number in range(len(theme.categories))]
    chosen = colours.palette(names, theme)
    assert len(set(chosen.values())) == len(names)
    assert colours.palette(reversed(names), theme) == chosen
    assert colours.palette([*names, "one more"], theme).keys() == {*names, "one more"}


def test_contrast_is_that_of_the_standard() -> None:
    assert colours.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert colours.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert colours.blend("#000000", "#FFFFFF", 0.5) == "#808080"


@both
def test_the_signs_of_differences_are_legible_and_apart(theme: Theme) -> None:
    for colour in (theme.less, theme.more, theme.baseline):
        assert colours.contrast(colour, theme.surface) >= 4.5
    assert colours.difference(theme.less, theme.more) > 60
