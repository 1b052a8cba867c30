"""The Windows build: icon, version resource, and the call of Inno Setup. Not yet run on Windows."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from dev_shell import SetupError, last_lines, quietly
from installer import pictures, product

WINDOW = f"{product.NAME}w"
"""The program without a console, like Python's ``pythonw``."""
SIGNING = "TILESIGHT_SIGNTOOL"
"""The variable with the command that signs a file, with $f for its name, such as ``signtool sign /fd sha256 /tr URL /td
sha256 /a $f``. Inno Setup signs the installer and the uninstaller with it."""
COMPILERS = (r"C:\Program Files (x86)\Inno Setup 6\ISCC.exe", r"C:\Program Files\Inno Setup 6\ISCC.exe")
SCRIPT = Path(__file__).resolve().parent / "tilesight.iss"


def resources(root: Path) -> dict[str, str]:
    """Arguments for PyInstaller's EXE; none on other systems."""
    if os.name != "nt":
        return {}
    version = root / "build" / "version.txt"
    version.parent.mkdir(parents=True, exist_ok=True)
    version.write_text(version_resource(product.version(root)), encoding="utf-8")
    icon = pictures.write_ico(root, root / "build" / f"{product.NAME}.ico")
    return {"icon": str(icon), "version": str(version)}


def version_resource(version: str) -> str:
    """The version information that Explorer shows under Details, in PyInstaller's notation."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    four = (*numbers, 0, 0, 0, 0)[:4]
    texts = {
        "FileDescription": product.SUMMARY,
        "FileVersion": version,
        "InternalName": product.NAME,
        "LegalCopyright": f"The {product.TITLE} developers, {product.LICENCE}",
        "OriginalFilename": f"{product.NAME}.exe",
        "ProductName": product.TITLE,
        "ProductVersion": version,
    }
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in texts.items())
    return (
        "VSVersionInfo(\n"
        f"  ffi=FixedFileInfo(filevers={four}, prodvers={four}),\n"
        f"  kids=[StringFileInfo([StringTable('040904B0', [{table}])]),\n"
        "        VarFileInfo([VarStruct('Translation', [1033, 1200])])],\n"
        ")\n"
    )


def setup(root: Path, bundle: Path, target: Path) -> str:
    """Runs Inno Setup; SetupError if it is missing or fails."""
    compiler = shutil.which("iscc") or next((path for path in COMPILERS if Path(path).is_file()), None)
    if compiler is None:
        raise SetupError("Inno Setup 6 is not installed (or iscc.exe not on the path)")
    done = quietly(setup_command(compiler, root, bundle, target))
    if done.returncode:
        raise SetupError(f"Inno Setup failed:\n{last_lines(done.stdout)}")
    return f"tilesight-{product.version(root)}-windows-x64-setup.exe"


def setup_command(compiler: str, root: Path, bundle: Path, target: Path) -> list[str]:
    """The command that runs Inno Setup on our script, with everything that varies."""
    return [
        compiler,
        f"/DVersion={product.version(root)}",
        f"/DBundle={bundle}",
        f"/DIcon={root / 'build' / (product.NAME + '.ico')}",
        f"/DLicence={root / 'LICENSE'}",
        f"/O{target}",
        *((f"/Ssign={os.environ[SIGNING]}", "/DSign") if os.environ.get(SIGNING) else ()),
        str(SCRIPT),
    ]
