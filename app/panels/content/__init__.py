"""What lies in the file behind the selection: values of tensors, bytes of everything else."""

from __future__ import annotations

from app.panels.content.panel import ContentPanel
from app.panels.panel import PanelSpec

SPEC = PanelSpec(
    "content",
    "Content",
    ContentPanel,
    ("blobs",),
    "a PopEF file (.popef)",
    "The values of the selected tensor or feed as a table, an image, a histogram or bytes; of executables and opaque "
    "data the bytes.",
)
