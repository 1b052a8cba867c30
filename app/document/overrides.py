"""What is changed in PySide: an error in an override of a Qt method does not crash the process, and importing a module
does not read its source.

Before Python 3.12 an error raised in C code (a division by zero, an index out of range, most errors of numpy) has no
exception object until Python code catches it. When it leaves a method that Qt called (a paint, an event, an event
filter, a model's data), PySide6 6.11 assumes that the object exists and crashes (seen with PySide6 6.11.3 on Python
3.11.7: SIGSEGV in ``PepException_GetArgs``). Catching and re-raising the error creates the object.
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
    """Wraps the Qt overrides of every class derived from a Qt class, existing or future; Qt's own classes are
    unchanged. Does nothing from Python 3.12 on.

    This is the only place that patches a Qt class. A base class or decorator of our own would sooner or later be
    forgotten, and a single unwrapped override can crash; ``__init_subclass__`` covers every class."""
    if sys.version_info < (3, 12) and "__init_subclass__" not in vars(QObject):
        QObject.__init_subclass__ = classmethod(_made)  # type: ignore[assignment, arg-type]
        for known in _below(QObject):
            _wrap_overrides(known)


def _made(made: type[QObject], **words: Any) -> None:
    """The ``__init_subclass__`` of QObject; other implementations run first."""
    super(QObject, made).__init_subclass__(**words)
    _wrap_overrides(made)


def _below(kind: type[QObject]) -> set[type[QObject]]:
    """All classes derived from ``kind``, directly or indirectly."""
    classes = set(kind.__subclasses__())
    return classes.union(*(_below(made) for made in classes))


def _wrap_overrides(made: type[QObject]) -> None:
    for name, value in list(vars(made).items()) if not made.__module__.startswith(QT) else ():
        if isinstance(value, FunctionType) and overrides_qt(made, name):
            setattr(made, name, _whole(value))


def overrides_qt(made: type, name: str) -> bool:
    """Whether a Qt base class of ``made`` has a method of that name. Our own slots are not wrapped: PySide counts their
    arguments, and their errors have an object. Nor are names such as __init__, which Qt does not call."""
    above = (base for base in made.__mro__ if base.__module__.startswith(QT))
    return not name.startswith("__") and any(name in vars(base) for base in above)


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*arguments: Any, **words: Any) -> Any:
        try:
            return method(*arguments, **words)
        except BaseException:  # catching creates the exception object
            raise

    return call


def skip_features() -> None:
    """Tells PySide that no module uses its optional names in snake_case (``from __feature__ import ...``), as none
    does. PySide 6.11 finds that out by searching the source of each imported module for "PySide6", and ``linecache``
    keeps what was read: a fifth of the time of all imports, and 18 MB."""
    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        setattr(feature, "_mod_uses_pyside", lambda _module: False)  # noqa: B010 (mypy knows no such name)
