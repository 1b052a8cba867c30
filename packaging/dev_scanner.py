"""The compiled scanner of trace events: made from ``packaging/scanner`` where a Rust compiler is found. It is optional,
and needs nothing but the compiler."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path

from dev_shell import last_lines, quietly, say

SOURCES = "packaging/scanner"
FOLDER = "resources/scanner"
STAMP = "build/scanner.sha256"
ENDING = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
CHECKED = ("--edition", "2021", "-C", "overflow-checks=on")
"""Of the library and of what tests it: arithmetic never goes on with a wrong number."""
FAST = ("-C", "opt-level=3", "-C", "codegen-units=1", "-C", "lto=fat", "-C", "strip=symbols")
LEAST_GLIBC = 17


def library_of(root: Path) -> Path:
    """Where the library is, if it is there."""
    return root / FOLDER / f"trace_scanner.{ENDING}"


def provide(root: Path) -> None:
    """Makes the library if it is missing or older than its source. Says in one line why not."""
    source = root / SOURCES / "lib.rs"
    if not source.is_file():
        return
    compiler = shutil.which("rustc")
    if compiler is None:
        if not library_of(root).is_file():
            say(
                "No Rust compiler (rustc) is found: large traces are read without the compiled scanner, which is slower"
            )
        return
    stamp, library = root / STAMP, library_of(root)
    wanted = digest(root)
    if library.is_file() and stamp.is_file() and stamp.read_text() == wanted:
        return
    library.parent.mkdir(parents=True, exist_ok=True)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    new = library.with_suffix(".new")  # a process may have loaded the old one
    places = f"--remap-path-prefix={source.parent}=scanner"  # the library says where an error is, not where it was made
    command = [compiler, *CHECKED, *FAST, places, "--crate-type", "cdylib", "-o", str(new), str(source)]
    done = quietly(command)
    if done.returncode:
        new.unlink(missing_ok=True)
        say(f"The scanner of traces cannot be compiled and is left out:\n{last_lines(done.stdout)}")
        return
    new.replace(library)
    stamp.write_text(wanted)
    say(f"Made {FOLDER}/{library.name}")


def digest(root: Path) -> str:
    """Changes with the source and with how it is compiled."""
    made = hashlib.sha256(repr((CHECKED, FAST)).encode())
    for path in sorted((root / SOURCES).glob("*.rs")):
        made.update(path.read_bytes())
    return made.hexdigest()


def tag(library: Path, machine: str) -> str:
    """The tag of a wheel that contains ``library``: no Python in particular, and the oldest C library that has what it
    needs."""
    if library.suffix != ".so":
        raise ValueError(f"{library.name}: packaging/README.md says how wheels of this system are tagged")
    needed = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library.read_bytes())]
    return f"py3-none-manylinux_2_{max([LEAST_GLIBC, *needed])}_{machine}"
