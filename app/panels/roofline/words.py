"""What a roofline says of its points. No Qt."""

from __future__ import annotations

from app.panels.roofline.chart import MOST_ROOFS, Roof, RoofChart
from app.widgets.units import exact, percent, plain, three_digits

VERDICTS = {
    "memory bound": "More than 80 % of its roof, left of the ridge: bandwidth is the limit.",
    "compute bound": "More than 80 % of its roof, right of the ridge: computing is the limit.",
    "latency bound": "80 % of its roof or less: neither bandwidth nor computing is the limit, but waiting.",
}


def about(roof: Roof) -> str:
    """The tool tip of a roof and its point."""
    lines = [
        roof.title,
        f"Bandwidth: {exact(roof.bandwidth, 'TB/s')}",
        f"Compute: {exact(roof.compute, 'TOps/s')}",
        f"Ridge: {three_digits(roof.ridge)} Ops/Byte = compute / bandwidth",
        f"Arithmetic intensity: {exact(roof.x, 'Ops/Byte')}",
        f"Performance: {exact(roof.y, 'TOps/s')}",
        f"Ratio: {exact(round(100 * roof.ratio, 6), '%')} = 100 · performance / min(intensity · bandwidth, compute)",
    ]
    if roof.stored is None:
        lines.append("The file gives no ratio of its own.")
    else:
        own = exact(round(100 * roof.stored, 6), "%")
        lines.append(f"Ratio in the file: {own}" + (", which differs" if roof.differs else ", the same"))
    lines.append(f"{roof.verdict.capitalize()}: {VERDICTS.get(roof.verdict, '')}" if roof.verdict else "")
    return "\n".join(line for line in lines if line)


def standing(roof: Roof) -> str:
    """The second line of a legend's entry."""
    share = percent(100 * roof.ratio)
    own = f", file says {percent(100 * roof.stored)}" if roof.differs and roof.stored is not None else ""
    return f"{share}{own} · {roof.verdict}"


def slope_label(roof: Roof) -> str:
    return f"{roof.name} {plain(roof.bandwidth)} TB/s".strip()


def roof_label(roof: Roof) -> str:
    return f"{roof.compute_name} {plain(roof.compute)} TOps/s".strip()


def verdict_of_file(advice: str) -> str:
    """The file's own verdict, as people write: ``latency bound:memory caused`` has a gap missing."""
    first, _, rest = advice.partition(":")
    return f"{first.strip()}, {rest.strip()}" if rest.strip() else first.strip()


def remarks(charts: tuple[RoofChart, ...], advice: str, total: int = 0) -> str:
    """What holds for all charts; ``total``: how many the file has."""
    roofs = [roof for chart in charts for roof in chart.roofs]
    different = sum(roof.differs for roof in roofs)
    silent = sum(roof.stored is None for roof in roofs)
    left_out = sum(chart.left_out for chart in charts)
    parts = []
    if advice:
        parts.append(f"The file's verdict: {verdict_of_file(advice)}")
    if different:
        parts.append(f"{different} of {len(roofs)} ratios in the file differ from those recomputed here")
    elif silent < len(roofs):
        parts.append(f"{len(roofs) - silent} of {len(roofs)} ratios in the file are the same as recomputed")
    if left_out:
        parts.append(f"{left_out} not drawn: a figure is missing or not above 0")
    beyond = sum(chart.beyond for chart in charts)
    if beyond:
        parts.append(f"{beyond:,} more are in the table only: a chart shows {MOST_ROOFS}")
    if total > len(charts):
        parts.append(f"{total - len(charts):,} more charts are in the table only")
    return " · ".join(parts)
