"""The help: pages in Markdown (``resources/help``), with tables that are made from the lists of the program when a page
is shown, as rich text in the window and as plain text by ``tilesight help``."""
