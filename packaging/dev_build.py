"""``dev.py build``: makes the packages that users install, and checks them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import dev_environment
import dev_system
import wheel_backend
from dev_shell import SetupError, say
from installer import appimage, bundle, check, deb, furnish, macos, product, sums, tools, validate, windows
from installer.steps import Facts

ENVIRONMENT = "build/environment"
MEGABYTE = 1e6


def build(root: Path, arguments: Sequence[str]) -> int:
    """Writes into ``dist``. Exit status 0 if everything was made and every check passed, 1 if not, 2 for a usage
    error."""
    if not set(arguments) <= {"--check"}:
        say(f"build takes --check or nothing: {' '.join(arguments)}")
        return 2
    checked = "--check" in arguments
    linux = sys.platform.startswith("linux")
    if linux:
        tools.provide({**tools.BUILD, **(tools.CHECK if checked else {})})
    dev_system.provide(venv=dev_environment.lacks_venv(root, ENVIRONMENT))
    python = dev_environment.provide(root, ENVIRONMENT, "build")
    out = root / "dist"
    out.mkdir(exist_ok=True)
    facts = Facts()
    facts.run("wheel", lambda: sized(wheel_backend.write_wheel(root, out)))
    made = bundle.make(root, python)
    facts.add("bundle", True, bundle_summary(made))
    facts.run("resources", lambda: validate.resources(root, made.folder))
    if linux:
        _linux(root, python, made, out, facts, checked=checked)
    elif sys.platform == "win32":
        facts.run("installer", lambda: windows.setup(root, made.folder, out))
    else:
        facts.run("disk image", lambda: macos.disk_image(root, made.folder.parent, out))
    facts.run("checksums", lambda: f"dist/{sums.write(out, sums.of_version(out, product.version(root))).name}")
    print(f"\n{facts.summary()}", flush=True)
    return int(bool(facts.failed))


def _linux(root: Path, python: Path, made: bundle.Bundle, out: Path, facts: Facts, *, checked: bool) -> None:
    shared = {f"share/{place}": path for place, path in furnish.completion(root).items()}
    facts.run("archive", lambda: sized(bundle.archive(root, made.folder, out, shared)))
    package = deb.make(root, made, out)
    facts.add("package", True, sized(package))
    validate.validate(root, package, facts)
    folder = appimage.folder(root, made)
    facts.run("AppDir", lambda: appimage.starts(folder))
    try:
        facts.add("AppImage", True, sized(appimage.make(root, folder, out)))
    except SetupError as error:
        facts.add("AppImage", True, f"left out: {error}")
    if checked:
        check.check(root, python, made, package, facts)


def bundle_summary(made: bundle.Bundle) -> str:
    before, after = made.gathered / MEGABYTE, made.size / MEGABYTE
    return f"{product.TITLE} in a folder, {after:.0f} MB (as PyInstaller gathers it, {before:.0f} MB)"


def sized(path: Path) -> str:
    return f"dist/{path.name}, {path.stat().st_size / MEGABYTE:.1f} MB"
