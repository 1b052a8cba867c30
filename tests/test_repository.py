"""What the repository itself must keep: pins only, no addresses of a package index, no paths of one machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
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
TOP = {".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "app", "main.py", "packaging"}
TOP |= {"pyproject.toml", "resources", "tests"}
PIN = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*==\d+(\.\w+)*")


def tracked(root: Path) -> Iterator[tuple[Path, str]]:
    """Texts of the repository (of the source archive, where there is no git)."""
    for path in listed_by_git(root) or beside_hidden_folders(root):
        if path.suffix in TEXTS and path.is_file():
            yield path, path.read_text(encoding="utf-8")


def listed_by_git(root: Path) -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if shutil.which(command[0]) is None:
        return []
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return [root / name for name in listed.stdout.split("\0") if name]


def beside_hidden_folders(root: Path) -> list[Path]:
    below = (path for path in root.rglob("*") if path.is_file())
    return [path for path in below if not any(part.startswith(".") for part in path.relative_to(root).parts)]


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


def test_the_top_level_has_what_belongs_there_and_nothing_else(root: Path) -> None:
    """Inputs of an experiment and logs of a command belong into the temporary folder."""
    listed = listed_by_git(root)
    if not listed:
        pytest.skip("a source archive, not a repository: only git knows what belongs to it")
    assert {path.relative_to(root).parts[0] for path in listed} == TOP


def test_papers_lead_to_files_that_are_there(root: Path) -> None:
    links = [
        (paper.name, link)
        for paper in root.glob("*.md")
        for link in re.findall(r"\]\(([^)\s#]+)", paper.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert [(name, link) for name, link in links if not (root / link).exists()] == []


def pins(root: Path) -> dict[str, str]:
    lines = (root / dev_environment.CONSTRAINTS).read_text(encoding="utf-8").split()
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_every_requirement_has_its_pin_and_admits_it(root: Path) -> None:
    pinned = pins(root)
    for line in {*dev_environment.requirements(root), *dev_environment.requirements(root, "build")}:
        requirement = Requirement(line)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), line


def test_the_pins_are_complete(root: Path) -> None:
    """Whatever the pinned packages need is pinned too (as far as the installed ones tell)."""
    pinned = pins(root)
    wanted = [Requirement(text) for name in pinned for text in needs(name)]
    names = {canonicalize_name(r.name) for r in wanted if r.marker is None or r.marker.evaluate({"extra": ""})}
    assert names <= set(pinned)


def needs(name: str) -> list[str]:
    """The requirements of an installed package; other packages are for those who build, or for another system."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


@pytest.mark.parametrize("folder", ["packaging", "tests"])
def test_no_folder_shadows_a_library(root: Path, folder: str) -> None:
    assert not (root / folder / "__init__.py").exists()


def test_the_check_can_be_started_by_a_machine(root: Path) -> None:
    assert os.access(root / ".ci" / "run", os.X_OK)


def test_the_quick_lane_knows_which_tests_are_slow(root: Path) -> None:
    """Without its list, it would leave out journeys alone, and nobody would notice."""
    names = (root / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()
    assert names == sorted(set(names))
    lost = []
    for name in names:
        path, _, test = name.partition("::")
        function = test.partition("[")[0].rpartition("::")[2]
        if not (root / path).is_file() or f"def {function}(" not in (root / path).read_text(encoding="utf-8"):
            lost.append(name)
    assert names
    assert lost == []
