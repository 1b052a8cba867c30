"""`findings` prints what the rules say, and fails a build when asked to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.analysis.view_links.text import parse
from app.analysis.view_links.view_link import ChosenThings
from app.cli.words import run

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = SAMPLES / "matmul_leakyrelu.bin"


def parsed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_text_json_and_sarif_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["findings", str(MATMUL), "--json"]) == 0
    facts = parsed(capsys)
    assert facts["findings"]
    assert run(["findings", str(MATMUL), "--sarif"]) == 0
    (log,) = parsed(capsys)["runs"]
    assert [result["ruleId"] for result in log["results"]] == [one["rule"] for one in facts["findings"]]
    assert {rule["id"] for rule in log["tool"]["driver"]["rules"]} >= {one["rule"] for one in facts["findings"]}
    assert run(["findings", str(MATMUL)]) == 0
    text = capsys.readouterr().out
    for one in facts["findings"]:
        link = parse(one["link"])
        assert (link.profile.paths, link.panel, link.view["rule"]) == ((MATMUL,), "findings", one["rule"])
        assert all(parse(evidence["link"]).profile == link.profile for evidence in one["evidence"])
        assert one["title"] in text
        assert one["text"] in text
    for one in facts["not_checked"]:
        assert f"{one['rule']}: {one['why']}" in text


def test_a_rule_about_comparisons_is_chosen_like_others(capsys: pytest.CaptureFixture[str]) -> None:
    network = str(SAMPLES / "resnet-1472-tiles")
    assert run(["findings", network, "--baseline", network, "--rule", "compare.total", "--fail-on", "warning"]) == 0
    assert "poplar." not in capsys.readouterr().out


def test_rules_and_thresholds_keep_their_earlier_names(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ascend.uneven-work", "ascend.block-imbalance", "ascend.core-imbalance"):
        assert run(["findings", str(MATMUL), "--rule", name, "--json"]) == 0
        assert [one["rule"] for one in parsed(capsys)["findings"]] == ["ascend.uneven-work"]
    assert run(["findings", str(MATMUL), "--rule", "ascend.core-imbalance", "--threshold", "core_imbalance=90"]) == 0
    assert "No findings" in capsys.readouterr().out
    assert run(["findings", str(MATMUL), "--sarif"]) == 0
    rules = {rule["id"]: rule for rule in parsed(capsys)["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["ascend.uneven-work"]["deprecatedIds"] == ["ascend.block-imbalance", "ascend.core-imbalance"]
    assert "deprecatedIds" not in rules["ascend.overlap"]


def test_a_chip_is_named_where_the_files_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for source in (SAMPLES / "OPPROF_20260821101500_QWERTYUIOPASDFGH").glob("*.csv"):  # without HardwareInfo.jsonl
        (tmp_path / source.name).write_bytes(source.read_bytes())
    words = ["findings", str(tmp_path), "--rule", "ascend.unused-cores", "--json"]
    assert run(words) == 0
    assert [one["why"] for one in parsed(capsys)["not_checked"]] == ["the file does not name the chip"]
    assert run([*words, "--chip", "910B2"]) == 0
    (finding,) = parsed(capsys)["findings"]
    assert [evidence["value"] for evidence in finding["evidence"]] == [2, 24]
    with pytest.raises(SystemExit) as refused:
        run([*words, "--chip", "8086"])
    assert refused.value.code == 2
    assert "is not a known chip (910B1, " in capsys.readouterr().err


def test_a_build_fails_on_what_is_severe_enough(capsys: pytest.CaptureFixture[str]) -> None:
    network = str(SAMPLES / "resnet-1472-tiles")
    rule = ["--rule", "poplar.memory-imbalance"]
    assert run(["findings", network, *rule, "--fail-on", "error"]) == 0
    assert run(["findings", network, *rule, "--fail-on", "warning"]) == 1
    assert run(["findings", network, *rule, "--fail-on", "warning", "--threshold", "memory_imbalance=1000"]) == 0
    capsys.readouterr()


def test_evidence_of_a_thing_links_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    network, rule = str(SAMPLES / "resnet-1472-tiles"), "poplar.memory-imbalance"
    assert run(["findings", network, "--baseline", network, "--json", "--rule", rule]) == 0
    (finding,) = parsed(capsys)["findings"]
    first, second, *_ = (parse(evidence["link"]) for evidence in finding["evidence"])
    assert first.chosen == ChosenThings("tile", (int(finding["evidence"][0]["key"]),))
    assert (second.panel, second.view) == ("tables", {"table": "tiles"})
    assert first.baseline == first.profile


@pytest.mark.parametrize("words", [["--rule", "no.such"], ["--threshold", "none=1"], ["--threshold", "last_wave=x"]])
def test_words_that_do_not_exist_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as status:
        run(["findings", str(MATMUL), *words])
    assert status.value.code == 2
    assert words[1].partition("=")[0] in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "nothing.json"
    wrong.write_bytes(b"nothing")
    assert run(["findings", str(wrong), "--json"]) == 2
    output = capsys.readouterr()
    made = json.loads(output.out)
    assert made["findings"] == []
    assert [error["file"] for error in made["errors"]] == [str(wrong)]
    assert "nothing.json" in output.err
    operator = str(SAMPLES / "matmul_leakyrelu.bin")
    assert run(["findings", operator, "--fail-on", "warning"]) == 1
    assert run(["findings", operator, str(wrong), "--fail-on", "warning"]) == 2
    assert run(["findings", operator, "--baseline", str(wrong)]) == 2
    assert run(["findings", operator, "--rule", "poplar.out-of-memory", "--fail-on", "warning"]) == 0
