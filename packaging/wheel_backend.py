"""Builds the wheel and the source archive for pip and other front ends (PEP 517; ``[build-system]`` in
pyproject.toml).

A wheel is a zip archive of modules and a few metadata files. Writing it here requires no other package, so installing
from source needs no network; the package is stored under its installed name, with the resources inside. The source
archive makes the same wheel, byte for byte. Editable installations are not supported: ``dev.py`` creates the
environment for working on the source.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import platform
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dev_scanner
from installer import furnish, product, prune
from package_name import INSTALLED, SOURCE, renamed

ROOT = Path(__file__).resolve().parent.parent
TAG = "py3-none-any"
GENERATOR = "tilesight wheel_backend"
PACKAGE_INFO = "PKG-INFO"
BUILT = frozenset((".venv", "__pycache__", "build", "dist"))


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,  # noqa: ARG001 - the names are those of PEP 517
    metadata_directory: str | None = None,  # noqa: ARG001
) -> str:
    """Writes the wheel into ``wheel_directory`` and returns its file name. With a compiler, it has the
    scanner."""
    dev_scanner.provide(ROOT)
    return write_wheel(ROOT, Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:  # noqa: ARG001
    """Writes the source archive into ``sdist_directory`` and returns its file name."""
    return write_sdist(ROOT, Path(sdist_directory)).name


def write_wheel(root: Path, folder: Path, *, compiled: bool = True) -> Path:
    """Writes ``tilesight-VERSION-py3-none-any.whl``; the same commit of the source makes the same bytes. With the
    compiled scanner, where there is one and it is wanted, the wheel is one for this system, and depends on the
    compiler."""
    version = product.version(root)
    about = f"{product.NAME}-{version}.dist-info"
    library = dev_scanner.library_of(root)
    compiled = compiled and library.suffix == ".so" and library.is_file()
    tag = dev_scanner.tag(library, platform.machine()) if compiled else TAG
    files = {**modules(root), **resources(root), **completion(root, version), **metadata(root, about, tag)}
    if compiled:
        files[f"{INSTALLED}/{dev_scanner.FOLDER}/{library.name}"] = library.read_bytes()
    record = f"{about}/RECORD"
    files[record] = "".join([*(entry(name, data) for name, data in files.items()), f"{record},,\n"]).encode()
    target = folder / f"{product.NAME}-{version}-{tag}.whl"
    moment = product.released(root).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return target


def write_sdist(root: Path, folder: Path) -> Path:
    """Writes ``tilesight-VERSION.tar.gz``: the files of the repository, and the facts about the build, for which an
    archive cannot ask git. The same commit makes the same bytes."""
    top = f"{product.NAME}-{product.version(root)}"
    moment = int(product.released(root).timestamp())
    made = {PACKAGE_INFO: package_info(root), product.BUILD_FACTS: product.build_facts(root).encode()}
    target = folder / f"{top}.tar.gz"
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=moment) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted({*source_files(root), *made}):
            info = tarfile.TarInfo(f"{top}/{name}")
            data = made[name] if name in made else (root / name).read_bytes()
            info.size, info.mtime = len(data), moment
            info.mode = 0o755 if name not in made and (root / name).stat().st_mode & 0o100 else 0o644
            archive.addfile(info, io.BytesIO(data))
    return target


def source_files(root: Path) -> list[str]:
    """The files of the repository, without those that git ignores; in a source archive, whatever was not made there."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return [path.as_posix() for path in paths if BUILT.isdisjoint(path.parts)]


def modules(root: Path) -> dict[str, bytes]:
    """The modules of the source, and the mark that they have types: path in the wheel to content."""
    paths = sorted([*(root / SOURCE).rglob("*.py"), root / SOURCE / "py.typed"])
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
    wanted = (name for name in files if prune.wanted(name) and not name.startswith(f"{dev_scanner.FOLDER}/"))
    contents = {name: files[name].read_bytes() for name in wanted}
    contents.setdefault(product.BUILD_FACTS, product.build_facts(root).encode())
    return {f"{INSTALLED}/{name}": contents[name] for name in sorted(contents)}


def completion(root: Path, version: str) -> dict[str, bytes]:
    """What makes shells complete the command: path in the wheel to content."""
    share = f"{product.NAME}-{version}.data/data/share"
    return {f"{share}/{place}": path.read_bytes() for place, path in furnish.completion(root).items()}


def metadata(root: Path, about: str, tag: str) -> dict[str, bytes]:
    """The files of the folder ``about``, except the record."""
    project = described(root)
    pure = str(tag == TAG).lower()
    wheel = f"Wheel-Version: 1.0\nGenerator: {GENERATOR}\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"
    scripts = "".join(f"{name} = {function}\n" for name, function in project["scripts"].items())
    licences = {f"{about}/licenses/{name}": (root / name).read_bytes() for name in project["license-files"]}
    return {
        f"{about}/METADATA": package_info(root),
        f"{about}/WHEEL": wheel.encode(),
        f"{about}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        **licences,
    }


def package_info(root: Path) -> bytes:
    """METADATA of the wheel, PKG-INFO of the source archive."""
    project = described(root)
    core = "".join(f"{line}\n" for line in core_metadata(project, product.version(root)))
    return f"{core}\n{(root / project['readme']).read_text('utf-8')}".encode()


def described(root: Path) -> dict[str, Any]:
    """The table ``[project]`` of pyproject.toml."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def core_metadata(project: Mapping[str, Any], version: str) -> Iterator[str]:
    """The header lines of METADATA (core metadata 2.4)."""
    yield "Metadata-Version: 2.4"
    yield f"Name: {project['name']}"
    yield f"Version: {version}"
    yield f"Summary: {project['description']}"
    yield f"Keywords: {','.join(project['keywords'])}"
    yield from (f"Author: {author['name']}" for author in project["authors"])
    yield from (f"Project-URL: {label}, {url}" for label, url in project["urls"].items())
    yield f"License-Expression: {project['license']}"
    yield from (f"License-File: {name}" for name in project["license-files"])
    yield from (f"Classifier: {classifier}" for classifier in project["classifiers"])
    yield f"Requires-Python: {project['requires-python']}"
    yield from (f"Requires-Dist: {requirement}" for requirement in project["dependencies"])
    for extra, requirements in project["optional-dependencies"].items():
        yield f"Provides-Extra: {extra}"
        yield from (f'Requires-Dist: {requirement}; extra == "{extra}"' for requirement in requirements)
    yield "Description-Content-Type: text/markdown"


def entry(name: str, data: bytes) -> str:
    """A file's line in RECORD: path, digest, bytes."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
