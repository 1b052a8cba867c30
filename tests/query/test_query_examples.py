"""Each example can be run on the profiles that it is offered for."""

from __future__ import annotations

from app.query.examples import EXAMPLES, examples
from app.query.session import Session, listed, sources_of
from fakes.query_profiles import FAMILIES, profile_of_family

ELSEWHERE = {"On-chip memory: largest blocks", "Issues"}
"""Examples for files that no family here has."""


def test_examples_answer_on_every_family() -> None:
    offered: set[str] = set()
    for family in FAMILIES:
        profile = profile_of_family(family)
        sources = sources_of([profile], profile)
        own = [example for example in examples(listed(sources)) if not example.needs[0].startswith("baseline.")]
        assert len(own) >= 5, family
        with Session(sources) as session:
            answers = {example.title: session.run(example.statement) for example in examples(listed(sources))}
        assert sum(table.rows > 0 for table in answers.values()) >= 5, family
        offered |= answers.keys()
    assert {example.title for example in EXAMPLES} - offered == ELSEWHERE
    assert len({example.title for example in EXAMPLES}) == len(EXAMPLES)


def test_rows_of_examples_lead_to_things() -> None:
    with Session(sources_of([profile_of_family("ascend")])) as session:
        chosen = {example.title: session.run(example.statement).selects for example in EXAMPLES[9:14]}
    assert chosen["Longest slices"] == chosen["Longest slice of each lane"] == "slice"
    assert chosen["Pipes of each core: busy time and share"] == "lane"
    assert chosen["Slices longer than ten times the mean, by name"] is None
