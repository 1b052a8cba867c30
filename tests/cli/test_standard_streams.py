"""`-` as input and output, `-q`, `--ignore`, and statements from a pipe or a prompt."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.prompt import Prompt
from app.cli.words import run

ROOT = Path(__file__).parents[2]
MATMUL = ROOT / "resources" / "samples" / "matmul_leakyrelu.bin"


class Bytes(io.TextIOWrapper):
    """Standard input with this content."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), "utf-8")


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr("sys.stdin", Bytes(MATMUL.read_bytes()))
    assert run(["export", "-", "--table", "lanes", "-o", "-"]) == 0
    piped = capfdbinary.readouterr().out
    assert run(["export", str(MATMUL), "--table", "lanes", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == piped
    assert piped.startswith(b"process,thread")
    for words, begin in (
        (["query", str(MATMUL), "select 1 as one", "-o", "-"], b"one\n1\n"),
        (["export", str(MATMUL), "--plot", "roofline", "-o", "-"], b"<?xml"),
        (["baseline", str(MATMUL), "-o", "-"], b"{"),
    ):
        assert run(words) == 0
        assert capfdbinary.readouterr().out.startswith(begin)
    assert run(["export", str(MATMUL), "--all", "-o", "-"]) == 2


def test_rules_are_ignored_and_remarks_are_not_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["findings", str(MATMUL), "--json"]) == 0
    rules = {one["rule"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert run(["findings", str(MATMUL), "--json", "--ignore", "ascend.unused-cores"]) == 0
    assert {one["rule"] for one in json.loads(capsys.readouterr().out)["findings"]} == rules - {"ascend.unused-cores"}
    words = ["query", str(MATMUL), "select item from slices", "--csv", "--limit", "1"]
    assert run(words) == 0
    assert "the query has more" in capsys.readouterr().err
    assert run([*words, "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["query", str(MATMUL), "select nothing", "-q"]) == 2
    assert "no column" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("select count(*) as n from slices;\n\n.tables\n", 0, "3767"),
        ("select 1 as one\n.quit\nselect nothing\n", 0, "one"),
        ("select nothing\nselect 2 as two\n", 2, "two"),
    ],
)
def test_statements_come_from_a_pipe(
    text: str, status: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert run(["query", str(MATMUL)]) == status
    assert says in capsys.readouterr().out.replace(",", "")
    assert run(["query", str(MATMUL), "-o", "x.csv"]) == 2


def test_names_are_completed() -> None:
    asked = []
    prompt = Prompt(lambda _: 0, lambda: None, lambda: asked.append(1) or [("lanes", ["busy", "busy_share"])])  # type: ignore[func-returns-value]
    assert prompt.completenames("la") == ["lanes"]
    assert prompt.completedefault("lanes.bus") == ["lanes.busy", "lanes.busy_share"]
    assert prompt.completedefault("busy") == ["busy", "busy_share"]
    assert prompt.completedefault(".q") == [".quit"]
    assert len(asked) == 1


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_a_typed_prompt_completes_and_remembers(tmp_path: Path) -> None:
    main_end, far_end = os.openpty()
    words = [sys.executable, str(ROOT / "main.py"), "query", str(MATMUL)]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "TERM": "dumb"}
    with subprocess.Popen(words, stdin=far_end, stdout=far_end, stderr=far_end, env=environment) as process:
        os.close(far_end)
        seen = b""
        for typed, until in ((b"", b"sql> "), (b"select count(*) as n from raw_bl\t\n", b"row)"), (b".quit\n", b"")):
            os.write(main_end, typed)
            while until not in seen:
                assert select.select([main_end], [], [], 60)[0], seen
                seen += os.read(main_end, 4096)
            seen = seen.rpartition(until)[2] if until else seen
        assert process.wait() == 0
    os.close(main_end)
    assert (tmp_path / "tilesight" / "query_history").read_text().splitlines()[0].startswith("select count(*) as n")
