"""The compiled scanner of trace events (``packaging/scanner``), where there is one for this system.

It is a library without dependencies and is called through ``ctypes``. Its source is checked for every access, but files
come from strangers: only processes that read files for others may use it (``allow``), never the window.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Final, Literal

from app.resources import resource

VARIABLE: Final = "TILESIGHT_SCANNER"
"""The environment variable that is "off" where the scanner is not to be used."""
_ON: Final = "on"
_VERSION: Final = 1
"""Of the interface, in ``lib.rs``."""
_ENDINGS: Final = {"win32": "dll", "darwin": "dylib"}


def path_of_library() -> Path:
    """Where the library is, if there is one."""
    return resource("scanner", f"trace_scanner.{_ENDINGS.get(sys.platform, 'so')}")


def allow() -> None:
    """Lets this process and those that it starts use the scanner, unless the environment says otherwise."""
    os.environ.setdefault(VARIABLE, _ON)


def library() -> ctypes.CDLL | None:
    """The library, if this process may use it; None where there is none that can be loaded."""
    return _loaded(path_of_library()) if os.environ.get(VARIABLE) == _ON else None


def reader() -> Literal["scanner", "python"]:
    """What reads large traces: the scanner, or Python alone."""
    usable = os.environ.get(VARIABLE, _ON) == _ON and _loaded(path_of_library()) is not None
    return "scanner" if usable else "python"


@cache
def _loaded(path: Path) -> ctypes.CDLL | None:
    try:
        made = ctypes.CDLL(str(path))
        made.scan_version.restype = ctypes.c_uint32
        if made.scan_version() != _VERSION:
            return None
        place, size = ctypes.c_void_p, ctypes.c_size_t
        made.scan_new.restype = place
        made.scan_free.argtypes, made.scan_free.restype = (place,), None
        made.scan_forget.argtypes, made.scan_forget.restype = (place,), None
        made.scan_piece.argtypes = (place, ctypes.c_char_p, size, ctypes.c_bool)
        made.scan_piece.restype = ctypes.c_int64
        made.scan_column.argtypes = (place, ctypes.c_uint32, ctypes.POINTER(size))
        made.scan_column.restype = place
    except (OSError, AttributeError):
        return None
    return made
