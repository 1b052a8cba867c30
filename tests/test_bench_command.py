"""The benchmarks' command: that it runs and what its table says, on inputs so small that the figures mean nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import inputs, memory, report
from benchmarks.loads import environment, last_line
from benchmarks.record import Record, number, worst
from benchmarks.size import QUICK
from benchmarks.styled import FAMILIES, chosen
from benchmarks.suite import BENCHMARKS, NOT_HERE

TIMEOUT = 120


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=TIMEOUT, check=False)


def test_a_bound_is_kept_or_not() -> None:
    assert Record("a", "T1", 5.0, "ms", at_most=5).verdict == "met"
    assert Record("a", "T1", 5.1, "ms", at_most=5).verdict == "not met"
    assert Record("a", "T1", None, "ms", at_most=5).verdict == "not measured"
    assert Record("a", "T1", float("nan"), "ms", at_most=5).verdict == "not measured"
    assert Record("a", "", 5.0, "ms").verdict == "no bound"
    ratio = Record("a", "T1", 6.0, "s", ratio_at_most=0.7, baseline=10.0, against="orjson")
    assert (ratio.ratio, ratio.verdict, ratio.bound) == (0.6, "met", "<= 0.70 x orjson")
    assert Record("a", "T1", 6.0, "s", ratio_at_most=0.7, baseline=0.0).verdict == "no bound"


def test_one_of_two_bounds_is_enough() -> None:
    slow = Record("a", "T2", 20.0, "ms", at_most=8, ratio_at_most=1.3, baseline=19.0, against="idle")
    assert slow.verdict == "met"
    assert slow.bound == "<= 8 ms or <= 1.30 x idle"
    assert Record("a", "T2", 20.0, "ms", at_most=8, ratio_at_most=1.3, baseline=10.0).verdict == "not met"


def test_numbers_are_short() -> None:
    assert [number(value) for value in (None, 0, 0.0625, 0.5, 12.34, 1234.5, 3)] == [
        "-",
        "0",
        "0.062",
        "0.50",
        "12.3",
        "1,234",
        "3",
    ]


def test_the_table_has_a_line_a_record_that_has_a_bound() -> None:
    records = [
        Record("frame", "T6", 12.0, "ms", at_most=16),
        Record("made", "", 900.0, "ms"),
        Record("load", "T13", None, "s", note="no browser"),
    ]
    lines = report.table(records).splitlines()
    assert lines[0].split() == ["figure", "target", "measured", "baseline", "ratio", "verdict", "note"]
    assert [line.split()[0] for line in lines[2:]] == ["T6", "T13"]
    assert lines[3].endswith("not measured  no browser")
    assert len(report.table(records, everything=True).splitlines()) == 5
    assert report.summary(records, 3.2).startswith("1 met, 1 not measured; 3 s on ")


def test_every_benchmark_is_in_the_list(root: Path) -> None:
    found = {path.stem.removeprefix("bench_") for path in (root / "tests" / "benchmarks").glob("bench_*.py")}
    assert found <= {one.name for one in BENCHMARKS}
    named = ",".join([*(one.targets for one in BENCHMARKS), *(record.target for record in NOT_HERE)])
    assert {word.strip() for word in named.split(",")} >= {f"T{number}" for number in range(1, 14)}


def test_inputs_are_made_once_and_never_half(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(place: Path) -> None:
        (place / "a").write_text("whole")
        made.append(place)

    first = inputs.kept("thing", ["trees"], "10 rows", make)
    assert inputs.kept("thing", ["trees"], "10 rows", make) == first
    assert len(made) == 1
    second = inputs.kept("thing", ["trees"], "20 rows", make)
    assert (second / "a").read_text() == "whole"
    assert not first.exists()

    def fail(place: Path) -> None:
        (place / "a").write_text("half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        inputs.kept("thing", ["trees"], "30 rows", fail)
    assert list(inputs.folder().iterdir()) == []


def test_the_verdict_of_a_target_is_that_of_its_worst_input() -> None:
    def measured(name: str, seconds: float | None, baseline: float = 10) -> Record:
        return Record(f"{name}, 9 MB", "T14", seconds, "s", None, 0.6, baseline, "orjson.loads", input=name)

    records = [measured("trace/pretty", 8.0), measured("trace/flows", 9.0, 20), measured("trace/lanes", None)]
    (verdict,) = worst("trace", records)
    assert verdict.name == "trace, worst of 2 inputs: trace/pretty"
    assert (verdict.ratio, verdict.verdict, verdict.input) == (0.8, "not met", "")
    assert worst("trace", records[2:]) == []
    lines = report.table([verdict, *records], everything=True).splitlines()[2:]
    assert [line.split()[0] for line in lines] == ["T14", "trace/pretty,", "trace/flows,", "trace/lanes,"]
    assert report.summary([verdict, *records], 1).startswith("1 not met; ")
    waits = [replace(record, at_most=20.0) for record in records]
    assert waits[0].distance == 0.4  # of two bounds the nearer one counts


def test_inputs_are_chosen_by_words() -> None:
    names = [one.name for one in chosen("trace", QUICK)]
    assert {"trace/repeated", "trace/different", "trace/kineto"} <= set(names)
    assert [one.name for one in chosen("trace", replace(QUICK, only=("epoch", "pretty")))] == [
        "trace/pretty",
        "trace/epoch",
        "trace/quoted_epoch",
    ]
    assert chosen("graph", replace(QUICK, only=("trace/",))) == []
    assert [one.name for one in chosen("pair", QUICK, ("plain",))] == ["pair/plain"]


@pytest.mark.skipif(not memory.AVAILABLE, reason=memory.WHY_NOT)
def test_pages_that_forked_workers_share_count_once() -> None:
    script = (
        "import os, time; block = bytearray(os.urandom(1 << 20)) * 40; "
        "pids = [os.fork() for _ in range(2)]; print('ready', flush=True); time.sleep(60)"
    )
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {script!r}])"
    with subprocess.Popen([sys.executable, "-c", outer], stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        try:
            child.stdout.readline()
            pids = memory.below(child.pid)
            with memory.Sampler(child.pid) as sampler:
                deadline = time.monotonic() + 10
                while not sampler.children and time.monotonic() < deadline:
                    child.poll()
        finally:
            os.killpg(child.pid, signal.SIGKILL)
    assert len(pids) >= 2
    assert 40e6 < sampler.children < 80e6


def test_every_input_can_be_made() -> None:
    size = replace(QUICK, events=200, tiles=16, compute_sets=4, steps=100)
    made = [one.make(size) for family in FAMILIES for one in chosen(family, size)]
    assert all(path.stat().st_size for paths in made for path in paths)


@pytest.mark.parametrize(
    "names",
    [
        ("heat", "loading", "--only", "trace/raw"),
        ("cache", "window", "--only", "trace/different"),
        ("opening", "first", "--only", "trace/different"),
        ("window", "--only", "clicks"),
    ],
)
def test_the_command_prints_one_table(names: tuple[str, ...]) -> None:
    done = run("--quick", "--json", *names)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {"name", "target", "value", "unit", "ratio", "verdict", "bound"} <= set(told["records"][0])
    assert all(record["note"] if record["value"] is None else record["value"] >= 0 for record in told["records"])
    assert any(record["verdict"] in ("met", "not met") for record in told["records"])


def test_a_failure_says_what_the_process_said() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)status 3: .*the window is gone"):
        last_line([sys.executable, "-c", "import sys; sys.stderr.write('the window is gone'); sys.exit(3)"], {})
    with pytest.raises(RuntimeError, match="status 0: it said nothing"):
        last_line([sys.executable, "-c", ""], {})


def test_the_rivals_and_a_wrong_name() -> None:
    done = run("--quick", "fly")
    assert done.returncode == 2
    assert done.stderr.startswith("no such benchmark: fly; there are loading, ")
    done = run("--quick", "loading", "--only", "fly")
    assert done.returncode == 2
    assert done.stderr.startswith("no input has this in its name: fly; there are trace/repeated, ")
    assert all(record.verdict == "not measured" and record.note for record in NOT_HERE)
