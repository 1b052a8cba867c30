#!/usr/bin/env python3
"""Sets up Tilesight and runs, tests, measures or builds it.

usage: dev.py run [FILE ...]           open the window (all arguments go to main.py)
       dev.py test [pytest arguments]  run all checks: style, types, layers, tests
       dev.py test --quick             the same without slow tests and journeys
       dev.py setup                    only create the environment (.venv)
       dev.py bench [NAME ...]         measure speed and memory against targets (--help lists them)
       dev.py soak [--minutes N]       stress the program with damaged files and repeated opening (--help: more)
       dev.py lines [REF]              files, lines and lines of code of each package (against a commit or tag)
       dev.py texts [--update]         compare catalogues of translations with the texts (--update: update them)
       dev.py build [--check]          build the packages in dist/ (--check: install them in a clean system)
       dev.py wheel-check              install the wheel with the newest packages under every Python that is found, and
                                       run its self-test (--update-pins: then pin these packages)
       dev.py release VERSION          commit and tag a version, with its wheel, source archive, bill of materials and
                                       checksums in dist/ (--dry-run: only in build/release)
       dev.py flatpak                  download the wheels of the Flatpak; build it if flatpak-builder is installed

Uses only the standard library, so that it runs on a machine that has only Python.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts it with an older one is told so
    sys.exit(f"Tilesight needs Python 3.11 or newer; this is {sys.version.split()[0]}")

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import dev_checks
import dev_environment
import dev_measure
import dev_scanner
import dev_system
from dev_shell import SetupError, say

HELP = frozenset(("-h", "--help"))
ROOT = Path(__file__).resolve().parent.parent


def main(words: Sequence[str]) -> int:
    """Exit status: 0 success, 1 a failure, 2 usage error; for ``run`` that of the program."""
    commands = {"run": run, "test": test, "setup": setup, "bench": bench, "soak": soak, "texts": texts}
    commands |= {"build": build, "flatpak": flatpak, "wheel-check": wheel_check, "release": release, "lines": lines}
    passed = words[:1] in (["run"], ["test"], ["bench"], ["soak"], ["texts"])  # all their words go to another program
    own = words[:1] if passed else words
    if not HELP.isdisjoint(own):
        print(__doc__)
        return 0
    if not words or words[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return commands[words[0]](words[1:])
    except SetupError as error:
        say(f"Tilesight cannot be set up: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


def run(arguments: Sequence[str]) -> int:
    """Replaces this process by main.py, in the user's current folder, so that relative paths are resolved there."""
    command = [str(prepare()), str(ROOT / "main.py"), *arguments]
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode


def test(arguments: Sequence[str]) -> int:
    return dev_checks.check(prepare(journeys=dev_checks.QUICK not in arguments), ROOT, arguments)


def build(arguments: Sequence[str]) -> int:
    import dev_build  # not needed by other commands

    return dev_build.build(ROOT, arguments)


def wheel_check(arguments: Sequence[str]) -> int:
    import dev_wheel_check  # not needed by other commands

    return dev_wheel_check.check(ROOT, arguments)


def release(arguments: Sequence[str]) -> int:
    import dev_release  # not needed by other commands

    return dev_release.release(prepare(), ROOT, arguments)


def flatpak(arguments: Sequence[str]) -> int:
    import dev_flatpak  # not needed by other commands

    return dev_flatpak.make(prepare(), ROOT, arguments)


def setup(arguments: Sequence[str]) -> int:
    if arguments:
        say(f"setup takes no arguments: {' '.join(arguments)}")
        return 2
    prepare()
    return 0


def bench(arguments: Sequence[str]) -> int:
    return dev_measure.start(prepare(), ROOT, "benchmarks", arguments)


def soak(arguments: Sequence[str]) -> int:
    return dev_measure.start(prepare(), ROOT, "soak", arguments)


def lines(arguments: Sequence[str]) -> int:
    import dev_lines  # not needed by other commands

    return dev_lines.main(ROOT, arguments)


def texts(arguments: Sequence[str]) -> int:
    command = [str(prepare()), str(ROOT / "packaging" / "dev_catalogues.py"), *arguments]
    return subprocess.run(command, cwd=ROOT, env=dev_checks.environment(), check=False).returncode


def prepare(*, journeys: bool = False) -> Path:
    """Installs missing system packages (with ``journeys`` a desktop for the tests) and provides the environment;
    returns its Python."""
    began = time.perf_counter()
    dev_system.provide(venv=dev_environment.lacks_venv(ROOT), journeys=journeys)
    python = dev_environment.provide(ROOT)
    dev_scanner.provide(ROOT)
    took = time.perf_counter() - began
    say(f"Environment ready ({took * 1000:.0f} ms)" if took < 1 else f"Environment ready ({took:.0f} s)")
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
