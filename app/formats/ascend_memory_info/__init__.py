"""memory_info.json: the on-chip memory plan of a Triton kernel for Ascend."""

from app.formats.ascend_memory_info.read import read
from app.formats.ascend_memory_info.sniff import sniff
from app.formats.format import Format

FORMAT = Format(
    id="ascend-memory-info",
    label="Ascend on-chip memory plans (memory_info.json)",
    patterns=("memory_info*.json",),
    sniff=sniff,
    read=read,
)
