"""``dev.py flatpak``: downloads the wheels of the Flatpak, and builds it where that is possible."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import dev_environment
from dev_shell import SetupError, last_lines, quietly, say
from installer import flatpak, product

BUILDER = "flatpak-builder"


def make(python: Path, root: Path, arguments: Sequence[str]) -> int:
    """``python``: one with pip. Exit status 0 if the wheels are there and, where the builder and the runtime are
    installed, the Flatpak is in ``dist``; 2 for a usage error. SetupError if something fails."""
    if arguments:
        say(f"flatpak takes no arguments: {' '.join(arguments)}")
        return 2
    wheels = provide_wheels(python, root)
    (root / flatpak.FOLDER / "build.json").write_text(product.build_facts(root), encoding="utf-8")
    say(f"{flatpak.WHEELS}: {len(wheels)} wheels, as recorded in {flatpak.RECORD}")
    builder = shutil.which(BUILDER)
    if builder is None:
        say(f"Not built: {BUILDER} is not installed. The folder and this repository are all that it needs.")
        return 0
    sdk = required_sdk(builder, root)
    if quietly(["flatpak", "info", sdk]).returncode:
        say(f"Not built: {sdk} is not installed; run: flatpak install {sdk}")
        return 0
    say(f"dist/{build(builder, root).name}")
    return 0


def provide_wheels(python: Path, root: Path) -> dict[str, str]:
    """The wheels that the constraints ask for, downloaded if they are not all there: name to SHA-256. Writes the record
    if the constraints have changed. SetupError if a download fails, or if a wheel is not the recorded one."""
    folder, before = root / flatpak.WHEELS, flatpak.recorded(root)
    wheels = flatpak.sums(folder)
    if wheels == before and wanted(root, wheels):
        return wheels
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    say(f"Downloading wheels for Python {flatpak.PYTHON} into {flatpak.WHEELS}")
    words = flatpak.download_words(folder, root / dev_environment.CONSTRAINTS, requirements(root))
    if subprocess.run([str(python), *words], stdin=subprocess.DEVNULL, check=False).returncode:
        raise SetupError("pip could not download the wheels; its last lines above say why")
    wheels = flatpak.sums(folder)
    flatpak.refuse_changed(wheels, before)
    if wheels != before:
        (root / flatpak.RECORD).write_text(flatpak.record(wheels), encoding="utf-8")
        say(f"{flatpak.RECORD} has changed: commit it")
    return wheels


def wanted(root: Path, wheels: Iterable[str]) -> bool:
    """Whether the wheels have the versions of the constraints, and all that the program names is among them."""
    pins = dict(line.split("==") for line in (root / dev_environment.CONSTRAINTS).read_text("utf-8").split())
    versions = {flatpak.normalized(name): version for name, version in pins.items()}
    own = flatpak.distributions(wheels)
    named = {flatpak.normalized(dev_environment.name_of(line)) for line in requirements(root)}
    return named <= set(own) and all(versions.get(name) == version for name, version in own.items())


def requirements(root: Path) -> list[str]:
    """Those of the program, and of the extras that packages contain."""
    return dev_environment.requirements(root, "xlsx")


def required_sdk(builder: str, root: Path) -> str:
    """The SDK that the manifest names."""
    done = quietly([builder, "--show-manifest", str(root / flatpak.MANIFEST)])
    if done.returncode:
        raise SetupError(f"{flatpak.MANIFEST} is not valid:\n{last_lines(done.stdout)}")
    manifest = json.loads(done.stdout)
    return f"{manifest['sdk']}//{manifest['runtime-version']}"


def build(builder: str, root: Path) -> Path:
    """Builds the Flatpak without a network and writes it as one file into ``dist``."""
    work, out = root / flatpak.FOLDER, root / "dist"
    out.mkdir(exist_ok=True)
    target = out / f"{product.TITLE}-{product.version(root)}-{flatpak.MACHINE}.flatpak"
    command = [builder, "--force-clean", "--disable-download", "--disable-rofiles-fuse"]
    command += ["--state-dir", str(work / "state"), "--repo", str(work / "repository")]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(int(product.released(root).timestamp()))}
    words = [*command, str(work / "app"), str(root / flatpak.MANIFEST)]
    if subprocess.run(words, stdin=subprocess.DEVNULL, env=environment, check=False).returncode:
        raise SetupError(f"{BUILDER} failed; its last lines above say why")
    done = quietly(["flatpak", "build-bundle", str(work / "repository"), str(target), product.ID])
    if done.returncode:
        raise SetupError(f"flatpak build-bundle failed:\n{last_lines(done.stdout)}")
    return target
