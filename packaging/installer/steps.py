"""The results of the build's checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dev_shell import SetupError, say


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    ok: bool
    text: str


@dataclass(slots=True)
class Facts:
    """Prints results as they arrive, and a summary at the end."""

    facts: list[Fact] = field(default_factory=list)

    def add(self, name: str, ok: bool, text: str) -> None:
        self.facts.append(Fact(name, ok, text))
        say(f"{'ok    ' if ok else 'FAILED'}  {name}: {text}")

    def run(self, name: str, step: Callable[[], str]) -> None:
        """Runs ``step``, which returns its result as text or raises SetupError."""
        began = time.perf_counter()
        try:
            text = step()
        except SetupError as error:
            self.add(name, False, str(error))
        else:
            self.add(name, True, f"{text} ({time.perf_counter() - began:.0f} s)")

    @property
    def failed(self) -> list[str]:
        return [fact.name for fact in self.facts if not fact.ok]

    def summary(self) -> str:
        width = max((len(fact.name) for fact in self.facts), default=0)
        lines = [f"{fact.name:{width}}  {'ok' if fact.ok else 'failed'}  {fact.text}" for fact in self.facts]
        return "\n".join([*lines, f"failed: {', '.join(self.failed)}" if self.failed else "all ok"])
