"""What is live while a program runs, for Details."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.part import Amount, Fact, Part, Pointer
from app.analysis.poplar.live_variables import fullest_node, name_of, step_of_node, variables_at
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection

MOST_LISTED: Final = 8
SOURCE: Final = "details"


def live_part(profile: Profile, nodes: I64) -> Part | None:
    """What is live at the fullest of the ``nodes`` of the liveness tree; None where the file does not say."""
    own, tree = profile.live_variables, profile.liveness
    if own is None or tree is None:
        return None
    node = fullest_node(profile, nodes)
    variables = None if node is None else variables_at(profile, np.array([node], np.int64), always=False)
    if node is None or variables is None:
        return None
    step = step_of_node(tree, node)
    where = tr("node {node:,}", node=node) if step is None else tr("program step {step:,}", step=step)
    known = own.size[variables]
    help_ = tr("Of the nodes of this program and below, the one with the most live bytes. Without what is always live.")
    what = plural("variable", "variables", count=len(variables))
    facts = [
        Fact(
            tr("Temporarily live"),
            (Amount(len(variables), ""), tr(" {what} at {where}", what=what, where=where)),
            help_,
        )
    ]
    if bool(np.any(known >= 0)):
        facts.append(
            Fact(tr("Their sizes"), (Amount(int(known[known >= 0].sum()), "B"),), tr("Sum of the sizes listed."))
        )
    if len(variables) > MOST_LISTED:
        facts.append(Fact(tr("Not listed"), (Amount(len(variables) - MOST_LISTED, ""), tr(" smaller: see Liveness"))))
    pointers = [Pointer((where,), Selection("liveness", (node,), SOURCE))]
    for variable in variables[:MOST_LISTED].tolist():
        size = int(own.size[variable])
        amount = (" · ", Amount(size, "B")) if size >= 0 else ()
        pointers.append(Pointer((name_of(profile, variable), *amount), Selection("live_variable", (variable,), SOURCE)))
    return Part(tr("Live variables"), tuple(facts), tuple(pointers))
