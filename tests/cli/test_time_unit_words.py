"""`--time-unit`: the unit of times of traces, set manually on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from generators import pipe_words
from generators.ascend_report import device_files, pack_of


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "one.rep"
    path.write_bytes(pack_of(device_files() | {"trace.json": pipe_words.trace()}))
    return path


def figures(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["info", "--json", *words]) == 0
    made: dict[str, Any] = json.loads(capsys.readouterr().out)["profiles"][0]["figures"]
    return made


@pytest.mark.parametrize(
    ("unit", "per_second", "name"),
    [("us", 1e6, "µs"), ("ns", 1e9, "ns"), ("cycles@1000", 1e9, "cycles"), ("cycles@1.5e3MHz", 1.5e9, "cycles")],
)
def test_info_and_export_take_it(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], unit: str, per_second: float, name: str
) -> None:
    plain = figures(capsys, str(report))
    assert (plain["timeline.unit"], plain["timeline.unit_by_hand"]) == ("cycles", False)
    made = figures(capsys, str(report), "--time-unit", unit)
    assert made["timeline.span"] == pytest.approx(plain["timeline.span"] / per_second)
    assert (made["timeline.unit"], made["timeline.file_unit"], made["timeline.unit_by_hand"]) == ("s", name, True)
    out = tmp_path / "slices.csv"
    assert main(["export", str(report), "--table", "slices", "--time-unit", unit, "-o", str(out)]) == 0
    assert "set by hand]" in out.read_text().splitlines()[0]
    other = tmp_path / "slices.json"
    assert main(["export", str(report), "--table", "slices", "--time-unit", unit, "-o", str(other)]) == 0
    document = json.loads(other.read_text())
    assert {column["unit"] for column in document["columns"] if column["unit"]} == {"s", "cycles"}
    assert document["settings"]["time_unit"].startswith(name)
    assert "set manually" in document["note"]


def test_cycles_alone_are_those_of_the_profile(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = figures(capsys, str(report))
    made = figures(capsys, str(report), "--time-unit", "cycles")
    assert made["timeline.span"] == pytest.approx(plain["timeline.span"] / 1.65e9)


@pytest.mark.parametrize("unit", ["ms", "s", "ns@5", "cycles@", "cycles@0", "cycles@nan", "cycles@-5", "@1650", ""])
def test_other_units_are_usage_errors(report: Path, capsys: pytest.CaptureFixture[str], unit: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["info", str(report), "--time-unit", unit])
    assert ended.value.code == 2
    assert "is not a time unit" in capsys.readouterr().err


def test_compare_and_findings_take_it(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def span(*words: str) -> float:
        assert main(["compare", str(report), str(report), "--json", *words]) == 0
        figures = json.loads(capsys.readouterr().out)["figures"]
        return float(next(figure["after"] for figure in figures if figure["id"] == "timeline.span"))

    assert span("--time-unit", "ns") == pytest.approx(span() / 1e9)
    assert main(["findings", str(report), "--time-unit", "ns"]) == 0
    page = tmp_path / "page.html"
    assert main(["report", str(report), "--time-unit", "ns", "-o", str(page)]) == 0
    assert "set manually" in page.read_text("utf-8")


def test_files_that_state_their_unit_refuse_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(root / "resources" / "samples" / "resnet_inference.popef"), "--time-unit", "ns"]) == 2
    assert "--time-unit applies only to traces" in capsys.readouterr().err
