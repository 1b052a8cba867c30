"""`tilesight scaling`: typed numbers, profiles, two of them, measurements, and words that make no sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from app.cli import main
from generators.poplar_replicas import CATEGORIES, Replicas, write

WORKED = (
    *("--replicas", "16", "--micro-batch-size", "16", "--accumulation", "16"),
    *("--micro-batch-time", "16ms", "--allreduce-time", "32 ms"),
)
near = pytest.approx


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    try:
        status = main(["scaling", *map(str, words)])
    except SystemExit as left:  # argparse, for words it does not know
        status = int(left.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def as_object(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    status, out, _ = told(capsys, *words, "--json")
    assert status == 0
    found: dict[str, Any] = orjson.loads(out)
    return found


def test_the_worked_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, *WORKED)
    assert (status, err) == (0, "")
    for line in ("Samples/s", "  14,222", "Weight update", "  288 ms", "11.1 %", "16,000"):
        assert line in out
    found = as_object(capsys, *WORKED)
    assert found["complete"] is True
    assert found["figures"]["throughput"] == near(14_222.2, abs=0.05)
    assert found["figures"]["allreduce.share"] == near(1 / 9)
    assert found["inputs"]["allreduce_seconds"] == {"value": 0.032, "origin": "typed"}
    assert [row["replicas"] for row in found["curve"]] == [1, 2, 4, 8, 16, 32, 64]
    assert found["curve"][4]["efficiency"] == near(8 / 9)
    assert {item["id"]: item["state"] for item in found["checklist"]}["accumulation"] == "due"


def test_a_profile_gives_what_is_not_typed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path, Replicas())
    status, out, err = told(capsys, file)
    assert (status, err) == (0, "")
    assert "profile: Steps whose names contain AllReduce" in out
    assert "(2 steps)" in out
    found = as_object(capsys, file, "--micro-batch-size", "8")
    assert found["inputs"]["micro_batch_seconds"]["origin"] == "profile"
    assert found["inputs"]["micro_batch_seconds"]["profile"]["steps"] == 5
    assert found["figures"]["update.seconds"] == near(15.9e-3)
    assert found["figures"]["update.samples"] == 2 * 8 * 4


def test_what_nobody_says_is_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = told(capsys)
    assert (status, out) == (2, "")
    assert "--micro-batch-time" in err
    status, out, err = told(capsys, "--micro-batch-time", "1ms", "--replicas", "4")
    assert status == 0
    assert "--allreduce-time or --gradient-bytes" in err
    file = write(tmp_path, Replicas(fed=False))
    status, out, err = told(capsys, file)
    assert status == 2
    lines = err.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["--loop 9", "--loop 11"]
    assert "choose the one over micro-batches" in lines[2]
    assert told(capsys, file, "--loop", "9")[0] == 0


def test_two_profiles_are_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = write(tmp_path, Replicas(), "a.json")
    more = {**CATEGORIES, "internalExchangeCode": 6000}
    second = write(tmp_path, Replicas(replicas=4, reduce=800, categories=more), "b.json")
    status, out, _ = told(capsys, second, first)
    assert status == 0
    assert "A: a (2 replicas), B: b (4 replicas). Values are per repeat of the micro-batch loop." in out
    assert "▲ Exchange code" in out
    found = as_object(capsys, first, second)
    memory = {row["category"]: row["verdict"] for row in found["compared"]["scaling-memory"]}
    assert memory["internalExchangeCode"] == "doubles"
    assert memory["variable"] == "stays"
    assert found["constant_share"] == near((16_300 / 15_900 / 2 - 0.5) / 0.5)
    assert "2.5 % of the time does not shrink" in out
    again = write(tmp_path, Replicas(), "c.json")
    status, _, err = told(capsys, first, again)
    assert status == 2
    assert "both profiles have 2 replicas" in err
    assert told(capsys, first, again, "--profile-replicas", "2,4")[0] == 0
    assert "give one, or two to compare" in told(capsys, first, second, again)[2]


def test_differences_are_in_the_unit_of_the_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    more = {name: size + 40 for name, size in CATEGORIES.items()}
    first = write(tmp_path, Replicas(), "a.json")
    second = write(tmp_path, Replicas(replicas=4, categories=more), "b.json")
    _, out, _ = told(capsys, first, second)
    head, *lines = out.split("Memory by category\n")[1].split("\n\n")[0].splitlines()[2:]
    assert "  A (KiB)  B (KiB)  B − A (KiB)  " in head
    for line in lines:
        name, _, before, after, by, *_ = line.split()
        assert (before, after, by) == tuple(
            f"{size / 1024:.3f}" for size in (CATEGORIES[name], more[name], more[name] - CATEGORIES[name])
        )


def test_measured_throughputs_are_fitted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "measured.csv"
    file.write_text("\ufeffreplicas,real,generated,synthetic\n1,970,990,1000\n16,8000,15500,16000\n", encoding="utf-8")
    found = as_object(capsys, *WORKED, "--measured", file)
    assert found["figures"]["fit.constant_share"] == near((970 * 16 / 8000 - 1) / 15)
    assert found["host"] == {"limit": "loading", "grows": True}
    assert found["curve"][0]["measured"] == 970
    alone = as_object(capsys, "--measured", file)
    assert alone["figures"]["fit.constant_share"] == found["figures"]["fit.constant_share"]
    assert alone["host"] == found["host"]
    assert "Measured: ceiling" in told(capsys, "--measured", file)[1]
    assert told(capsys, "--measured", tmp_path)[2].endswith("not a file\n")
    status, out, err = told(capsys, *WORKED, "--measured", file)
    assert (status, err) == (0, "")
    assert "Host\n  Reading and preparing data" in out
    file.write_text("1,970\noops\n", encoding="utf-8")
    status, _, err = told(capsys, *WORKED, "--measured", file)
    assert status == 1
    assert "measured.csv: line 2: 'oops' is not a number" in err
    assert told(capsys, *WORKED, "--measured", tmp_path / "gone.csv")[0] == 1
    file.write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in told(capsys, *WORKED, "--measured", file)[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--micro-batch-time", "16 furlongs"), "'furlongs' is not a unit of a time"),
        (("--replicas", "0", "--micro-batch-time", "1ms"), "replicas: 0 is less than 1"),
        (("--show", "1,x", "--micro-batch-time", "1ms"), "'x' is not a valid number"),
        (("--prefetch", "perhaps"), "neither yes nor no"),
        (("--constant-share", "100%", "--micro-batch-time", "1ms"), "nothing to scale"),
    ],
)
def test_wrong_words(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    status, out, err = told(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err


def test_files_that_are_no_poplar_profiles(capsys: pytest.CaptureFixture[str], root: Path, tmp_path: Path) -> None:
    status, out, err = told(capsys, root / "resources" / "samples" / "matmul_leakyrelu.bin", *WORKED)
    assert status == 1
    assert "not a Poplar profile" in err
    assert "14,222" in out
    assert told(capsys, tmp_path / "gone.json", *WORKED)[0] == 1


def test_the_help_corrects_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "--help")
    assert status == 0
    text = " ".join(out.split())
    assert "1.6x" in text
    assert "prints 2.5x and 62.5 %" in text
    assert "32 GB/s" in text
