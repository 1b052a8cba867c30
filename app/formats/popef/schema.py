"""The schema of the messages, loaded when the first one is decoded (importing the library takes 40 ms)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from app.formats.errors import FormatError
from app.formats.popef.framing import WORD
from app.language import tr
from app.resources import resource

SPARE_WORDS = 1024
NESTING = 16
REASON_CHARACTERS = 160


@cache
def schema() -> Any:
    """The loaded schema; FormatError if the library cannot be used."""
    try:
        import capnp
    except ImportError as error:
        raise FormatError(
            tr("the messages cannot be decoded: pycapnp cannot be loaded ({error})", error=error)
        ) from error
    capnp.remove_import_hook()
    path = resource("popef.capnp")
    _stand_somewhere(path.anchor)
    return capnp.load(str(path))


def _stand_somewhere(folder: str) -> None:
    """Changes to an existing folder if the current one was deleted: the library asks for the current folder and would
    end the process. Relative paths have no meaning in a deleted folder, so nothing is lost."""
    try:
        Path.cwd()
    except OSError:
        os.chdir(folder)
        os.environ.pop("PWD", None)  # a warning about it would appear on standard error


@contextmanager
def opened(root: str, message: bytes) -> Iterator[Any]:
    """The structure named ``root`` in ``message``, valid inside the with block.

    ``message`` must be a separate bytes object (a slice of a larger buffer may be unaligned, which the library
    rejects). Each word may be visited about once: a message that refers to the same words again and again, or that
    claims millions of elements without a byte each, raises an error instead of filling the memory.
    """
    limit = len(message) // WORD + SPARE_WORDS
    with getattr(schema(), root).from_bytes(
        message, traversal_limit_in_words=limit, nesting_limit=NESTING
    ) as structure:
        yield structure


@cache
def errors() -> tuple[type[Exception], ...]:
    """The errors that reading a field of a broken message raises."""
    import capnp

    return (capnp.KjException, ValueError, RuntimeError, MemoryError)


def reason(error: Exception) -> str:
    """The library's message without source lines, conditions, advice and stack."""
    text = " ".join(str(error).split("stack:")[0].split()) or type(error).__name__
    if "unboundedSize" in text:
        return tr("a text does not end with a NUL")  # the library shows its C++ expression for this one
    text = text.split("failed: ", 1)[-1].split("; ", 1)[-1]
    for advice in (" This usually indicates", " See capnp"):
        text = text.split(advice, 1)[0]
    return text.rstrip(".")[:REASON_CHARACTERS]
