"""Traces made of the device's pipe-state words, whose times are core cycles (Ascend operator reports, section 5)."""

from __future__ import annotations

import random
from typing import Any

import orjson

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")


def events(words: int = 20, seed: int = 1, first: int = 986) -> list[dict[str, Any]]:
    """A marker for each word, and a slice for each stretch in which a pipe is busy."""
    dice = random.Random(seed)
    made: list[dict[str, Any]] = [
        {"ph": "M", "name": "thread_name", "pid": 2, "tid": 1250 + n, "args": {"name": f"AIV0/PIPE_{pipe}/status"}}
        for n, pipe in enumerate(PIPES)
    ]
    at, since = first, dict[int, int]()
    for number in range(words):
        mask = 0 if number == words - 1 else dice.randrange(1 << len(PIPES))
        raw = f"0x{(0xF << 28) | (mask << 16) | dice.randrange(1 << 16):08x}"
        place = {"pid": 2, "cat": "PIPE_STATE", "ph": "X"}
        made.append({"name": f"marker_{mask}", **place, "tid": 1250, "ts": at, "dur": 1, "args": {"raw": raw}})
        for pipe in range(len(PIPES)):
            if mask >> pipe & 1:
                since.setdefault(pipe, at)
            elif pipe in since:
                begin = since.pop(pipe)
                name, place = f"PIPE_{PIPES[pipe]}_busy", {"pid": 2, "cat": "pipe_state_busy", "ph": "X"}
                args = {"start_raw": raw, "end_raw": raw}
                made.append({"name": name, **place, "tid": 1250 + pipe, "ts": begin, "dur": at - begin, "args": args})
        at += dice.randrange(1, 400)
    return made


def trace(words: int = 20, seed: int = 1, first: int = 986) -> bytes:
    """The file; displayTimeUnit says nothing of its times."""
    return orjson.dumps({"displayTimeUnit": "ns", "traceEvents": events(words, seed, first)})
