"""Another program to drag files from: a small window in which pressing and moving the mouse drags the files of its
command line.

usage: dragger.py LEFT TOP FILE ...
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class Files(QLabel):
    """A window that stays on top, at a fixed position."""

    def __init__(self, left: int, top: int, paths: list[str]) -> None:
        super().__init__("drag me")
        self._paths = paths
        self.setWindowTitle("Files")
        self.setWindowFlags(Qt.WindowType.X11BypassWindowManagerHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setGeometry(left, top, 60, 24)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in self._paths])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    files = Files(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    files.show()
    sys.exit(app.exec())
