"""Twenty questions with known answers, asked through the protocol by a client that knows nothing else; and what the
server refuses."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.analysis.view_links.text import parse
from app.cli.words import run

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "resources" / "samples"
SHARED = ROOT.parent / "shared" / "samples"
MOST_BYTES = 50_000


class Client:
    """Requests and answers, one JSON object a line."""

    def __init__(self, *words: str) -> None:
        pytest.importorskip("mcp")
        command = [sys.executable, "-W", "ignore", str(ROOT / "main.py"), "mcp", *words]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ})
        self._count = 0
        self.files: dict[str, str] = {}
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.greeting = self.request("initialize", **about)
        self._send({"method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def request(self, method: str, **params: Any) -> Any:
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._count:
                return answer["result"]
        raise AssertionError("the server has ended")

    def called(self, tool: str, **words: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.request("tools/call", name=tool, arguments=words)
        return made

    def ask(self, tool: str, **words: Any) -> Any:
        made = self.called(tool, **words)
        text = made["content"][0]["text"]
        assert not made.get("isError"), text
        assert len(text) < MOST_BYTES
        return json.loads(text)

    def refused(self, tool: str, **words: Any) -> str:
        made = self.called(tool, **words)
        assert made["isError"]
        return str(made["content"][0]["text"])

    def opened(self, path: str) -> str:
        if path not in self.files:
            (self.files[path],) = (own["profile"] for own in self.ask("open", path=path)["profiles"])
        return self.files[path]

    def close(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    made = Client(str(SAMPLES), *([str(SHARED)] if SHARED.is_dir() else []))
    yield made
    assert made.close() == 0


def value(answer: dict[str, Any], key: str, row: int = 0) -> Any:
    return answer["rows"][row][answer["columns"].index(key)]


def figure(answer: dict[str, Any], name: str) -> tuple[Any, str]:
    return next((own["value"], own["unit"]) for own in answer["figures"] if own["id"] == name)


MATMUL, REPORT, TRACE = "matmul_leakyrelu.bin", "OPPROF_20260821101500_QWERTYUIOPASDFGH", "training.pt.trace.json"
GRAPH, SMALL = "resnet-1472-tiles", "resnet-32-tiles-measured"
MODEL, EVENTS = "resnet_inference.popef", "events.out.tfevents.1559736000.host"
QUESTIONS: list[tuple[str, str, str, dict[str, Any], Any, Any]] = [
    ("how long does it take", MATMUL, "figures", {}, lambda own: figure(own, "operator.duration_s"), (6.4e-6, "s")),
    ("what bounds it", MATMUL, "verdict", {}, lambda own: own["verdict"]["bound_by"], "VECTOR"),
    ("what can scheduling save", MATMUL, "verdict", {}, lambda own: own["verdict"]["at_most"], 1.933939674e-6),
    (
        "how many cores have work",
        MATMUL,
        "findings",
        {"rule": "ascend.unused-cores"},
        lambda own: [one["value"] for one in own["findings"][0]["evidence"]][:2],
        [2, 20],
    ),
    (
        "which block is the slowest",
        MATMUL,
        "table",
        {"name": "block-details", "order": "-vector0_duration", "limit": 1},
        lambda own: (value(own, "block_id"), value(own, "vector0_duration"), own["fitting"]),
        ("1", 5.852727e-6, 2),
    ),
    (
        "which name works most on the critical path",
        MATMUL,
        "critical_path",
        {},
        lambda own: own["by_name"][0]["name"],
        "MOV_OUT_TO_UB_ALIGN",
    ),
    (
        "what if MTE2 took no time",
        MATMUL,
        "what_if",
        {"factors": {"lane:MTE2": 0}},
        lambda own: (own["saving"]["at_most"], own["saving"]["unit"]),
        (2.08424289e-6, "s"),
    ),
    (
        "how long is the longest addition",
        MATMUL,
        "table",
        {"name": "slices", "where": {"name": {"equals": "ADD"}}, "order": "-duration", "limit": 1},
        lambda own: (value(own, "duration"), own["units"][own["columns"].index("duration")]),
        (3.757575899e-8, "s"),
    ),
    ("does it fit", GRAPH, "figures", {"prefix": "memory."}, lambda own: figure(own, "memory.tiles_over")[0], 0),
    (
        "which tile is the fullest",
        GRAPH,
        "figures",
        {"prefix": "memory."},
        lambda own: (figure(own, "memory.max_tile")[0], *figure(own, "memory.max_tile_bytes")),
        (1388, 628512, "B"),
    ),
    (
        "what takes most memory",
        GRAPH,
        "table",
        {"name": "memory-by-category", "order": "-total", "columns": ["category", "total"], "limit": 1},
        lambda own: own["rows"][0],
        ["variable", 341623704],
    ),
    ("how many cycles", GRAPH, "figures", {}, lambda own: figure(own, "execution.cycles"), (5574170, "cycles")),
    (
        "which compute set takes most cycles",
        GRAPH,
        "query",
        {"sql": "select name, cycles from steps_by_compute_set order by cycles desc", "limit": 1},
        lambda own: own["rows"][0],
        ["resnet/stage1/block1/conv3/PreArrange/Transpose", 781220],
    ),
    (
        "where does the time go",
        TRACE,
        "query",
        {"sql": "select name, sum(duration) as d from slices group by 1 order by 2 desc", "limit": 1},
        lambda own: (own["rows"][0], own["units"]),
        (["cudaStreamSynchronize", 0.012925683], ["", "s"]),
    ),
    (
        "has it program counters",
        TRACE,
        "query",
        {"sql": "select count(address), count(*) from slices"},
        lambda own: own["rows"][0],
        [0, 496],
    ),
    (
        "what did slice 5 wait for",
        TRACE,
        "explain_slice",
        {"item": 5},
        lambda own: (
            own["previous_on_lane"]["slice"],
            own["previous_on_lane"]["waited"],
            own["previous_on_lane"]["unit"],
        ),
        (4, 1.5e-6, "s"),
    ),
    (
        "which arrow ends at slice 5",
        TRACE,
        "explain_slice",
        {"item": 5},
        lambda own: (value(own["slice"], "name"), value(own["arrows_to_it"], "from_slice")),
        ("0-1-2(gelu)", "cudaLaunchKernel"),
    ),
    (
        "what released the first kernel",
        TRACE,
        "explain_slice",
        {"item": 0},
        lambda own: tuple(own["released_by"][key] for key in ("slice", "name", "kind")),
        (424, "cudaLaunchKernel", "stated"),
    ),
    (
        "why is there no verdict",
        MODEL,
        "verdict",
        {},
        lambda own: (own["verdict"], own["why"]),
        (None, "No timeline: what waits for what is unknown."),
    ),
    ("how many inputs and outputs", MODEL, "figures", {}, lambda own: figure(own, "popef.anchors")[0], 33),
    ("how much data", MODEL, "figures", {}, lambda own: figure(own, "popef.feed_bytes"), (82944, "B")),
    ("how long is the log", EVENTS, "figures", {}, lambda own: figure(own, "timeline.end"), (13.16, "s")),
    (
        "which unit has a column",
        REPORT,
        "query",
        {"sql": "select unit from tilesight_columns where table_ = 'block_details' and column_ = 'duration'"},
        lambda own: own["rows"],
        [["s"]],
    ),
]


def close_to(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(map(close_to, answer))
    return pytest.approx(answer, rel=1e-8) if isinstance(answer, float) else answer


@pytest.mark.parametrize(
    ("file", "tool", "words", "of", "answer"), [own[1:] for own in QUESTIONS], ids=[own[0] for own in QUESTIONS]
)
def test_a_question(client: Client, file: str, tool: str, words: dict[str, Any], of: Any, answer: Any) -> None:
    assert of(client.ask(tool, profile=client.opened(file), **words)) == close_to(answer)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared samples are absent")
def test_questions_about_the_shared_samples(client: Client) -> None:
    mix = client.opened(str(SHARED / "ascend-mix-910B4.bin"))
    assert figure(client.ask("figures", profile=mix), "operator.soc")[0].startswith("Ascend910B4")
    report = client.opened(str(SHARED / "ascend-report-add_custom.rep"))
    assert "not_checked" in client.ask("findings", profile=report)


def test_what_changed(client: Client) -> None:
    before, after = client.opened(GRAPH), client.opened(SMALL)
    made = client.ask("compare", before=before, after=after)
    cycles = next(own for own in made["figures"] if own["id"] == "execution.cycles")
    assert (cycles["before"], cycles["after"] - cycles["before"]) == (5574170, cycles["difference"])
    rows = client.ask("compare", before=before, after=after, table="compute-sets", limit=3)
    assert len(rows["rows"]) == 3
    assert parse(rows["link"]).baseline is not None


def test_links_and_pictures(client: Client) -> None:
    profile = client.opened(GRAPH)
    link = parse(client.ask("link_to_view", profile=profile, panel="tile_memory", kind="tile", items=[1388])["link"])
    assert link.chosen is not None
    assert (link.panel, link.chosen.indices) == ("tile_memory", (1388,))
    matmul = client.opened(MATMUL)
    assert "timeline" in client.ask("picture", profile=matmul)["tables"]
    drawn = client.called("picture", profile=matmul, plot="roofline", width=400, height=300)["content"][0]
    assert base64.b64decode(drawn["data"]).startswith(b"\x89PNG")


def test_answers_are_bounded(client: Client) -> None:
    slices = client.ask("table", profile=client.opened(MATMUL), name="slices", limit=10_000)
    assert slices["fitting"] == 3767
    assert len(slices["rows"]) <= 200
    wide = client.ask("query", profile=client.opened(MATMUL), sql="select repeat('x', 100000) as x from range(500)")
    assert len(wide["rows"][0][0]) < 1_000


def test_tools_only_read_and_the_skill_is_told(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    tools = client.request("tools/list")["tools"]
    assert len(tools) == 13
    assert all(tool["annotations"]["readOnlyHint"] and tool["description"] for tool in tools)
    assert run(["help", "skill"]) == 0
    assert "Does it fit" in (text := capsys.readouterr().out)
    assert client.greeting["instructions"].split() == text.split()


def test_what_is_refused(client: Client, tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_bytes((SAMPLES / TRACE).read_bytes())
    for path in ("../../pyproject.toml", "/etc/passwd", str(tmp_path / "outside.json"), "none.json"):
        assert client.refused("open", path=path)
    matmul = client.opened(MATMUL)
    assert "did you mean slices" in client.refused("table", profile=matmul, name="slice")
    assert "it has" in client.refused("table", profile=matmul, name="slices", columns=["nothing"])
    assert "no column" in client.refused("query", profile=matmul, sql="select nothing from slices")
    assert client.refused("query", profile=matmul, sql="select * from read_csv('/etc/passwd')")
    assert "open a file first" in client.refused("figures", profile="p99")


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (tmp_path / "secret.json").write_bytes((SAMPLES / TRACE).read_bytes())
    (folder / "trace.json").symlink_to(tmp_path / "secret.json")
    with closing(Client(str(folder))) as client:
        assert "below the folders" in client.refused("open", path="trace.json")
        assert "below the folders" in client.refused("open", path=".")


def test_names_are_hidden_and_stay_the_same() -> None:
    with closing(Client(str(SAMPLES), "--redact")) as client:
        profile = client.opened(TRACE)
        texts = [
            json.dumps(client.called(tool, profile=profile, **words))
            for tool, words in (
                ("figures", {}),
                ("verdict", {}),
                ("findings", {}),
                ("critical_path", {}),
                ("table", {"name": "slices", "limit": 200}),
                ("query", {"sql": "select distinct name, process from slices", "limit": 200}),
                ("query", {"sql": "select name from slices where name like '%cuda%'"}),
                ("explain_slice", {"item": 5}),
            )
        ]
        for secret in ("cuda", "gelu", "ncclDev", "layer_norm", "training.pt", "GPU 0"):
            assert not any(secret in text.replace("%cuda%", "") for text in texts), secret
        made = client.ask("query", profile=profile, sql="select name from slices where name = 'name-1' limit 1")
        assert made["units"] == [""]
        alias = client.ask("critical_path", profile=profile)["by_name"][0]["name"]
        assert alias.startswith("name-")
        assert client.ask("what_if", profile=profile, factors={alias: 0.5})["slices"] > 0
        assert "redact" in client.refused("picture", profile=profile, plot="timeline")


def test_closed_profiles_are_read_again(client: Client) -> None:
    names = [client.opened(file) for file in (MATMUL, GRAPH, TRACE, MODEL, EVENTS, SMALL)]
    for name in (*names, *names):
        assert client.ask("figures", profile=name)["figures"]
    assert client.ask("open", path=MATMUL)["profiles"][0]["profile"] == names[0]


def test_without_the_sdk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert run(["mcp", str(tmp_path)]) == 2
    assert "pip install 'tilesight[mcp]'" in capsys.readouterr().err
