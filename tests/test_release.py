"""A version is one command: commit, tag, changelog, wheel, source archive, checksums and bill of materials."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import dev_release
import dev_sbom
from dev_shell import SetupError
from installer import furnish

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A window.\n\n## [0.9.0] - 2026-01-02\n\n- A file.\n"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def house(root: Path, tmp_path: Path) -> Path:
    """A small repository with all that a version needs."""
    folder = tmp_path / "house"
    files = {
        "app/__init__.py": '__version__ = "0.9.0"\n',
        "app/py.typed": "",
        "resources/a.txt": "a",
        "CHANGELOG.md": CHANGELOG,
        ".gitignore": "/build/\n/dist/\n",
        **{f"packaging/completion/{name}": "" for name in furnish.COMPLETION},
    }
    for name in ("pyproject.toml", "README.md", "LICENSE", "packaging/constraints.txt"):
        files[name] = (root / name).read_text("utf-8")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    git(folder.parent, "init", "--quiet", "house")
    git(folder, "config", "user.name", "Somebody")
    git(folder, "config", "user.email", "somebody@example.org")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "First")
    git(folder, "tag", "v0.9.0")
    return folder


def release(house: Path, *words: str) -> int:
    return dev_release.release(Path(sys.executable), house, words)


def test_a_version_is_one_command(house: Path) -> None:
    before = git(house, "rev-parse", "HEAD")
    assert release(house, "1.0.0") == 0
    assert git(house, "rev-parse", "HEAD~") == before
    assert git(house, "rev-parse", "v1.0.0^{commit}") == git(house, "rev-parse", "HEAD")
    assert git(house, "cat-file", "-t", "v1.0.0") == "tag"
    assert git(house, "status", "--porcelain") == ""
    assert git(house, "worktree", "list").count("\n") == 0
    assert (house / "app" / "__init__.py").read_text() == '__version__ = "1.0.0"\n'
    above, below = (house / "CHANGELOG.md").read_text().split("## [1.0.0] - ")
    assert above.endswith("## [Unreleased]\n\n")
    assert below[10:].startswith("\n\n### Added\n\n- A window.\n\n## [0.9.0]")
    names = ["tilesight-1.0.0-py3-none-any.whl", "tilesight-1.0.0.tar.gz", "tilesight-1.0.0.cdx.json"]
    assert {path.name for path in (house / "dist").iterdir()} == {*names, "SHA256SUMS"}
    sums = [line.split("  ") for line in (house / "dist" / "SHA256SUMS").read_text().splitlines()]
    assert [(hashlib.sha256((house / "dist" / name).read_bytes()).hexdigest(), name) for name in names] == [
        (digest, name) for digest, name in sums
    ]


def test_a_dry_run_makes_everything_and_changes_nothing(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = git(house, "rev-parse", "HEAD")
    assert release(house, "1.0.0rc1", "--dry-run") == 0
    assert '+__version__ = "1.0.0rc1"' in capfd.readouterr().out
    assert git(house, "rev-parse", "HEAD") == before
    assert git(house, "tag", "--list") == "v0.9.0"
    assert git(house, "status", "--porcelain") == ""
    assert len(list((house / "build" / "release").iterdir())) == 4
    assert not (house / "dist").exists()


@pytest.mark.parametrize(
    ("version", "reason"), [("0.9.0", "already"), ("0.8.9", "older than 0.9.0"), ("0.9.0rc1", "older than 0.9.0")]
)
def test_versions_that_cannot_follow(house: Path, version: str, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        release(house, version)


def test_what_is_not_committed_is_refused(house: Path) -> None:
    (house / "new.txt").touch()
    with pytest.raises(SetupError, match=r"new\.txt"):
        release(house, "1.0.0")


def test_a_version_without_a_change_is_refused(house: Path) -> None:
    (house / "CHANGELOG.md").write_text(CHANGELOG.replace("### Added\n\n- A window.\n\n", ""))
    git(house, "commit", "--quiet", "--all", "--message", "Nothing")
    with pytest.raises(SetupError, match="nothing under"):
        release(house, "1.0.0")


def test_a_failure_changes_nothing(house: Path) -> None:
    constraints = house / "packaging" / "constraints.txt"
    constraints.write_text(constraints.read_text().replace("numpy==", "numpy==1."))
    git(house, "commit", "--quiet", "--all", "--message", "Other pins")
    before = git(house, "rev-parse", "HEAD")
    with pytest.raises(SetupError, match=r"(?s)bill of materials.*numpy"):
        release(house, "1.0.0")
    assert git(house, "rev-parse", "HEAD") == before
    assert git(house, "tag", "--list") == "v0.9.0"
    assert git(house, "worktree", "list").count("\n") == 0


@pytest.mark.parametrize("words", [(), ("1.0",), ("v1.0.0",), ("1.0.0", "--now"), ("1.0.0", "2.0.0")])
def test_other_words_are_usage_errors(house: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert release(house, *words) == 2
    assert "1.2.3" in capsys.readouterr().err


def test_the_bill_has_every_package_with_version_licence_and_url(root: Path) -> None:
    bill = json.loads(json.dumps(dev_sbom.document(root)))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "tilesight"
    pinned = dev_sbom.pins(root)
    listed = {part["bom-ref"]: part for part in bill["components"]}
    for name, part in listed.items():
        assert part["version"] == metadata.version(name) == pinned[name]
        assert part["purl"] == f"pkg:pypi/{name}@{part['version']}"
        assert part["licenses"], name
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*dev_sbom.closure(project["dependencies"])} == {
        name for name, part in listed.items() if part["scope"] == "required"
    }
    optional = {name for name, part in listed.items() if part["scope"] == "optional"}
    assert {"duckdb", "mcp", "pyarrow", "xlsxwriter"} <= optional
    graph = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert {*graph} == {"tilesight", *listed}
    assert {name for others in graph.values() for name in others} <= {*listed}
    assert "shiboken6" in graph["pyside6-essentials"]
    assert dev_sbom.document(root) == bill


def test_licences_are_expressions_where_they_are_stated_so() -> None:
    assert dev_sbom.licences("MIT") == [{"expression": "MIT"}]
    assert dev_sbom.licences("BSD License") == [{"license": {"name": "BSD License"}}]
    assert dev_sbom.licences("") == []
