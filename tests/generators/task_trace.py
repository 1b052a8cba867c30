"""Seeded traces of programs that run as tasks on cores (the machine view of tensor compilers): every name is different,
arguments are long texts with the operands of a task as a nested list, and arrows lead from task to task."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from generators.event_writing import Event

BEGIN = 708_421_242_152.46
KINDS = ("matmul", "cast", "reduce", "gather", "softmax", "rms_norm", "view", "assemble")
CORES = 57


def events(count: int, seed: int = 0) -> Iterator[Event]:
    """About ``count`` events: as many arrows as tasks, each with two ends."""
    dice = random.Random(seed)
    yield _named("process_name", {"name": "Machine View"})
    for core in range(CORES):
        kind = "AIC" if core < CORES // 2 else "AIV"
        yield _named("thread_name", {"name": f"{kind}_{core}"}, 1000 + 2 * core)
    clocks = [BEGIN + dice.randint(0, 400) / 50 for _ in range(CORES)]
    before = (BEGIN, 1000)
    for number in range(max(1, count // 3)):
        core = dice.randrange(CORES)
        begin, length = clocks[core], dice.randint(1, 4000) / 50 + 0.000048828125
        clocks[core] = begin + length + dice.randint(0, 9) / 50
        yield _task(dice, number, begin, length, 1000 + 2 * core)
        yield from _arrow(number, before, (begin, 1000 + 2 * core))
        before = begin + length, 1000 + 2 * core


def _named(kind: str, args: Event, thread: int | None = None) -> Event:
    event: Event = {"args": args, "cat": "__metadata", "name": kind, "ph": "M", "pid": 1}
    return event if thread is None else {**event, "tid": thread}


def _task(dice: random.Random, number: int, begin: float, length: float, thread: int) -> Event:
    kind = dice.choice(KINDS)
    task = f"{number >> 16}-{number >> 8 & 255}-{number & 255}"
    hint = f"Task:[{task}], rootHash:{dice.getrandbits(58)}, callOpMagic:{dice.randint(10_000, 99_999)}, "
    average = dice.random() * 30
    args: dict[str, Any] = {
        "event-hint": f"{hint}leafHash:{dice.getrandbits(63)}, TaskId:{number}",
        "ioperand-hint": _operands(dice, dice.randint(1, 3)),
        "ooperand-hint": _operands(dice, 1),
        "execution-hint": f"Average Execution Time: {average}\nMax Execution Time: {2 * average}, Task: [{task}]\n",
        "color": kind,
        "taskId": number,
        "seqNo": number % 7,
    }
    event = {"args": args, "cat": "event", "id": number, "name": f"{task}-{dice.randint(1, 20)}-{number % 9}({kind})"}
    return {**event, "ph": "X", "pid": 1, "tid": thread, "ts": begin, "dur": length}


def _operands(dice: random.Random, count: int) -> str:
    """As Python prints them: braces, brackets and commas inside a JSON string."""
    operands = []
    for _ in range(count):
        shape = [dice.choice((1, 16, 1536, 3072, 5120, -1)) for _ in range(dice.randint(1, 4))]
        operand = {"shape": shape, "dtype": dice.randint(1, 9), "rawmagic": dice.randint(10, 9999)}
        operands.append({dice.randint(1, 99_999): {**operand, "mem_usage": dice.getrandbits(24)}})
    return str(operands)


def _arrow(number: int, source: tuple[float, int], target: tuple[float, int]) -> Iterator[Event]:
    shared = {"cat": "machine-view-last-dep", "id": number, "name": "machine-view-last-dep", "pid": 1}
    yield {**shared, "ph": "s", "tid": source[1], "ts": source[0]}
    yield {"bp": "e", **shared, "ph": "f", "tid": target[1], "ts": target[0]}
