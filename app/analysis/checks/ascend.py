"""Inconsistencies in an Ascend operator file: reported with both figures, never silently corrected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.ascend import launch, paths, workload
from app.analysis.ascend.typed_columns import hit_percent
from app.language import plural, tr
from app.profile.issue import Issue, Severity
from app.profile.profile import Profile

PLACES = 5e-4
"""Ratios and hit rates are stored with six decimals: a larger relative difference means that they were computed
differently."""


def check(profile: Profile) -> list[Issue]:
    """All issues; none for a profile of another family."""
    checks = (_durations, _hit_rates, _shares, _roofline, _cores, _places)
    return [issue for one in checks for issue in one(profile)]


def _durations(profile: Profile) -> Iterator[Issue]:
    operator = profile.operator
    if operator is None or not launch.doubtful(operator):
        return
    stored = launch.of_blocks(operator)
    longest = np.fmax.reduce(stored, axis=1)
    worst = int(np.nanargmax(longest))
    over = int((longest > launch.TOLERANCE * (operator.duration_us or 0)).sum())
    name = launch.block_names(operator)[worst]
    text = plural(
        "doubtful unit of block durations: block {name} has {longest}, its operator {duration_us} "
        "µs ({over} of {count:,} block is longer); the values are shown as stored",
        "doubtful unit of block durations: block {name} has {longest}, its operator {duration_us} "
        "µs ({over} of {count:,} blocks are longer); the values are shown as stored",
        count=len(stored),
        name=name,
        longest=f"{longest[worst]:.2f}",
        duration_us=f"{operator.duration_us:.2f}",
        over=over,
    )
    yield _issue(profile, "warning", tr("block durations"), text)


def _hit_rates(profile: Profile) -> Iterator[Issue]:
    paths = profile.memory_paths
    if paths is None:
        return
    computed = hit_percent(paths.blocks.hit, paths.blocks.miss)
    stored = paths.blocks.hit_rate
    wrong = np.abs(stored - computed) > PLACES * 100
    for row in np.flatnonzero(wrong)[:3].tolist():
        name = paths.strings.get(int(paths.blocks.block[row]))
        text = tr(
            "stored L2 hit rate is {stored} %, but hit / (hit + miss) is {computed} %",
            stored=f"{stored[row]:g}",
            computed=f"{computed[row]:.4f}",
        )
        yield _issue(profile, "warning", tr("memory paths, block {name}", name=name), _of_many(text, int(wrong.sum())))


def _shares(profile: Profile) -> Iterator[Issue]:
    work = profile.workload
    if work is None:
        return
    shares = workload.shares(profile)
    over = shares > 100.5
    for row in np.flatnonzero(over)[:1].tolist():
        name = work.strings.get(int(work.name[row]))
        text = tr("{name} has a share of {share} % of its sub-block's cycles", name=name, share=f"{shares[row]:.1f}")
        yield _issue(profile, "warning", tr("compute workload"), _of_many(text, int(over.sum())))
    stored = work.value
    wrong = np.abs(stored - shares) > np.maximum(0.02, 0.01 * np.abs(shares))
    for row in np.flatnonzero(wrong)[:1].tolist():
        name = work.strings.get(int(work.name[row]))
        text = tr(
            "{name} is stored as {stored} %, but cycles / total cycles is {share} %",
            name=name,
            stored=f"{stored[row]:g}",
            share=f"{shares[row]:.4g}",
        )
        yield _issue(profile, "warning", tr("compute workload"), _of_many(text, int(wrong.sum())))


def _roofline(profile: Profile) -> Iterator[Issue]:
    roofs = profile.roofline
    if roofs is None:
        return
    ratios = paths.ratios(roofs)
    wrong = np.abs(roofs.ratio - ratios) > np.maximum(2e-6, PLACES * np.abs(ratios))
    for row in np.flatnonzero(wrong)[:3].tolist():
        where = tr(
            "roofline {title}, {bandwidth_name}",
            title=roofs.titles[roofs.chart[row]],
            bandwidth_name=roofs.strings.get(int(roofs.bandwidth_name[row])),
        )
        text = tr(
            "stored ratio is {stored}, but performance / roof is {computed}",
            stored=f"{roofs.ratio[row]:g}",
            computed=f"{ratios[row]:.6f}",
        )
        yield _issue(profile, "warning", where, _of_many(text, int(wrong.sum())))
    over = ratios > 1 + PLACES
    for row in np.flatnonzero(over)[:1].tolist():
        where = tr("roofline {title}", title=roofs.titles[roofs.chart[row]])
        text = tr("a point is above its roof (ratio {ratio})", ratio=f"{ratios[row]:.3f}")
        yield _issue(profile, "warning", where, _of_many(text, int(over.sum())))


def _cores(profile: Profile) -> Iterator[Issue]:
    for name, section in (("instructions", profile.instructions), (tr("source lines"), profile.lines)):
        if section is None or not section.columns:
            continue
        width = max(column.values.shape[1] for column in section.columns)
        if width > max(len(section.cores), 1):
            text = tr("values for {width} cores, but {count} core names", width=width, count=len(section.cores))
            yield _issue(profile, "warning", name, text)


def _places(profile: Profile) -> Iterator[Issue]:
    """Why a source view has gaps."""
    if profile.instructions is not None and profile.lines is None:
        text = (
            tr("no line table: the kernel was built without debug information (-g), so lines cannot be shown")
            if profile.entries is None
            else tr("no table of source lines, so costs are shown only for instructions")
        )
        yield _issue(profile, "info", "instructions", text)
    if profile.lines is not None and profile.sources is not None:
        known = set(profile.sources.paths)
        absent = [path for path in profile.lines.paths if path not in known]
        if absent:
            text = tr("the file has no text of {absent}", absent=absent[0])
            yield _issue(profile, "info", tr("source lines"), _of_many(text, len(absent)))


def _of_many(text: str, count: int) -> str:
    return tr("{text} (one of {count} such problems)", text=text, count=count) if count > 1 else text


def _issue(profile: Profile, severity: Severity, where: str, text: str) -> Issue:
    paths = profile.origin.paths  # a folder is named, not its first file
    file = paths[0].name if len(paths) == 1 else profile.name
    return Issue(severity, f"{file}: {where}", text)
