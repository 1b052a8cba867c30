"""What is uncertain about PopEF, stated wherever its figures are shown."""

from __future__ import annotations

from app.language import tr

UNVERIFIED = tr(
    "The layout comes from a published schema and the PopEF user guide, and was not verified on a file "
    "written by the Graphcore SDK."
)
