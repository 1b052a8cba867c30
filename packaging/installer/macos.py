"""The macOS build: Info.plist of the bundle, its icon, the disk image. Not yet run on a Mac."""

from __future__ import annotations

import os
import platform
import plistlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev_shell import SetupError, last_lines, quietly
from installer import filetypes, pictures, product

IDENTIFIER = product.ID
IDENTITY = "TILESIGHT_SIGNING_IDENTITY"
"""The variable with a developer's identity in the keychain. PyInstaller signs every binary with it, the bundle last.
Notarising (``xcrun notarytool submit --wait``, then ``xcrun stapler staple``) is done afterwards, with the image."""
ENTITLEMENTS = {"com.apple.security.cs.allow-unsigned-executable-memory": True}
"""What the hardened runtime, which notarising demands, must allow: callbacks of libffi (ctypes) are written at run
time. All libraries in the bundle have our signature, so that their validation stays on."""
MINIMUM = "13.0"
"""The oldest system that Qt 6.11 supports."""


def icon(root: Path) -> str | None:
    """An .icns file for PyInstaller; None on other systems."""
    if platform.system() != "Darwin":
        return None
    return str(pictures.write_icns(root, root / "build" / f"{product.NAME}.icns"))


def signing(root: Path) -> dict[str, str]:
    """Arguments for PyInstaller's EXE, which signs all that it gathers; none on other systems, or unsigned."""
    identity = os.environ.get(IDENTITY)
    if platform.system() != "Darwin" or not identity:
        return {}
    path = root / "build" / "entitlements.plist"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plistlib.dumps(ENTITLEMENTS))
    return {"codesign_identity": identity, "entitlements_file": str(path)}


def information(version: str) -> dict[str, Any]:
    """Info.plist: our file types are exported and opened by Tilesight; JSON and others are only offered. Finder passes
    files as QFileOpenEvent, not as arguments."""
    return {
        "CFBundleName": product.TITLE,
        "CFBundleDisplayName": product.TITLE,
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSMinimumSystemVersion": MINIMUM,
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": f"The {product.TITLE} developers, {product.LICENCE}",
        "CFBundleDocumentTypes": [
            *(_document(kind.title, [_identifier(kind)], "Owner") for kind in filetypes.OWN if kind.endings),
            _document("Accelerator profile", ["public.json", "public.data", "public.folder"], "Alternate"),
        ],
        "UTExportedTypeDeclarations": [_declared(kind) for kind in filetypes.OWN if kind.endings],
    }


def disk_image(root: Path, folder: Path, target: Path) -> str:
    """The disk image with the bundle in ``folder`` and a link to drag it to; SetupError if hdiutil fails."""
    bundle = folder / f"{product.TITLE}.app"
    identity = os.environ.get(IDENTITY)
    if identity:
        _run(["codesign", "--verify", "--deep", "--strict", str(bundle)])
    with tempfile.TemporaryDirectory(prefix="tilesight-image-") as name:
        shutil.copytree(bundle, Path(name) / bundle.name, symlinks=True)
        (Path(name) / "Applications").symlink_to("/Applications")
        image = target / f"{product.TITLE}-{product.version(root)}-{platform.machine()}.dmg"
        _run(disk_image_command(Path(name), image))
    if identity:
        _run(["codesign", "--timestamp", "--sign", identity, str(image)])
    return f"{image.name}, {'signed' if identity else f'not signed ({IDENTITY} is not set)'}"


def disk_image_command(folder: Path, target: Path) -> list[str]:
    """The command for a compressed image of ``folder``, which contains the bundle and a link to /Applications."""
    create = ["hdiutil", "create", "-volname", product.TITLE, "-srcfolder", str(folder)]
    return [*create, "-fs", "HFS+", "-format", "UDZO", "-ov", str(target)]


def _run(command: Sequence[str]) -> None:
    done = quietly(command)
    if done.returncode:
        raise SetupError(f"{command[0]} failed:\n{last_lines(done.stdout)}")


def _identifier(kind: filetypes.FileType) -> str:
    return f"{IDENTIFIER}.{kind.id}"


def _document(title: str, types: list[str], rank: str) -> dict[str, Any]:
    return {
        "CFBundleTypeName": title,
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": rank,
        "LSItemContentTypes": types,
    }


def _declared(kind: filetypes.FileType) -> dict[str, Any]:
    return {
        "UTTypeIdentifier": _identifier(kind),
        "UTTypeDescription": kind.title,
        "UTTypeConformsTo": ["public.data"],
        "UTTypeTagSpecification": {
            "public.filename-extension": [ending.removeprefix(".") for ending in kind.endings],
            "public.mime-type": [kind.mime],
        },
    }
