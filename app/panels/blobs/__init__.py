"""The blobs of PopEF files: a table, and a strip that shows how they fill the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.analysis.popef.doubts import UNVERIFIED
from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.blobs.panel import BlobsPanel


def _load() -> type[BlobsPanel]:
    from app.panels.blobs.panel import BlobsPanel

    return BlobsPanel


SPEC = PanelSpec(
    "blobs",
    tr("Blobs"),
    _load,
    ("blobs",),
    tr("a PopEF file (.popef)"),
    tr(
        "The blobs in file order: executables, metadata, tensors, feeds and opaque data, and how "
        "much of the file each takes. {unverified}",
        unverified=UNVERIFIED,
    ),
    shows=("blob",),
    words=("file layout", "sections"),
)
