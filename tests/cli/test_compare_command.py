"""`compare` prints differences for people, programs and builds, and its exit status refuses a regression."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.conditions import NotEvaluated, parse
from app.cli import main
from app.cli.compare import report
from app.formats.collect import read
from app.formats.poplar import FORMAT
from generators import popef, poplar
from generators import tensorflow_events as log
from generators.popef import guide_blobs
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, int]:
    """Two runs, the second with the last step that runs a compute set 500 cycles slower; and that compute set."""
    folder = tmp_path_factory.mktemp("sides")
    tree: dict[str, Any] = {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}
    before = write_json(folder / "before.json", tree)
    steps = tree["simulation"]["steps"]
    last = next(step for step in reversed(steps) if "computeSet" in step)
    late = False
    for step in steps:
        late = late or step is last
        if late and "cyclesTo" in step:
            step["cyclesTo"] += 500
            step["cyclesFrom"] += 0 if step is last else 500
    last["cycles"] += 500
    tree["simulation"]["cycles"] += 500
    return before, write_json(folder / "after.json", tree), last["computeSet"]


@pytest.fixture(scope="module")
def comparison(sides: tuple[Path, Path, int]) -> Comparison:
    (before,), (after,) = (read(FORMAT, [path]) for path in sides[:2])
    return Comparison(before, after)


def test_json_is_one_object_as_the_contract_says(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(sides[0]), str(sides[1]), "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert made["before"]["files"] == [str(sides[0])]
    figures = {figure["id"]: figure for figure in made["figures"]}
    cycles = figures["execution.cycles"]
    assert (cycles["difference"], cycles["after"] - cycles["before"]) == (500, 500)
    assert cycles["percent"] == pytest.approx(50_000 / cycles["before"])
    assert figures["target.kind"]["difference"] is None
    tables = {table["id"]: table for table in made["tables"]}
    table = tables["steps-by-compute-set"]
    place = table["columns"].index("cycles")
    (row,) = table["rows"]
    assert row["status"] == "both"
    assert row["difference"][place] == row["after"][place] - row["before"][place] == 500
    assert row["difference"][table["columns"].index("name")] is None
    assert table["units"][place] == "cycles"
    assert table["equal"] == 3
    assert table["totals"]["difference"][place] == 500
    assert table["totals"]["difference"][table["columns"].index("median")] is None
    assert tables["tiles"]["rows"] == []
    matched = [entry for entry in made["matched"] if entry["kind"] == "programs"]
    assert [(one["rule"], one["only_before"], one["only_after"]) for one in matched] == [("path", 0, 0)]
    assert matched[0]["amounts"]["cycles"]["after"] - matched[0]["amounts"]["cycles"]["before"] == 500
    time = made["topics"][0]
    assert (time["id"], time["rows"][0]["difference"], time["rows"][0]["share"]) == ("time", 500, 100)


def test_rows_of_one_side_have_no_difference_but_count_in_the_totals(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    more = popef.tensor("another", (8,), 3)
    before = popef.write(tmp_path / "before.popef", guide_blobs())
    after = popef.write(tmp_path / "after.popef", [*guide_blobs(), more])
    assert main(["compare", str(before), str(after), "--json", "--table", "tensors"]) == 0
    (table,) = json.loads(capfd.readouterr().out)["tables"]
    (row,) = table["rows"]
    place = table["columns"].index("bytes")
    assert row["status"] == "only_after"
    assert (row["before"][place], row["after"][place], row["difference"][place]) == (None, 32, None)
    assert table["totals"]["difference"][place] == 32
    assert table["equal"] == 1


def test_limit_keeps_the_largest_differences_and_says_how_many_are_left_out(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(sides[0]), str(sides[1]), "--json", "--table", "steps", "--limit", "1"]) == 0
    (table,) = json.loads(capfd.readouterr().out)["tables"]
    (row,) = table["rows"]
    assert row["difference"][table["columns"].index("cycles")] == 500
    assert table["left_out"] + 1 + table["equal"] == len(plain(poplar.execution(SCALE))["simulation"]["steps"])


def test_csv_has_the_rows_of_a_table_that_differ(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(sides[0]), str(sides[1]), "--csv", "--table", "steps-by-compute-set"]) == 0
    (row,) = csv.DictReader(io.StringIO(capfd.readouterr().out))
    assert (row["status"], row["cycles_difference [cycles]"]) == ("in both", "500")
    assert main(["compare", str(sides[0]), str(sides[1]), "--csv"]) == 2
    assert capfd.readouterr().err == "--csv needs a table, such as --table steps\n"


def test_text_says_the_total_first_and_then_what_explains_it(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(sides[0]), str(sides[1])]) == 0
    text = capfd.readouterr().out
    assert text.startswith("after compared with before (baseline)\n")
    run = text[text.index("\n  Run  ") :].splitlines()
    assert "+500 cycles" in run[1]
    assert "+100.0 %" in run[3]
    assert main(["compare", str(sides[0]), str(sides[0])]) == 0
    assert "All main figures are the same." in capfd.readouterr().out
    assert main(["compare", str(sides[0]), str(sides[1]), "--table", "steps-by-compute-set"]) == 0
    assert capfd.readouterr().out.startswith("Steps by compute set: 1 row differs, 3 are the same\n")


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("execution.cycles > +0", 1),
        ("execution.cycles > +499.5 cycles", 1),
        ("execution.cycles > +500", 0),
        ("execution.cycles >= +500", 1),
        ("execution.cycles < -1 %", 0),
        ("execution.cycles > +0.0001 %", 1),
        ("execution.seconds > +1 ns", 1),
        ("execution.seconds > +1 s", 0),
        ("execution.cycles > 0", 1),
        ("memory.max_tile_bytes > +1 B", 0),
        ("memory.max_tile_bytes > 1 KiB", 1),
        ("memory.tiles_over > 0", 0),
        ("steps.cycles > +400", 1),
        ("tiles.used[2] > +0 KiB", 0),
        ("tiles.used[2] > 0 KiB", 1),
        ("execution.by_type.OnTileExecute.cycles > +1", 1),
        ("execution.nothing > 1", 2),
        ("execution.cycles > 1 KiB", 2),
        ("target.kind > 1", 2),
        ("tiles.used[77] > 1", 2),
        ("tiles.nothing[2] > 1", 2),
        ("steps-by-compute-set.median > +1", 2),
    ],
)
def test_conditions_hold_or_not_or_cannot_be_evaluated(
    comparison: Comparison, condition: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert report([parse(condition).judged(comparison)]) == status
    text = capfd.readouterr().err
    assert text.count("\n") == (status > 0)
    assert condition in text or not status


def test_a_text_that_is_no_condition_is_a_usage_error(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    for text in ("execution.cycles", "execution.cycles > much", "> 1"):
        assert main(["compare", str(sides[0]), str(sides[1]), "--fail-if", text]) == 2
        assert capfd.readouterr().err.startswith(f"--fail-if {text!r} is not a valid condition; ")


def test_a_condition_that_cannot_be_evaluated_does_not_hide_the_comparison(
    sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["--json", "--table", "steps", "--fail-if", "no.figure > 1", "--fail-if", "execution.cycles > +1"]
    assert main(["compare", str(sides[0]), str(sides[1]), *words]) == 2
    streams = capfd.readouterr()
    made = json.loads(streams.out)
    assert made["tables"][0]["id"] == "steps"
    cycles = next(figure for figure in made["figures"] if figure["id"] == "execution.cycles")
    before, after = cycles["before"], cycles["after"]
    why = "no.figure > 1: neither profile has a figure or column no.figure"
    assert streams.err.splitlines() == [
        f"cannot be evaluated: {why}",
        f"holds: execution.cycles > +1: {before:,} cycles before, {after:,} cycles after, limit {before + 1:,} cycles",
    ]
    nothing = {"holds": None, "before": None, "after": None, "limit": None, "unit": ""}
    assert made["conditions"] == [
        {"condition": "no.figure > 1", **nothing, "why": why},
        {"condition": "execution.cycles > +1", "holds": True}
        | {"before": before, "after": after, "limit": before + 1, "unit": "cycles"},
    ]


def test_a_limit_is_in_the_unit_of_the_figure(comparison: Comparison) -> None:
    figures = {figure.id: figure for figure in comparison.figures}
    cycles, tile = figures["execution.cycles"].before, figures["memory.max_tile_bytes"].before
    assert isinstance(cycles, int)
    assert isinstance(tile, int)
    for text, limit in (
        ("execution.cycles > +2 %", cycles * 1.02),
        ("execution.cycles < -2 %", cycles * 0.98),
        ("execution.cycles > 7", 7),
        ("memory.max_tile_bytes > +1 KiB", tile + 1024),
        ("memory.max_tile_bytes > 1 KiB", 1024),
    ):
        judged = parse(text).judged(comparison)
        assert judged.limit == pytest.approx(limit), text
        assert (judged.why, judged.holds) == ("", parse(text).holds(comparison))


def test_rows_are_named_by_their_texts(sides: tuple[Path, Path, int], capfd: pytest.CaptureFixture[str]) -> None:
    name = plain(poplar.graph(SCALE))["computeSets"]["names"][sides[2]]
    words = ["compare", str(sides[0]), str(sides[1]), "--table", "step-types"]
    assert main([*words, "--fail-if", f"steps-by-compute-set.cycles[{name}] > +400"]) == 1
    capfd.readouterr()
    assert main([*words, "--fail-if", f"steps.cycles[{name}] > +400"]) == 2  # several steps
    said = capfd.readouterr().err
    assert "2 rows of steps have this name; name one row, such as [" in said
    keys = [part.rstrip("]\n") for part in said.partition("such as [")[2].split(", [")]
    assert all(key.startswith(f"{name} · ") for key in keys)
    told = [main([*words, "--fail-if", f"steps.cycles[{key}] > +400"]) for key in keys]
    assert set(told) <= {0, 1}  # each can be evaluated
    capfd.readouterr()
    assert main([*words, "--fail-if", f"steps-by-compute-set.cycles[{name[:-1]}] > 1"]) == 2
    assert f"did you mean [{name}]" in capfd.readouterr().err


def test_a_side_that_cannot_be_read_costs_status_2(
    sides: tuple[Path, Path, int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stranger = tmp_path / "notes.txt"
    stranger.write_text("no profile at all")
    assert main(["compare", str(stranger), str(sides[1])]) == 2
    assert capfd.readouterr().err.startswith(f"{stranger}: not a known profile format")
    assert main(["compare", str(sides[0]), str(sides[1]), "--table", "stepps"]) == 2
    assert "did you mean steps, step-types?" in capfd.readouterr().err


def test_export_writes_a_table_with_its_baseline(
    sides: tuple[Path, Path, int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    words = ["export", str(sides[1]), "--baseline", str(sides[0]), "-o", str(out)]
    assert main([*words, "--table", "steps-by-compute-set"]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert sorted(row["cycles_difference [cycles]"] for row in rows) == ["0", "0", "0", "500"]
    assert main([*words, "--table", "tiles", "--tiles", "1"]) == 2
    assert main(["export", str(sides[1]), "--baseline", str(sides[0]), "--table", "tiles", "-o", str(sides[0])]) == 2
    assert capfd.readouterr().err.count("\n") == 2


def test_export_draws_a_plot_with_its_baseline(
    sides: tuple[Path, Path, int], tmp_path: Path, capfd: pytest.CaptureFixture[str], qapp: object
) -> None:
    out = tmp_path / "out.svg"
    words = ["export", str(sides[1]), "-o", str(out), "--size", "640x360", "--plot"]
    for plot in ("timeline", "flame", "tile-memory", "tile-memory-histogram", "tile-floor-plan"):
        assert main([*words, plot]) == 0
        alone = out.read_text()
        assert main([*words, plot, "--baseline", str(sides[0])]) == 0
        both = out.read_text()
        assert "Baseline" in both.split("</metadata>")[0]
        assert both.split("</metadata>")[1] != alone.split("</metadata>")[1], plot
    assert capfd.readouterr().err == ""
    assert main([*words, "tile-time", "--baseline", str(sides[0])]) == 2
    assert "--plot tile-time cannot show a baseline; these can: timeline" in capfd.readouterr().err


def test_a_plot_that_the_baseline_lacks_is_drawn_alone_and_said_so(
    sides: tuple[Path, Path, int], tmp_path: Path, capfd: pytest.CaptureFixture[str], qapp: object
) -> None:
    out, bare = tmp_path / "out.svg", write_json(tmp_path / "bare.json", plain(poplar.graph(SCALE)))
    words = ["export", str(sides[1]), "-o", str(out), "--size", "640x360", "--plot"]
    assert main([*words, "timeline", "--baseline", str(bare)]) == 0
    assert "the baseline has no data for --plot timeline" in capfd.readouterr().err
    assert "Baseline" not in out.read_text()


def test_a_picture_of_the_window_with_a_baseline(
    sides: tuple[Path, Path, int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a process of its own, as every start of the window."""
    out = tmp_path / "compared.png"
    words = ["--screenshot", str(out), str(sides[1]), "--baseline", str(sides[0]), "--panel", "Tables"]
    made = subprocess.run([sys.executable, "-m", "app", *words], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_total_that_no_table_explains_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sides = []
    for name, executions in (("before", 2), ("after", 4)):
        (tmp_path / name).mkdir()
        sides.append(tmp_path / name / "events.out.tfevents.1")
        sides[-1].write_bytes(log.log([log.run(executions=executions)]))
    assert main(["compare", *map(str, sides)]) == 0
    time = capfd.readouterr().out.split("\n  Time: Span")[1].splitlines()
    assert time[1] == "    No table explains this."


@pytest.mark.parametrize(
    ("condition", "suggested"),
    [
        ("cycles > 5", "execution.cycles"),
        ("execution.cycle > 5", "execution.cycles"),
        ("Cycles > 5", "execution.cycles"),
        ("steps.cycle > 5", "steps.cycles"),
        ("step.cycles[x] > 5", "steps.cycles"),
        ("steps.cycles[Conv] > 5", "[resnet"),
    ],
)
def test_what_resembles_an_unknown_name_is_suggested(condition: str, suggested: str, comparison: Comparison) -> None:
    with pytest.raises(NotEvaluated) as raised:
        parse(condition).holds(comparison)
    assert suggested in str(raised.value).partition("did you mean ")[2]
