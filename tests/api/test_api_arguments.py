"""What scripts pass wrongly raises what the docstrings say, with a text that names it; an unreadable file is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import app as tilesight
from app.api.profile import Profile

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = SAMPLES / "matmul_leakyrelu.bin"
MODEL = SAMPLES / "resnet_inference.popef"


@pytest.fixture(scope="module")
def profile() -> Iterator[Profile]:
    with tilesight.open(MATMUL) as opened:
        yield opened


Call = Callable[[Any], Any]
WRONG: tuple[tuple[Call, type[Exception], str], ...] = (
    (lambda _: tilesight.open(3), TypeError, "a path is a str or a Path, not 3"),  # type: ignore[arg-type]
    (lambda _: tilesight.open(None), TypeError, "a path is a str or a Path, not None"),  # type: ignore[arg-type]
    (lambda _: tilesight.open([]), TypeError, "name at least one file"),
    (lambda _: tilesight.open_all([3]), TypeError, "a path is a str or a Path, not 3"),  # type: ignore[list-item]
    (lambda _: tilesight.open(b"x"), TypeError, "a str or a Path"),  # type: ignore[arg-type]
    (lambda _: tilesight.open(""), ValueError, "empty"),
    (lambda _: tilesight.open(MODEL, jobs=-1), ValueError, "jobs is 0 or more"),
    (lambda _: tilesight.open(MODEL, jobs="2"), TypeError, "jobs is a whole number"),  # type: ignore[arg-type]
    (lambda _: tilesight.compare(None, None), TypeError, "before is a profile"),  # type: ignore[arg-type]
    (lambda _: tilesight.open_baseline(3), TypeError, "a path is a str or a Path, not 3"),  # type: ignore[arg-type]
    (lambda _: tilesight.open_baseline(""), ValueError, "empty"),
    (lambda _: tilesight.open_baseline("/no/file"), tilesight.FormatError, "no such file"),
    (lambda _: tilesight.open_baseline(MATMUL), tilesight.FormatError, "this is not a baseline document"),
    (lambda own: tilesight.compare(str(MATMUL), own), TypeError, "a baseline of tilesight.open_baseline"),  # type: ignore[arg-type]
    (lambda own: tilesight.compare(own, 3), TypeError, "after is a profile"),  # type: ignore[arg-type]
    (lambda own: tilesight.compare(own, own).table(3), TypeError, "name of a table is a str"),  # type: ignore[arg-type]
    (lambda own: tilesight.compare(own, own).table("none"), KeyError, "neither profile"),
    (lambda own: own.table(3), TypeError, "name of a table is a str"),
    (lambda own: own.table("slice"), KeyError, "did you mean slices"),
    (lambda own: own.plot(None), TypeError, "name of a plot is a str"),
    (lambda own: own.query(b"select 1"), TypeError, "the statement is a str"),
    (lambda own: own.query("select 1", limit="3"), TypeError, "limit is a whole number"),
    (lambda own: own.query("select 1", limit=-1), ValueError, "limit is 0 or more"),
    (lambda own: own.query("select 1", memory_mb=0), ValueError, "memory_mb is 1 or more"),
    (lambda own: own.query("select 1", baseline="x"), TypeError, "baseline is a profile"),
    (lambda own: own.findings(last_wave="x"), TypeError, "last_wave is a number"),
    (lambda own: own.findings(last_wave=-1), ValueError, "last_wave"),
    (lambda own: own.findings(none=1), TypeError, "none"),
    (lambda own: own.link(3), TypeError, "panel is a str"),
    (lambda own: own.link("", ("slice", 1)), TypeError, "a kind and a list"),
    (lambda own: own.link("", ("slice", ["x"])), TypeError, "a kind and a list"),
    (lambda own: own.link(time=(1,)), TypeError, "a pair of numbers"),
    (lambda own: own.link(time=(2, 1)), ValueError, "time"),
    (lambda own: own.link(tiles=3), TypeError, "a list of numbers"),
    (lambda own: own.link(baseline=3), TypeError, "baseline is a profile"),
    (lambda own: own.table("lanes").row("x"), TypeError, "integer"),
    (lambda own: own.table("lanes").row(1.5), TypeError, "integer"),
    (lambda own: own.table("lanes").row(-1), IndexError, "-1"),
    (lambda own: own.table("lanes")["none"], KeyError, "no column"),
    (lambda own: own.table("lanes").save("x.txt"), ValueError, "must end in"),
    (lambda own: own.plot("timeline").save("x.png", size=3), TypeError, "a width and a height"),
    (lambda own: own.plot("timeline").save("x.png", size=(0, 1)), ValueError, "1 or more"),
    (lambda own: own.plot("timeline").save("x.png", size=(10**6, 10**6)), OSError, "too large"),
    (lambda own: own.plot("timeline").save("x.png", theme=None), ValueError, "no theme"),
)


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_argument_raises_what_is_documented(profile: Profile, number: int) -> None:
    call, kind, text = WRONG[number]
    with pytest.raises(kind) as raised:
        call(profile)
    assert text in str(raised.value)


def test_numbers_of_numpy_are_numbers(profile: Profile) -> None:
    assert len(profile.query("select * from lanes", limit=np.int64(3))) == 3  # type: ignore[arg-type]
    assert profile.table("lanes").row(np.int64(1))  # type: ignore[arg-type]
    assert "time=" in profile.link(time=np.array([1.0, 2.0]))  # type: ignore[arg-type]


def test_an_error_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text("{")
    with pytest.raises(tilesight.FormatError) as raised:
        tilesight.open(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert raised.value.path == str(file)


def test_a_part_is_opened_as_in_the_command_line() -> None:
    with tilesight.open(f"{MATMUL}#block=1") as part:
        assert part.name == "matmul_leakyrelu, block 1"
    with pytest.raises(tilesight.FormatError, match="no such part") as raised:
        tilesight.open(f"{MATMUL}#block=99")
    assert str(raised.value).startswith(f"{MATMUL}: #block=99")
    opened = tilesight.open_all(MODEL, f"{MATMUL}#block=1", MATMUL, f"{MATMUL}#block=0")
    names = [own.name for own in opened]
    for own in opened:
        own.close()
    assert names == [MODEL.name, MATMUL.stem, "matmul_leakyrelu, block 1", "matmul_leakyrelu, block 0"]


def test_profiles_come_in_the_order_of_the_arguments() -> None:
    for paths in ((MATMUL, MODEL), (MODEL, MATMUL)):
        opened = tilesight.open_all(*paths)
        assert [own.files for own in opened] == [(path,) for path in paths]
        for own in opened:
            own.close()
