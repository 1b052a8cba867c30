"""Whether the host feeds the IPUs fast enough: real, generated and synthetic data compared (Scaling over replicas,
section 7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling.quantities import a_count, above_zero
from app.language import tr

NOISE: Final = 0.02
"""A throughput that is higher by less than this counts as equal."""
WORTH: Final = 0.05
"""A loss, or a change of it, that justifies action. Our own choice: the guide says "significantly"."""

Limit: TypeAlias = Literal["none", "loading", "transfer", "both", "contradiction"]


class Case(Struct, frozen=True):
    """Throughputs at one number of replicas, in samples per second: ``real`` data from the host, data ``generated`` on
    the host with little work, ``synthetic`` data made on the IPU. None: not measured."""

    replicas: int
    real: float | None = None
    generated: float | None = None
    synthetic: float | None = None

    def __post_init__(self) -> None:
        a_count(self.replicas, "replicas")
        for value in (self.real, self.generated, self.synthetic):
            if value is not None:
                above_zero(value, "throughput")


class Losses(Struct, frozen=True):
    """Losses relative to the throughput with synthetic data: ``transfer`` on the way from host to IPU (1 - generated /
    synthetic), ``loading`` in reading and preparing real data ((generated - real) / synthetic), ``host`` both together
    (1 - real / synthetic). None if a case is missing."""

    replicas: int
    transfer: float | None
    loading: float | None
    host: float | None


class Diagnosis(Struct, frozen=True):
    """``limit``: what limits the replicas at the largest count measured; ``grows``: whether the loss grows with the
    replicas (None: one count only), so that host I/O needs to be improved."""

    losses: tuple[Losses, ...]
    limit: Limit
    grows: bool | None
    text: str


def losses(case: Case) -> Losses:
    """The losses between the three cases."""
    real, generated, synthetic = case.real, case.generated, case.synthetic
    transfer = None if generated is None or synthetic is None else 1 - generated / synthetic
    host = None if real is None or synthetic is None else 1 - real / synthetic
    loading = None if transfer is None or host is None else host - transfer
    return Losses(case.replicas, transfer, loading, host)


def diagnose(cases: Sequence[Case]) -> Diagnosis | None:
    """The diagnosis; None if no count of replicas has two of the three cases, synthetic among them."""
    by_replicas = sorted((losses(case) for case in cases), key=lambda loss: loss.replicas)
    known = tuple(loss for loss in by_replicas if loss.host is not None or loss.transfer is not None)
    if not known:
        return None
    limit = _limit(known[-1])
    grows = _grows(known)
    return Diagnosis(known, limit, grows, _TEXTS[limit] + (_GROWS if grows and limit != "contradiction" else ""))


def _limit(last: Losses) -> Limit:
    parts = [part for part in (last.transfer, last.loading, last.host) if part is not None]
    if min(parts) < -NOISE:
        return "contradiction"
    transfer, loading = (part is not None and part >= WORTH for part in (last.transfer, last.loading))
    if transfer or loading:
        return "both" if transfer and loading else "transfer" if transfer else "loading"
    return "both" if last.host is not None and last.host >= WORTH else "none"


def _grows(known: tuple[Losses, ...]) -> bool | None:
    """Whether the loss of all host work (or of transfers, if only that is known) grows from the first count to the
    last."""
    for part in ("host", "transfer"):
        values = [value for loss in known if (value := getattr(loss, part)) is not None]
        if len(values) > 1 and len({loss.replicas for loss in known}) > 1:
            return bool(values[-1] - values[0] >= WORTH)
    return None


_TEXTS: Final[dict[Limit, str]] = {
    "none": tr("The host keeps up: real data is as fast as data generated on the IPU."),
    "loading": tr("Reading and preparing data on the host limits the IPUs. The transfer does not."),
    "transfer": tr("The transfer from host to IPU limits the IPUs. Preparing the data does not."),
    "both": tr("The host limits the IPUs."),
    "contradiction": tr(
        "These measurements contradict each other: synthetic data cannot be slower than data from the host, nor "
        "generated data slower than real data."
    ),
}
_GROWS: Final = tr(" The loss grows with the replicas: host I/O limits scaling.")
