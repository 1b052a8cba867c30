"""The Flatpak's wheels: which they are, where they are, and whether they are the recorded ones. The manifest is
packaging/flatpak/org.tilesight.tilesight.yml."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from dev_shell import SetupError
from installer import product

PYTHON = "3.13"
"""Python's version in the manifest's runtime."""
MACHINE = "x86_64"
GLIBC = range(5, 43)
"""Minor versions of glibc 2 whose wheels the runtime (2.42) can load."""
MANIFEST = f"packaging/flatpak/{product.ID}.yml"
RECORD = "packaging/flatpak/wheels.json"
"""The manifest's list of wheels: its sources of the module "libraries"."""
FOLDER = "build/flatpak"
WHEELS = f"{FOLDER}/wheels"
SUMS = "wheels.sha256"


def platforms() -> list[str]:
    """The tags of wheels that run in the runtime, for pip."""
    return [*(f"manylinux_2_{minor}_{MACHINE}" for minor in reversed(GLIBC)), f"manylinux2014_{MACHINE}"]


def download_words(folder: Path, constraints: Path, requirements: Iterable[str]) -> list[str]:
    """Arguments for Python that download the wheels of ``requirements`` and of all that they need, for the runtime's
    Python and not for the one that runs pip."""
    tag = f"cp{PYTHON.replace('.', '')}"
    words = ["-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-input", "--dest", str(folder)]
    words += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", PYTHON]
    words += [word for abi in (tag, "abi3", "none") for word in ("--abi", abi)]
    words += [word for platform in platforms() for word in ("--platform", platform)]
    return [*words, "--constraint", str(constraints), *requirements]


def sums(folder: Path) -> dict[str, str]:
    """The wheels in ``folder``: name to SHA-256."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.whl"))}


def recorded(root: Path) -> dict[str, str]:
    """The wheels in the record: name to SHA-256."""
    sources: list[dict[str, object]] = json.loads((root / RECORD).read_text("utf-8"))
    return {Path(str(source["path"])).name: str(source["sha256"]) for source in sources if source["type"] == "file"}


def record(wheels: Mapping[str, str]) -> str:
    """The record as a list of Flatpak's sources. Its builder does not check hashes of local files: the last source
    writes them into a file, for sha256sum."""
    above = "../" * (len(Path(RECORD).parts) - 1)
    sources: list[dict[str, object]] = [
        {"type": "file", "path": f"{above}{WHEELS}/{name}", "sha256": digest} for name, digest in sorted(wheels.items())
    ]
    lines = [f"{digest}  {name}" for name, digest in sorted(wheels.items())]
    sources.append({"type": "inline", "contents": "".join(f"{line}\n" for line in lines), "dest-filename": SUMS})
    return json.dumps(sources, indent=2) + "\n"


def distributions(names: Iterable[str]) -> dict[str, str]:
    """Names and versions of the packages in wheels of these file names."""
    parts = [name.split("-") for name in names]
    return {normalized(name): version for name, version, *_ in parts}


def normalized(name: str) -> str:
    """The name of a package as all its spellings are compared: in lower case, with dashes."""
    return re.sub(r"[-_.]+", "-", name).lower()


def changed(wheels: Mapping[str, str], before: Mapping[str, str]) -> list[str]:
    """Wheels that are recorded under the same name with another hash."""
    return sorted(name for name, digest in wheels.items() if before.get(name, digest) != digest)


def refuse_changed(wheels: Mapping[str, str], before: Mapping[str, str]) -> None:
    """SetupError if a wheel is not the recorded one: the same name must always mean the same bytes."""
    if names := changed(wheels, before):
        raise SetupError(f"not the recorded wheels (other hashes than in {RECORD}): {', '.join(names)}")
