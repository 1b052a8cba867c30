"""Modules that compiled packages import without PyInstaller noticing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

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
