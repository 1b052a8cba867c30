"""The libraries that a Linux binary needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

MAGIC = b"\x7fELF"


def is_elf(path: Path) -> bool:
    """Whether ``path`` is a regular file that begins like a Linux binary."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def needed(path: Path) -> list[str]:
    """The libraries that it names itself (unlike ``ldd``, without what these need in turn)."""
    done = subprocess.run(["objdump", "-p", str(path)], capture_output=True, text=True, check=False)
    return parse(done.stdout)


def parse(text: str) -> list[str]:
    """The names in the output of ``objdump -p``."""
    return re.findall(r"^\s+NEEDED\s+(\S+)$", text, re.MULTILINE)
