"""The Flatpak: its wheels are those of the constraints, its manifest asks for no more than it must."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

import dev_environment
import dev_flatpak
from app import program
from dev_shell import SetupError
from installer import flatpak, furnish, product

NOT_LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": ""}


def manifest(root: Path) -> str:
    """The manifest without its comments."""
    return re.sub(r"^\s*#.*\n", "", (root / flatpak.MANIFEST).read_text("utf-8"), flags=re.MULTILINE)


def test_the_record_has_the_wheels_of_the_constraints_and_no_others(root: Path) -> None:
    wheels = flatpak.recorded(root)
    assert dev_flatpak.wanted(root, wheels)
    names = {canonicalize_name(parse_wheel_filename(name)[0]) for name in wheels}
    named = map(dev_environment.name_of, dev_flatpak.requirements(root))
    needed, waiting = set(), [canonicalize_name(name) for name in named]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            wanted = map(Requirement, requires(name) or [])
            waiting += [canonicalize_name(r.name) for r in wanted if r.marker is None or r.marker.evaluate(NOT_LINUX)]
    assert names == needed >= {canonicalize_name(name) for name in product.EXTRAS}
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in wheels.values())
    assert flatpak.record(wheels) == (root / flatpak.RECORD).read_text("utf-8")


def test_the_wheels_are_for_the_runtime_s_python(root: Path) -> None:
    tag = f"cp{flatpak.PYTHON.replace('.', '')}"
    platforms = {*flatpak.platforms(), "any"}
    for name in flatpak.recorded(root):
        tags = parse_wheel_filename(name)[3]
        assert any(own.interpreter in (tag, "py3", "py2.py3") or own.abi == "abi3" for own in tags), name
        assert platforms & {own.platform for own in tags}, name
    words = flatpak.download_words(Path("a"), Path("b"), ["numpy>=2"])
    assert words[words.index("--python-version") + 1] == flatpak.PYTHON
    assert words[-3:] == ["--constraint", "b", "numpy>=2"]
    assert "--only-binary" in words


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a-1-py3-none-any.whl").write_bytes(b"abc")
    wheels = flatpak.sums(tmp_path)
    assert wheels["a-1-py3-none-any.whl"].startswith("ba7816bf8f01cfea")
    flatpak.refuse_changed(wheels, {"a-0-py3-none-any.whl": "0"})
    with pytest.raises(SetupError, match=r"a-1-py3-none-any\.whl"):
        flatpak.refuse_changed(wheels, {"a-1-py3-none-any.whl": "0"})


def test_the_manifest_asks_for_no_more_than_it_must(root: Path) -> None:
    text = manifest(root)
    assert re.findall(r"--[\w-]+(?:=\S+)?", text[text.index("finish-args") : text.index("modules")]) == [
        *("--socket=wayland", "--socket=fallback-x11", "--share=ipc"),
        *("--filesystem=host:ro", "--filesystem=xdg-documents", "--filesystem=xdg-download"),
        "--env=PYTHONNOUSERSITE=1",
    ]
    assert "network" not in text
    assert "url" not in text
    assert text.count("pip3 install --no-index --no-deps") == text.count("pip3") == 2


def test_names_in_a_flatpak_are_its_id(root: Path, tmp_path: Path) -> None:
    name = product.ID
    assert name == program.FLATPAK_ID
    assert f"id: {name}\n" in manifest(root)
    furnish.furnish(root, tmp_path, name)
    assert {path.stem.removesuffix(".metainfo") for path in tmp_path.rglob("*") if path.is_file()} == {name}
    entry = (tmp_path / "applications" / f"{name}.desktop").read_text("utf-8")
    assert f"\nIcon={name}\n" in entry
    assert f"\nExec={program.NAME} %F\n" in entry
    about = Xml.parse(tmp_path / "metainfo" / f"{name}.metainfo.xml")
    assert about.findtext("launchable") == f"{name}.desktop"
    assert about.findtext("icon") == name


def test_flatpak_takes_no_words(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev_flatpak.make(Path("python"), root, ["--now"]) == 2
    assert "--now" in capsys.readouterr().err
