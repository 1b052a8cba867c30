"""Keeps an error in an override of a Qt method from ending the process.

Before Python 3.12 an error that was raised inside C code (a division by zero, an index out of range, most errors of
numpy) has no exception object until some Python code catches it. PySide6 6.11 takes it for one when it leaves a method
that Qt called (a paint, an event, an event filter, a model's data), and crashes (seen with PySide6 6.11.3 on Python
3.11.7: SIGSEGV in ``PepException_GetArgs``). Catching and raising it again makes the object.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from PySide6.QtCore import QObject

OTHERS: Final = frozenset(
    (
        "canFetchMore",
        "columnCount",
        "data",
        "fetchMore",
        "flags",
        "hasChildren",
        "headerData",
        "index",
        "lessThan",
        "mimeData",
        "parent",
        "rowCount",
        "setData",
        "sort",
        "createEditor",
        "drawControl",
        "drawPrimitive",
        "event",
        "eventFilter",
        "heightForWidth",
        "initStyleOption",
        "minimumSizeHint",
        "paint",
        "paintSection",
        "sectionSizeFromContents",
        "sizeHint",
        "updateEditorGeometry",
    )
)
"""What Qt calls besides the methods that end in "Event"."""


def install() -> None:
    """From now on every class made from a Qt class has such overrides wrapped. Slots are left alone: PySide counts
    their arguments, and their errors are whole."""
    if sys.version_info < (3, 12):
        QObject.__init_subclass__ = classmethod(_wrap_overrides)  # type: ignore[assignment, arg-type]


def _wrap_overrides(made: type, **_words: Any) -> None:
    for name, value in list(vars(made).items()):
        if isinstance(value, FunctionType) and (name.endswith("Event") or name in OTHERS):
            setattr(made, name, _whole(value))


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*arguments: Any, **words: Any) -> Any:
        try:
            return method(*arguments, **words)
        except BaseException:  # this makes the exception object
            raise

    return call
