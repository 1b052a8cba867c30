"""What the baseline has of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from app.analysis.popef.flow import counterpart
from app.analysis.tables.popef import fields
from app.language import tr
from app.profile.arrays import I32
from app.profile.popef import Model
from app.profile.profile import Profile

MOST_NAMES = 12


class Baseline(Struct, frozen=True, eq=False):
    """``row``: the row of the metadata that belongs to the shown model, -1 without one."""

    profile: Profile
    row: int

    @classmethod
    def of(cls, profile: Profile, model: Model, row: int) -> Baseline:
        """The model of ``profile`` that belongs to a row of ``model``."""
        return cls(profile, -1 if profile.model is None else counterpart(profile.model, model, row))

    @property
    def model(self) -> Model | None:
        return self.profile.model

    def fields(self) -> dict[str, str]:
        """The fields of its metadata."""
        if self.model is None or self.row < 0:
            return {}
        return {key: value or tr("none") for key, value in fields(self.profile, self.model, self.row)}

    def changes(self, after: Model) -> list[str]:
        """One sentence for each kind of data that only one side has."""
        before = self.model
        texts: list[str] = [tr("The baseline has no such model.")] if self.row < 0 else []
        if before is None:
            return texts
        for title, one, other in (
            (tr("Executables"), before.executables.name, after.executables.name),
            (tr("Tensors"), _names(before, feed=False), _names(after, feed=False)),
            (tr("Feeds"), _names(before, feed=True), _names(after, feed=True)),
            (tr("Opaque data"), before.opaques.name, after.opaques.name),
        ):
            texts += _sides(title, _counted(before, one), _counted(after, other))
        return texts or [tr("Both have executables, tensors, feeds and opaque data of the same names.")]


def _names(model: Model, *, feed: bool) -> I32:
    names: I32 = model.tensors.name[model.tensors.feed == feed]
    return names


def _counted(model: Model, names: I32) -> Counter[str]:
    return Counter(model.strings.get(name) or tr("without a name") for name in names.tolist())


def _sides(title: str, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    if gone := _listed(before - after):
        yield tr("{title} only in the baseline: {names}", title=title, names=gone)
    if new := _listed(after - before):
        yield tr("{title} only in the comparison: {names}", title=title, names=new)


def _listed(names: Counter[str]) -> str:
    listed = list(names.elements())
    return ", ".join([*listed[:MOST_NAMES], *(["…"] if len(listed) > MOST_NAMES else [])])
