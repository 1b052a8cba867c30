"""`baseline` keeps what later comparisons need: the document stands for the profile, says what it lacks, has the spread
of several runs, and is checked like any file of a stranger."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.conditions import BadCondition, parse
from app.analysis.compare.keeping import MOST_BYTES, fitted, kept_of, of_runs
from app.analysis.compare.noise import INSIDE, OUTSIDE, of_rows
from app.analysis.compare.plans import plan_of
from app.cli.words import run
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.poplar import FORMAT
from app.profile.profile import Origin, Profile
from app.store import baselines
from generators import poplar
from generators.timelines import timeline
from generators.trees import plain, write_json

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
BUNDLED = (
    "resnet-1472-tiles",
    "matmul_leakyrelu.bin",
    "OPPROF_20260821101500_QWERTYUIOPASDFGH",
    "resnet_inference.popef",
    "events.out.tfevents.1559736000.host",
)
SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)
Caught = pytest.CaptureFixture[str]


def slower(folder: Path, cycles: int) -> Path:
    """A run whose last step that runs a compute set takes so many cycles more."""
    tree: dict[str, Any] = {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}
    steps = tree["simulation"]["steps"]
    last = next(step for step in reversed(steps) if "computeSet" in step)
    late = False
    for step in steps:
        late = late or step is last
        if late and "cyclesTo" in step:
            step["cyclesTo"] += cycles
            step["cyclesFrom"] += 0 if step is last else cycles
    last["cycles"] += cycles
    tree["simulation"]["cycles"] += cycles
    return write_json(folder / f"slower{cycles}.json", tree)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Runs with 0, 100, 200 and 500 cycles more."""
    folder = tmp_path_factory.mktemp("runs")
    return [slower(folder, cycles) for cycles in (0, 100, 200, 500)]


@pytest.fixture(scope="module")
def document(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document of the first run."""
    path = tmp_path_factory.mktemp("document") / "small.json"
    assert run(["baseline", str(runs[0]), "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def spread(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document of the first three runs."""
    path = tmp_path_factory.mktemp("spread") / "runs.json"
    assert run(["baseline", *map(str, runs[:3]), "--runs", "-o", str(path)]) == 0
    return path


def printed(capsys: Caught) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_document_stands_for_its_profile(name: str, tmp_path: Path, capsys: Caught) -> None:
    path = tmp_path / "small.json"
    assert run(["baseline", str(SAMPLES / name), "-o", str(path)]) == 0
    assert path.stat().st_size < 100_000
    assert capsys.readouterr().out.startswith(f"{path}: ")
    assert run(["compare", str(path), str(SAMPLES / name), "--json"]) == 0
    made = printed(capsys)
    assert made["limits"][0].startswith("The baseline is a document of 1 run. It has only sums of ")
    assert len(made["limits"]) == 1
    assert [figure["id"] for figure in made["figures"] if figure["before"] != figure["after"]] == []
    assert [table["id"] for table in made["tables"] if table["rows"]] == []
    assert {entry for table in made["tables"] for entry in table["totals"]["difference"]} <= {None, 0}
    assert made["changes"] == made["contents"] == []


def test_sums_are_compared_and_missing_rows_are_not_taken_for_new(
    document: Path, runs: list[Path], capsys: Caught
) -> None:
    assert run(["compare", str(document), str(runs[3]), "--json"]) == 0
    made = printed(capsys)
    assert made["before"] == {"name": "slower0", "format": "poplar", "files": [str(document)]}
    tables = {table["id"]: table for table in made["tables"]}
    (row,) = tables["steps-by-compute-set"]["rows"]
    place = tables["steps-by-compute-set"]["columns"].index("cycles")
    assert (row["status"], row["difference"][place]) == ("both", 500)
    assert tables["steps"]["rows"] == []
    assert tables["steps"]["totals"]["difference"][tables["steps"]["columns"].index("cycles")] == 500
    time = next(topic for topic in made["topics"] if topic["id"] == "time")
    assert (time["rows"][0]["difference"], time["rows"][0]["share"]) == (500, 100)
    condition = "steps.cycles > +499"
    assert run(["compare", str(document), str(runs[3]), "--fail-if", condition]) == 1
    assert run(["compare", str(document), str(runs[3]), "--fail-if", "steps.cycles[OnTileExecute] > +1"]) == 2
    assert "the baseline document has no such row of steps" in capsys.readouterr().err


def test_a_table_that_the_profile_did_not_have_is_new(document: Path, runs: list[Path]) -> None:
    (profile,) = read(FORMAT, [runs[0]])
    kept = baselines.read(document)
    tables = [table for table in kept.tables if table.id != "compute-sets"]
    without = Comparison(kept.profile(document), profile, kept=type(kept)(*_fields(kept, tables)))
    table = without.table("compute-sets")
    assert table is not None
    assert table.rows == SCALE.compute_sets
    assert without.table("live-variables/1") is None  # of no list: the document cannot have it


def _fields(kept: Any, tables: list[Any]) -> list[Any]:
    return [tables if name == "tables" else getattr(kept, name) for name in kept.__struct_fields__]


@pytest.mark.parametrize(
    ("condition", "later", "status"),
    [
        ("execution.cycles > spread", 1, 0),
        ("execution.cycles > spread", 2, 0),
        ("execution.cycles > spread", 3, 1),
        ("execution.cycles < spread", 0, 0),
        ("execution.cycles != spread", 3, 1),
        ("execution.cycles > spread + 299 cycles", 3, 1),
        ("execution.cycles > spread + 300", 3, 0),
        ("execution.cycles > spread + 50 %", 3, 0),
        ("steps.cycles > spread", 3, 1),
        ("steps-by-type.cycles[OnTileExecute] > spread", 3, 1),
        ("steps-by-type.cycles[OnTileExecute] > spread", 2, 0),
        ("steps-by-type.cycles[OnTileExecute] > +100", 3, 1),  # of the median
        ("execution.cycles > +400", 3, 0),
    ],
)
def test_a_condition_may_use_the_spread(
    condition: str, later: int, status: int, spread: Path, runs: list[Path], capsys: Caught
) -> None:
    assert run(["compare", str(spread), str(runs[later]), "--table", "step-types", "--fail-if", condition]) == status
    assert capsys.readouterr().err.count("holds: ") == status


def test_figures_and_rows_of_runs_have_their_spread(spread: Path, runs: list[Path], capsys: Caught) -> None:
    assert run(["compare", str(spread), str(runs[3]), "--json", "--fail-if", "execution.cycles > spread"]) == 1
    made = printed(capsys)
    cycles = next(figure for figure in made["figures"] if figure["id"] == "execution.cycles")
    assert (cycles["before"] - cycles["min"], cycles["max"] - cycles["before"]) == (100, 100)
    assert cycles["difference"] == 400
    (judged,) = made["conditions"]
    assert (judged["before"], judged["after"], judged["limit"]) == (cycles["before"], cycles["after"], cycles["max"])
    kept = baselines.read(spread)
    for later, verdict in ((1, INSIDE), (3, OUTSIDE)):
        (profile,) = read(FORMAT, [runs[later]])
        comparison = Comparison(kept.profile(spread), profile, kept=kept)
        table = comparison.table("steps-by-type")
        assert table is not None
        column = table.column("cycles")
        assert column is not None
        verdicts = of_rows(table, column, plan_of(table.id, table.after), (comparison.before, profile))
        assert verdict in verdicts.tolist()
        assert (OUTSIDE in verdicts.tolist()) == (verdict == OUTSIDE)


def test_the_spread_is_said_in_words(spread: Path, runs: list[Path], capsys: Caught) -> None:
    for later, words in ((0, "within"), (2, "within"), (3, "outside")):
        assert run(["compare", str(spread), str(runs[later])]) == 0
        out = capsys.readouterr().out
        first = out.partition("\n")[0]
        assert f"{runs[later].stem} compared with" in first
        assert first.endswith("slower0 (baseline, medians of 3 runs)")
        (line,) = (line for line in out.splitlines() if line.startswith("    Run  "))
        assert line.endswith(f"{words} the spread of 3 runs")
        assert ("within the noise" in out) is False


def test_two_runs_have_no_spread(tmp_path: Path, runs: list[Path], capsys: Caught) -> None:
    path = tmp_path / "two.json"
    assert run(["baseline", str(runs[0]), str(runs[1]), "--runs", "-o", str(path)]) == 0
    assert capsys.readouterr().err.startswith("a spread needs 3 or more runs")
    assert run(["compare", str(path), str(runs[3]), "--fail-if", "execution.cycles > spread"]) == 2
    assert "the baseline has no spread" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["a > spread - 1 %", "a >= spread", "a == spread", "a < spread + 1", "a > spreads"])
def test_what_a_spread_cannot_mean_is_no_condition(text: str) -> None:
    with pytest.raises(BadCondition):
        parse(text)


def test_findings_take_a_document(document: Path, spread: Path, runs: list[Path], capsys: Caught) -> None:
    rule = ["--rule", "compare.total", "--threshold", "regression=0.01", "--fail-on", "warning"]
    assert run(["findings", str(runs[1]), "--baseline", str(document), *rule]) == 1
    assert "Time: more than in the baseline" in capsys.readouterr().out
    assert run(["findings", str(runs[0]), "--baseline", str(document), *rule]) == 0
    assert run(["findings", str(runs[2]), "--baseline", str(spread), *rule]) == 0  # as one of its runs
    assert run(["findings", str(runs[3]), "--baseline", str(spread), *rule, "--json"]) == 1


def test_a_document_is_read_in_any_language(tmp_path: Path, root: Path) -> None:
    path, source = tmp_path / "small.json", str(SAMPLES / "matmul_leakyrelu.bin")
    documents = []
    for language in ("en", "zh_CN"):
        environment = os.environ | {"TILESIGHT_LANGUAGE": language}
        words = [sys.executable, "main.py", "baseline", source, "-o", str(path)]
        subprocess.run(words, cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
        documents.append(path.read_bytes())
    assert documents[0] == documents[1]
    words = [sys.executable, "main.py", "compare", str(path), source, "--json"]
    out = subprocess.run(words, cwd=root, env=environment, check=True, stdout=subprocess.PIPE).stdout
    assert [table["id"] for table in json.loads(out)["tables"] if table["rows"]] == []


def many_names(count: int, slow: float) -> Profile:
    """A timeline with a name for each slice."""
    rows = [(20.0 * k, (1.0 + k % 7) * slow, f"operator_with_a_long_name_{k}", "") for k in range(count)]
    line = timeline([("process", "thread", [rows])])
    return Profile(name="many", origin=Origin("chrome-trace", (Path("many.json"),)), timeline=line)


def change(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.__setitem__(name, value)


def nested(depth: int) -> object:
    """A short text that would be filled to 2 ** depth letters."""
    return ["{a}{a}", "", {"a": nested(depth - 1)}] if depth else "x"


def first_column(document: dict[str, Any]) -> dict[str, Any]:
    table = next(table for table in document["tables"] if table["id"] == "steps-by-type")
    return next(column for column in table["columns"] if column["key"] == "cycles")


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (change("tilesight_baseline", 2), "a newer version of Tilesight wrote it"),
        (change("tilesight_baseline", 0), "version 0 does not exist"),
        (change("tilesight_baseline", "1"), "Expected `int`, got `str`"),
        (change("figures", {}), "Expected `array`, got `object`"),
        (change("runs", 0), "0 is not a number of runs"),
        (change("name", None), "Expected `str`, got `null`"),
        (lambda one: one["figures"][0].update(unit="parsec"), "Invalid enum value 'parsec'"),
        (lambda one: one["figures"][0].update(value=10**30), "not a usable number"),
        (lambda one: one["figures"][0].update(value=1e201), "not a usable number"),
        (lambda one: one["figures"][0].update(label=["{a.b}", "", {}]), "places that cannot be filled"),
        (lambda one: one["figures"][0].update(label=nested(60)), "a text has more than 100,000 characters"),
        (lambda one: one["tables"].append(one["tables"][0]), "two of one name"),
        (lambda one: one["tables"][0].update(left=-1), "wrong number of rows"),
        (lambda one: first_column(one)["values"].append(1), "different lengths"),
        (lambda one: first_column(one)["values"].__setitem__(0, "much"), "unusable cells"),
        (lambda one: first_column(one).update(min=[1]), "different lengths"),
        (lambda one: first_column(one).update(sum=1 << 70), "unusable cells"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused(
    edit: Callable[[dict[str, Any]], None], why: str, document: Path, runs: list[Path], tmp_path: Path, capsys: Caught
) -> None:
    edited = json.loads(document.read_bytes())
    edit(edited)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(edited))
    for words in (["compare", str(path), str(runs[0])], ["findings", str(runs[0]), "--baseline", str(path)]):
        assert run(words) == 2
        streams = capsys.readouterr()
        assert streams.out == ""
        assert streams.err.startswith(f"{path}: the baseline document cannot be used: ")
        assert why in streams.err
        assert streams.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["info", "{document}"],
        ["tables", "{document}"],
        ["findings", "{document}"],
        ["critical-path", "{document}"],
        ["what-if", "{document}", "--scale", "x=2"],
        ["query", "{document}", "select 1"],
        ["query", "{run}", "select 1", "--baseline", "{document}"],
        ["report", "{document}", "-o", "{out}.html"],
        ["report", "{run}", "--baseline", "{document}", "-o", "{out}.html"],
        ["export", "{document}", "--table", "steps", "-o", "{out}.csv"],
        ["export", "{document}#ipu=0", "--table", "steps", "-o", "{out}.csv"],
        ["export", "{run}", "--baseline", "{document}", "--table", "steps", "-o", "{out}.csv"],
        ["compare", "{run}", "{document}"],
        ["compare", "{document}", "{document}"],
        ["baseline", "{document}", "-o", "{out}.json"],
    ],
    ids=" ".join,
)
def test_what_takes_no_document_says_what_does(
    words: list[str], document: Path, runs: list[Path], tmp_path: Path, capsys: Caught
) -> None:
    out = tmp_path / "out"
    assert run([word.format(document=document, run=runs[0], out=out) for word in words]) in (1, 2)
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err == (
        f"{document}: this is a baseline that `tilesight baseline` wrote; use it with `tilesight compare BASELINE "
        "FILE`, `tilesight findings FILE --baseline BASELINE`, or in Python with `tilesight.open_baseline`\n"
    )
    assert not list(tmp_path.iterdir())


def test_a_document_has_no_parts(document: Path, runs: list[Path], capsys: Caught) -> None:
    assert run(["compare", f"{document}#ipu=0", str(runs[0])]) == 2
    assert capsys.readouterr().err == f"{document}: a baseline document has no parts\n"


def test_damaged_documents_raise_only_format_errors(document: Path, runs: list[Path], tmp_path: Path) -> None:
    (profile,) = read(FORMAT, [runs[0]])
    whole, path, chance = document.read_bytes(), tmp_path / "damaged.json", random.Random(1)
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(30, len(damaged))] = chance.choice(b'0129"[]{},:.-enull')
        path.write_bytes(damaged[: chance.randrange(1000, len(damaged))] if chance.random() < 0.2 else damaged)
        try:
            kept = baselines.read(path)
        except FormatError:
            continue
        assert Comparison(kept.profile(path), profile, kept=kept).figures
    path.write_bytes(b'{"tilesight_baseline":1,"x":' + b"[" * 100_000)
    with pytest.raises(FormatError):
        baselines.read(path)


@pytest.mark.parametrize("number", [1e199, -1e199, (1 << 63) - 1, -(1 << 62)])
def test_extreme_numbers_are_compared(
    number: float, document: Path, runs: list[Path], tmp_path: Path, capsys: Caught
) -> None:
    edited = json.loads(document.read_bytes())
    column = first_column(edited)
    column["values"] = [number for _ in column["values"]]
    cycles = next(figure for figure in edited["figures"] if figure["id"] == "execution.cycles")
    cycles["value"] = number
    path = tmp_path / "extreme.json"
    path.write_text(json.dumps(edited))
    for form in ([], ["--json"], ["--format", "markdown"], ["--format", "junit"]):
        assert run(["compare", str(path), str(runs[0]), *form, "--fail-if", "execution.cycles > -2 %"]) in (0, 1)
    assert capsys.readouterr().out


def test_wrong_arguments_and_files(document: Path, runs: list[Path], tmp_path: Path, capsys: Caught) -> None:
    one, other, out = str(runs[0]), str(runs[1]), str(tmp_path / "small.json")

    def said(words: list[str], status: int) -> str:
        assert run(words) == status
        return capsys.readouterr().err

    assert said(["baseline", one, "-o", str(tmp_path / "small.txt")], 2).endswith("the name must end in .json\n")
    assert "this is an input file" in said(["baseline", one, "-o", one], 2)
    assert said(["baseline", one, "--runs", "-o", out], 2) == "--runs needs two or more files\n"
    assert "contains several profiles" in said(["baseline", one, other, "-o", out], 2)
    assert said(["baseline", str(tmp_path / "none.json"), "-o", out], 1).startswith(f"{tmp_path / 'none.json'}: ")
    unlike = said(["baseline", one, str(SAMPLES / "matmul_leakyrelu.bin"), "--runs", "-o", out], 2)
    assert "not a run of the same program" in unlike
    assert "this is a baseline that `tilesight baseline` wrote" in said(["info", str(document)], 1)
    assert "this is a baseline that `tilesight baseline` wrote" in said(["compare", one, str(document)], 2)
    assert "a baseline document has no parts" in said(["compare", f"{document}#core=0", one], 2)
    assert not Path(out).exists()


def test_a_million_slices_of_many_names_stay_below_one_megabyte(tmp_path: Path) -> None:
    profiles = [many_names(16_000, slow) for slow in (1.0, 1.1, 1.2)]
    kept = [kept_of(profile) for profile in profiles]
    for number, own in enumerate((fitted(kept[0]), fitted(of_runs(kept)))):
        size = baselines.write(tmp_path / "many.json", own, ())
        assert MOST_BYTES / 2 < size < 1_000_000
        comparison = Comparison(own.profile(tmp_path / "many.json"), profiles[2], kept=own)
        table = comparison.table("slice-statistics")
        assert table is not None
        assert table.stored is not None
        assert 1000 < table.rows < 16_000
        assert table.rows + table.stored.left == 16_000
        total = table.column("total")
        assert total is not None
        sums = table.total(total)
        assert sums is not None
        assert sums.before is not None
        assert sums.after is not None
        assert sums.after / sums.before == pytest.approx(1.2 / (1.0, 1.1)[number])
        assert any("only some rows of slice-statistics" in limit for limit in comparison.limits)
