"""Poplar files are recognised by what is in them, and others are left to others."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.poplar import FORMAT
from app.formats.poplar.kinds import sniff
from app.formats.registry import HEAD_BYTES, plan
from app.formats.registry import sniff as format_of
from generators import poplar
from generators.trees import plain, write_cbor, write_json


@pytest.mark.parametrize("mode", poplar.MODES)
def test_whole_files_are_certain(tmp_path: Path, mode: str) -> None:
    scale = poplar.Scale(mode=mode, tiles_per_ipu=64, compute_sets=30)
    for number, tree in enumerate((poplar.graph(scale), poplar.execution(scale), poplar.combined(scale))):
        for path in (
            write_json(tmp_path / f"{number}.x", tree),
            write_json(tmp_path / f"{number}.y", tree, indent=4),
            write_cbor(tmp_path / f"{number}.z", tree),
            write_cbor(tmp_path / f"{number}.w", tree, tag=False, indefinite=True),
        ):
            assert sniff(path.read_bytes()[:HEAD_BYTES], path) == 3
            assert format_of(path).id == "poplar"


@pytest.mark.parametrize("key", ["computeSets", "memory", "target", "graph", "exchanges", "simulation", "profilerMode"])
def test_any_key_may_come_first(key: str) -> None:
    scale = poplar.Scale(tiles_per_ipu=400)
    tree = plain(poplar.graph(scale)) | plain(poplar.execution(scale))
    text = json.dumps({key: tree[key], "x": 1}).encode()
    assert sniff(text[:3000], Path("a.json")) == 3


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b"{",
        b'{"a": 1}',
        b'{"traceEvents": [{"name": "target", "args": {"profilerMode": 1}}], "profilerMode": "NONE"}',
        b'[{"profilerMode": "NONE"}]',
        b'{"mappings": {"x": []}, "target": {"numTiles": 4}}',
        b'{"target": "es2020", "compilerOptions": {}}',
        b'{"graph": {"nodes": []}, "memory": 5}',
        b'{"memory": {"used": 7}, "target": {"host": "x"}}',
        b'{"nested": {"profilerMode": "NONE"}}',
        b'{"text": "\\"profilerMode\\": 1"}',
        b"\xff\xfe{\x00}\x00",
        b"\xbf\x01\x02\xff",
        b"\xa1\x61a\x01",
        b"\xd9\xd9\xf7\x80",
    ],
)
def test_other_files_are_not_claimed(text: bytes) -> None:
    assert sniff(text, Path("graph.json")) == 0


def test_random_bytes_are_not_claimed() -> None:
    source = random.Random(3)
    for _ in range(300):
        assert sniff(source.randbytes(200), Path("x.cbor")) == 0


def test_a_plausible_file_without_substance_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "programs.json"
    path.write_text('{"programs": "none"}')
    jobs, _ = plan([path])
    with pytest.raises(FormatError):
        read(jobs[0].format, jobs[0].paths)


def test_an_unknown_first_key_leaves_it_to_the_name(tmp_path: Path) -> None:
    tree = {"allNew": ["x" * 99] * 1000, **plain(poplar.graph(poplar.Scale()))}
    path = write_json(tmp_path / "graph.json", tree)
    assert sniff(path.read_bytes()[:HEAD_BYTES], path) == 1
    assert sniff(path.read_bytes()[:HEAD_BYTES], tmp_path / "x.json") == 0
    (profile,) = read(FORMAT, [path])
    assert profile.programs is not None
    assert [issue.text for issue in profile.issues] == ["unknown keys, ignored: allNew"]
