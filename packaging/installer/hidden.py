"""Modules that are imported without PyInstaller noticing: by compiled packages, and by their names in tables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

COMPILED = ("capnp", "cbor2", "google_crc32c", "msgspec", "orjson")
SHOW = (
    "import sys; before = set(sys.modules); import {names}; "
    "new = (name for name in sys.modules if name not in before and getattr(sys.modules[name], '__spec__', None)); "
    "print('\\n'.join(sorted(new)))"
)


def loaded_by(packages: Sequence[str] = COMPILED, excluded: Sequence[str] = ()) -> list[str]:
    """The modules that a new interpreter loads for ``packages``, without the excluded ones."""
    command = [sys.executable, "-c", SHOW.format(names=", ".join(packages))]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in names if not any(name == out or name.startswith(f"{out}.") for out in excluded)]


def own(root: Path) -> list[str]:
    """All modules of the program: panels, for one, are imported by the names in their table."""
    paths = (path.relative_to(root).with_suffix("") for path in sorted((root / "app").rglob("*.py")))
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]
