"""Texts of the core load panel, and the colours of load levels."""

from __future__ import annotations

from app.analysis.ascend.cores import METRICS, TITLES, UNITS, Card, Kind, Metric, Tile, kinds, sub_core_name, values
from app.language import labelled, plural, tr
from app.profile.ascend import CoreLoad
from app.views.colours import blend
from app.views.look import Look, Theme
from app.views.units import change, cycles_and_time, exact, format_value, percent_change, plain, three_digits

COMPARED = tr("Background: orange more, blue less than the baseline; the stroke below marks the baseline")
OF_LEVELS = tr("0 to 3 below, 4 to 6 around, 7 to 10 above the mean of its kind")


def figure(value: float, metric: Metric, look: Look) -> str:
    """The value in a tile: short, with its unit in the heading if possible."""
    if value != value:
        return tr("no data")
    if metric in ("cycles", "simt_instructions"):
        return plain(value)
    return format_value(value, UNITS[metric], look)


def against(difference: float, metric: Metric, look: Look) -> str:
    """The difference to the baseline: ``+120``, ``−1.2 MiB``."""
    if difference != difference:
        return tr("no baseline")
    if metric in ("cycles", "simt_instructions"):
        return change(difference, "")
    return change(difference, UNITS[metric], look)


def about_baseline(before: float, after: float, metric: Metric, look: Look, clock_hz: float | None) -> list[str]:
    """Lines of the tool tip: the figure of the baseline, and the difference with its share of that."""
    lines: list[str] = [tr("Baseline: {figure}", figure=_exactly(before, metric, clock_hz))]
    if before == before and after == after:
        difference = after - before
        share = f", {percent_change(difference, before)}" if before and UNITS[metric] != "%" else ""
        lines.append(tr("Difference: {difference}{share}", difference=against(difference, metric, look), share=share))
    return lines


def heading(metric: Metric, load: CoreLoad) -> str:
    """The heading above the cards."""
    return tr("{titles} of each core", titles=TITLES[metric]) + (tr(" of {soc}", soc=load.soc) if load.soc else "")


def about(card: Card, tile: Tile, load: CoreLoad, metric: Metric, look: Look, clock_hz: float | None) -> str:
    """The tool tip: this figure and its level, what the level compares it with, and the other figures."""
    own = load.strings.get(int(load.type[tile.row]))
    compared = next((kind for kind in kinds(load, metric) if kind.name == (own or "sub-core")), None)
    lines = [_title(card, tile, load), labelled(TITLES[metric], _exactly(tile.value, metric, clock_hz))]
    if tile.level >= 0 and compared is not None:
        lines.append(
            tr("Level {level} of 10 among {compared}", level=tile.level, compared=_compared(compared, metric, look))
        )
    for other in METRICS:
        value = float(values(load, other)[tile.row])
        if other != metric and value == value:
            lines.append(labelled(TITLES[other], _exactly(value, other, clock_hz)))
    if load.simt_ipc[tile.row] == load.simt_ipc[tile.row]:
        lines.append(
            tr("SIMT VF instructions per cycle: {simt_ipc}", simt_ipc=three_digits(float(load.simt_ipc[tile.row])))
        )
    return "\n".join(lines)


def _title(card: Card, tile: Tile, load: CoreLoad) -> str:
    stored = (
        tr("core {core}, {sub_core_name}", core=tile.core, sub_core_name=sub_core_name(load, tile.row).lower())
        if tile.core >= 0
        else tr("no number")
    )
    shown = f"{card.title}, {tile.name}"
    return shown if stored == shown.lower() else tr("{shown} (in the file: {stored})", shown=shown, stored=stored)


def _exactly(value: float, metric: Metric, clock_hz: float | None) -> str:
    if value != value:
        return tr("no data in the file (not zero)")
    if metric == "cycles":
        return cycles_and_time(value, clock_hz)
    whole = int(value) if value.is_integer() else value
    if metric == "throughput":
        return tr("{whole} ({exact}) to and from main memory", whole=format_value(whole, "B"), exact=exact(whole, "B"))
    return tr("{whole} of L2 requests", whole=exact(whole, UNITS[metric])) if metric == "hit_rate" else exact(whole, "")


def _compared(kind: Kind, metric: Metric, look: Look) -> str:
    if kind.count < 2 or kind.deviation <= 0:
        return plural(
            "{count:,} {kind} sub-core: too few or all equal",
            "{count:,} {kind} sub-cores: too few or all equal",
            count=kind.count,
            kind=kind.name,
        )
    figures = (kind.mean, kind.median, kind.most, kind.deviation)
    mean, median, most, deviation = (format_value(value, UNITS[metric], look) for value in figures)
    spread = tr(
        "mean {mean}, median {median}, maximum {most}, standard deviation {deviation}",
        mean=mean,
        median=median,
        most=most,
        deviation=deviation,
    )
    return tr("{count:,} {kind} sub-cores: {spread}", count=kind.count, kind=kind.name, spread=spread)


LEVELS = (
    *("", "#FFF176", "#FFD600", "#FBC02D"),
    *("#A7CE52", "#81BA06", "#679405"),
    *("#EF5353", "#EC2829", "#D32322", "#BC2021"),
)
"""Colours of levels 1 to 10, as in MindStudio Insight (Ascend operator files, section 3.5); 0 is grey."""

TINT = 0.28


def shade(level: int, theme: Theme) -> str:
    """The colour of a level from 0 to 10."""
    return LEVELS[level] if 0 < level < len(LEVELS) else blend(theme.surface, theme.muted, 0.45)


def ground(level: int, theme: Theme) -> str:
    """The background of a tile: a pale tint of the level's colour that text reads well on."""
    return theme.raised if level < 0 else blend(theme.surface, shade(level, theme), TINT)
