"""`mcp`: read-only tools for assistants over standard input and output (Model Context Protocol, by the official SDK,
which is imported when it runs). Answers are those of the module, bounded in size."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Final

import numpy as np

from app import __version__, api
from app.analysis.column_filter import matching
from app.analysis.schema import schema_of
from app.analysis.sorting import order_of, sort_keys
from app.analysis.table import Table
from app.analysis.tables import listed
from app.analysis.time.answers import in_unit
from app.analysis.time.available import NO_CAUSES, why_not
from app.analysis.time.links import INFERRED, REGISTERS, STATED
from app.analysis.time.model import time_model
from app.analysis.time.of_slice import is_wait, lane_name, released_by
from app.cli import compare_json, critical_path, findings_json, what_if
from app.cli.answers import Answer, bounded, figure_entries, filter_of, rows_of
from app.cli.common_words import path_of
from app.cli.redaction import Names
from app.cli.terminal import usage_error
from app.formats.errors import FormatError
from app.formats.registry import plan
from app.language import tr
from app.optional_packages import how_to_get
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.query.errors import QueryError
from app.resources import resource
from app.store.findings import outcomes
from app.store.sides import side_of
from app.views.verdict import verdict_facts

MOST_ROWS: Final = 200
MOST_OPEN: Final = 4
"""Profiles that are open at once; others are read again when they are asked for."""
PIXELS: Final = (100, 1_600)
"""A side of a picture: from, to."""
SHOWN: Final = 20
"""Rows that one answer links to, flows of a slice, issues of a file."""
RELEASED: Final = {STATED: "stated", INFERRED: "inferred", REGISTERS: "registers"}
"""How it is known what released a slice."""


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "folders",
        nargs="*",
        type=path_of,
        metavar="FOLDER",
        help=tr("files below these folders may be opened, no others (default: the current folder)"),
    )
    parser.add_argument("--redact", action="store_true", help=tr("aliases instead of names, no prose, no pictures"))


def run(options: argparse.Namespace) -> int:
    """Serves until its input ends. Status 2 without the SDK, or for a folder that does not exist."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError:
        return usage_error(tr("tools for assistants need the package mcp: {how}", how=how_to_get("mcp")))
    folders = options.folders or [Path.cwd()]
    for folder in folders:
        if not folder.is_dir():
            return usage_error(tr("{folder}: this is not a folder", folder=folder))
    desk = Desk(folders, Names() if options.redact else None)
    skill = resource("skill", "SKILL.md").read_text("utf-8")
    server = MCPServer("tilesight", version=__version__, instructions=skill, log_level="CRITICAL")
    try:
        for tool in desk.tools():
            kind = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
            server.add_tool(_said_plainly(tool, ToolError), annotations=kind, structured_output=False)
        server.run("stdio")
    finally:
        desk.close()
    return 0


def _said_plainly(tool: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    """The tool, with what may be wrong with a call as errors of ``kind``, whose text the assistant reads."""

    @wraps(tool)
    async def called(*words: Any, **named: Any) -> Any:
        try:
            return await tool(*words, **named)
        except KeyError as error:
            raise kind(str(error.args[0])) from None
        except (ValueError, TypeError, QueryError, FormatError, OSError) as error:
            raise kind(str(error)) from None

    return called


class Desk:
    """The tools, and the profiles that are open between their calls. ``names``: what hides names, None to show them."""

    def __init__(self, roots: list[Path], names: Names | None = None) -> None:
        self._roots = [root.resolve() for root in roots]
        self._names = names
        self._sources: dict[str, tuple[str, int]] = {}
        self._open: dict[str, api.Profile] = {}

    def tools(self) -> list[Callable[..., Any]]:
        """All of them: coroutines, so that they run in the thread that may draw."""
        named = (self.open, self.figures, self.verdict, self.findings, self.tables, self.table, self.query)
        more = (self.critical_path, self.what_if, self.compare, self.explain_slice, self.link_to_view, self.picture)
        return [*named, *more]

    def close(self) -> None:
        """Closes all profiles."""
        while self._open:
            self._open.pop(next(iter(self._open))).close()

    async def open(self, path: str) -> str:
        """Opens a file or folder below the folders of the server, or a part of one (operator.bin#block=1). Returns an
        id for each profile in it (p1, p2, ...), which all other tools take, with format, main figures and tables."""
        answers = []
        for number, profile in enumerate(self._read(path)):
            known = [own for own, source in self._sources.items() if source == (path, number)]
            name = known[0] if known else f"p{len(self._sources) + 1}"
            self._sources[name] = (path, number)
            self._keep(name, profile)
            issues = [{"severity": own.severity, "text": f"{own.where}: {own.text}"} for own in profile.issues[:SHOWN]]
            plain = [own for own in figure_entries(profile._profile) if not isinstance(own["value"], dict | list)]
            answers.append(
                {"profile": name, "name": profile.name, "format": profile.format, "figures": plain, "issues": issues}
                | {"tables": [table.id for table in listed(profile._profile)], "link": profile.link()}
            )
        return self._said({"profiles": answers})

    async def figures(self, profile: str, prefix: str = "") -> str:
        """The main figures (id, value, unit, help), those whose id begins with prefix. Times are in seconds."""
        own = self._profile(profile)
        made = [one for one in figure_entries(own._profile) if one["id"].startswith(prefix)]
        return self._said({"figures": made, "link": own.link("summary")})

    async def verdict(self, profile: str) -> str:
        """What bounds the profile, with an upper bound (at_most) of what better scheduling saves. null: the file does
        not allow a verdict; why says what it lacks."""
        own = self._profile(profile)
        return self._said(verdict_facts(own._profile) | {"link": own.link()})

    async def findings(self, profile: str, rule: str = "") -> str:
        """What is wrong, most severe first: rule, text, evidence (table, key, figure, value, unit), saving (at_most
        and formula). not_checked: rules that this file does not allow, and why. rule: only this one."""
        own = self._profile(profile)._profile
        made = findings_json.facts([(own, outcomes(own))])
        chosen = [one for one in made["findings"] if rule in ("", one["rule"])]
        return self._said({"findings": chosen, "not_checked": made["not_checked"]})

    async def tables(self, profile: str) -> str:
        """All tables: id, title, rows, columns with their units. A table has the same columns for every file."""
        made = []
        for table in listed(self._profile(profile)._profile):
            schema = schema_of(table.id)
            specs = () if schema is None else schema.columns
            columns = [f"{one.key} [{one.unit}]" if one.unit else one.key for one in specs]
            made.append({"id": table.id, "title": table.title, "count": table.rows, "columns": columns})
        return self._said({"tables": made})

    async def table(
        self,
        profile: str,
        name: str,
        columns: list[str] | None = None,
        where: dict[str, dict[str, Any]] | None = None,
        order: str = "",
        limit: int = 50,
    ) -> str:
        """Rows of a table. where: conditions by column, such as {"duration": {"min": 1e-6}, "name": {"text": "conv"},
        "type": {"equals": "X"}}. order: a column, "-column" for the largest first. limit: at most 200 rows. Cells
        without data are null, which is not zero. fitting: how many rows there are in all."""
        own = self._profile(profile)
        table = self._redacted(own.table(name)._table)
        known = {column.key: column for column in table.columns}
        for key in (*(columns or ()), *(where or ()), *([order.removeprefix("-")] if order else [])):
            if key not in known:
                raise ValueError(f"{name} has no column {key!r}; it has {', '.join(known)}")
        hits = matching(table, {key: filter_of(condition) for key, condition in (where or {}).items()})
        rows = np.arange(table.rows) if hits is None else np.flatnonzero(hits)
        if order:
            values, there = sort_keys(known[order.removeprefix("-")])
            rows = rows[order_of(values[rows], there[rows], descending=order.startswith("-"))]
        shown = rows[: _limit(limit)].astype(np.int64)
        keys = [table.key(int(row)) for row in shown[:SHOWN]]
        chosen = (table.selects, keys) if table.selects is not None and keys and min(keys) >= 0 else None
        made = {"fitting": len(rows), "link": own.link(selection=chosen)}
        return self._said(rows_of(table, shown, columns) | made)

    async def query(self, profile: str, sql: str, baseline: str = "", limit: int = 50) -> str:
        """One SQL statement (DuckDB) over the tables: compute-sets is compute_sets, the column end is end_. The table
        tilesight_columns lists all columns; tables of the baseline are baseline.NAME. Times are in seconds."""
        own = self._profile(profile)
        before = self._profile(baseline) if baseline else None
        change = None if self._names is None else self._names.table
        result = own._query(sql, before, _limit(limit), change)._table
        return self._said(rows_of(result, np.arange(result.rows, dtype=np.int64)) | {"link": own.link()})

    async def critical_path(self, profile: str, scope: str = "", limit: int = 30) -> str:
        """The chain of work and waits that fills the time, longest pieces first; by_name: who works most on it. scope:
        only this core, such as core0.veccore1."""
        own = self._profile(profile)
        made = critical_path.facts(own.critical_path(self._real(scope)))
        pieces = sorted(made["path"], key=lambda piece: -float(piece["time"]))
        made |= {"path": pieces[: _limit(limit)], "pieces": len(pieces), "link": own.link("timeline")}
        return self._said(made)

    async def what_if(self, profile: str, factors: dict[str, float]) -> str:
        """What a change saves: factors multiply durations of slices by name, {"VADD": 0.5, "lane:MTE2": 0, "re:^Conv":
        0.8}. estimate: by a replay, with its error; at_most: a bound that holds."""
        own = self._profile(profile)
        made = own.what_if({self._real(name): factor for name, factor in factors.items()})
        return self._said(what_if.facts(made) | {"link": own.link("timeline")})

    async def compare(self, before: str, after: str, table: str = "", limit: int = 20) -> str:
        """The profile after against the baseline before: figures that differ, and causes, rows that sum to the
        difference of a figure. With table: its rows that differ, the largest differences first."""
        old, new = self._profile(before), self._profile(after)
        made, link = api.compare(old, new), new.link("comparison", baseline=old)
        if table:
            rows = self._redacted(made.table(table, changed_only=True)._table)
            shown = np.arange(min(rows.rows, _limit(limit)), dtype=np.int64)
            return self._said(rows_of(rows, shown) | {"fitting": rows.rows, "link": link})
        differing = [
            {"id": own.name, "before": own.before, "after": own.after, "difference": own.difference}
            | {"percent": own.percent, "unit": own.unit}
            for own in made.figures
            if own.before != own.after
        ]
        causes = [entry for own in made.causes for entry in compare_json.cause_entries(own)[: _limit(limit)]]
        return self._said({"figures": differing, "causes": causes, "why": made.limits, "link": link})

    async def explain_slice(self, profile: str, item: int) -> str:
        """One slice of the timeline (its number is the column item in SQL): its row and its pieces of the critical
        path. What let it go, and how long it waited then: previous_on_lane (its lane was busy until end) or released_by
        (kind: stated by the file, inferred, or from registers). arrows_to_it: arrows of the file that end at it; their
        delay is the length of the arrow, not what the slice waited."""
        own = self._profile(profile)
        timeline = own._profile.timeline
        if timeline is None or not 0 <= item < len(timeline.slices.start):
            raise ValueError(f"there is no slice {item}")
        made: Answer = {"slice": self._standing_for(own, "slices", item)}
        to = np.flatnonzero(timeline.flows.to_slice == item)[:SHOWN].astype(np.int64)
        if len(to):
            made["arrows_to_it"] = rows_of(self._redacted(own.table("flows")._table), to)
        made |= _let_go(own._profile, item)
        with suppress(KeyError):  # a file without dependencies has no path
            made["critical_path"] = self._standing_for(own, "critical-path", item)
        return self._said(made | {"link": own.link("timeline", ("slice", [item]))})

    async def link_to_view(
        self,
        profile: str,
        panel: str = "",
        kind: str = "",
        items: list[int] | None = None,
        start: float | None = None,
        end: float | None = None,
        baseline: str = "",
    ) -> str:
        """A link that the window opens (tilesight --goto LINK): a panel in front, things of a kind (tile, slice,
        compute-set, ...) selected, a range of time in seconds, compared with a baseline."""
        own = self._profile(profile)
        chosen: Any = (kind, items or []) if kind else None
        time = None if start is None or end is None else (start, end)
        before = self._profile(baseline) if baseline else None
        return self._said({"link": own.link(panel, chosen, time=time, baseline=before)})

    async def picture(
        self, profile: str, plot: str = "", width: int = 900, height: int = 500, dark: bool = False
    ) -> Any:
        """A picture of a panel as PNG. Without plot: the names of all plots."""
        from mcp.server.mcpserver import Image

        own = self._profile(profile)
        if not plot:
            return self._said({"tables": list(own.plots)})
        if self._names is not None:
            raise ValueError("pictures show names, which this server hides (--redact)")
        size = (min(max(width, PIXELS[0]), PIXELS[1]), min(max(height, PIXELS[0]), PIXELS[1]))
        return Image(data=own.plot(plot).png(size, "dark" if dark else "light"), format="png")

    def _profile(self, name: str) -> api.Profile:
        """An open profile, read again if it was closed for others. ValueError for an unknown id."""
        if name not in self._sources:
            raise ValueError(f"there is no profile {name!r}: open a file first, and use the id that open returns")
        profile = self._open.get(name)
        if profile is None:
            path, number = self._sources[name]
            opened = self._read(path)
            profile = opened.pop(number)
            for other in opened:
                other.close()
        self._keep(name, profile)
        return profile

    def _keep(self, name: str, profile: api.Profile) -> None:
        """Makes it the last that is closed for others."""
        before = self._open.pop(name, None)
        if before is not None and before is not profile:
            before.close()
        self._open[name] = profile
        while len(self._open) > MOST_OPEN:
            self._open.pop(next(iter(self._open))).close()

    def _read(self, path: str) -> list[api.Profile]:
        """All profiles of a path. ValueError for one that is not below the folders, or leads to files that are not."""
        side = side_of(path)
        places = [(root / side.path).resolve() for root in self._roots]
        real = next((place for place in places if self._allowed(place) and place.exists()), None)
        jobs = [] if real is None else plan([real])[0]
        if real is None or not jobs or not all(self._allowed(file) for job in jobs for file in job.paths):
            raise ValueError(f"{path}: there is no profile of this name below the folders of this server")
        try:
            opened = api.open_all(f"{real}#{side.part}" if side.part else real)
        except FormatError as error:
            raise ValueError(f"{path}: {error.text}") from None
        if all(self._allowed(file) for profile in opened for file in profile.files):
            return opened
        for profile in opened:
            profile.close()
        raise ValueError(f"{path}: leads to files that are not below the folders of this server")

    def _allowed(self, path: Path) -> bool:
        real = path.resolve()
        return any(real.is_relative_to(root) for root in self._roots)

    def _real(self, name: str) -> str:
        return name if self._names is None else self._names.real(name)

    def _redacted(self, table: Table) -> Table:
        return table if self._names is None else self._names.table(table)

    def _standing_for(self, profile: api.Profile, name: str, item: int) -> Answer:
        """The rows of a table that stand for a thing. KeyError if the profile has no such table."""
        table = profile.table(name)._table
        keys = np.arange(table.rows) if table.keys is None else np.asarray(table.keys)
        rows: I64 = np.flatnonzero(keys == item)[:SHOWN].astype(np.int64)
        return rows_of(self._redacted(table), rows)

    def _said(self, answer: Answer) -> str:
        """The answer as JSON, with aliases if names are hidden."""
        return bounded(answer if self._names is None else self._names.answer(answer))


def _let_go(profile: Profile, item: int) -> Answer:
    """What a slice waited for last, as in its details; ``why`` if the file does not allow to say."""
    if why := why_not(profile):
        return {"why": why}
    model = time_model(profile)
    if not model.has_dependencies:
        return {"why": NO_CAUSES}
    release = released_by(model.graph, item)
    if release is None:
        return {"why": tr("what it waited for is not in the file")}
    line, (to, unit) = model.timeline, in_unit(model.timeline)
    gap = max(float(line.slices.start[item]) - release.time, 0.0)
    waited = float(line.slices.duration[item]) if is_wait(model.graph, item) else gap
    name = line.strings.get(int(line.slices.name[release.slice]))
    made = {"slice": release.slice, "name": name, "lane": lane_name(line, release.slice)}
    made |= {"end" if release.by_lane else "at": release.time * to, "waited": waited * to, "unit": unit}
    if release.by_lane:
        return {"previous_on_lane": made}
    return {"released_by": made | {"kind": RELEASED[release.origin]}}


def _limit(limit: int) -> int:
    return max(1, min(limit, MOST_ROWS))
