"""`critical-path` and `what-if`: one object for programs, a page for people, and words that make no sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from app.cli import main

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL, NETWORK, MODEL = (
    SAMPLES / "matmul_leakyrelu.bin",
    SAMPLES / "resnet-32-tiles-measured",
    SAMPLES / "resnet_inference.popef",
)
CORE = "core0.veccore0"


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    try:
        status = main([*map(str, words)])
    except SystemExit as left:  # argparse, for words it does not know
        status = int(left.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def as_object(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    status, out, err = told(capsys, *words, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = orjson.loads(out)
    return found


def test_the_path_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    made = as_object(capsys, "critical-path", MATMUL, "--scope", CORE)
    assert list(made) == ["span", "unit", "scope", "parts", "floor", "replay_error", "inferred", "by_name", "path"]
    assert (made["unit"], made["scope"]) == ("s", CORE)
    assert list(made["parts"]) == ["work", "data_wait", "resource_wait", "outside"]
    assert sum(made["parts"].values()) == pytest.approx(made["span"], rel=1e-9)
    assert made["floor"] <= made["span"]
    assert {tuple(one) for one in made["by_name"]} == {("name", "work", "share")}
    assert sum(one["work"] for one in made["by_name"]) == pytest.approx(made["parts"]["work"])
    keys = ("slice", "name", "lane", "part", "start", "time", "cause")
    assert {tuple(one) for one in made["path"]} == {keys}
    ends = [one["start"] + one["time"] for one in made["path"]]
    assert [one["start"] for one in made["path"][1:]] == pytest.approx(ends[:-1])
    assert as_object(capsys, "critical-path", MATMUL)["scope"] == "timeline"


def test_the_path_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "critical-path", MATMUL, "--scope", CORE)
    assert (status, err) == (0, "")
    for text in (
        f"Critical path of {CORE}",
        "Data wait",
        "Resource wait",
        "saves at most",
        "Work on the path by name",
        "replay",
    ):
        assert text in out
    assert "--json" in out.splitlines()[-1]


def test_a_change_for_programs_and_people(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("what-if", MATMUL, "--scale", "lane:MTE2=0.5")
    made = as_object(capsys, *words)
    assert list(made) == ["span", "replayed", "saving", "replay_error", "slices", "confidence"]
    assert list(made["saving"]) == ["estimate", "at_most", "unit"]
    assert made["span"] - made["replayed"] == pytest.approx(made["saving"]["estimate"])
    assert made["confidence"] == "estimated"
    status, out, _ = told(capsys, *words)
    assert status == 0
    for text in ("Estimated saving", "Saves at most", "slices change", "estimate replays"):
        assert text in out


@pytest.mark.parametrize("path", [NETWORK, MODEL], ids=lambda path: path.name)
def test_a_file_that_does_not_allow_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = as_object(capsys, "critical-path", path)
    assert bool(made["by_name"]) is (path == NETWORK)
    for words in (("critical-path", path), ("what-if", path, "--scale", "x=0"))[: 1 if path == NETWORK else 2]:
        made = as_object(capsys, *words)
        assert made["path"] == []
        assert made["why"] in told(capsys, *words)[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("critical-path", MATMUL, "--scope", "core9"), "core0.veccore0"),
        (("what-if", MATMUL), "--scale"),
        (("what-if", MATMUL, "--scale", "VADD"), "NAME=X"),
        (("what-if", MATMUL, "--scale", "=2"), "NAME=X"),
        (("what-if", MATMUL, "--scale", "VADD=-1"), "NAME=X"),
        (("what-if", MATMUL, "--scale", "VADD=nan"), "NAME=X"),
        (("what-if", MATMUL, "--scale", "VADDD=1"), "VADD"),
        (("what-if", MATMUL, "--scale", "mte2=0"), "no slice is named mte2; MTE2 is a lane: lane:MTE2"),
        (("what-if", MATMUL, "--scale", "re:(=1"), "regular expression"),
        (("critical-path", f"{MATMUL}#core=99"), "core"),
        (("what-if", MATMUL, "--scale", "BAR=0.5"), "nothing runs"),
        (("what-if", MATMUL, "--balanced", "--scale", "VADD=0.5"), "not allowed"),
        (("what-if", MATMUL, "--without", "weights"), "Poplar"),
        (("what-if", NETWORK, "--without", "weights"), "vars.json"),
        (("what-if", NETWORK, "--balanced", "Convolv"), "Convolve"),
    ],
)
def test_words_that_make_no_sense(words: tuple[str | Path, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, *words)
    assert (status, out) == (2, "")
    assert says in err


def test_a_run_that_is_balanced(capsys: pytest.CaptureFixture[str]) -> None:
    made = as_object(capsys, "what-if", NETWORK, "--balanced")
    assert made["saving"] == {"estimate": 661224.625, "at_most": 661224.625, "unit": "cycles"}
    assert made["span"] - made["replayed"] == 661224.625
    _, out, _ = told(capsys, "what-if", NETWORK, "--balanced")
    assert "661,225 cycles" in out
    assert "Estimated" not in out


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert told(capsys, "critical-path", tmp_path / "none.json")[0] == 1


def test_a_part_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    made = as_object(capsys, "critical-path", f"{MATMUL}#core=0")
    assert 0 < made["span"] <= as_object(capsys, "critical-path", MATMUL)["span"] * (1 + 1e-9)
