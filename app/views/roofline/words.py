"""Texts of the roofline panel."""

from __future__ import annotations

from app.language import labelled, plural, tr
from app.views.roofline.chart import MOST_ROOFS, Roof, RoofChart
from app.views.units import exact, percent, plain, three_digits

VERDICTS: dict[str, str] = {
    tr("memory bound"): tr("More than 80 % of its roof, left of the ridge: bandwidth is the limit."),
    tr("compute bound"): tr("More than 80 % of its roof, right of the ridge: compute is the limit."),
    tr("latency bound"): tr(
        "80 % of its roof or less: neither bandwidth nor compute is the limit; the operator waits."
    ),
}


def about(roof: Roof) -> str:
    """The tool tip of a roof and its point."""
    lines = [
        roof.title,
        tr("Bandwidth: {bandwidth}", bandwidth=exact(roof.bandwidth, "TB/s")),
        tr("Compute: {compute}", compute=exact(roof.compute, "TOps/s")),
        tr("Ridge: {ridge} Ops/Byte = compute / bandwidth", ridge=three_digits(roof.ridge)),
        tr("Arithmetic intensity: {x}", x=exact(roof.x, "Ops/Byte")),
        tr("Performance: {y}", y=exact(roof.y, "TOps/s")),
        tr(
            "Ratio: {ratio} = 100 · performance / min(intensity · bandwidth, compute)",
            ratio=exact(round(100 * roof.ratio, 6), "%"),
        ),
    ]
    if roof.stored is None:
        lines.append(tr("The file contains no ratio."))
    else:
        own = exact(round(100 * roof.stored, 6), "%")
        lines.append(
            tr("Ratio in the file: {part}, different", part=own)
            if roof.differs
            else tr("Ratio in the file: {part}, the same", part=own)
        )
    lines.append(labelled(roof.verdict.capitalize(), VERDICTS.get(roof.verdict, "")) if roof.verdict else "")
    return "\n".join(line for line in lines if line)


def standing(roof: Roof) -> str:
    """The second line of a legend's entry."""
    share = percent(100 * roof.ratio)
    own = (
        tr(" (in the file: {stored})", stored=percent(100 * roof.stored))
        if roof.differs and roof.stored is not None
        else ""
    )
    return f"{share}{own} · {roof.verdict}"


def slope_label(roof: Roof) -> str:
    return tr("{roof} {bandwidth} TB/s", roof=roof.name, bandwidth=plain(roof.bandwidth)).strip()


def roof_label(roof: Roof) -> str:
    return tr("{compute_name} {compute} TOps/s", compute_name=roof.compute_name, compute=plain(roof.compute)).strip()


def verdict_of_file(advice: str) -> str:
    """The file's own verdict with a comma for its colon: ``latency bound:memory caused`` lacks a space."""
    first, _, rest = advice.partition(":")
    return f"{first.strip()}, {rest.strip()}" if rest.strip() else first.strip()


def remarks(charts: tuple[RoofChart, ...], advice: str, total: int = 0) -> str:
    """Remarks that apply to all charts; ``total``: the number of charts in the file."""
    roofs = [roof for chart in charts for roof in chart.roofs]
    different = sum(roof.differs for roof in roofs)
    silent = sum(roof.stored is None for roof in roofs)
    left_out = sum(chart.left_out for chart in charts)
    parts = []
    if advice:
        parts.append(tr("The file's verdict: {verdict_of_file}", verdict_of_file=verdict_of_file(advice)))
    if different:
        parts.append(
            plural(
                "{different} of {count:,} ratio in the file differs from recomputation",
                "{different} of {count:,} ratios in the file differ from recomputation",
                count=len(roofs),
                different=different,
            )
        )
    elif silent < len(roofs):
        parts.append(
            plural(
                "{number} of {count:,} ratio in the file matches recomputation",
                "{number} of {count:,} ratios in the file match recomputation",
                count=len(roofs),
                number=len(roofs) - silent,
            )
        )
    if left_out:
        parts.append(tr("{left_out} not drawn: a value is missing or not above 0", left_out=left_out))
    beyond = sum(chart.beyond for chart in charts)
    if beyond:
        parts.append(
            tr(
                "{beyond:,} more only in the table: a chart shows at most {most_roofs}",
                beyond=beyond,
                most_roofs=MOST_ROOFS,
            )
        )
    if total > len(charts):
        parts.append(
            plural(
                "{count:,} more chart only in the table",
                "{count:,} more charts only in the table",
                count=total - len(charts),
            )
        )
    return " · ".join(parts)
