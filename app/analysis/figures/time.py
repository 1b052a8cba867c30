"""What fills the time of a timeline: main figures of its critical path, and the pipe that bounds it."""

from __future__ import annotations

from app.analysis.figures import Figure
from app.analysis.table import Unit
from app.analysis.time.available import why_not
from app.analysis.time.floors import at_most
from app.analysis.time.model import CoreTime, TimeModel, is_made, time_model
from app.analysis.time.path import DATA_WAIT, OUTSIDE, RESOURCE_WAIT, WORK
from app.language import joined, tr
from app.profile.profile import Profile

CHEAP = 5_000
"""Slices up to which the model takes some 20 ms; of larger timelines there are figures once it is made."""


def is_left_out(profile: Profile) -> bool:
    """Whether the figures are left out because they take seconds."""
    timeline = profile.timeline
    return timeline is not None and len(timeline.slices.start) > CHEAP and not is_made(profile)


def figures(profile: Profile, *, whole: bool) -> list[Figure]:
    """Empty for a profile without a critical path; without ``whole``, for one whose path takes seconds, too."""
    timeline = profile.timeline
    if timeline is None or why_not(profile) or (not whole and is_left_out(profile)):
        return []
    model = time_model(profile)
    if not model.has_dependencies:
        return []
    seconds = timeline.seconds_per_unit
    unit: Unit = "cycles" if seconds is None else "s"

    def figure(name: str, label: str, value: float, text: str) -> Figure:
        return Figure(f"time.{name}", label, value * (1.0 if seconds is None else seconds), unit, text, clocked=False)

    path = model.path
    return [
        *_bound(model.longest),
        figure(
            "critical_work",
            tr("Work"),
            path.total(WORK),
            tr("Work on the critical path, the chain that fills the time from the first start to the last end."),
        ),
        figure(
            "data_wait",
            tr("Data wait"),
            path.total(DATA_WAIT),
            tr("Gaps on the critical path after what the next work depends on had ended."),
        ),
        figure("resource_wait", tr("Resource wait"), path.total(RESOURCE_WAIT), _resource_help(model)),
        figure("outside", tr("Outside"), path.total(OUTSIDE), tr("Time before the first and after the last work.")),
        figure("floor", tr("At least, without gaps"), model.floor, tr("The longest chain of work, without any gap.")),
        figure(
            "at_most",
            tr("Better scheduling saves at most"),
            at_most(model.span, model.floor),
            tr("Span of the critical path minus the longest chain of work."),
        ),
    ]


def _resource_help(model: TimeModel) -> str:
    inferred = tr(
        "Causes that the file does not state make up {share} % of the critical path.",
        share=f"{100 * model.inferred:.1f}",
    )
    return joined(" ", (tr("Gaps on the critical path after what the lane did before, without a cause."), inferred))


def _bound(core: CoreTime | None) -> list[Figure]:
    """The pipe that bounds the core that ends last: its name, "none" or "latency"."""
    if core is None or not core.busiest[0]:
        return []
    pipe, share = core.busiest
    percent, name = f"{100 * share:.0f}", core.name
    if core.bound == "pipe":
        value, shown = pipe, tr("{pipe}: works {share} % of {core}", pipe=pipe, share=percent, core=name)
    elif core.bound == "latency":
        value = "latency"
        shown = tr("latency: no pipe works half of {core}; {pipe} {share} %", pipe=pipe, share=percent, core=name)
    else:
        value, shown = (
            "none",
            tr("no single bound; {pipe} works {share} % of {core}", pipe=pipe, share=percent, core=name),
        )
    text = tr(
        "The pipe that works at least 80 % of the span of the core that ends last. Waits are not work. Without a pipe "
        "of at least 50 % it is latency."
    )
    return [Figure("time.bound_by", tr("Bound by"), value, help=text, shown=shown)]
