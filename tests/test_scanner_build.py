"""The compiled scanner is built where that is possible, and left out in one line where not."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

import dev_scanner
import wheel_backend

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def house(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / dev_scanner.SOURCES, tmp_path / dev_scanner.SOURCES)
    return tmp_path


def test_without_a_compiler(house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    dev_scanner.provide(house)
    assert capsys.readouterr().err.count("\n") == 1
    assert not dev_scanner.library_of(house).exists()


@pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")
def test_what_cannot_be_compiled_is_left_out(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (house / dev_scanner.SOURCES / "text.rs").write_text("no Rust")
    dev_scanner.provide(house)
    assert "left out" in capsys.readouterr().err
    assert list((house / dev_scanner.FOLDER).iterdir()) == []


def test_without_its_source_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dev_scanner.provide(tmp_path)
    assert capsys.readouterr().err == ""


def test_the_tag_of_a_wheel(tmp_path: Path) -> None:
    library = tmp_path / "trace_scanner.so"
    library.write_bytes(b"\0GLIBC_2.4\0GLIBC_2.33\0GLIBC_2.28\0")
    assert dev_scanner.tag(library, "x86_64") == "py3-none-manylinux_2_33_x86_64"
    library.write_bytes(b"\0GLIBC_2.4\0")
    assert dev_scanner.tag(library, "aarch64") == "py3-none-manylinux_2_17_aarch64"
    with pytest.raises(ValueError, match="README"):
        dev_scanner.tag(library.with_suffix(".dll"), "AMD64")


def test_wheels_with_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "trace_scanner.so"
    library.write_bytes(b"GLIBC_2.33")
    monkeypatch.setattr(dev_scanner, "library_of", lambda _: library)
    for other in ("modules", "resources"):  # which take seconds
        monkeypatch.setattr(wheel_backend, other, lambda _: {})
    inside = "tilesight/resources/scanner/trace_scanner.so"
    for compiled, tag in ((True, "-manylinux_2_33_"), (False, "-any.whl")):
        made = wheel_backend.write_wheel(ROOT, tmp_path, compiled=compiled)
        with zipfile.ZipFile(made) as archive:
            assert (inside in archive.namelist()) == compiled
            (described,) = (name for name in archive.namelist() if name.endswith("dist-info/WHEEL"))
            assert f"Root-Is-Purelib: {str(not compiled).lower()}" in archive.read(described).decode()
        assert tag in made.name
