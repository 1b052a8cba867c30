"""Ascend operator files (visualize_data.bin): every block of them."""

from app.formats.ascend_bin.reader import read
from app.formats.ascend_bin.sniff import sniff
from app.formats.ascend_trace.record import record
from app.formats.format import Format

FORMAT = Format(
    id="ascend-bin",
    label="Ascend operator files (.bin)",
    patterns=("*.bin",),
    sniff=sniff,
    read=read,
    record=record,
)
