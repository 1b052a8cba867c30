"""`export --block`: a block of an operator file as it lies in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import main
from generators import popef
from generators.ascend_bin import block
from generators.popef import guide_blobs


@pytest.fixture
def operator(tmp_path: Path) -> Path:
    path = tmp_path / "visualize_data.bin"
    path.write_bytes(block(0x05, b'{"name":"x"}') + block(0x77, b"nobody knows this"))
    return path


def test_the_content_is_written_under_any_name(operator: Path, tmp_path: Path) -> None:
    target = tmp_path / "content"
    assert main(["export", str(operator), "--block", "2", "-o", str(target)]) == 0
    assert target.read_bytes() == b"nobody knows this"


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_a_block_that_is_not_there_costs_status_2(
    operator: Path, tmp_path: Path, number: str, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "content"
    assert main(["export", str(operator), "--block", number, "-o", str(target)]) == 2
    assert capfd.readouterr().err.endswith(f"no block {number}; there are 1 to 2\n")
    assert not target.exists()


def test_other_files_have_no_blocks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = popef.write(tmp_path / "guide.popef", guide_blobs())
    assert main(["export", str(model), "--block", "1", "-o", str(tmp_path / "x")]) == 2
    assert "the file contains no blocks" in capfd.readouterr().err


def test_a_place_that_cannot_be_written_costs_status_1(operator: Path, tmp_path: Path) -> None:
    assert main(["export", str(operator), "--block", "1", "-o", str(tmp_path / "none" / "x")]) == 1
