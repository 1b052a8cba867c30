"""What a PopEF file is made of: its blobs as a table, and a strip that shows how they fill the file."""

from __future__ import annotations

from app.panels.blobs.panel import BlobsPanel
from app.panels.panel import PanelSpec

SPEC = PanelSpec(
    "blobs",
    "Blobs",
    BlobsPanel,
    ("blobs",),
    "a PopEF file (.popef)",
    "The blobs of the file in their order: executables, metadata, tensors, feeds and opaque data, and how much of "
    "the file each takes.",
)
