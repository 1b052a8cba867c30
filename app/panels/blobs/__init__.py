"""The blobs of PopEF files: a table, and a strip that shows how they fill the file."""

from __future__ import annotations

from app.analysis.popef.doubts import UNVERIFIED
from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
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
