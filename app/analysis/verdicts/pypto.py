"""What decides about a PyPTO run: how long it takes, and how much its cores work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.part import Amount, Words, sentence
from app.analysis.pypto import amount, busy, facts, gaps
from app.analysis.verdicts.answer import Verdict
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.pypto import CoreTasks


def verdicts(profile: Profile, _: dict[str, object]) -> Iterator[Verdict]:
    """One sentence about the run; where the cores' other time goes, if the files tell."""
    own = profile.core_tasks
    if own is None:
        return
    if not len(own.blocks) or not facts(own).span:
        text = plural(
            "A graph of {count:,} task, without times",
            "A graph of {count:,} tasks, without times",
            count=len(own.tasks),
        )
        yield Verdict("plain", (text,), lacks=True, short=(text,))
        return
    known = facts(own)
    tasks = plural("{count:,} task", "{count:,} tasks", count=int((np.diff(own.tasks.first) > 0).sum()))
    share = Amount(100 * float(busy(own).sum()) / (known.span * len(own.cores)), "%")
    text = tr(
        "{tasks} take {time} on {used:,} of {cores:,} cores; all cores work {share} of it",
        tasks=tasks,
        time=amount(own, known.span),
        used=int(known.used.sum()),
        cores=len(own.cores),
        share=share,
    )
    short = tr("{time}, cores work {share}", time=amount(own, known.span), share=share)
    yield Verdict("plain", sentence(text), tuple(_waits(own)), short=sentence(short))


def _waits(own: CoreTasks) -> Iterator[Words]:
    """How long cores in use wait before their tasks, and for what."""
    waits, whole = gaps(own), facts(own).span * max(int(facts(own).used.sum()), 1)
    if np.isnan(waits.data).all():
        return
    data, late = (
        float(waits.data.sum()),
        float(np.nan_to_num(waits.dispatch).sum() + np.nan_to_num(waits.handing).sum()),
    )
    text = tr(
        "Cores in use wait {data} of their time for data, and {late} until tasks whose data are there begin",
        data=Amount(100 * data / whole, "%"),
        late=Amount(100 * late / whole, "%"),
    )
    yield sentence(text)
