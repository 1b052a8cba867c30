"""The critical path and what-if in Python: the records of the command line, and what is passed by mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

import app as tilesight
from app.cli.words import run

MATMUL = Path(__file__).parents[2] / "resources" / "samples" / "matmul_leakyrelu.bin"


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(words) == 0
    return orjson.loads(capsys.readouterr().out)


def test_both_say_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    with tilesight.open(MATMUL) as profile:
        path, made = profile.critical_path("core0.veccore0"), profile.what_if({"lane:MTE2": 0.5})
    told = printed(["critical-path", str(MATMUL), "--scope", "core0.veccore0", "--json"], capsys)
    assert (path.span, path.floor, len(path.path)) == (told["span"], told["floor"], len(told["path"]))
    assert path.path[3].cause == told["path"][3]["cause"]
    told = printed(["what-if", str(MATMUL), "--scale", "lane:MTE2=0.5", "--json"], capsys)
    assert made.saving is not None
    assert (made.replayed, made.saving.at_most) == (told["replayed"], told["saving"]["at_most"])
    assert isinstance(path, tilesight.CriticalPath)
    assert isinstance(made, tilesight.WhatIf)


def test_what_is_passed_by_mistake() -> None:
    with tilesight.open(MATMUL) as profile:
        for wrong in ({"VADD": "half"}, {3: 0.5}, "VADD=0.5", {"VADD": True}):
            with pytest.raises(TypeError):
                profile.what_if(wrong)  # type: ignore[arg-type]
        for unknown in ({"VADD": -1.0}, {"VADD": float("inf")}, {"no such name": 0.5}):
            with pytest.raises(ValueError, match=r"VADD|no such name"):
                profile.what_if(unknown)
        with pytest.raises(TypeError):
            profile.what_if()
        with pytest.raises(TypeError):
            profile.what_if({"VADD": 0.5}, balanced=True)
        with pytest.raises(TypeError):
            profile.memory_without(3)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="core9"):
            profile.critical_path("core9")
        with pytest.raises(TypeError):
            profile.critical_path(3)  # type: ignore[arg-type]


def test_the_verdict_is_that_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with tilesight.open(MATMUL) as profile:
        made = profile.verdict()
    assert made is not None
    assert made.bound_by == "VECTOR"
    assert 0 < made.at_most < made.span
    for command, place in (("info", "profiles"), ("findings", "profiles")):
        told = printed([command, str(MATMUL), "--json"], capsys)
        assert msgspec.convert(told[place][0]["verdict"], tilesight.Verdict) == made


def test_causes_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    samples = MATMUL.parent / "resnet-32-tiles-measured", MATMUL.parent / "resnet-1472-tiles"
    with tilesight.open(samples[0]) as before, tilesight.open(samples[1]) as after:
        made = tilesight.compare(before, after).causes
    told = printed(["compare", *map(str, samples), "--json", "--no-contents"], capsys)["causes"]
    rows = [(own.figure, row.cause, row.difference) for own in made for row in own.rows]
    assert rows == [(one["figure"], one["cause"], one["difference"]) for one in told]
    for own in made:
        assert sum(row.difference for row in own.rows) == pytest.approx(own.difference, rel=1e-9)
