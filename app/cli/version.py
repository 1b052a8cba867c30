"""`--version --json`: what is installed here, for scripts and reports of errors. Libraries are not imported to learn
their versions, because that would take longer than everything else; only Qt is asked for its own."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.util import find_spec
from typing import Any

from app import __version__, program, scanner
from app.build_facts import build_facts
from app.cli.terminal import say_json
from app.places import cache_folder, notes_folder, settings_path
from app.preferred_language import VARIABLE

OPTIONAL = {
    "duckdb": "duckdb",
    "xlsxwriter": "XlsxWriter",
    "pyarrow": "pyarrow",
    "pandas": "pandas",
    "polars": "polars",
}
"""Modules that are used where they are installed, and their packages."""
UNKNOWN_VERSION = ""
"""Of a library that is there and does not say its version."""


def run() -> int:
    say_json(facts())
    return 0


def facts() -> dict[str, Any]:
    """The output of `--version --json`; None for what is not known or not installed."""
    built = build_facts()
    versions = dict(_bundled())
    return {
        "name": program.NAME,
        "version": __version__,
        "commit": built.commit,
        "date": built.date,
        "installation": program.installation(),
        "program": sys.executable,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "qt": qt_version(),
        "pyside": _version("PySide6-Essentials", versions) or _version("PySide6", versions),
        "numpy": _version("numpy", versions),
        "optional": {
            package: None if find_spec(module) is None else _version(package, versions) or UNKNOWN_VERSION
            for module, package in OPTIONAL.items()
        },
        "trace_reader": scanner.reader(),
        "language": os.environ.get(VARIABLE, ""),
        "paths": {
            "settings": str(settings_path()),
            "notes": str(notes_folder()),
            "cache": str(cache_folder()),
        },
    }


def qt_version() -> str | None:
    """The version of the Qt library that is loaded here; None if it cannot be."""
    try:
        from PySide6.QtCore import qVersion
    except ImportError:
        return None
    return qVersion()


def _version(package: str, bundled: Mapping[str, str]) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return bundled.get(_normalized(package))


def _bundled() -> Iterator[tuple[str, str]]:
    """Packages in a frozen program, which has no metadata of them, by the list of its licences: name, version."""
    if program.is_frozen():
        from app.window.about import components

        yield from ((_normalized(part.name), part.version) for part in components())


def _normalized(name: str) -> str:
    """The name of a package as all its spellings are compared."""
    return name.lower().replace("_", "-")
