"""The content of the file behind the selection: values of tensors, bytes of everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.content.panel import ContentPanel


def _load() -> type[ContentPanel]:
    from app.panels.content.panel import ContentPanel

    return ContentPanel


SPEC = PanelSpec(
    "content",
    tr("Content"),
    _load,
    ("blobs",),
    tr("a PopEF file (.popef)"),
    tr(
        "The values of the selected tensor or feed as a table, an image, a histogram or bytes; of executables "
        "and opaque data the bytes. Without a selection: the largest tensor."
    ),
    also=("model",),
    words=("hex", "bytes", "values", "image"),
)
