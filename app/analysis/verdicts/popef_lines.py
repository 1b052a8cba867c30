"""How to run a model: what to feed, what comes out, and whether its parts fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.findings.popef import link_issues, size_issues
from app.analysis.popef.anchors import groups, shape_text
from app.analysis.verdicts.answer import Detail
from app.language import plural, tr
from app.profile.popef import Model, data_type
from app.profile.profile import Profile
from app.profile.selection import Selection

_USER_INPUTS: Final = 0
_OUTPUTS: Final = (2, 3)
_SHOWN: Final = 3


def of_model(profile: Profile) -> Iterator[Detail]:
    """Inputs of the user, outputs, inconsistencies."""
    model = profile.model
    if model is None or not len(model.anchors):
        return
    group = groups(model)
    yield from _anchors(model, np.flatnonzero(group == _USER_INPUTS).tolist(), outputs=False)
    yield from _anchors(model, np.flatnonzero(np.isin(group, _OUTPUTS)).tolist(), outputs=True)
    wrong = [issue for issue in (*link_issues(profile), *size_issues(profile)) if issue.severity != "info"]
    if wrong:
        text = plural(
            "{count:,} name, size or type is inconsistent: {first}",
            "{count:,} names, sizes or types are inconsistent. First: {first}",
            count=len(wrong),
            first=wrong[0].text,
        )
        yield Detail((text,))
    else:
        yield Detail((tr("Names, sizes and types are consistent"),))


def _anchors(model: Model, rows: list[int], *, outputs: bool) -> Iterator[Detail]:
    own = model.anchors
    listed = [
        f"{model.strings.get(int(own.name[row]))} "
        f"{data_type(int(own.data_type[row]))}{shape_text(tuple(own.shape.row(row).tolist()))}"
        for row in rows[:_SHOWN]
    ]
    if listed:
        named: str = ", ".join(listed)
        if len(rows) > _SHOWN:
            named = tr("{named}, {count:,} more", named=named, count=len(rows) - _SHOWN)
        text = tr("Outputs: {named}", named=named) if outputs else tr("Inputs: {named}", named=named)
        yield Detail((text,), Selection("anchor", tuple(rows[:_SHOWN])))
