"""Installs the built package, uses it, and removes it again."""

from __future__ import annotations

import json
from pathlib import Path

from dev_shell import SetupError
from installer import clean_root, product, screen, upgrade, validate
from installer.bundle import Bundle
from installer.clean_root import HOME, CleanRoot
from installer.steps import Facts

STARTS = 5
SLOWEST = 1.5
"""Longest start-up time of the bundle, relative to that from source."""
PROGRAM = f"/usr/bin/{product.NAME}"
SAMPLE = f"/opt/{product.NAME}/_internal/resources/samples/matmul_leakyrelu.bin"
COMMANDS = {
    "help": (f"{PROGRAM} help timeline", "Where the figures come from"),
    "Chinese": (f"TILESIGHT_LANGUAGE=zh_CN {PROGRAM} help timeline", "如何阅读"),
    "Chinese texts": (f"TILESIGHT_LANGUAGE=zh_CN {PROGRAM} --help", "选项"),
    "report": (f"{PROGRAM} report {SAMPLE} -o {HOME}/report.html && head -c 15 {HOME}/report.html", "<!DOCTYPE html>"),
    "workbook": (f"{PROGRAM} export {SAMPLE} --table lanes -o {HOME}/a.xlsx && head -c 2 {HOME}/a.xlsx", "PK"),
    "picture": (f"{PROGRAM} --screenshot {HOME}/a.png --theme contrast {SAMPLE} && head -c 4 {HOME}/a.png", "PNG"),
    "completion": (
        f"bash -c '. /usr/share/bash-completion/completions/{product.NAME}; complete -p {product.NAME}'",
        "-F _tilesight",
    ),
    "query": (f"{PROGRAM} query {SAMPLE} 'select 1'", "use pip install 'tilesight[sql]'"),
    "parquet": (
        f"{PROGRAM} export {SAMPLE} --table lanes -o {HOME}/a.parquet",
        "use pip install 'tilesight[parquet]'",
    ),
}
"""Commands, and what their output contains."""


def check(root: Path, python: Path, made: Bundle, deb: Path, facts: Facts) -> None:
    """``python``: the interpreter of the environment that the bundle was made with."""
    with clean_root.fresh(root) as clean:
        facts.run("upgrade", lambda: upgrade.upgrade(clean, deb, clean_root.scratch(root)))
        facts.run("--version", lambda: version(root, clean))
        facts.run("commands", lambda: commands(clean))
        facts.run("--self-test", lambda: self_test(clean))
        facts.run("kinds of files", lambda: kinds(root, clean))
        with screen.screen() as shown:
            facts.run("window", lambda: window(root, python, clean, shown))
            facts.run("start-up", lambda: start_up(root, python, made, shown))
        facts.run("settings", lambda: upgrade.used(clean))
        facts.run("removal", lambda: upgrade.removal(clean))


def version(root: Path, clean: CleanRoot) -> str:
    output = clean.run([PROGRAM, "--version"], person=True)
    if output != f"{product.NAME} {product.version(root)}":
        raise SetupError(f"it says {output!r}")
    facts = json.loads(clean.run([PROGRAM, "--version", "--json"], person=True))
    missing = [name for name in ("commit", "date", "qt", "pyside", "numpy") if not facts[name]]
    if missing or facts["installation"] != "deb":
        raise SetupError(f"--json: {facts['installation']}, nothing about {', '.join(missing) or 'others'}")
    return f"{output}, commit {facts['commit']}, Qt {facts['qt']}"


def commands(clean: CleanRoot) -> str:
    """Runs each command that needs files of its own in the bundle, or a library that is in it or left out of it."""
    done = []
    for name, (words, expected) in COMMANDS.items():
        output = clean.run(["sh", "-c", f"{words} 2>&1 || true"], person=True)
        if expected not in output:
            raise SetupError(f"{name}: {words} prints {output[-300:]!r} without {expected!r}")
        done.append(name)
    return ", ".join(done)


def self_test(clean: CleanRoot) -> str:
    lines = clean.run([PROGRAM, "--self-test"], person=True).splitlines()
    print("\n".join(f"    {line}" for line in lines), flush=True)
    return lines[-1]


def kinds(root: Path, clean: CleanRoot) -> str:
    """The file types that the installed system detects for the bundled samples, and their default programs."""
    detected = []
    for name, expected in samples(root).items():
        inside = f"/opt/{product.NAME}/_internal/resources/samples/{name}"
        words = ["env", "XDG_CURRENT_DESKTOP=GNOME", "xdg-mime", "query"]
        kind = clean.run([*words, "filetype", inside])
        if kind != expected:
            raise SetupError(f"{name} is taken for {kind or 'nothing'}, not for {expected}")
        if expected != "application/json":
            program = clean.run([*words, "default", kind])
            if program != f"{product.NAME}.desktop":
                raise SetupError(f"{kind} would be opened with {program or 'nothing'}")
        detected.append(f"{name} {kind}")
    return ", ".join(detected)


def samples(root: Path) -> dict[str, str]:
    folder = root / "resources" / "samples"
    files = sorted(path for path in folder.rglob("*") if path.suffix in validate.EXPECTED)
    return {path.relative_to(folder).as_posix(): validate.EXPECTED[path.suffix] for path in files}


def window(root: Path, python: Path, clean: CleanRoot, shown: screen.Screen) -> str:
    """Opens a sample in the installed program in the clean root as an unprivileged user."""
    target = root / "build" / "window.png"
    command = clean.command([PROGRAM, SAMPLE], person=True, display=shown.name)
    with shown.started(command) as seconds:
        shown.settle(python, target)
    return f"on the screen after {seconds:.2f} s, drawn in {target.relative_to(root)}"


def start_up(root: Path, python: Path, made: Bundle, shown: screen.Screen) -> str:
    """Compares the start-up time of the bundle with that from source, both on this machine."""
    bundled = [str(made.folder / product.NAME)]
    source = [str(python), str(root / "main.py")]
    quick, slow = screen.compare(shown, source, bundled, STARTS)
    text = f"{slow * 1000:.0f} ms bundled, {quick * 1000:.0f} ms from source: {slow / quick:.2f} x (up to {SLOWEST} x)"
    if slow > SLOWEST * quick:
        raise SetupError(text)
    return f"{text}, medians of {STARTS}"
