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
from typing import Any

from PySide6.QtCore import QObject

QT = "PySide6."


def install() -> None:
    """From now on the overrides of every new class that is made from a Qt class are wrapped; Qt's own classes are left
    as they are. Done where all such classes pass, because one override that is forgotten is enough for a crash."""
    if sys.version_info < (3, 12):
        QObject.__init_subclass__ = classmethod(_wrap_overrides)  # type: ignore[assignment, arg-type]


def _wrap_overrides(made: type[QObject], **words: Any) -> None:
    """What others do when a class is made comes first."""
    super(QObject, made).__init_subclass__(**words)
    for name, value in list(vars(made).items()):
        if isinstance(value, FunctionType) and overrides_qt(made, name):
            setattr(made, name, _whole(value))


def overrides_qt(made: type, name: str) -> bool:
    """Whether a Qt class above ``made`` has a method of that name. Slots of our own are left alone: PySide counts their
    arguments, and their errors are whole. So are names like __init__, which Qt does not call."""
    above = (base for base in made.__mro__ if base.__module__.startswith(QT))
    return not name.startswith("__") and any(name in vars(base) for base in above)


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*arguments: Any, **words: Any) -> Any:
        try:
            return method(*arguments, **words)
        except BaseException:  # this makes the exception object
            raise

    return call
