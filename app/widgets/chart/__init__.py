"""Charts with two axes and few items (lines, points, bars), described without Qt and drawn by pyqtgraph's items."""
