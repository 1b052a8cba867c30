"""Parts of one file are compared from the command line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from app.cli import main, window
from app.cli.sides import side
from app.cli.words import parser_of
from app.store.sides import Side
from generators import ascend_sample, poplar_replicas


def test_two_blocks_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "operator.bin"
    path.write_bytes(ascend_sample.operator())
    assert main(["compare", f"{path}#block=0", f"{path}#block=1", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert [made[end]["name"] for end in ("before", "after")] == [
        "matmul_leakyrelu, block 0",
        "matmul_leakyrelu, block 1",
    ]
    (details,) = [table for table in made["tables"] if table["id"] == "block-details"]
    (row,) = details["rows"]
    assert row["status"] == "both"
    assert main(["compare", f"{path}#block=0", f"{path}#block=0", "--fail-if", "operator.duration_s > +0"]) == 0
    capfd.readouterr()
    assert main(["compare", f"{path}#block=0", f"{path}#block=7"]) == 2
    assert capfd.readouterr().err == f"{path}#block=7: no such part; the parts include 0, 1\n"


def test_a_part_is_exported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "operator.bin", tmp_path / "out.csv"
    path.write_bytes(ascend_sample.operator())
    words = ["--table", "block-details", "-o", str(target)]
    assert main(["export", f"{path}#block=1", *words]) == 0
    assert len(target.read_text("utf-8").splitlines()) == 2
    assert main(["export", f"{path}#block=1", "--baseline", f"{path}#block=0", *words]) == 0
    assert "before" in target.read_text("utf-8").splitlines()[0]
    assert main(["export", f"{path}#block=1", "--all", "-o", str(tmp_path / "all"), "--plots", "none"]) == 0
    capfd.readouterr()
    assert main(["export", f"{path}#block=7", *words]) == 2
    assert capfd.readouterr().err == f"{path}#block=7: no such part; the parts include 0, 1\n"
    assert main(["export", f"{path}#block=1", str(path), *words]) == 2


def test_a_part_is_compared_with_that_of_another_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sides = []
    for name, reduce in (("before", 400), ("after", 450)):
        (tmp_path / name).mkdir()
        sides.append(poplar_replicas.write(tmp_path / name, poplar_replicas.Replicas(reduce=reduce)))
    words = [f"{path}#iteration=2" for path in sides]
    assert main(["compare", *words, "--fail-if", "execution.cycles > +49 cycles"]) == 1
    assert "+50 cycles" in capfd.readouterr().out
    assert main(["compare", *words, "--fail-if", "execution.cycles > +50 cycles"]) == 0


def test_a_file_of_that_name_comes_before_a_part(tmp_path: Path) -> None:
    path = tmp_path / "run#block=3"
    assert side(str(path)) == Side(tmp_path / "run", "block=3")
    path.touch()
    assert side(str(path)) == Side(path)
    assert side("a#b#process=x#1") == Side(Path("a#b"), "process=x#1")
    assert side("trace#1.json") == Side(Path("trace#1.json"))


def test_the_window_opens_parts_as_a_link_to_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "operator.bin"
    path.write_bytes(ascend_sample.operator())
    options = window_options(f"{path}#block=1", "--baseline", f"{path}#block=0")
    link = window.link_to_parts(options)
    assert link is not None
    assert (link.profile.part, link.profile.paths) == ("block=1", (path,))
    assert link.baseline is not None
    assert (link.baseline.part, link.baseline.paths) == ("block=0", (path,))
    assert window.link_to_parts(window_options(str(path), "--baseline", str(path))) is None
    assert main(["--baseline", f"{path}#block=0", str(path), str(path)]) == 2
    assert "FILE#PART" in capsys.readouterr().err


def window_options(*words: str) -> argparse.Namespace:
    return parser_of("window").parse_args(words)
