"""Whether a window can be shown, checked before Qt starts, because Qt aborts without a display."""

from __future__ import annotations

import ctypes
import os
import sys

from app.language import tr

ADVICE = tr("to get a picture instead: --screenshot OUT.png [FILE ...]; figures without a screen: info FILE")


def missing() -> str:
    """Why no window can be shown, and what to do instead; "" if one can."""
    platform = os.environ.get("QT_QPA_PLATFORM", "xcb")
    if not sys.platform.startswith("linux") or not platform.startswith("xcb") or os.environ.get("WAYLAND_DISPLAY"):
        return ""
    name = os.environ.get("DISPLAY", "")
    if not name:
        return tr("there is no display (DISPLAY and WAYLAND_DISPLAY are not set); {advice}", advice=ADVICE)
    return "" if _answers() else tr("the display {name} does not answer; {advice}", name=name, advice=ADVICE)


def _answers() -> bool:
    """Whether a connection like Qt's succeeds. If even the library is missing, Qt's own message is better."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
