"""No module hands Qt a text of strangers but through the functions that cut and escape (``app/widgets/texts.py``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

GUESSING = {"QLabel": "texts.py", "QMessageBox": "dialogs.py", "QTextBrowser": "help_window.py"}
"""Widgets that guess whether a text is markup, and the one module that may make them (pages of the help are ours)."""
OURS = {"setMarkdown": "help_window.py"}
NEVER = {"QErrorMessage", "QInputDialog", "QProgressDialog", "QTextDocument", "QTextEdit", "QWhatsThis"}
NEVER_CALLED = {"appendHtml", "insertHtml", "setHtml", "setMarkdown", "setWhatsThis"}
TIPS = {"setToolTip": -1, "setTabToolTip": -1, "showText": 1}
MEASURES = {"elidedText": {"texts.py"}, "horizontalAdvance": {"texts.py"}}
SHOWS = {"setAccessibleDescription", "setAccessibleName", "setPlainText", "setPlaceholderText", "showMessage"}
WATCHED = {*GUESSING, *NEVER, *NEVER_CALLED, *TIPS, *MEASURES, *SHOWS}
CUTTING = {"caption", "page", "paragraph", "shown_line", "text", "tip"}


def offences(path: Path) -> Iterator[str]:
    code = path.read_text(encoding="utf-8")
    if not any(word in code for word in WATCHED):
        return  # parsing all modules takes seconds
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ClassDef):
            names = {base.id for base in node.bases if isinstance(base, ast.Name)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = {node.func.id}
        else:
            names = set()
        if names & NEVER or any(GUESSING.get(name, path.name) != path.name for name in names):
            yield f"{path}:{node.lineno}: {', '.join(names)}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and offends(node, node.func.attr, path):
            yield f"{path}:{node.lineno}: {ast.unparse(node)[:100]}"


def offends(call: ast.Call, name: str, path: Path) -> bool:
    if name in NEVER_CALLED:
        return OURS.get(name) != path.name
    if name in TIPS:
        return not is_cut(call.args[TIPS[name]], {"tip"})
    if name in MEASURES:
        return path.name not in MEASURES[name] and not isinstance(call.args[0], ast.Constant)
    return name in SHOWS and bool(call.args) and not is_cut(call.args[0], CUTTING)


def is_cut(text: ast.expr, by: set[str]) -> bool:
    """Whether ``text`` is one of ours or comes from a function that cuts."""
    if isinstance(text, ast.Name):
        return text.id.isupper()
    if isinstance(text, ast.Call):
        called = text.func
        if isinstance(called, ast.Name) and called.id == "tr" and not text.keywords:
            return True
        return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in by
    return isinstance(text, ast.Constant)


def test_texts_reach_qt_through_the_border(root: Path) -> None:
    files = sorted((root / "app").rglob("*.py"))
    assert len(files) > 100
    assert [offence for path in files for offence in offences(path)] == []


def test_the_border_is_watched(tmp_path: Path) -> None:
    path = tmp_path / "panel.py"
    path.write_text(
        "QLabel(name)\nbox.setToolTip(name)\nQToolTip.showText(place, name)\nmetrics.elidedText(name, 0, 9)\n"
        "box.setHtml(name)\nbox.setPlainText(f'{name}')\nclass Box(QMessageBox): pass\nQTextBrowser()\n"
        "box.setToolTip(tip(name))\nbox.setToolTip('ours')\nLabel(name)\n"
    )
    assert len(list(offences(path))) == 8
