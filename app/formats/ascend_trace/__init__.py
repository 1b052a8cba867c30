"""Trace-event JSON: operator traces of Ascend simulators, and Chrome traces in general."""

from app.formats.ascend_trace.read import read
from app.formats.ascend_trace.record import record
from app.formats.ascend_trace.sniff import sniff
from app.formats.format import Format

FORMAT = Format(
    id="ascend-trace",
    label="Ascend operator traces and Chrome traces (.json)",
    patterns=("*.json",),
    sniff=sniff,
    read=read,
    record=record,
)
