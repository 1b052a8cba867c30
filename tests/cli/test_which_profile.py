"""Several files in one command: none is chosen in silence, and all come in the order of the arguments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from app.cli.words import run
from generators import ascend_trace, make_samples, poplar

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = str(SAMPLES / "matmul_leakyrelu.bin")
MODEL = str(SAMPLES / "resnet_inference.popef")


@pytest.fixture
def traces(tmp_path: Path) -> list[str]:
    """Two traces with the same tables; the first by name comes second."""
    paths = [tmp_path / "b.json", tmp_path / "a.json"]
    for path, cores in zip(paths, (1, 2), strict=True):
        ascend_trace.write(path, 20, cores=cores)
    return [str(path) for path in paths]


@pytest.mark.parametrize(
    "words", [["--table", "slices"], ["--plot", "timeline"], ["--table", "slices", "--baseline", MATMUL]]
)
def test_a_table_of_several_files_is_refused_with_the_choices(
    traces: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    target = tmp_path / ("out.csv" if words[0] == "--table" else "out.svg")
    assert run(["export", *traces, *words, "-o", str(target)]) == 2
    name = f"{words[0][2:]} {words[1]}"
    assert f"several profiles have a {name}; choose one with --profile N (1: b" in capsys.readouterr().err
    assert not target.exists()
    assert run(["export", *traces, *words, "-o", str(target), "--profile", "2"]) == 0
    assert target.exists()


def test_a_table_that_only_one_file_has_is_written(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert run(["export", MODEL, MATMUL, "--table", "slices", "-o", str(target)]) == 0
    assert target.read_text("utf-8").startswith("name,process,")


def test_blocks_of_several_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(MATMUL, tmp_path / "other.bin")
    words = ["export", MATMUL, str(tmp_path / "other.bin"), "--block", "1", "-o", str(tmp_path / "out")]
    assert run(words) == 2
    assert f"choose one with --profile N (1: {MATMUL}, 2: {tmp_path / 'other.bin'})" in capsys.readouterr().err


def test_tiles_of_several_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scale = msgspec.structs.replace(make_samples.MEASURED, compute_sets=2, loops=1, tiles_per_ipu=4)
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        poplar.write_pair(tmp_path / name, scale)
    words = ["--table", "tile-categories", "--tiles", "0", "-o", str(tmp_path / "out.csv")]
    assert run(["export", str(tmp_path / "b"), str(tmp_path / "a"), *words]) == 2
    assert "choose one with --profile N (1: b, 2: a)" in capsys.readouterr().err


def test_a_query_names_the_profile_of_a_table_that_several_have(
    traces: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["query", *traces, "select count(*) from slices"]) == 2
    assert "several profiles have a table slices: write p1.slices or p2.slices (line 1" in capsys.readouterr().err
    cores = "select count(distinct process) as cores from"
    for number in (1, 2):
        assert run(["query", *traces, "--csv", f"{cores} p{number}.slices"]) == 0
        assert capsys.readouterr().out == f"cores\n{3 * number}\n"
    assert run(["query", MODEL, MATMUL, "--csv", "select count(*) > 0 as there from slices"]) == 0
    assert capsys.readouterr().out == "there\ntrue\n"
    assert run(["query", *traces, "--csv", "with slices as (select 1 as one) select one from slices"]) == 0
    assert capsys.readouterr().out == "one\n1\n"


def test_profiles_come_in_the_order_of_the_arguments(
    traces: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [MODEL, traces[0], MATMUL, str(SAMPLES / "resnet-32-tiles-measured"), traces[1]]
    for order in (paths, paths[::-1]):
        names = [Path(path).stem for path in order]
        assert run(["info", "--json", *order]) == 0
        own = [profile["name"] for profile in json.loads(capsys.readouterr().out)["profiles"]]
        assert [Path(name).stem for name in own] == names
        for command in ("info", "findings", "tables"):
            assert run([command, *order]) == 0
            lines = capsys.readouterr().out.splitlines()
            heads = [line.split(": ")[-1] for line in lines if line and not line.startswith(" ")]
            assert [Path(head).stem for head in heads] == names, command
        assert run(["findings", "--json", *order]) == 0
        told = dict.fromkeys(finding["profile"] for finding in json.loads(capsys.readouterr().out)["findings"])
        assert len(told) > 2
        assert list(told) == [name for name in own if name in told]
        out = tmp_path / names[0]
        assert run(["export", "--all", "--plots", "none", *order, "-o", str(out)]) == 0
        capsys.readouterr()
        index = json.loads((out / "index.json").read_bytes())
        assert [profile["name"] for profile in index["profiles"]] == own
