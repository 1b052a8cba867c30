"""The contents of the screen as pixels."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from desktop.waiting import PATIENCE_S, at_work, until

Picture: TypeAlias = npt.NDArray[np.uint8]
"""[rows, columns, 3]: red, green, blue."""
Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height in pixels of the screen."""

STILL_S = 0.12
"""A screen without changes for this long, while no program has something to do, is considered to be at rest."""


class Eyes:
    """Reads the X server's framebuffer (a file in the xwd format, described in X11/XWDFile.h)."""

    def __init__(self, framebuffer: Path) -> None:
        head = np.fromfile(framebuffer, dtype=">u4", count=25)
        self._offset = int(head[0]) + int(head[19]) * 12  # the header with its name, then the colour table
        self._width, self._height, line = int(head[4]), int(head[5]), int(head[12])
        self._memory = np.memmap(framebuffer, "<u4", "r", self._offset, (self._height, line // 4))

    def look(self, box: Box | None = None) -> Picture:
        """A copy of the screen or of a part of it."""
        return _picture(self._part(box).copy())

    def _part(self, box: Box | None) -> npt.NDArray[np.uint32]:
        """One number per pixel, in the memory of the X server; comparing these costs the least time."""
        left, top, width, height = box or (0, 0, self._width, self._height)
        return self._memory[max(0, top) : top + height, max(0, left) : min(left + width, self._width)]

    def still(self, box: Box | None = None, seconds: float = PATIENCE_S) -> Picture:
        """The picture once it has come to rest (except for a blinking text cursor)."""
        screen = self._part(box)
        last = screen.copy()
        since = time.monotonic()

        def at_rest() -> bool:
            nonlocal since
            if at_work():  # asked first: it costs less than to compare
                since = time.monotonic()
            elif np.count_nonzero(screen != last) > 40:
                last[:] = screen
                since = time.monotonic()
            return time.monotonic() - since > STILL_S

        until(at_rest, "the screen comes to rest", seconds)
        return _picture(last)


def _picture(pixels: npt.NDArray[np.uint32]) -> Picture:
    colours = pixels.view(np.uint8).reshape(*pixels.shape, 4)  # blue, green, red, unused
    return np.ascontiguousarray(colours[:, :, 2::-1])


def changed(before: Picture, after: Picture) -> int:
    """Number of pixels that differ."""
    return int(np.count_nonzero(packed(before) != packed(after)))


def packed(picture: Picture) -> npt.NDArray[np.uint32]:
    """One number per pixel, 0xRRGGBB."""
    red, green, blue = (picture[:, :, place].astype(np.uint32) for place in range(3))
    return np.asarray(red << 16 | green << 8 | blue)


def save(picture: Picture, path: Path) -> None:
    """As PNG."""
    height, width, _ = picture.shape
    whole = np.ascontiguousarray(picture)
    image = QImage(whole.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    if not image.save(str(path)):
        raise OSError(f"{path}: cannot be written")


def luminance(colours: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Relative luminance of [..., 3] colours (WCAG 2.2)."""
    part = colours / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(picture: Picture) -> float:
    """The greatest contrast (1 to 21, WCAG 2.2) of any pixel against the background of ``picture``, which is its most
    frequent colour: the contrast of its text."""
    colours, counts = np.unique(packed(picture), return_counts=True)
    light = luminance((colours[:, None] >> np.array([16, 8, 0], dtype=np.uint32) & 255).astype(np.uint8))
    base = float(light[counts.argmax()])
    lighter, darker = (float(light.max()) + 0.05) / (base + 0.05), (base + 0.05) / (float(light.min()) + 0.05)
    return max(lighter, darker)
