"""`export`: writes a table, a plot, a block or file that is stored inside a file, or every table and plot."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from app.analysis.about import About, Setting, about
from app.analysis.compare.as_table import as_table
from app.analysis.compare.comparison import Comparison
from app.analysis.parts.offered import NoPart
from app.analysis.schema import for_programs, in_seconds
from app.analysis.table import Table
from app.analysis.tables import by_id, listed
from app.analysis.tile_sets import EXAMPLE
from app.cli import everything
from app.cli.common_words import add_jobs, add_profile, add_tiles, add_unit, path_of, size
from app.cli.interrupts import ctrl_c_later
from app.cli.outputs import incomplete, not_written, wrong_ending, wrong_target
from app.cli.reading import Line, no_such_profile, no_unit_to_set, numbers_from_1, opened, the_baseline
from app.cli.sides import side
from app.cli.terminal import complain, usage_error
from app.cli.tiles import TILE_TABLES, NoTiles, table_on
from app.formats.errors import FormatError
from app.language import tr
from app.profile.profile import Profile
from app.store.sides import Side
from app.store.stored_part import count_parts, numbered_part, save
from app.store.table_files.kinds import KINDS
from app.store.table_files.save import save_table

if TYPE_CHECKING:
    from app.panels.spec import PlotSpec

PICTURES = (".png", ".svg")


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    _add_content(parser)
    parser.add_argument("-o", "--output", type=path_of, required=True, metavar="OUT")
    parser.add_argument(
        "--about",
        action="store_true",
        help=tr("begin CSV and TSV with # lines about source, version and settings; other formats always include them"),
    )
    parser.add_argument("--size", type=size, metavar="WxH", default=(1600, 900), help=tr("size of a plot in pixels"))
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help=tr("theme of a plot"))
    add_profile(parser)
    add_unit(parser)
    add_jobs(parser)
    everything.add_words(parser)


def _add_content(parser: argparse.ArgumentParser) -> None:
    """What is exported of which files."""
    either = tr("or FILE#PART, as in compare")
    parser.add_argument("files", nargs="+", type=side, metavar="FILE|FOLDER", help=either)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--table", metavar="NAME")
    what.add_argument("--plot", metavar="NAME")
    what.add_argument(
        "--block",
        metavar="N|NAME|NAME/N",
        help=tr(
            "raw content of a block of an operator file (N), a file of a report (N or NAME), or a "
            "block of an operator file inside a report (NAME/N)"
        ),
    )
    what.add_argument(
        "--all", action="store_true", help=tr("write every table and plot into the folder OUT, with an index")
    )
    add_tiles(parser)
    parser.add_argument(
        "--baseline",
        type=side,
        metavar="B",
        help=tr("compare the tables and plots with those of this file or folder"),
    )


def run(options: argparse.Namespace) -> int:
    """Status 1 if the file cannot be read or the output cannot be written, 2 for an unknown name."""
    if wrong := _misused(options) or _unwritable(options):
        return usage_error(wrong)
    if options.all and (status := everything.refuse_folder(options)):
        return status
    files = [own.path for own in options.files]
    baseline: Side | None = options.baseline
    if wrong := wrong_target(options.output, files, None if baseline is None else baseline.path):
        return usage_error(wrong)
    with opened(files, options.jobs, options.time_unit) as result:
        if not result.profiles:
            return 1
        if no_unit_to_set(result.profiles, options.time_unit) or no_such_profile(result.profiles, options.profile):
            return 2
        return _export(options, result.profiles) or (1 if result.refusals else 0)


def _export(options: argparse.Namespace, profiles: list[Profile]) -> int:
    """Writes what is wanted of the chosen profile, or of all."""
    own: Side = options.files[0]
    if options.profile is not None:
        profiles = [profiles[options.profile - 1]]
    try:
        if own.part:
            profiles = [own.of(profile) for profile in profiles]
        return _what(options)(options, profiles)
    except NoPart as error:
        return usage_error(str(error))
    except FormatError as error:
        complain(str(error))
    except OSError as error:
        return not_written(options.output, error)
    return 1


def _misused(options: argparse.Namespace) -> str:
    """Why these options do not go together; "" if they do."""
    if options.baseline is not None and (options.block is not None or options.tiles is not None):
        return tr("--baseline compares whole tables and plots: use it with --table, --plot or --all")
    if len(options.files) > 1 and any(own.part for own in options.files):
        return tr("FILE#PART: export one part at a time, without other files")
    if options.tiles is not None and options.table is None:
        return tr("--tiles applies to tables only: use it with --table")
    if options.force and not options.all:
        return tr("--force works only with --all; a single file is always replaced")
    return ""


def _unwritable(options: argparse.Namespace) -> str:
    """Why no table or plot can be written under this name; "" if it can."""
    is_table, output = options.table is not None, options.output
    if not is_table and options.plot is None:
        return ""
    if wrong := wrong_ending(output, KINDS if is_table else PICTURES):
        return wrong
    return KINDS[output.suffix.lower()].why_not if is_table else ""


def _what(options: argparse.Namespace) -> Callable[[argparse.Namespace, list[Profile]], int]:
    if options.all:
        return everything.run
    if options.block is not None:
        return _block
    return _plot if options.table is None else _table


def _block(options: argparse.Namespace, profiles: list[Profile]) -> int:
    """The content of a block or of a file of a report, by its number in the table raw-blocks or entries, or by name; of
    a block inside a report by the file and its number."""
    parts = {number: numbered_part(profile, options.block) for number, profile in enumerate(profiles)}
    having = {number: part for number, part in parts.items() if part is not None}
    if len(having) > 1:
        return _which(profiles, list(having), tr("block"), options.block)
    for part in having.values():
        save(part, options.output)
        return 0
    count = max(map(count_parts, profiles), default=0)
    there = numbers_from_1(count) if count else tr("the file contains no blocks")
    return usage_error(
        tr("{file}: no block {block}; {there}", file=options.files[0].path, block=options.block, there=there)
    )


def _table(options: argparse.Namespace, profiles: list[Profile]) -> int:
    if options.tiles is not None:
        return _table_on(options, profiles)
    if options.baseline is not None:
        return _compared(options, profiles)
    if options.table in TILE_TABLES:
        return usage_error(tr("{table} needs tiles, such as --tiles {example}", table=options.table, example=EXAMPLE))
    tables = {number: by_id(profile, options.table) for number, profile in enumerate(profiles)}
    having = [number for number, table in tables.items() if table is not None]
    if len(having) > 1:
        return _which(profiles, having, tr("table"), options.table)
    for number in having:
        table, profile = tables[number], profiles[number]
        assert table is not None
        return _write(for_programs(table), options, profile.origin.paths, about(profile))
    names = [table.id for profile in profiles for table in listed(profile)]
    return _unknown(tr("table"), options.table, names, options.files[0].path)


def _compared(options: argparse.Namespace, profiles: list[Profile]) -> int:
    """The difference of a table from that of the baseline, of the only profile that has it."""
    baseline: Side = options.baseline
    with ExitStack() as stack:
        whole, status = the_baseline(stack, baseline.path, options.jobs, options.time_unit)
        if whole is None:
            return status
        before = baseline.of(whole)
        having = [number for number, profile in enumerate(profiles) if by_id(profile, options.table) is not None]
        if len(having) > 1:
            return _which(profiles, having, tr("table"), options.table)
        for profile in (profiles[number] for number in having):
            table = Comparison(before, profile).table(options.table)
            if table is not None:
                inputs = (*profile.origin.paths, *before.origin.paths)
                return _write(in_seconds(as_table(table)), options, inputs, about(profile, before))
    names = [table.id for profile in profiles for table in listed(profile)]
    return _unknown(tr("table"), options.table, names, options.files[0].path)


def _table_on(options: argparse.Namespace, profiles: list[Profile]) -> int:
    """A table of some tiles, of the only profile that has it."""
    why, tables = "", {}
    for number, profile in enumerate(profiles):
        try:
            tables[number] = table_on(profile, options.table, options.tiles)
        except NoTiles as error:
            why = why or str(error)
    if len(tables) > 1:
        return _which(profiles, list(tables), tr("table"), options.table)
    for number, table in tables.items():
        tiles = Setting("tiles", tr("Tiles"), options.tiles)
        return _write(
            for_programs(table), options, profiles[number].origin.paths, about(profiles[number], settings=[tiles])
        )
    return usage_error(f"{options.files[0].path}: {why}")


def _write(table: Table, options: argparse.Namespace, inputs: Sequence[Path], known: About) -> int:
    """Returns the exit status: 1 if the file does not hold everything."""
    line = Line()
    try:
        lost = save_table(
            table,
            options.output,
            known,
            inputs,
            remarks=options.about,
            look=lambda rows: line.show(f"{table.title}: {100 * rows // max(table.rows, 1)} %"),
        )
    finally:
        line.clear()
    return incomplete(options.output, lost) if lost else 0


def _plot(options: argparse.Namespace, profiles: list[Profile]) -> int:
    try:
        with ctrl_c_later():
            from app.panels import picture  # draws with Qt, so only here
    except ImportError as error:
        complain(tr("the plot cannot be drawn because Qt cannot be loaded: {error}", error=error))
        return 1
    plots = {
        number: plot
        for number, profile in enumerate(profiles)
        for plot in picture.plots(profile)
        if plot.id == options.plot
    }
    if len(plots) > 1:
        return _which(profiles, list(plots), tr("plot"), options.plot)
    for number, plot in plots.items():
        profile = profiles[number]
        if options.baseline is not None:
            return _compared_plot(options, profile, plot)
        picture.save(plot, profile, options.output, options.size, options.theme, profile.origin.paths)
        return 0
    return _unknown(
        tr("plot"), options.plot, [plot.id for p in profiles for plot in picture.plots(p)], options.files[0].path
    )


def _compared_plot(options: argparse.Namespace, profile: Profile, plot: PlotSpec) -> int:
    """The plot with the baseline, if it has such a picture."""
    from app.panels import picture

    if plot.compared is None:
        able = [other.id for other in picture.plots(profile) if other.compared is not None]
        others = tr("these can: {plots}", plots=", ".join(able)) if able else tr("no plot of this file can")
        return usage_error(tr("--plot {plot} cannot show a baseline; {others}", plot=plot.id, others=others))
    baseline: Side = options.baseline
    with ExitStack() as stack:
        whole, status = the_baseline(stack, baseline.path, options.jobs, options.time_unit)
        if whole is None:
            return status
        before = baseline.of(whole)
        inputs = (*profile.origin.paths, *before.origin.paths)
        comparison = Comparison(before, profile)
        if not plot.compares(comparison):
            complain(
                tr(
                    "{baseline}: the baseline has no data for --plot {plot}; the plot shows {file} alone",
                    baseline=baseline.path,
                    plot=plot.id,
                    file=options.files[0].path,
                )
            )
        picture.save(plot, profile, options.output, options.size, options.theme, inputs, comparison)
        return 0


def _which(profiles: list[Profile], having: list[int], kind: str, name: str) -> int:
    """Refuses to choose one of several profiles that have the table or plot."""
    names = [profiles[number].name for number in having]
    if len(set(names)) < len(names):
        names = [f"{profiles[number].origin.paths[0]}" for number in having]
    choices = ", ".join(f"{number + 1}: {name}" for number, name in zip(having, names, strict=True))
    return usage_error(
        tr(
            "several profiles have a {kind} {name}; choose one with --profile N ({choices})",
            kind=kind,
            name=name,
            choices=choices,
        )
    )


def _unknown(kind: str, name: str, names: list[str], file: Path) -> int:
    near = get_close_matches(name, names, 3)
    hint = (
        tr("did you mean {near}?", near=", ".join(near))
        if near
        else tr("`tilesight tables {file}` lists them", file=file)
    )
    return usage_error(tr("{file}: no {kind} {name}; {hint}", file=file, kind=kind, name=f"{name!r}", hint=hint))
