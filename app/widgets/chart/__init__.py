"""Charts with two axes and few marks (lines, points), described without Qt and drawn by pyqtgraph's items."""
