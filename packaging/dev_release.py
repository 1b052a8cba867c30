"""``dev.py release VERSION``: makes a version, in one step or not at all.

The commit of the version, its wheel, source archive, bill of materials and checksums are made in a second work tree.
Only when all of them are there, the branch moves to that commit, and it gets its tag.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import dev_scanner
import wheel_backend
from dev_shell import SetupError, last_lines, quietly, say
from installer import product, sums

TREE = "build/release-tree"
TRIED = "build/release"
DRY_RUN = "--dry-run"
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)((?:a|b|rc)\d+)?")
UNRELEASED = "## [Unreleased]\n"


def release(python: Path, root: Path, arguments: Sequence[str]) -> int:
    """``python``: that of ``.venv``. Exit status 0 if the version was made (with ``--dry-run``: can be made), 2 for a
    usage error. SetupError if it cannot be made; then nothing has changed."""
    dry, words = DRY_RUN in arguments, [word for word in arguments if word != DRY_RUN]
    if len(words) != 1 or VERSION.fullmatch(words[0]) is None:
        say(f"release takes a version such as 1.2.3 or 1.2.3rc1, and {DRY_RUN} or nothing: {' '.join(arguments)}")
        return 2
    version = words[0]
    refuse(root, version)
    out = root / (TRIED if dry else "dist")
    with work_tree(root) as tree:
        commit = committed(tree, version)
        made = write(python, tree, out)
    print(_git(root, "show", "--stat", "--patch", commit) if dry else f"{commit}\n", flush=True)
    for path in made:
        say(f"{path.relative_to(root)}, {path.stat().st_size:,} bytes")
    if dry:
        say(f"Nothing has changed. Without {DRY_RUN}, the branch moves to this commit, which gets the tag v{version}.")
        return 0
    _git(root, "merge", "--ff-only", "--quiet", commit)
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"{product.TITLE} {version}", commit)
    say(f"The tag v{version} is made. To publish it: git push --follow-tags. dev.py build makes the other packages.")
    return 0


def refuse(root: Path, version: str) -> None:
    """SetupError if the version cannot be made here, before anything is done."""
    if changed := _git(root, "status", "--porcelain"):
        raise SetupError(f"files were changed or added; commit or remove them first:\n{last_lines(changed)}")
    tags = _git(root, "tag", "--list", "v*").split()
    if f"v{version}" in tags:
        raise SetupError(f"there is a version {version} already")
    matches = (VERSION.fullmatch(tag[1:]) for tag in tags)
    newest = max(((own[0], order(own[0])) for own in matches if own), key=lambda own: own[1], default=None)
    if newest is not None and newest[1] > order(version):
        raise SetupError(f"{version} is older than {newest[0]}, which is there already")
    moved((root / "CHANGELOG.md").read_text("utf-8"), version, "")


def order(version: str) -> tuple[int, int, int, str, int]:
    """Sorts versions; those before a release (a, b, rc) come before it."""
    match = VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"{version} is no version")
    stage = re.fullmatch(r"([a-z]+)(\d+)", match[4] or "")
    letters, number = (stage[1], int(stage[2])) if stage else ("release", 0)
    return int(match[1]), int(match[2]), int(match[3]), letters, number


def moved(changelog: str, version: str, date: str) -> str:
    """The changelog with what was unreleased under the heading of this version. SetupError if that is nothing."""
    above, heading, below = changelog.partition(UNRELEASED)
    if not heading or not below.partition("\n## ")[0].strip():
        raise SetupError(f"CHANGELOG.md has nothing under {UNRELEASED.strip()}")
    return f"{above}{UNRELEASED}\n## [{version}] - {date}\n{below}"


def committed(tree: Path, version: str) -> str:
    """The hash of the commit of this version, made in ``tree``."""
    module, changelog = tree / "app" / "__init__.py", tree / "CHANGELOG.md"
    text = module.read_text("utf-8").replace(f'__version__ = "{product.version(tree)}"', f'__version__ = "{version}"')
    module.write_text(text, "utf-8")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    changelog.write_text(moved(changelog.read_text("utf-8"), version, today), "utf-8")
    _git(tree, "commit", "--all", "--quiet", "--message", f"{product.TITLE} {version}")
    return _git(tree, "rev-parse", "HEAD")


def write(python: Path, tree: Path, out: Path) -> list[Path]:
    """Writes wheels, source archive, bill of materials and checksums of the commit in ``tree`` into ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    dev_scanner.provide(tree)
    wheels = {wheel_backend.write_wheel(tree, out, compiled=compiled) for compiled in (False, True)}
    archive = wheel_backend.write_sdist(tree, out)
    bill = out / f"{product.NAME}-{product.version(tree)}.cdx.json"
    script = Path(__file__).with_name("dev_sbom.py")
    variables = os.environ | {"PYTHONPATH": str(script.parent.parent)}
    done = quietly([str(python), str(script), str(tree), str(bill)], variables)
    if done.returncode:
        raise SetupError(f"the bill of materials could not be made:\n{last_lines(done.stdout)}")
    made = [*sorted(wheels, reverse=True), archive, bill]
    return [*made, sums.write(out, made)]


@contextmanager
def work_tree(root: Path) -> Iterator[Path]:
    """A second work tree of the current commit, for as long as it is used."""
    tree = root / TREE
    _git(root, "worktree", "prune")
    if tree.exists():
        _git(root, "worktree", "remove", "--force", str(tree))
    _git(root, "worktree", "add", "--quiet", "--detach", str(tree))
    try:
        yield tree
    finally:
        _git(root, "worktree", "remove", "--force", str(tree))


def _git(root: Path, *words: str) -> str:
    """The output. SetupError if git fails."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError as error:
        raise SetupError(f"git cannot be started: {error}") from error
    if done.returncode:
        raise SetupError(f"git {words[0]} failed:\n{last_lines(done.stderr or done.stdout)}")
    return done.stdout.strip()
