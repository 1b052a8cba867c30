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
    """Wraps the overrides of every class that is made from a Qt class, now or later; Qt's own are left as they are.

    This is the only place that changes a Qt class. It is where all such classes pass, and one override that is
    forgotten is enough for a crash: a base class or a decorator of ours would be forgotten. From Python 3.12 on nothing
    is done."""
    if sys.version_info < (3, 12) and "__init_subclass__" not in vars(QObject):
        QObject.__init_subclass__ = classmethod(_made)  # type: ignore[assignment, arg-type]
        for known in _below(QObject):
            _wrap_overrides(known)


def _made(made: type[QObject], **words: Any) -> None:
    """What others do when a class is made comes first."""
    super(QObject, made).__init_subclass__(**words)
    _wrap_overrides(made)


def _below(kind: type[QObject]) -> set[type[QObject]]:
    """The classes that are made from it."""
    classes = set(kind.__subclasses__())
    return classes.union(*(_below(made) for made in classes))


def _wrap_overrides(made: type[QObject]) -> None:
    for name, value in list(vars(made).items()) if not made.__module__.startswith(QT) else ():
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
