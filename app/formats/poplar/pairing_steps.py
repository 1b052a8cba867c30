"""Checks whether the steps of an execution match the programs of the graph that they name."""

from __future__ import annotations

import re
from itertools import repeat
from typing import Final

import numpy as np

from app.formats.poplar.graph import GraphParts
from app.formats.poplar.programs import ProgramList
from app.language import tr
from app.profile.arrays import I32, I64, Bool
from app.profile.poplar import EXCHANGE_OF_TYPE, ExchangeKind, Steps
from app.profile.strings import Strings

_LEAVES: Final = ("ontileexecute", "doexchange", "globalexchange", "streamcopy")
"""Types that steps and programs share; how other types correspond is not documented."""
_BODIES: Final = (
    "sequence",
    "repeat",
    "repeatwhile",
    "repeatwhiletrue",
    "repeatwhilefalse",
    "if",
    "ifelse",
    "switch",
    "call",
)
"""Types of programs that run other programs and create no step."""
_LOWERED: Final = re.compile(r"^cs\d+_")
"""The prefix that lowering adds to the debug path of a compute set."""
_COMPARED: Final = 20_000
"""The largest number of pairs of different names that are compared; real files have no mismatch or very many."""
_TOGETHER: Final = 65_536
"""Texts that are decoded at once."""
_SHOWN: Final = 80
"""Characters shown of a name: its end, where paths differ."""


_EXCHANGES: Final[dict[ExchangeKind, str]] = {
    "internal": tr("internal exchanges"),
    "external": tr("external exchanges"),
    "host": tr("host exchanges"),
}


def exchange_misfits(graph: GraphParts, steps: Steps) -> list[str]:
    """Reasons from steps that name exchanges the graph does not have."""
    reasons: list[str] = []
    for name, kind in EXCHANGE_OF_TYPE.items():
        count = graph.exchanges.get(kind)
        highest = int(np.max(steps.exchange[steps.of_type(name)], initial=-1))
        if count is not None and highest >= count:
            reasons.append(
                tr(
                    "a step refers to number {highest:,} of the {exchanges}, but the graph has {count:,}",
                    highest=highest,
                    exchanges=_EXCHANGES[kind],
                    count=count,
                )
            )
    return reasons


def program_misfits(graph: GraphParts, steps: Steps) -> list[str]:
    """Reasons why the steps do not match the programs that they name, as phrases. Types, names and numbers missing on
    one side, and types that only one side uses, are not contradictions."""
    programs = graph.program_list
    if programs is None:
        return []
    named = np.flatnonzero((steps.program >= 0) & (steps.program < len(programs.type)))
    return [
        *_types(programs, steps, named),
        *_numbers(tr("compute set"), steps.compute_set, programs.compute_set, steps, named),
        *_numbers(tr("exchange"), steps.exchange, programs.exchange, steps, named),
        *_names(graph, programs, steps, named),
    ]


def _types(programs: ProgramList, steps: Steps, named: I64) -> list[str]:
    of_step = _which(steps.strings, steps.type[named], _LEAVES)
    of_program = _which(programs.strings, programs.type[steps.program[named]], (*_LEAVES, *_BODIES))
    wrong = named[(of_step >= 0) & (of_program >= 0) & (of_step != of_program)]
    if not len(wrong):
        return []
    first = int(wrong[0])
    program = int(steps.program[first])
    step_type, program_type = steps.strings[steps.type[first]], programs.strings[programs.type[program]]
    return [
        tr(
            "step {first:,} is of type {step_type}, but its program {program:,} is of type {program_type} in the graph",
            first=first,
            step_type=step_type,
            program=program,
            program_type=program_type,
        )
    ]


def _which(strings: Strings, column: I32, names: tuple[str, ...]) -> I64:
    """int64: the index in ``names`` of each text, ignoring case; -1 for others."""
    places = {name: place for place, name in enumerate(names)}
    table = np.full(len(strings) + 1, -1, np.int64)
    for number in np.flatnonzero(np.bincount(column[column >= 0])).tolist():
        table[number] = places.get(strings[number].casefold(), -1)
    return table[column]


def _numbers(what: str, of_step: I32, of_program: I32, steps: Steps, named: I64) -> list[str]:
    stated, known = of_step[named], of_program[steps.program[named]]
    wrong = named[(stated >= 0) & (known >= 0) & (stated != known)]
    if not len(wrong):
        return []
    first = int(wrong[0])
    program = int(steps.program[first])
    return [
        tr(
            "step {first:,} runs {what} {of_step:,}, but its program {program:,} has {what} {of_program:,} in "
            "the graph",
            first=first,
            what=what,
            of_step=int(of_step[first]),
            program=program,
            of_program=int(of_program[program]),
        )
    ]


def _names(graph: GraphParts, programs: ProgramList, steps: Steps, named: I64) -> list[str]:
    """Reasons from names: a step has the name of its program or of the program's compute set."""
    at = named[(steps.name[named] >= 0) & ~_called_alike(programs, steps, named)]
    pairs = steps.program[at].astype(np.int64) * (len(steps.strings) + 1) + steps.name[at]
    _, first = np.unique(pairs, return_index=True)
    for step in at[np.sort(first)][:_COMPARED].tolist():
        program = int(steps.program[step])
        known = _names_of(graph, programs, program)
        stated = steps.strings[steps.name[step]]
        if known and not any(_same(stated, name) for name in known):
            return [
                tr(
                    "step {step:,} is named {name}, but its program {program:,} is named {known} in the graph",
                    step=step,
                    name=_quoted(stated),
                    program=program,
                    known=_quoted(known[0]),
                )
            ]
    return []


def _called_alike(programs: ProgramList, steps: Steps, named: I64) -> Bool:
    """bool: for each of the steps ``named``, whether its name is exactly that of its program."""
    ids = {text: number for number, text in enumerate(programs.strings)}
    table = np.full(len(steps.strings) + 1, -1, np.int64)
    for start in range(0, len(steps.strings), _TOGETHER):
        some = steps.strings.some(start, start + _TOGETHER)
        table[start : start + len(some)] = list(map(ids.get, some.tolist(), repeat(-1)))
    of_step, of_program = table[steps.name[named]], programs.name[steps.program[named]]
    alike: Bool = (of_step >= 0) & (of_step == of_program)
    return alike


def _names_of(graph: GraphParts, programs: ProgramList, program: int) -> list[str]:
    names = []
    if programs.name[program] >= 0:
        names.append(programs.strings[programs.name[program]])
    number = int(programs.compute_set[program])
    if graph.set_names is not None and 0 <= number < len(graph.set_names) and graph.set_names[number]:
        names.append(graph.set_names[number])
    return names


def _same(one: str, other: str) -> bool:
    """Whether both are the same debug path, or one is a prefix or suffix of the other."""
    first, second = (_LOWERED.sub("", name).strip("/") for name in (one, other))
    short, long = sorted((first, second), key=len)
    return short == long or long.startswith(f"{short}/") or long.endswith(f"/{short}")


def _quoted(name: str) -> str:
    return f'"{name}"' if len(name) <= _SHOWN else f'"…{name[-_SHOWN:]}"'
