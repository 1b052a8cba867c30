"""Builds the wheel for pip and other front ends (PEP 517; ``[build-system]`` in pyproject.toml).

A wheel is a zip archive of modules and a few metadata files. Writing it here requires no other package, so installing
from source needs no network; the package is stored under its installed name, with the resources inside. Editable
installations are not supported: ``dev.py`` creates the environment for working on the source.
"""

from __future__ import annotations

import base64
import hashlib
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from installer import product, prune
from package_name import INSTALLED, SOURCE, renamed

ROOT = Path(__file__).resolve().parent.parent
TAG = "py3-none-any"
GENERATOR = "tilesight wheel_backend"
BUILD_FACTS = "resources/build.json"


class UnsupportedOperation(Exception):
    """An operation that this backend does not support."""


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,  # noqa: ARG001 - the names are those of PEP 517
    metadata_directory: str | None = None,  # noqa: ARG001
) -> str:
    """Writes the wheel into ``wheel_directory`` and returns its file name."""
    return write_wheel(ROOT, Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:  # noqa: ARG001
    """Required by PEP 517; always raises UnsupportedOperation."""
    raise UnsupportedOperation("there are no source distributions: build the wheel from the repository")


def write_wheel(root: Path, folder: Path) -> Path:
    """Writes ``tilesight-VERSION-py3-none-any.whl``; the same commit of the source makes the same bytes."""
    version = product.version(root)
    about = f"{product.NAME}-{version}.dist-info"
    files = {**modules(root), **resources(root), **metadata(root, about)}
    record = f"{about}/RECORD"
    files[record] = "".join([*(entry(name, data) for name, data in files.items()), f"{record},,\n"]).encode()
    target = folder / f"{product.NAME}-{version}-{TAG}.whl"
    moment = product.released(root).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return target


def modules(root: Path) -> dict[str, bytes]:
    """The modules of the source: path in the wheel to content."""
    paths = sorted((root / SOURCE).rglob("*.py"))
    return {f"{INSTALLED}/{path.relative_to(root / SOURCE).as_posix()}": module(path) for path in paths}


def module(path: Path) -> bytes:
    try:
        return renamed(path.read_text("utf-8")).encode()
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def resources(root: Path) -> dict[str, bytes]:
    """The resources, the same as in the frozen program: path in the wheel to content. A copy of the source without its
    history may bring the facts about the build along."""
    paths = sorted(path for path in (root / "resources").rglob("*") if path.is_file())
    files = {path.relative_to(root).as_posix(): path for path in paths}
    built = {BUILD_FACTS: product.build_facts(root).encode()} if BUILD_FACTS not in files else {}
    contents = built | {name: path.read_bytes() for name, path in files.items() if prune.wanted(name)}
    return {f"{INSTALLED}/{name}": content for name, content in contents.items()}


def metadata(root: Path, about: str) -> dict[str, bytes]:
    """The files of the folder ``about``, except the record."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    wheel = f"Wheel-Version: 1.0\nGenerator: {GENERATOR}\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    scripts = "".join(f"{name} = {function}\n" for name, function in project["scripts"].items())
    core = "".join(f"{line}\n" for line in core_metadata(project, product.version(root)))
    return {
        f"{about}/METADATA": f"{core}\n{(root / project['readme']).read_text('utf-8')}".encode(),
        f"{about}/WHEEL": wheel.encode(),
        f"{about}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        f"{about}/licenses/LICENSE": (root / "LICENSE").read_bytes(),
    }


def core_metadata(project: Mapping[str, Any], version: str) -> Iterator[str]:
    """The header lines of METADATA (core metadata 2.4). Extras are for working on the source and are omitted."""
    yield "Metadata-Version: 2.4"
    yield f"Name: {project['name']}"
    yield f"Version: {version}"
    yield f"Summary: {project['description']}"
    yield f"License-Expression: {project['license']}"
    yield "License-File: LICENSE"
    yield f"Requires-Python: {project['requires-python']}"
    yield from (f"Requires-Dist: {requirement}" for requirement in project["dependencies"])
    yield "Description-Content-Type: text/markdown"


def entry(name: str, data: bytes) -> str:
    """A file's line in RECORD: path, digest, bytes."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
