"""What the repository itself must keep: pins only, no addresses of a package index, no paths of one machine."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dev_environment

TEXTS = {".py", ".toml", ".txt", ".md", ".cfg", ".ini", ".yml", ".yaml", ".sh", ".desktop", ".xml", ".spec", ".svg", ""}
INDEX = re.compile(
    r"https?://\S+/(simple|pypi|debian|ubuntu)\b|(extra[-_]|[-_])index[-_]url|find[-_]links|trusted[-_]host"
)
HOMES = re.compile(r"(?<![\w.$}~*])/(home|Users|root|mnt|media)/\w|\b[A-Za-z]:\\Users\\")
PIN = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*==\d+(\.\w+)*")


def tracked(root: Path) -> Iterator[tuple[Path, str]]:
    """Texts of the repository (of the source archive, where there is no git)."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [str(p) for p in (root / "app").rglob("*.py")]
    for path in (root / name for name in names if name):
        if path.suffix in TEXTS and path.is_file():
            yield path, path.read_text(encoding="utf-8")


def places(root: Path, pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(root)}:{number}: {line.strip()[:120]}"
        for path, text in tracked(root)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_names_a_package_index(root: Path) -> None:
    assert places(root, INDEX) == []


def test_no_file_names_a_place_of_one_machine(root: Path) -> None:
    assert places(root, HOMES) == []
    if len(root.parts) > 2:  # a checkout right under the top could be called like anything
        assert places(root, re.compile(re.escape(str(root)))) == []


def pins(root: Path) -> dict[str, str]:
    lines = (root / dev_environment.CONSTRAINTS).read_text(encoding="utf-8").split()
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_every_requirement_has_its_pin_and_admits_it(root: Path) -> None:
    pinned = pins(root)
    for line in dev_environment.requirements(root):
        requirement = Requirement(line)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), line


def test_the_pins_are_complete(root: Path) -> None:
    """Whatever the pinned packages need is pinned too (as far as the installed ones tell)."""
    pinned = pins(root)
    wanted = [Requirement(text) for name in pinned for text in requires(name) or []]
    names = {canonicalize_name(r.name) for r in wanted if r.marker is None or r.marker.evaluate({"extra": ""})}
    assert names <= set(pinned)


@pytest.mark.parametrize("folder", ["packaging", "tests"])
def test_no_folder_shadows_a_library(root: Path, folder: str) -> None:
    assert not (root / folder / "__init__.py").exists()


def test_the_check_can_be_started_by_a_machine(root: Path) -> None:
    assert os.access(root / ".ci" / "run", os.X_OK)
