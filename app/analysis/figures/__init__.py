"""The main figures of a profile, named as in the output of `info --json` (cli: figures): their record, and what
makes them for each family, which is imported only for a profile of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from app.analysis.table import Role, Unit
from app.profile.profile import Profile

Value: TypeAlias = int | float | str | bool | Sequence[object] | Mapping[str, object]


class Figure(Struct, frozen=True):
    """``name`` is the dotted key of `info --json`, ``value`` what it has there: both are the same in every language;
    ``label`` and ``unit`` are for people (a figure without a label is for programs only); ``help`` is the formula or
    the place in the file. ``clocked``: False for cycles of a clock that is not known, or summed over what runs at the
    same time, which are never shown as time. ``shown``: what people see instead of a value that is a code, in their
    language; that of a map has the same number of entries. ``role``: as of a column; identifying numbers ("key") have
    no difference."""

    name: str
    label: str
    value: Value
    unit: Unit = ""
    help: str = ""
    clocked: bool = True
    role: Role = ""
    shown: Value | None = None

    @property
    def display(self) -> Value:
        """The value for people."""
        return self.value if self.shown is None else self.shown


__all__ = ["Figure", "Source", "Value", "figures", "sources"]

Source: TypeAlias = Callable[[Profile], list[Figure]]


def sources(profile: Profile, *, whole: bool = False) -> Iterator[Source]:
    """What makes the figures of ``profile``; ``whole``: also those that take seconds. Each family is imported only with
    a profile that has something of it."""
    families = profile.families()
    if families & {"ascend", "ascend_report"} and profile.device_run is None:
        from app.analysis.figures import ascend

        yield from (ascend.figures, ascend.report_figures)
    if "popef" in families:
        from app.analysis.figures import popef

        yield popef.figures
    if profile.origin.format == "poplar":
        from app.analysis.figures import poplar

        yield poplar.figures
    if profile.capture is not None:
        from app.analysis.figures import capture

        yield capture.figures
    if profile.core_tasks is not None:
        from app.analysis.figures import pypto

        yield partial(pypto.figures, whole=whole)
    if profile.worker_cores is not None:
        from app.analysis.figures import tenstorrent

        yield tenstorrent.figures
    if "timeline" in families:
        from app.analysis.figures import timeline

        yield timeline.figures
        if profile.steps is None and profile.host_events is None:
            from app.analysis.figures import time

            yield partial(time.figures, whole=whole)
    if "ascend_report" in families:
        yield ascend.onchip_figures
    if "tensorflow" in families:
        from app.analysis.figures import tensorflow

        yield from (tensorflow.figures, tensorflow.tensor_map_figures)


def figures(profile: Profile, *, whole: bool = False) -> list[Figure]:
    """All figures that apply to ``profile``, family by family; ``whole``: also those that take seconds."""
    return [figure for source in sources(profile, whole=whole) for figure in source(profile)]
