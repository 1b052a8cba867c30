"""How large each floor of the house is: `dev.py lines [REF]` (against a commit or tag).

Prints files, lines and lines of code (without blank lines, imports, docstrings and comments) of each package of
``app``. A mirror, not a gate.
"""

from __future__ import annotations

import ast
import io
import subprocess
import tarfile
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = "app"
TOP = "(top)"
NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)


@dataclass(frozen=True, slots=True)
class Size:
    """``code``: lines of code."""

    files: int = 0
    lines: int = 0
    code: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.files + other.files, self.lines + other.lines, self.code + other.code)

    def __sub__(self, other: Size) -> Size:
        return Size(self.files - other.files, self.lines - other.lines, self.code - other.code)


def main(root: Path, words: Sequence[str]) -> int:
    """Exit status: 0, 1 if the commit is unknown, 2 for unknown words."""
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print(__doc__)
        return 2
    now = floors(working_files(root))
    try:
        before = floors(files_of(root, words[0])) if words else {}
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode().strip())
        return 1
    print("\n".join(report(now, before)))
    return 0


def working_files(root: Path) -> Iterator[tuple[str, str]]:
    """(path, text) of the modules as they are now."""
    for path in sorted((root / SOURCE).rglob("*.py")):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def files_of(root: Path, ref: str) -> Iterator[tuple[str, str]]:
    """(path, text) of the modules of a commit. CalledProcessError if there is no such commit."""
    command = ["git", "archive", "--format=tar", f"{ref}^{{commit}}", SOURCE]
    packed = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".py") else None
            if file is not None:
                yield member.name, file.read().decode("utf-8")


def floors(files: Iterator[tuple[str, str]]) -> dict[str, Size]:
    """The size of each package of the source."""
    sizes: dict[str, Size] = {}
    for path, text in files:
        _, floor, *below = path.split("/")
        name = floor if below else TOP
        sizes[name] = sizes.get(name, Size()) + size(text)
    return sizes


def size(text: str) -> Size:
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and (isinstance(node, ast.Import | ast.ImportFrom) or is_docstring(node)):
            code.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return Size(1, text.count("\n"), len(code))


def is_docstring(node: ast.AST) -> bool:
    """Whether a statement is a text alone: a docstring of a module, class, function, or of the constant above it."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def report(now: Mapping[str, Size], before: Mapping[str, Size]) -> Iterator[str]:
    """One line a floor, largest first, then their sum; with changes if ``before`` has any."""
    total = [sum(sizes.values(), Size()) for sizes in (now, before)]
    rows = sorted(now.keys() | before.keys(), key=lambda name: -now.get(name, Size()).lines)
    yield f"{'floor':12}" + "".join(f"{title:>24}" for title in ("files", "lines", "lines of code"))
    for name, own, former in [(row, now.get(row, Size()), before.get(row, Size())) for row in rows] + [
        ("all", total[0], total[1])
    ]:
        change = own - former
        cells = ((own.files, change.files), (own.lines, change.lines), (own.code, change.code))
        yield f"{name:12}" + "".join(f"{f'{value:,} ({by:+,})' if before else f'{value:,}':>24}" for value, by in cells)
