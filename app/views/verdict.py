"""What bounds a profile, as a record for programs."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, to_builtins

from app.analysis.time.available import NO_CAUSES, NO_LENGTH, why_not
from app.analysis.time.model import time_model
from app.analysis.time.verdict import time_verdict
from app.profile.profile import Profile
from app.views.sentences import sentence


class Verdict(Struct, frozen=True):
    """``text``: the sentence, in the language of the user. ``bound``: how ``bound_by`` bounds: "pipe" (it works at
    least 80 % of the time of its core), "none" (it works most, but less), "latency" (no pipe reaches half) or "path"
    (it has most work on the critical path of a file without pipes). ``work``: time in which it works; ``span``: of the
    core, or of all; ``at_most``: what better scheduling saves at most; in ``unit``. ``evidence``: sentences."""

    text: str
    bound: Literal["pipe", "none", "latency", "path"]
    bound_by: str
    work: float
    span: float
    at_most: float
    unit: Literal["s", "cycles"]
    evidence: tuple[str, ...]

    def _repr_html_(self) -> str:
        """For notebooks."""
        from html import escape  # needed only there

        return f"<p>{escape(self.text)}</p>" + "".join(f"<li>{escape(line)}</li>" for line in self.evidence)


def verdict(profile: Profile) -> Verdict | None:
    """None where the file does not allow one. It may take seconds for a large timeline."""
    made = time_verdict(profile)
    if made is None:
        return None
    evidence = tuple(sentence(line.words) for line in made.behind)
    text = sentence(made.text)
    return Verdict(text, made.bound, made.by, made.work, made.span, made.at_most, made.unit, evidence)


def verdict_facts(profile: Profile) -> dict[str, Any]:
    """The verdict for programs: ``verdict``, and ``why`` there is none where it is None. It may take seconds, too."""
    made = verdict(profile)
    if made is not None:
        return {"verdict": to_builtins(made)}
    why = why_not(profile) or (NO_LENGTH if time_model(profile).has_dependencies else NO_CAUSES)
    return {"verdict": None, "why": why}
