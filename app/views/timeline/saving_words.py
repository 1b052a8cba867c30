"""What would be saved, in words, as an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.profile.timeline import Timeline
from app.views.timeline.times import Clock
from app.views.units import percent, plain

if TYPE_CHECKING:
    from app.analysis.time.what_if import Saving
    from app.views.look import Look

NO_WORK = tr("Nothing runs in it: its time follows from what it waits for.")


def saving_text(saved: Saving, what: str, factor: float, timeline: Timeline, look: Look) -> str:
    """``If “VADD” took 50 % of its time: estimated saving 2.4 µs of 17.2 µs (14 %); at most 3.1 µs. …``"""
    if not saved.slices:
        return tr("{what}: {no_work}", what=what, no_work=NO_WORK)
    clock = Clock.of(timeline)

    def span(length: float) -> str:
        return clock.span(length, look)

    share = f"{plain(100 * factor)} %"
    if saved.estimate < 0:
        text = tr(
            "If {what} took {share} of its time: estimated loss {loss}, on top of {span}.",
            what=what,
            share=share,
            loss=span(-saved.estimate),
            span=span(saved.span),
        )
    else:
        text = tr(
            "If {what} took {share} of its time: estimated saving {saving} of {span} ({part}), at most {most}.",
            what=what,
            share=share,
            saving=span(saved.estimate),
            span=span(saved.span),
            part=percent(100 * saved.estimate / saved.span if saved.span > 0 else 0.0),
            most=span(saved.at_most),
        )
    return tr("{text} Error of the unchanged replay: {error}.", text=text, error=span(saved.error))
