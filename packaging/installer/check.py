"""Installs the built package, uses it, and removes it again."""

from __future__ import annotations

from pathlib import Path

from dev_shell import SetupError
from installer import clean_root, product, screen, validate
from installer.bundle import Bundle
from installer.clean_root import CleanRoot
from installer.steps import Facts

STARTS = 5
SLOWEST = 1.5
"""Longest start-up time of the bundle, relative to that from source."""
PROGRAM = f"/usr/bin/{product.NAME}"


def check(root: Path, python: Path, made: Bundle, deb: Path, facts: Facts) -> None:
    """``python``: the interpreter of the environment that the bundle was made with."""
    with clean_root.fresh(root) as clean:
        facts.run("installation", lambda: clean.install(deb))
        facts.run("--version", lambda: version(root, clean))
        facts.run("--self-test", lambda: self_test(clean))
        facts.run("kinds of files", lambda: kinds(root, clean))
        with screen.screen() as shown:
            facts.run("window", lambda: window(root, python, clean, shown))
            facts.run("start-up", lambda: start_up(root, python, made, shown))
        facts.run("removal", clean.remove)


def version(root: Path, clean: CleanRoot) -> str:
    output = clean.run([PROGRAM, "--version"], person=True)
    if output != f"{product.NAME} {product.version(root)}":
        raise SetupError(f"it says {output!r}")
    return output


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
    sample = f"/opt/{product.NAME}/_internal/resources/samples/matmul_leakyrelu.bin"
    target = root / "build" / "window.png"
    command = clean.command([PROGRAM, sample], person=True, display=shown.name)
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
