"""PopEF: models for IPUs, as blobs of executables, metadata and data.

The layout comes from a published schema and the PopEF user guide; it was not verified on a file written by the
Graphcore SDK.
"""

from app.formats.format import Format
from app.formats.popef.group import group, heavy
from app.formats.popef.read import read
from app.formats.popef.sniff import PATTERNS, sniff

FORMAT = Format(
    id="popef",
    label="PopEF model (.popef)",
    patterns=PATTERNS,
    sniff=sniff,
    read=read,
    group=group,
    heavy=heavy,
)
