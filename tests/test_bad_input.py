"""Whatever a person drops on Tilesight: one clear line, what could be read is shown, nothing else breaks."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.cli import main
from app.formats import registry
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.registry import by_id, sniff
from app.formats.source import Source
from app.store import process
from app.store.load import Opened, read_all
from generators import ascend_bin

SAMPLES = Path(__file__).resolve().parents[1] / "resources" / "samples"
WHOLE = {
    "graph.json": SAMPLES / "resnet-1472-tiles" / "graph.json",
    "execution.json": SAMPLES / "resnet-1472-tiles" / "execution.json",
    "operator.bin": SAMPLES / "matmul_leakyrelu.bin",
    "model.popef": SAMPLES / "resnet_inference.popef",
}


def opened(*paths: Path) -> Opened:
    with ExitStack() as stack:
        return read_all(paths, stack)


def one_line(result: Opened) -> str:
    """The only complaint, after checking that it is fit for a person."""
    (refusal,) = result.refusals
    text = str(refusal.error)
    assert "\n" not in text
    assert "Traceback" not in text
    assert not re.search(r"defect in Tilesight", text)
    return text


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.touch()
    assert one_line(opened(path)) == "the file is empty"


def test_a_folder_without_profiles(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing here")
    assert one_line(opened(tmp_path)).startswith("this folder contains no profiles; Tilesight opens ")


@pytest.mark.parametrize("suffix", [".json", ".bin", ".popef", ".cbor"])
@pytest.mark.parametrize("size", [1, 11, 4096, 100_000])
def test_random_bytes_under_any_name(tmp_path: Path, suffix: str, size: int) -> None:
    path = tmp_path / f"noise{suffix}"
    path.write_bytes(np.random.RandomState(size).bytes(size))
    assert one_line(opened(path)).startswith(("not a known profile format", "not a PopEF file"))


@pytest.mark.parametrize(
    "text", ['{"name": "package", "version": 1}', "[1, 2, 3]", "null", '"text"', "{}", "[]", "{" * 5000, "[" * 100_000]
)
def test_json_that_is_no_profile(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    one_line(opened(path))


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9, 0.999])
def test_a_truncated_file_says_so_and_shows_what_is_there(tmp_path: Path, name: str, share: float) -> None:
    data = WHOLE[name].read_bytes()
    path = tmp_path / name
    path.write_bytes(data[: int(len(data) * share)])
    result = opened(path)
    said = [str(refusal.error) for refusal in result.refusals]
    said += [issue.text for profile in result.profiles for issue in profile.issues]
    assert said
    assert not [text for text in said if "defect in Tilesight" in text or "\n" in text]
    if share >= 0.3:
        assert any(profile.filled() for profile in result.profiles)


@pytest.mark.parametrize("size", [2**63, 2**64 - 1, 2**40])
def test_a_block_larger_than_the_file(tmp_path: Path, size: int) -> None:
    whole = ascend_bin.small()
    path = tmp_path / "huge.bin"
    path.write_bytes(whole + size.to_bytes(8, "little") + b"\x06\x00\x5a\x5a")
    result = opened(path)
    (profile,) = result.profiles
    assert profile.operator is not None
    assert any("byte" in issue.where or f"{len(whole):,}" in issue.text for issue in profile.issues)


def test_a_base_info_block_with_broken_json_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "broken.bin"
    path.write_bytes(ascend_bin.block(0x05, b'{"name": "half') + ascend_bin.small())
    result = opened(path)
    assert result.refusals == []
    (profile,) = result.profiles
    assert profile.workload is not None
    assert any(issue.severity in ("error", "warning") for issue in profile.issues)


def test_deep_nesting_in_a_profile(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    deep = "[" * 200_000 + "]" * 200_000
    path.write_text('{"target": {"type": "IPU"}, "programs": [], "memory": {"liveness": ' + deep + "}}")
    result = opened(path)
    said = [str(refusal.error) for refusal in result.refusals]
    said += [issue.text for profile in result.profiles for issue in profile.issues]
    assert said
    assert not [text for text in said if "defect in Tilesight" in text]


@pytest.mark.skipif(os.name == "nt", reason="named pipes of this kind are a thing of Unix")
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    assert one_line(opened(path)) == "this is not a regular file"


def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "operator.bin"
    shutil.copy(WHOLE["operator.bin"], path)
    format_ = sniff(path)
    with Source(path) as source:
        os.truncate(path, 5000)
        sink = Collector(format_.id)
        try:
            format_.read([source], sink)
        except FormatError as error:
            said = [str(error)]
        else:
            said = [issue.text for profile in sink.profiles for issue in profile.issues]
    assert any("shrank" in text for text in said)


def test_a_worker_that_is_killed_costs_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr(process, "worker_command", lambda: [sys.executable, "-c", script])
    heavy = replace(by_id("popef"), heavy=lambda sources: True)
    monkeypatch.setattr(registry, "FORMATS", (heavy,))
    text = one_line(opened(WHOLE["model.popef"]))
    assert text == "the decoder stopped before it finished: it was killed (SIGKILL); possibly it ran out of memory"


def test_the_command_line_says_the_same_and_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.bin"
    bad.write_bytes(b"\x00" * 64)
    assert main(["info", "--json", str(bad), str(WHOLE["model.popef"])]) == 1
    streams = capfd.readouterr()
    assert streams.err.startswith(f"{bad}: not a known profile format")
    assert streams.err.count("\n") == 1
    assert len(json.loads(streams.out)["profiles"]) == 1
