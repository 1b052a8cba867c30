"""The command line prints the figures of the readers, and one line for what it cannot do."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from app import preferred_language
from app.cli import main, window
from app.cli.interrupts import ctrl_c_later
from generators import ascend_trace, popef, poplar
from generators.popef import guide_blobs


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return popef.write(tmp_path / "guide.popef", guide_blobs())


def test_info_json_is_one_object_of_plain_figures(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json", str(model)]) == 0
    told = json.loads(capfd.readouterr().out)
    (profile,) = told["profiles"]
    assert profile["format"] == "popef"
    assert profile["files"] == [str(model)]
    assert "blobs" in profile["sections"]
    assert profile["figures"]["popef.anchors"] == 4
    assert profile["figures"]["popef.blobs"]["METADATA"] == 1
    assert told["errors"] == []


def test_a_file_that_cannot_be_read_costs_status_1_and_one_line(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stranger = tmp_path / "notes.txt"
    stranger.write_text("no profile at all")
    assert main(["info", "--json", str(stranger), str(model)]) == 1
    streams = capfd.readouterr()
    told = json.loads(streams.out)
    assert len(told["profiles"]) == 1
    assert [error["file"] for error in told["errors"]] == [str(stranger)]
    assert streams.err.startswith(f"{stranger}: not a known profile format")
    assert streams.err.count("\n") == 1


def test_files_that_do_not_belong_together_are_told_on_standard_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    scale = poplar.Scale(mode="COMPUTE_SETS", compute_sets=3, tiles_per_ipu=4, loops=1)
    graph, run = poplar.write_pair(tmp_path, scale)
    assert main(["info", "--json", str(graph)]) == 0
    assert [profile["files"] for profile in json.loads(capfd.readouterr().out)["profiles"]] == [[str(graph)]]
    poplar.write(run, poplar.execution(replace(scale, tiles_per_ipu=6)))
    assert main(["info", "--json", str(run), str(graph)]) == 0
    streams = capfd.readouterr()
    told = json.loads(streams.out)["profiles"]
    assert [profile["files"] for profile in told] == [[str(graph)], [str(run)]]
    assert all("do not belong together" in profile["issues"][0]["text"] for profile in told)
    (line,) = streams.err.splitlines()
    assert line.startswith(
        f"{tmp_path}: graph.json and execution.json do not belong together: the execution has 6 tiles"
    )


def test_info_for_people_names_figures_and_units(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(model)]) == 0
    told = capfd.readouterr().out
    assert "PopEF model" in told
    assert "Anchors" in told


def test_tables_lists_what_export_takes(model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", str(model)]) == 0
    names = [line.split()[1] for line in capfd.readouterr().out.splitlines() if line.strip().startswith("--table")]
    assert "anchors" in names
    for name in names:
        output = tmp_path / f"{name.replace('/', '-')}.csv"
        assert main(["export", str(model), "--table", name, "-o", str(output)]) == 0
        assert len(list(csv.reader(io.StringIO(output.read_text("utf-8"))))) > 1


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json"])
def test_export_by_suffix(model: Path, tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"anchors.{suffix}"
    assert main(["export", str(model), "--table", "anchors", "-o", str(output)]) == 0
    text = output.read_text("utf-8")
    if suffix == "json":
        assert json.loads(text)["table"] == "anchors"
    else:
        separator = {"csv": ",", "tsv": "\t"}[suffix]
        assert separator in text.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--table", "anchor", "-o", "a.csv"], "no table 'anchor'; did you mean anchors?"),
        (["--table", "anchors", "-o", "a.ods"], "the name must end in .csv or .tsv or .json or .xlsx or .parquet"),
        (["--plot", "nothing-like-it", "-o", "a.png"], "no plot 'nothing-like-it'"),
        (["--table", "", "-o", "a.csv"], "no table ''"),
        (["--table", "anchors", "-o", "a.csv", "--profile", "2"], "there is only 1"),
    ],
)
def test_wrong_words_cost_status_2(
    model: Path, capfd: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert main(["export", str(model), *words]) == 2
    assert complaint in capfd.readouterr().err


def test_a_place_that_cannot_be_written_costs_status_1(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "no such folder" / "a.csv"
    assert main(["export", str(model), "--table", "anchors", "-o", str(output)]) == 1
    assert capfd.readouterr().err.startswith(f"{output}: cannot be written: No such file")


def test_a_baseline_of_several_profiles_is_refused(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "several"
    folder.mkdir()
    shutil.copy(model, folder)
    ascend_trace.write(folder / "trace.json", 20, cores=1)
    for words in (["findings", str(model)], ["report", str(model), "-o", str(tmp_path / "report.html")]):
        assert main([*words, "--baseline", str(folder)]) == 2
        (line,) = capfd.readouterr().err.splitlines()
        assert line.startswith(f"{folder} contains several profiles; a baseline may contain only one (1: ")


def test_a_profile_that_does_not_exist_costs_status_2(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["report", str(model), "-o", str(tmp_path / "report.html")],
        ["query", str(model), "select 1"],
        ["compare", str(model), str(model)],
    ):
        assert main([*words, "--profile", "2"]) == 2
        assert capfd.readouterr().err == "--profile 2: no such profile; there is only 1\n"


@pytest.mark.parametrize(
    "words",
    [
        ["export", "a"],
        ["export", "a", "--plot", "b", "-o", "c.svg", "--size", "99999x99999"],
        ["export", "a", "--table", "b", "-o", ""],
        ["info"],
        ["info", ""],
        ["compare", "a", ""],
        ["--size", "big"],
        ["--size", "99999x99999"],
        ["--theme", "pink"],
        [""],
    ],
)
def test_words_that_do_not_parse_cost_status_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2


def test_a_first_word_that_is_no_command_and_no_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[list[str]] = []

    def shown(options: argparse.Namespace, _: object) -> int:
        opened.append([path.name for path in options.files])
        return 0

    monkeypatch.setattr(window, "run", shown)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for word, says in (("finding", "did you mean findings"), ("verdict", "the commands are info")):
        assert main([word, "folder"]) == 2
        assert says in capfd.readouterr().err
    for word in ("folder", "none.json", "none/none", "none_"):
        assert main([word]) == 0
    assert opened == [["folder"], ["none.json"], ["none"], ["none_"]]


def test_a_panel_that_no_file_has_costs_status_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "out.png"
    for words in (["--panel", "nope"], ["--screenshot", str(picture), "--panel", "nope"]):
        assert main(words) == 2
        assert capfd.readouterr().err.startswith("--panel nope: no such panel; choose from summary, ")
    assert not picture.exists()


def test_progress_goes_to_a_terminal_only(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    control, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as screen:
        monkeypatch.setattr("sys.stderr", screen)
        assert main(["info", "--json", str(model)]) == 0
        screen.flush()
        told = os.read(control, 4096).decode()
    os.close(control)
    assert told.startswith("\r")
    assert json.loads(capfd.readouterr().out)["errors"] == []


def test_a_reader_that_has_seen_enough_is_no_error(model: Path, root: Path) -> None:
    told = subprocess.Popen(
        [sys.executable, str(root / "main.py"), "info", str(model)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert told.stdout is not None
    told.stdout.close()
    _, complaint = told.communicate()
    assert complaint == b""
    assert told.returncode == 0


def test_without_qt_reports_and_plots_are_refused(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for module in ("app.report.pictures", "app.panels.picture"):
        monkeypatch.delattr(module, raising=False)
        monkeypatch.setitem(sys.modules, module, None)
    page, plot = tmp_path / "report.html", tmp_path / "plot.svg"
    assert main(["report", str(model), "-o", str(page)]) == 1
    assert not page.exists()
    assert capfd.readouterr().err.startswith("the report cannot be made because Qt cannot be loaded")
    assert main(["export", str(model), "--plot", "model", "-o", str(plot)]) == 1
    assert not plot.exists()
    assert capfd.readouterr().err.startswith("the plot cannot be drawn because Qt cannot be loaded")


@pytest.fixture
def typed_ctrl_c() -> Iterator[Callable[[], None]]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_one_status_from_the_first_import_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], typed_ctrl_c: Callable[[], None]
) -> None:
    monkeypatch.setattr(preferred_language, "prefer", typed_ctrl_c)
    assert main(["info", "a"]) == 130
    assert capfd.readouterr().err == ""


def test_ctrl_c_waits_for_the_import_of_qt(typed_ctrl_c: Callable[[], None]) -> None:
    done: list[bool] = []

    def interrupted() -> None:
        with ctrl_c_later():
            typed_ctrl_c()
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_tables_are_listed_where_qt_cannot_be_loaded(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "app.panels.picture", None)
    assert main(["tables", str(model)]) == 0
    streams = capfd.readouterr()
    assert "--table anchors" in streams.out
    assert streams.err.startswith("plots are skipped because Qt cannot be loaded")
