"""The model panel's page about one row of the metadata."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from app.analysis.tables.popef import fields
from app.language import tr
from app.profile.blobs import Blobs
from app.profile.model import Model
from app.profile.profile import Profile
from app.views.line import Line
from app.views.model.baseline import Baseline
from app.views.units import format_value
from app.widgets.display import Display
from app.widgets.sheet import Sheet

HELP: dict[str, str] = {
    tr("Runs"): tr(
        "IsInference in the metadata. Older writers and other frameworks leave it unset, which means training."
    ),
    tr("Device iterations"): tr(
        "How often a call repeats the main program on the device. Older writers do not state it."
    ),
    tr("Pod"): tr("IsPOD in the metadata: made for an IPU-POD. Older writers leave it unset."),
    tr("Seed handle"): tr("The handle through which a runtime passes the random seed; empty if there is none."),
    tr("Processes"): tr("Number of processes that run the model."),
}
MOST_LINKS = 50
Select = Callable[[int], Callable[[], object]]
"""Returns an action that selects a blob."""


def sheet(profile: Profile, row: int, display: Display, select: Select, before: Baseline | None = None) -> Sheet:
    """The page of one model; ``before``: the baseline, of which it says what differs."""
    model, blobs = profile.model, profile.blobs
    assert model is not None
    assert blobs is not None
    page = Sheet(display)
    name = model.strings.get(int(model.metadata.executable[row]))
    page.title(tr("Executable {name}", name=name) if name else tr("The metadata name no executable"))
    _executable(page, model, blobs, name, display, select)
    page.heading(tr("Metadata"))
    values = (pair for pair in fields(profile, model, row) if not pair[0].startswith("Program flow"))
    known = {} if before is None else before.fields()
    page.facts(Line(key, _with(value or tr("none"), known.get(key)), HELP.get(key, "")) for key, value in values)
    page.link(tr("Metadata blob"), select(int(model.metadata.blob[row])), tr("Select it in all panels"))
    described = {model.strings.get(one) for one in model.metadata.executable.tolist()}
    if before is not None:
        page.heading(tr("Compared with the baseline"))
        for text in before.changes(model):
            page.say(text)
    others = [row for row, one in enumerate(model.executables.name.tolist()) if model.strings.get(one) not in described]
    if others:
        page.heading(tr("Executables without metadata"))
        _others(page, model, others, select)
    page.end()
    return page


def _with(value: str, before: str | None) -> str:
    """The value, and that of the baseline if it is another one."""
    if before is None or before == value:
        return value
    return tr("{value} (baseline: {before})", value=value, before=before)


def _executable(page: Sheet, model: Model, blobs: Blobs, name: str, display: Display, select: Select) -> None:
    """Adds the named executable and the opaque data with the same name."""
    own = model.executables
    named = np.array([model.strings.get(one) == name for one in own.name.tolist()], np.bool_)
    for number in np.flatnonzero(named)[:MOST_LINKS].tolist():
        taken = format_value(int(blobs.payload_size[own.blob[number]]), "B", display.look)
        if own.compressed[number] and own.uncompressed_size[number] >= 0:
            taken += tr(
                ", {uncompressed_size} uncompressed",
                uncompressed_size=format_value(int(own.uncompressed_size[number]), "B", display.look),
            )
        page.link(
            tr("Executable blob, {taken}", taken=taken), select(int(own.blob[number])), tr("Select it in all panels")
        )
    if not named.any():
        page.say(tr("These files do not contain it. Open the file that does together with this one."), "warning")
    extending = [row for row, one in enumerate(model.opaques.executable.tolist()) if model.strings.get(one) == name]
    for number in extending[:MOST_LINKS]:
        opaque = model.strings.get(int(model.opaques.name[number])) or tr("without a name")
        taken = format_value(int(blobs.payload_size[model.opaques.blob[number]]), "B", display.look)
        page.link(
            tr("Opaque data of {opaque}, {taken}", opaque=opaque, taken=taken), select(int(model.opaques.blob[number]))
        )


def loose(profile: Profile, display: Display, select: Select) -> Sheet:
    """The page of files without metadata."""
    model, blobs = profile.model, profile.blobs
    assert model is not None
    assert blobs is not None
    page = Sheet(display)
    page.title(tr("No metadata"))
    page.say(
        tr(
            "These files contain no metadata, which state how to run an executable. Open the file "
            "with the metadata, too."
        )
    )
    _others(page, model, range(len(model.executables)), select)
    page.end()
    return page


def _others(page: Sheet, model: Model, rows: Sequence[int], select: Select) -> None:
    """Adds executables by name, at most MOST_LINKS."""
    for row in rows[:MOST_LINKS]:
        name = model.strings.get(int(model.executables.name[row])) or tr("without a name")
        page.link(
            tr("Executable {name}", name=name), select(int(model.executables.blob[row])), tr("Select it in all panels")
        )
    if len(rows) > MOST_LINKS:
        page.say(tr("and {count:,} more; see the table of blobs", count=len(rows) - MOST_LINKS))
