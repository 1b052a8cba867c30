"""Poplar graph and execution profiles, in JSON and CBOR (Poplar profiling data format)."""

from app.formats.format import Format
from app.formats.poplar.group import group
from app.formats.poplar.read import read
from app.formats.poplar.sniff import sniff

FORMAT = Format(
    id="poplar",
    label="Poplar graph and execution profiles (JSON, CBOR)",
    patterns=("*.json", "*.cbor"),
    sniff=sniff,
    read=read,
    group=group,
)
