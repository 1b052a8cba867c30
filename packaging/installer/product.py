"""The product's data for all packages. The version is defined only in ``app/__init__.py``."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

NAME = "tilesight"
TITLE = "Tilesight"
SUMMARY = "Profile viewer for AI accelerators made of many small cores"
LICENCE = "Apache-2.0"
KEYWORDS = ("profiler", "IPU", "NPU", "Poplar", "Ascend", "PopEF", "trace")
EXTRAS = ("XlsxWriter",)
"""Packages of the extras that installers contain; they are in the extra ``build``."""
PARAGRAPHS = (
    "Tilesight shows the profiles of Graphcore IPUs and Huawei Ascend NPUs: drop the files that the vendor's tools "
    "wrote onto one window and see where memory and cycles go.",
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
    """The time of this state of the source: SOURCE_DATE_EPOCH, else that of the last commit, else of the version's
    file."""
    stated = os.environ.get("SOURCE_DATE_EPOCH") or _last_commit(root)
    seconds = int(stated) if stated else int((root / "app" / "__init__.py").stat().st_mtime)
    return datetime.fromtimestamp(seconds, UTC)


def _last_commit(root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError:  # no git here: a source archive
        return ""
    return done.stdout.strip()
