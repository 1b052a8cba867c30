"""Whether a profile has a timeline with a critical path, and why not."""

from __future__ import annotations

from app.analysis.tiles import counts_by_tile
from app.analysis.time.classes import waiting
from app.analysis.time.register_links import instructions_with_states
from app.language import tr
from app.profile.profile import Profile

NO_CAUSES = tr("No flags or arrows in the file: waits have no known cause.")
NO_LENGTH = tr("No slice of the timeline has a length.")


def plain_trace(profile: Profile) -> bool:
    """Whether the timeline is a trace, not the steps or events of another kind of file."""
    return profile.steps is None and profile.host_events is None


def why_not(profile: Profile) -> str:
    """Why there is no critical path, for people; "" if the file may name dependencies. Quick: whether their times allow
    them is known when the model is made."""
    timeline = profile.timeline
    if profile.steps is not None:
        return tr("Steps of a Poplar run name no dependencies: what each waits for is unknown.")
    if profile.host_events is not None:
        return tr("Executions have no end time: how long the host waits for them is unknown.")
    if timeline is None or not len(timeline.slices.start):
        return tr("No timeline: what waits for what is unknown.")
    if counts_by_tile(timeline):
        return tr("Each tile counts cycles from its own first event: what waits for what is unknown.")
    flows = timeline.flows
    if ((flows.from_slice >= 0) & (flows.to_slice >= 0)).any() or waiting(timeline) is not None:
        return ""
    if instructions_with_states(profile) is not None:
        return ""
    return NO_CAUSES if (timeline.slices.duration > 0).any() else NO_LENGTH
