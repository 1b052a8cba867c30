"""The kinds of events."""

from __future__ import annotations

SLICE, BEGIN, END, FLOW_START, FLOW_STEP, FLOW_END = range(6)
INSTANT, ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT, OPERATION_BEGIN, OPERATION_END = range(6, 12)
COUNTER, METADATA, OTHER = range(12, 15)
"""Kinds of events; those below COUNTER are on lanes, those below INSTANT on lanes of threads. Operations are the
legacy asynchronous events, which do not nest."""

KINDS = {
    "X": SLICE, "B": BEGIN, "E": END, "s": FLOW_START, "t": FLOW_STEP, "f": FLOW_END,
    "i": INSTANT, "I": INSTANT, "R": INSTANT, "b": ASYNC_BEGIN, "e": ASYNC_END, "n": ASYNC_INSTANT,
    "S": OPERATION_BEGIN, "F": OPERATION_END, "T": ASYNC_INSTANT, "p": ASYNC_INSTANT,
    "C": COUNTER, "M": METADATA,
}  # fmt: skip
