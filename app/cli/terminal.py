"""Standard output and standard error of the commands. Names and contents are untrusted: characters that could move the
cursor, change colours or imitate another line are printed as escapes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Final, TextIO

from app.language import tr, untranslated
from app.profile.one_line import one_line

_CONTROLS = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that JSON allows in a string although they can mislead a terminal or a reader."""


LEAST, MOST = -(1 << 63), (1 << 64) - 1
"""The whole numbers that JSON is written with; others lose digits."""


class OutputError(Exception):
    """Standard output cannot be written; one line that says why."""


def say(lines: Iterable[str]) -> None:
    """Prints texts to standard output, each on a single line. OutputError; BrokenPipeError if the reader has closed the
    pipe."""
    _write("".join(f"{one_line(line)}\n" for line in lines))


def say_styled(lines: Iterable[str]) -> None:
    """Like ``say``, for lines with our own colour codes: their parts must have passed ``one_line`` before."""
    _write("".join(f"{line}\n" for line in lines))


def say_json(value: Any) -> None:
    """Prints one JSON document to standard output. OutputError; BrokenPipeError if the reader has closed the pipe."""
    _write(json_text(value))


def say_pieces(pieces: Iterable[str]) -> None:
    """Prints texts that are made while they are printed, such as parts of a long document. OutputError;
    BrokenPipeError if the reader has closed the pipe."""
    for piece in pieces:
        _write(piece)


def complain(line: str) -> None:
    """Prints one line to standard error, if there is one."""
    if sys.stderr is not None:
        print(one_line(line), file=sys.stderr)


QUIET: Final[ContextVar[bool]] = ContextVar("quiet", default=False)
"""Whether the running command says only errors (`-q`)."""


def remark(line: str) -> None:
    """Prints one line to standard error that is no error, unless the command is quiet."""
    if not QUIET.get():
        complain(line)


def say_bytes(content: bytes) -> None:
    """Writes the content of a file to standard output. OutputError; BrokenPipeError if the reader has closed the
    pipe."""
    if sys.stdout is None:
        raise OutputError(tr("standard output is closed"))
    flush()
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(tr("standard output: {reason}", reason=error.strerror or error)) from error


def usage_error(line: str) -> int:
    """Prints one line to standard error; returns the exit status of wrong arguments."""
    complain(line)
    return 2


def json_text(value: Any, *, indented: bool = True) -> str:
    """JSON, indented or on one line. Characters that UTF-8 cannot represent, and control characters, become escapes."""
    import orjson  # not for commands that only print a line

    layout = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE if indented else 0
    text = orjson.dumps(_encodable(value), option=layout).decode()
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def flush() -> None:
    """Flushes standard output. OutputError; BrokenPipeError if the reader has closed the pipe."""
    if sys.stdout is not None:
        _write("")


def give_up_output() -> None:
    """Discards unwritten output, so that the end of the process does not fail on it."""
    if sys.stdout is not None:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123 (the descriptor is what counts)
            os.dup2(nowhere.fileno(), _descriptor(sys.stdout))


def _write(text: str) -> None:
    if sys.stdout is None:
        raise OutputError(tr("standard output is closed"))
    try:
        if text:  # Python hands on an empty text, too, which a full disk does not take either
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: it was closed within this process
        raise OutputError(tr("standard output: {reason}", reason=getattr(error, "strerror", None) or error)) from error


def _descriptor(stream: TextIO) -> int:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return 1


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return untranslated(value).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    if type(value) is int and not LEAST <= value <= MOST:  # sums of figures of hostile files
        return float(value)
    return value
