"""The product's data for all packages. The version is defined only in ``app/__init__.py``."""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

NAME = "tilesight"
ID = "org.tilesight.tilesight"
"""The program's name where it must be unique in the world: AppStream, Flatpak."""
DOMAIN = "tilesight.org"
"""The domain that ID claims. Pages and mail addresses of the project are there."""
DEVELOPERS = "The Tilesight developers"
TITLE = "Tilesight"
SUMMARY = "Profile viewer for AI accelerators made of many small cores"
LICENCE = "Apache-2.0"
KEYWORDS = ("profiler", "IPU", "NPU", "Poplar", "Ascend", "PopEF", "trace")
EXTRAS = ("XlsxWriter",)
"""Packages of the extras that installers contain; they are in the group ``build``."""
BUILD_FACTS = "resources/build.json"
PARAGRAPHS = (
    "Tilesight shows the profiles of Graphcore IPUs, Huawei Ascend NPUs and Tenstorrent chips: drop the files that the "
    "vendor's tools wrote onto one window and see where memory and cycles go.",
    "It opens Poplar's graph and execution reports (JSON and CBOR), PopEF models, Ascend operator profiles "
    "(visualize_data.bin), Chrome traces of operator simulations, on-chip memory plans, TensorBoard event files with "
    "IPU events, and tensor maps. Everything happens on your machine; nothing is sent anywhere.",
)


def version(root: Path) -> str:
    """The version that the program reports."""
    text = (root / "app" / "__init__.py").read_text("utf-8")
    match = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if match is None:
        raise ValueError("app/__init__.py does not say __version__")
    return match[1]


def released(root: Path) -> datetime:
    """The time of this state of the source: SOURCE_DATE_EPOCH, else that of the last commit, else the one that a source
    archive brings along, else that of the version's file."""
    stated = _stated_time(root)
    if not stated and (brought := _brought_time(root)):
        return datetime.fromisoformat(brought)
    return datetime.fromtimestamp(int(stated or (root / "app" / "__init__.py").stat().st_mtime), UTC)


def build_facts(root: Path) -> str:
    """The content of ``resources/build.json``: commit and time of the source, null where they are unknown. A source
    archive brings it along."""
    if not (root / ".git").exists() and (root / BUILD_FACTS).is_file():
        return (root / BUILD_FACTS).read_text("utf-8")
    commit = _git(root, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    date = released(root).isoformat() if _stated_time(root) else None
    return json.dumps({"commit": commit or None, "date": date}) + "\n"


def _stated_time(root: Path) -> str:
    return os.environ.get("SOURCE_DATE_EPOCH") or _git(root, "log", "-1", "--format=%ct")


def _brought_time(root: Path) -> str:
    brought = root / BUILD_FACTS
    return str(json.loads(brought.read_text("utf-8"))["date"] or "") if brought.is_file() else ""


def _git(root: Path, *words: str) -> str:
    """The output of git; "" in a source archive, or without git."""
    if not (root / ".git").exists():
        return ""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()
