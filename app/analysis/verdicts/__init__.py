"""The most important statements about a profile: does it fit, how long does it run, what does it need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec.structs import replace

from app.analysis.figures import Figure, figures
from app.analysis.memory import WorstTile, replicas, used, verdict
from app.analysis.part import Amount, Pointer, Words, sentence
from app.analysis.poplar.runs import not_measured, tiles_of_run
from app.analysis.timeline.pipes import has_pipes
from app.analysis.verdicts import capture, pypto, tenstorrent
from app.analysis.verdicts.answer import About, Lines, State, Verdict
from app.language import joined, labelled, plural, tr
from app.profile.issue import Issue, Severity
from app.profile.poplar import TILE_CYCLE_KINDS
from app.profile.profile import Profile
from app.profile.selection import Selection

SHARE_KINDS = 4
MEANT = {"sync": tr("including waiting and idle tiles")}
"""Explanations of kinds of cycles whose name is ambiguous: steps of type Sync do not account for the sync cycles."""
SHOWN_ISSUES = 3


_LENGTHS = (
    "execution.cycles",
    "capture.computing_s",
    "cluster.computing_s",
    "pypto.span_s",
    "pypto.span_cycles",
    "tenstorrent.kernel_s",
)
"""Figures of profiles whose verdicts tell how long they run."""
_OF_OPERATORS = ("core_load", "roofline", "lines", "instructions", "workload", "memory_tables", "stall_reasons")


Known: TypeAlias = dict[str, object]
"""Values of figures by name."""


def verdicts(profile: Profile, known_figures: list[Figure] | None = None, lines: Lines | None = None) -> list[Verdict]:
    """The most important first; empty if there is nothing to say yet. ``lines``: what follows below them
    (``expert_lines``), if it is known."""
    known: Known = {
        figure.name: figure.value for figure in (figures(profile) if known_figures is None else known_figures)
    }
    made = [verdict for make in _MAKERS for verdict in make(profile, known)]
    first = () if lines is None else lines.get("time", ())
    if first:  # it may take seconds to compute, so it comes with the lines
        place = sum(verdict.state == "doubtful" for verdict in made[:1])
        place += any(verdict.about == "capture" for verdict in made)
        time = Verdict("plain", first[0].words, lines=first[1:], short=first[0].short, selection=first[0].selection)
        made.insert(place, time)
    return [
        replace(verdict, lines=(lines or {}).get(verdict.about, ())) if verdict.about else verdict for verdict in made
    ]


def _mismatch(profile: Profile, _: Known) -> Iterator[Verdict]:
    """States that files that were opened together do not belong together."""
    if profile.mismatch is not None:
        others = ", ".join(path.name for path in profile.origin.apart)
        text = (
            tr("Does not belong to {others}", others=others)
            if others
            else tr("Graph and execution do not belong together")
        )
        yield Verdict("doubtful", (text,), ((profile.mismatch.why,),), short=(text,))


def _memory(profile: Profile, _: Known) -> Iterator[Verdict]:
    fit = verdict(profile)
    if fit is None or profile.target is None or not profile.target.bytes_per_tile:
        yield from _memory_without_limit(profile)
        return
    size = Amount(profile.target.bytes_per_tile, "B")
    fullest = fit.worst[0] if fit.worst else None
    detail: list[Words] = []
    short: Words = ()
    shown = None if fullest is None else Selection("tile", (fullest.tile,))
    if fullest is not None:
        used = Amount(fullest.with_gaps, "B")
        share, left = Amount(100 * fit.share, "%"), Amount(abs(fit.headroom), "B")
        fits, full = (
            tr("Fits: {share} of the fullest tile", share=share),
            tr("Out of memory: {share} of a tile", share=share),
        )
        short = sentence(fits if fit.fits else full)
        if fit.headroom >= 0:
            text = tr(
                "Fullest tile: {used} of {size}, {share}; {left} left", used=used, size=size, share=share, left=left
            )
        else:
            text = tr(
                "Fullest tile: {used} of {size}, {share}; {over} over the limit",
                used=used,
                size=size,
                share=share,
                over=left,
            )
        detail.append(sentence(text))
    whole = Amount(100 * fit.total_share, "%")
    detail.append(sentence(tr("All tiles together: {share} of their memory", share=whole)))
    alike = replicas(profile) or 1
    if alike > 1:
        detail.append((tr("Tiles are those of one of {alike:,} identical replicas", alike=alike),))
    pointers = tuple(
        Pointer((_place(tile), " · ", Amount(tile.with_gaps, "B")), Selection("tile", (tile.tile,), "summary"))
        for tile in fit.worst
    )
    if fit.fits:
        text = tr("Fits in memory")
        yield Verdict("good", (text,), tuple(detail), pointers, about="memory", short=short, selection=shown)
    elif fit.tiles_over:
        text = plural(
            "Does not fit: {count:,} tile is out of memory",
            "Does not fit: {count:,} tiles are out of memory",
            count=fit.tiles_over,
        )
        yield Verdict(
            "bad",
            (text,),
            tuple(detail),
            pointers,
            about="memory",
            short=short,
            selection=shown,
        )
    else:
        text = tr("Does not fit: variables overflow the regions")
        yield Verdict("bad", (text,), tuple(detail), pointers, about="memory", short=(text,), selection=shown)


def _memory_without_limit(profile: Profile) -> Iterator[Verdict]:
    memory = used(profile.tile_memory) if profile.tile_memory is not None else None
    if memory is None or not len(memory):
        return
    fullest = int(memory.argmax())
    text = (tr("tile {fullest:,} · ", fullest=fullest), Amount(int(memory[fullest]), "B"))
    yield Verdict(
        "plain",
        (tr("It is unknown whether the program fits in memory"),),
        ((tr("The file does not state how much memory a tile has (target.bytesPerTile)"),),),
        (Pointer(text, Selection("tile", (fullest,), "summary")),),
        lacks=True,
    )


def _place(tile: WorstTile) -> str:
    """The tile, and its IPU if known."""
    return (
        tr("tile {tile:,}", tile=tile.tile)
        if tile.ipu is None
        else tr("tile {tile:,}, IPU {ipu:,}", tile=tile.tile, ipu=tile.ipu)
    )


def _run(profile: Profile, known: Known) -> Iterator[Verdict]:
    cycles, seconds = known.get("execution.cycles"), known.get("execution.seconds")
    if not isinstance(cycles, int):
        return
    length = Amount(cycles, "cycles")
    text = short = sentence(tr("Runs for {time}", time=length))
    if isinstance(seconds, float):
        exactly = tr("{value} cycles", value=f"{cycles:,}")  # even where cycles are shown as times
        text = sentence(tr("Runs for {time} ({cycles})", time=Amount(seconds, "s"), cycles=exactly))
        short = sentence(tr("Runs for {time}", time=Amount(seconds, "s")))
    detail: list[Words] = []
    spent = known.get("execution.tile_cycles")
    if isinstance(spent, dict):
        shares = {kind: amount for kind, amount in spent.items() if kind != "activeCompute" and amount > 0}
        if shares:
            total, whole = _whole(profile, cycles, shares)
            listed = _shares(shares, total)
            text_ = tr("Cycles of all tiles: {shares}", shares=listed)
            detail.append(sentence(text_ if whole else tr("Measured cycles: {shares}", shares=listed)))
        detail += [
            (tr("{kind}: not measured (needs {option})", kind=kind, option=option),)
            for kind, option in not_measured(spent).items()
        ]
    yield Verdict("plain", text, tuple(detail), about="run", short=short)


def _shares(shares: dict[str, int], total: int) -> Words:
    """``sync (including waiting and idle tiles) 59.6 %, compute 32.1 %``."""
    words: list[str | Amount] = []
    for kind, amount in sorted(shares.items(), key=lambda entry: -entry[1])[:SHARE_KINDS]:
        what = tr("{kind} ({meant})", kind=kind, meant=MEANT[kind]) if kind in MEANT else kind
        words += [f"{', ' if words else ''}{what} ", Amount(100 * amount / total, "%")]
    return tuple(words)


def _whole(profile: Profile, cycles: int, shares: dict[str, int]) -> tuple[int, bool]:
    """(the total that kinds of cycles are a share of, whether it is that of all tiles); if some kinds were not
    measured, their sum is not the whole run."""
    measured = sum(shares.values())
    stated = {} if profile.execution is None else profile.execution.tile_cycles
    if all(kind in stated for kind in TILE_CYCLE_KINDS):
        return measured, True
    whole = cycles * (tiles_of_run(profile) or 0)
    return (whole, True) if whole >= measured else (measured, False)


def _operator(profile: Profile, known: Known) -> Iterator[Verdict]:
    operator = profile.operator
    if operator is None:
        if profile.device_run is None and any(profile.section(name) is not None for name in _OF_OPERATORS):
            yield Verdict("plain", (tr("Operator without base information"),), about="operator", lacks=True)
        return
    seconds = known.get("operator.duration_s")
    what: str = tr("{type} operator", type=operator.type) if operator.type else tr("operator")
    what = what[:1].upper() + what[1:]
    took = Amount(seconds, "s") if isinstance(seconds, int | float) else None
    text: Words = (tr("{what} on {soc}", what=what, soc=operator.soc),) if operator.soc else (what,)
    if operator.soc and took is not None:
        text = sentence(tr("{what} on {soc} takes {time}", what=what, soc=operator.soc, time=took))
    elif took is not None:
        text = sentence(tr("{what} takes {time}", what=what, time=took))
    short: Words = () if took is None else (took,)
    if operator.soc and took is not None:
        short = sentence(tr("{time} on {soc}", time=took, soc=operator.soc))
    yield Verdict("plain", text, about="operator", short=short)


def _model(profile: Profile, known: Known) -> Iterator[Verdict]:
    if profile.model is None or "popef.anchors" not in known:
        return
    inputs, outputs = known.get("popef.user_inputs"), known.get("popef.user_outputs")
    held = known.get("popef.popef_inputs")
    if isinstance(inputs, int) and isinstance(outputs, int):
        text = tr(
            "Takes {inputs} from the user, returns {outputs}",
            inputs=plural("{count:,} input", "{count:,} inputs", count=inputs),
            outputs=plural("{count:,} output", "{count:,} outputs", count=outputs),
        )
        detail: list[Words] = []
        if isinstance(held, int):
            text_ = plural(
                "{count:,} input is stored in the file", "{count:,} inputs are stored in the file", count=held
            )
            detail.append((text_,))
        detail += _data(known)
        yield Verdict("plain", (text,), tuple(detail), about="model", short=(text,))


def _data(known: Known) -> Iterator[Words]:
    """How much of the files is data."""
    tensors, feeds, whole = (known.get(f"popef.{name}") for name in ("tensor_bytes", "feed_bytes", "bytes"))
    if isinstance(tensors, int) and isinstance(feeds, int) and isinstance(whole, int) and whole > 0:
        data = tensors + feeds
        text = tr(
            "Data: {data} of {whole} ({share}): tensors {tensors}, feeds {feeds}",
            data=Amount(data, "B"),
            whole=Amount(whole, "B"),
            share=Amount(100 * data / whole, "%"),
            tensors=Amount(tensors, "B"),
            feeds=Amount(feeds, "B"),
        )
        yield sentence(text)


def _timeline(profile: Profile, known: Known) -> Iterator[Verdict]:
    """The length of a timeline, if no earlier verdict has given it."""
    length = known.get("timeline.span")
    told = profile.operator is not None or any(name in known for name in _LENGTHS)
    if told or profile.timeline is None:
        return
    if isinstance(length, int | float) and length > 0:
        unit: Literal["cycles", "s"] = "cycles" if known.get("timeline.unit") == "cycles" else "s"
        busiest = known.get("timeline.busiest_lane")
        detail: tuple[Words, ...] = (
            ((tr("Busiest lane: {busiest}", busiest=busiest),),) if isinstance(busiest, str) else ()
        )
        about: About = "operator" if has_pipes(profile.timeline) else ""
        text = sentence(tr("Timeline of {length}", length=Amount(length, unit)))
        yield Verdict("plain", text, detail, about=about, short=text)


def _events(profile: Profile, known: Known) -> Iterator[Verdict]:
    """Statements about a TensorFlow log: how long it compiled, and whether its events carry reports."""
    counts, seconds = known.get("events.by_type"), known.get("events.compile_seconds")
    if profile.host_events is None or not isinstance(counts, dict) or not counts:
        return
    compiled, ran = int(counts.get("COMPILE_END", 0)), int(counts.get("EXECUTE", 0))
    compilations = plural("{count:,} compilation", "{count:,} compilations", count=compiled)
    executions = plural("{count:,} execution", "{count:,} executions", count=ran)
    text: Words = (joined(", ", (compilations, executions)),)
    if compiled and isinstance(seconds, float):
        took = Amount(seconds, "s")
        text = sentence(
            tr("{compilations} in {time}, {executions}", compilations=compilations, time=took, executions=executions)
        )
    reports = known.get("events.reports")
    detail: list[Words] = []
    if isinstance(reports, int):
        detail.append(
            (
                plural("{count:,} report to open", "{count:,} reports to open", count=reports)
                if reports
                else tr("No event contains a report"),
            )
        )
    yield Verdict("plain", text, tuple(detail), about="events", short=text)


def _issue(issue: Issue) -> str:
    return labelled(issue.where, issue.text) if issue.where else issue.text


def _issues(profile: Profile, _: Known) -> Iterator[Verdict]:
    """Issues found by reading and checks, the first ones of each severity in full."""
    states: tuple[tuple[Severity, State], ...] = (("error", "bad"), ("warning", "doubtful"))
    for severity, state in states:
        issues = [issue for issue in profile.issues if issue.severity == severity]
        if issues:
            shown: list[Words] = [(_issue(issue),) for issue in issues[:SHOWN_ISSUES]]
            if len(issues) > len(shown):
                shown.append((tr("and {count:,} more", count=len(issues) - len(shown)),))
            text = (
                plural(
                    "{count:,} error while reading: see Issues",
                    "{count:,} errors while reading: see Issues",
                    count=len(issues),
                )
                if severity == "error"
                else plural("{count:,} warning: see Issues", "{count:,} warnings: see Issues", count=len(issues))
            )
            yield Verdict(
                state,
                (text,),
                tuple(shown),
            )


_MAKERS: tuple[Callable[[Profile, Known], Iterator[Verdict]], ...] = (
    _mismatch,
    _memory,
    _run,
    _operator,
    _model,
    _events,
    capture.verdicts,
    pypto.verdicts,
    tenstorrent.verdicts,
    _timeline,
    _issues,
)
