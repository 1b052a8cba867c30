"""What is uncertain about PopEF, stated wherever its figures are shown."""

from __future__ import annotations

from app.language import tr

UNVERIFIED = tr(
    "The layout follows a published schema and the PopEF user guide. It was not verified with a file written by the "
    "Graphcore SDK."
)
