"""Seeded traces of small events, where the cost of an event counts and not its bytes: begins and ends, counters, the
shortest events that can be written."""

from __future__ import annotations

import random
from collections.abc import Iterator

FUNCTIONS = ("main", "step", "forward", "gemm", "wait", "read", "copy", "x")


def pairs(count: int, seed: int = 0) -> Iterator[bytes]:
    """Begins and ends of calls inside one another, up to 12 deep, on some threads."""
    dice = random.Random(seed)
    stacks: list[list[str]] = [[] for _ in range(24)]
    for at in range(max(2, count - 24 * 12)):
        thread = dice.randrange(len(stacks))
        stack = stacks[thread]
        if stack and (len(stack) >= 12 or dice.random() < 0.5):
            yield _mark("E", stack.pop(), thread, at)
        else:
            stack.append(dice.choice(FUNCTIONS))
            yield _mark("B", stack[-1], thread, at)
    for thread, stack in enumerate(stacks):
        while stack:
            yield _mark("E", stack.pop(), thread, count)


def _mark(phase: str, name: str, thread: int, at: int) -> bytes:
    return b'{"name":"%b","cat":"app","ph":"%b","ts":%d,"pid":1,"tid":%d}' % (name.encode(), phase.encode(), at, thread)


def shortest(count: int, seed: int = 0) -> Iterator[bytes]:
    """Slices with short fields and nothing else."""
    dice = random.Random(seed)
    for at in range(count):
        yield b'{"ph":"X","name":"%d","pid":1,"tid":%d,"ts":%d,"dur":1}' % (
            dice.randrange(8),
            dice.randrange(9),
            2 * at,
        )


def counters(count: int, seed: int = 0) -> Iterator[bytes]:
    """Counters of one or two series beside as many slices."""
    dice = random.Random(seed)
    for at in range(1, max(1, count // 2) + 1):
        name = b"GM_TO_UB" if at % 3 else b"L1_TO_GM"
        rate, share = dice.randint(0, 90_000), dice.random()
        args = b'{"throughput(MB/s)":%d}' % rate if at % 5 else b'{"read":%d,"share":%r}' % (rate, share)
        yield b'{"args":%b,"name":"%b","ph":"C","pid":"MTE Throughput","tid":"%b","ts":%d}' % (args, name, name, at)
        yield b'{"dur":1,"name":"MOV","ph":"X","pid":"core0","tid":"MTE%d","ts":%d}' % (at % 3 + 1, at)
