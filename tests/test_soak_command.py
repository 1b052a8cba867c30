"""The soak's command: that it runs, that damage is the same everywhere, and that what fails is kept with its name."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import cbor2
import pytest

from app.formats.registry import FORMATS
from benchmarks.loads import environment
from soak import costs, damaged, growth, hostile, one_reader, raw, trees
from soak.case import Id, made, whole, write
from soak.corpus import MAKERS, Bytes, Case, cases
from soak.languages import CBOR, JSON, Language
from soak.outcome import Costs, Worst, table

TIMEOUT = 120
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the soak needs Linux, and says so")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "soak", *words]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=TIMEOUT, check=False)


def test_every_format_has_files_to_damage() -> None:
    assert {known.id for known in FORMATS} <= set(MAKERS)
    assert all(cases(name) for name in MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_case_is_known_by_its_name(name: str) -> None:
    first = len(cases(name))
    assert whole(Id(name, 3, first - 1))
    assert not whole(Id(name, 3, first))
    found = [made(Id(name, 3, number)) for number in range(first, first + 20)]
    assert found == [made(Id.of(f"{name}-3-{number}")) for number in range(first, first + 20)]
    assert found != [made(Id(name, 4, number)) for number in range(first, first + 20)]
    assert str(Id.of(f"{name}-3-21")) == f"{name}-3-21"


@pytest.mark.parametrize("name", MAKERS)
def test_a_hostile_case_is_known_by_its_name(name: str) -> None:
    numbers = (0, 1, 2, 13, 14)
    cases = [hostile.made(name, 3, number, size=2000) for number in numbers]
    assert cases == [hostile.made(name, 3, number, size=2000) for number in numbers]
    assert cases != [hostile.made(name, 4, number, size=2000) for number in numbers]
    assert cases[-1].what.startswith(("sparse", "swollen"))
    assert Id.of(f"hostile-{name}-3-21") == Id(name, 3, 21, hostile=True)
    assert str(Id.of(f"hostile-{name}-3-21")) == f"hostile-{name}-3-21"


def test_a_format_needs_no_more_than_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without trees that grow and generators of hostile files, there are many files and sparse ones."""
    monkeypatch.setitem(MAKERS, "only-lines", lambda: [Case({"x.lines": Bytes(b"one\ntwo\n")})])
    kinds = [hostile.made("only-lines", 1, number, size=1000).what for number in range(15)]
    assert all("files" in kind or kind.startswith("sparse") for kind in kinds)


def test_what_hostile_files_are() -> None:
    """Every family comes up, some files are in folders, and some are compressed."""
    made_some = [hostile.made("ascend-trace", 1, number, size=1000) for number in range(75)]
    kinds = [one.what for one in made_some]
    assert {family.__name__ for family in growth.FAMILIES} <= {kind.split(" ")[0] for kind in kinds}
    assert any("files in folders" in kind for kind in kinds)
    packed = next(one for one in made_some if one.what.endswith("compressed"))
    assert packed.bytes == sum(len(gzip.decompress(part)) for part in packed.files.values() if isinstance(part, bytes))


@pytest.mark.parametrize("language", [JSON, CBOR], ids=["json", "cbor"])
@pytest.mark.parametrize("family", dict.fromkeys(growth.FAMILIES), ids=lambda family: family.__name__)
def test_growth_of_any_value_is_about_as_large_as_asked(family: growth.Growth, language: Language) -> None:
    for seed in range(4):
        for value in (None, 5, "text", [], [1, 2], {}, {"a": {"b": [1]}}, [{"name": "x", "from": 1, "to": 2.5}]):
            content = family(value, 4_000, Random(seed), language)
            assert len(content) < 32_000
            if family is not growth.deep and not (language is CBOR and b"\xff" in content):
                decode = json.loads if language is JSON else cbor2.loads
                decode(content)


@pytest.mark.parametrize("name", ["", "poplar", "poplar-1", "fly-1-2", "poplar-1-x", "hostile-fly-1-2"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a case"):
        Id.of(name)


@pytest.mark.parametrize("change", dict.fromkeys(raw.CHANGES), ids=lambda change: change.__name__)
def test_damage_to_bytes_takes_any_bytes(change: raw.Change) -> None:
    for seed in range(50):
        random = Random(seed)
        for content in (b"", b"7", bytes(range(256)), b'{"a": [1, 22, 333]}'):
            assert isinstance(change(content, random), bytes)


@pytest.mark.parametrize("change", dict.fromkeys(trees.CHANGES), ids=lambda change: change.__name__)
def test_damage_to_trees_takes_any_tree(change: trees.Change) -> None:
    for seed in range(20):
        random = Random(seed)
        for tree in (None, [], {}, {"a": {"b": [1, 2, {"c": "x"}]}}, [[1, 2], [3]], "text"):
            holder = [tree]
            change(trees.places(holder, random), random)
            assert isinstance(trees.text_of(holder[0] if holder else None, random), bytes)


def test_what_fails_is_told_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise IndexError("no such row")

    one = Id("tensor-map", 1, 0)
    monkeypatch.setattr(one_reader, "used", fails)
    told = one_reader.examined(one, tmp_path / "read")
    assert told["wrong"].splitlines()[-1] == "IndexError: no such row"
    counts = damaged.Counts()
    damaged.keep(one, told["wrong"], counts, tmp_path)
    assert counts.wrong == ["tensor-map-1-0: IndexError: no such row"]
    kept = tmp_path / "tensor-map-1-0"
    assert (kept / "why.txt").read_text().startswith("repeat with: dev.py soak --repeat tensor-map-1-0\n")
    assert (kept / "tensor_map.json").read_bytes() == made(one)["tensor_map.json"]


def test_a_case_that_is_well(tmp_path: Path) -> None:
    told = one_reader.examined(Id("popef", 1, 40), tmp_path)
    assert told["wrong"] == ""
    assert told["profiles"] + told["refused"]
    assert [path.name for path in write(Id("popef", 1, 40), tmp_path / "again")] == ["model.popef"]


def test_the_command_reports_what_it_did(tmp_path: Path) -> None:
    done = run(
        *("tensor-map", "ascend-memory-info", "hostile-popef", "cancels"),
        *("--minutes", "0.02", "--seed", "5", "--keep", str(tmp_path)),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[:4]] == [
        "damaged ascend-memory-info",
        "damaged tensor-map",
        "hostile popef",
        "cancels",
    ]
    assert all(" ok " in line for line in lines[:4])
    assert lines[5].split() == ["format", "worst", "s/MB", "MB/MB", "cancel"]
    assert lines[6].startswith("popef ")
    assert lines[-1] == "seed 5: nothing found"


def test_a_hostile_case_that_costs_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Id("tensor-map", 1, 1, hostile=True)
    told = costs.examined(one, tmp_path / "well")
    assert told["wrong"] == ""
    assert told["costs"]["seconds"] == told["seconds"]
    monkeypatch.setattr(costs, "measured", lambda *_: (1.0, 700_000_000))
    assert "it took 700 MB of memory" in costs.examined(one, tmp_path / "much")["wrong"]
    monkeypatch.setattr(costs, "measured", lambda *_: (900.0, 0))
    assert "it took 900.0 s of processor time" in costs.examined(one, tmp_path / "long")["wrong"]
    taken = iter((2.6, 0.05))
    monkeypatch.setattr(costs, "measured", lambda *_: (next(taken), 0))
    assert "took 0.05 s" in costs.examined(one, tmp_path / "more and more")["wrong"]


def test_the_worst_of_each_format() -> None:
    worst = Costs("popef", seconds=Worst(1.25, "hostile-popef-1-7"), megabytes_each=Worst(3.2, "hostile-popef-1-9"))
    head, line = table([worst])
    assert head.split() == ["format", "worst", "s/MB", "MB/MB", "cancel"]
    assert line.split() == ["popef", "1.25", "s", "hostile-popef-1-7", "\u2013", "3", "hostile-popef-1-9", "\u2013"]


def test_wrong_words() -> None:
    assert run("fly").returncode == 2
    assert "is not the name of a case" in run("--repeat", "fly").stderr
