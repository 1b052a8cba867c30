"""One bad path harms nobody else: the others are printed, the bad one gets a line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from app.cli import main
from app.formats.registry import plan


@pytest.fixture
def good(root: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "good.bin"
    shutil.copy(root / "resources" / "samples" / "matmul_leakyrelu.bin", copy)
    return copy


def test_each_bad_path_gets_a_line_and_the_good_one_its_figures(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = [tmp_path / ("n" * 300), good / "below", tmp_path / "absent"]
    assert main(["info", "--json", *map(str, bad), str(good)]) == 1
    told = capsys.readouterr()
    document = orjson.loads(told.out)
    assert [profile["files"] for profile in document["profiles"]] == [[str(good)]]
    assert [error["file"] for error in document["errors"]] == [str(path) for path in bad]
    assert "too long" in document["errors"][0]["error"]
    assert len(told.err.splitlines()) == len(bad)


@pytest.mark.skipif(sys.platform == "win32", reason="every name is text on Windows")
def test_names_that_are_no_text_open_and_are_shown_with_escapes(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / os.fsdecode(b"b\xffd.bin")
    shutil.copy(good, odd)
    refused = tmp_path / os.fsdecode(b"garbage\xfe.bin")
    refused.write_bytes(b"nothing known")
    for words in (["info"], ["info", "--json"], ["tables"]):
        assert main([*words, str(odd), str(refused), str(good)]) == 1
        told = capsys.readouterr()
        assert told.out.count("matmul_leakyrelu") >= 2
        assert "garbage" in told.err
        told.out.encode()  # nothing is left that UTF-8 cannot hold


def test_a_name_with_a_null_character_is_refused(good: Path) -> None:
    jobs, refused = plan([Path("a\0b"), good])
    assert [job.paths for job in jobs] == [(good,)]
    assert [str(refusal.path) for refusal in refused] == ["a\0b"]


@pytest.fixture
def for_all() -> Iterator[Path]:
    """A folder that every user may enter: those of pytest are for their owner alone."""
    with tempfile.TemporaryDirectory(prefix="tilesight-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such permissions here")
def test_a_file_in_a_folder_that_may_not_be_entered(good: Path, for_all: Path) -> None:
    other = for_all / "other.bin"
    shutil.copy(good, other)
    other.chmod(0o644)
    closed = for_all / "closed"
    closed.mkdir()
    shutil.copy(good, closed / "inside.bin")
    closed.chmod(0)
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import app.formats.registry as r; from pathlib import Path\n"
        "r.plan([Path(sys.argv[-1])])  # imports what readers need, which only we may read\n"
        "if os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "jobs, refused = r.plan([Path(p) for p in sys.argv[2:]])\n"
        "print([str(p) for j in jobs for p in j.paths], [(str(x.path), str(x.error)) for x in refused])"
    )
    program = str(Path(__file__).resolve().parents[2])
    words = [sys.executable, "-c", script, program, str(closed / "inside.bin"), str(closed), str(other)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    closed.chmod(0o755)
    assert done.stderr == ""
    assert str([str(other)]) in done.stdout
    assert "no permission" in done.stdout
    assert "cannot be listed" in done.stdout
