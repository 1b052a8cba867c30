"""Texts for people: finds those that are marked, and those that should be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from dev_texts_exempt import EXEMPT, KEY_CALLS, NAMES, SEARCHED

MARKS = {"tr": 1, "plural": 2}
"""The markers, and how many literals each takes."""
_PLACE = re.compile(r"\{[^{}]*\}")
_SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;]? [A-Za-zX(]|[A-Za-zX][,.:;]? [A-Za-z]{2}")
_WORD = re.compile(r"[A-Z][a-z]")
_IDENTIFIER = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+")
_OPTION = re.compile(r"--[a-z-]+|\x1b\[\w")
_LOGS = {"log", "logging"}
_TYPES = ("Literal", "Final", "cast", "TypeVar")


@dataclass(frozen=True, slots=True)
class Text:
    """A marked text: its English, that of several ("" where nothing is counted), and where it stands."""

    english: str
    several: str
    path: str
    line: int


def marked(path: Path, root: Path) -> Iterator[Text]:
    """The marked texts of a module. ValueError for one that cannot be extracted or filled."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            texts = [own.value for own in node.args if isinstance(own, ast.Constant) and isinstance(own.value, str)]
            where = f"{path.relative_to(root).as_posix()}:{node.lineno}"
            if len(texts) != MARKS[node.func.id] or len(texts) != len(node.args):
                raise ValueError(f"{where}: {node.func.id} takes literals alone")
            check(where, texts, {keyword.arg for keyword in node.keywords}, node.func.id)
            yield Text(texts[0], texts[1] if len(texts) > 1 else "", where.rpartition(":")[0], node.lineno)


def check(where: str, texts: list[str], given: set[str | None], mark: str) -> None:
    """ValueError where places and arguments do not fit."""
    wanted: set[str | None] = set()
    for text in texts:
        for _, name, form, conversion in Formatter().parse(text):
            if name is None:
                continue
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or form not in ("", ",") or conversion:
                raise ValueError(f"{where}: {{{name}}} is no place")
            wanted.add(name)
    if mark == "plural":
        wanted.add("count")
    if wanted != given:
        raise ValueError(f"{where}: places {sorted(map(str, wanted))}, arguments {sorted(map(str, given))}")


def unmarked(path: Path, root: Path) -> Iterator[str]:
    """Places of a module with a text that a person may read and that no marker stands around."""
    name = path.relative_to(root).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = _text(node, parents)
        if text is not None and for_people(text) and not _exempt(name, text) and not _key(node, parents):
            yield f"{name}:{node.lineno}: {text[:100]}"  # type: ignore[attr-defined]


def for_people(text: str) -> bool:
    """Whether ``text`` (its places as ``{}``) looks like something to be read: words, or one that begins like a
    title."""
    plain = _OPTION.sub(" ", text)
    if text in NAMES or _IDENTIFIER.fullmatch(text) or not re.search(r"[A-Za-z]{2}|\b[aA] ", plain):
        return False
    plain = _PLACE.sub("X", plain)
    return bool(_SENTENCE.search(plain) or _WORD.match(plain))


def _text(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    """A literal, or an f-string with ``{}`` for its places; None for anything else and for parts of an f-string."""
    if isinstance(parents.get(node), ast.JoinedStr | ast.Expr):
        return None
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr) and not isinstance(parents.get(node), ast.FormattedValue):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def _exempt(name: str, text: str) -> bool:
    return any(re.match(path, name) and re.search(pattern, text) for path, pattern, _ in EXEMPT)


def _key(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a literal stands where programs read it, or is marked."""
    if isinstance(parents[node], ast.Compare) or _is_dict_key(node, parents[node]):
        return True
    while (parent := parents.get(node)) is not None:
        if isinstance(parent, ast.Call) and _takes_no_text(parent, node):
            return True
        if isinstance(parent, ast.keyword) and parent.arg == SEARCHED:
            return True
        if isinstance(parent, ast.Subscript) and ast.unparse(parent.value).endswith(_TYPES):
            return True
        if isinstance(parent, ast.AnnAssign | ast.arg) and node is parent.annotation:
            return True
        if isinstance(parent, ast.FunctionDef) and node is parent.returns:
            return True
        if isinstance(parent, ast.MatchValue | ast.Assert):
            return True
        if isinstance(parent, ast.Assign) and ast.unparse(parent.targets[0]) == "__all__":
            return True
        node = parent
    return False


def _is_dict_key(node: ast.AST, parent: ast.AST) -> bool:
    if isinstance(parent, ast.Dict):
        return node in parent.keys
    return isinstance(parent, ast.Subscript) and node is parent.slice


def _takes_no_text(call: ast.Call, argument: ast.AST) -> bool:
    """Whether ``call`` is a marker, a log line, or takes a key in the place of ``argument``."""
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    if name in MARKS or name in _TYPES:
        return True
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in _LOGS:
        return True
    if argument is called:  # a method of the literal itself
        return f"{name}#" in KEY_CALLS
    places = [str(number) for number, own in enumerate(call.args) if own is argument]
    places += [str(keyword.arg) for keyword in call.keywords if keyword is argument]
    return any(f"{name}#{place}" in KEY_CALLS for place in places)
