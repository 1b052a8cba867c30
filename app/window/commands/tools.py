"""Tools that also work without a file, settings of the file cache and of decoding, queries, the palette, help."""

from __future__ import annotations

from app.help.tours import TOURS, Tour
from app.language import tr
from app.widgets.abilities import RunsQueries
from app.window.command import FOCUSED_PANEL, Command, CommandContext, focused
from app.window.offers import COMMAND_SIGN

SCALING = "scaling"
CACHE = tr("File cache")
DECODERS = tr("Decoding")
QUERY = focused(RunsQueries)


def _can_scale(context: CommandContext) -> bool:
    return context.document.current is None or (context.docks is not None and SCALING in context.docks.offered)


def _limit(name: str, text: str, limit: int | None, *, separator: bool = False) -> Command:
    def choose(context: CommandContext) -> None:
        from app.window.cache import choose

        choose(context, limit)

    return Command(
        f"tools.cache_{name}",
        text,
        "Tools",
        choose,
        checked=lambda context: context.settings.value.cache_bytes == limit,
        submenu=CACHE,
        separator=separator,
        words=("settings", "disk"),
        help=tr("Disk space for decoded data of large files, which open faster the next time."),
    )


def _decoders(name: str, text: str, count: int, *, separator: bool = False) -> Command:
    def choose(context: CommandContext) -> None:
        context.settings.update(decoders=count)
        context.loader.workers = count
        context.refresh_soon()

    return Command(
        f"tools.decoders_{name}",
        text,
        "Tools",
        choose,
        checked=lambda context: context.settings.value.decoders == count,
        submenu=DECODERS,
        separator=separator,
        words=("settings", "processors", "cores", "jobs"),
        help=tr("How many processes decode a large file. Fewer are used when memory is short; the result is the same."),
    )


def _clear_cache(context: CommandContext) -> None:
    from app.window.cache import ask_to_clear

    ask_to_clear(context)


def _thresholds(context: CommandContext) -> None:
    from app.analysis.findings.rules import thresholds_of
    from app.panels.findings.thresholds_dialog import show_thresholds

    profile = context.document.profile
    show_thresholds(context.document.thresholds, context.main, None if profile is None else thresholds_of(profile))


def _tour(tour: Tour) -> Command:
    return Command(
        tour.command,
        tour.title,
        "Help",
        lambda context: context.start_tour(tour.topic),
        submenu=tr("Tours"),
        words=("tutorial", "getting started", "first steps", "guide"),
        help=tr("Opens a sample and explains it step by step, in about ten minutes."),
    )


def _about(context: CommandContext) -> None:
    from app.window import about  # imports what reads licences

    about.show(context.main)


def _show_keys(context: CommandContext) -> None:
    from app.window.key_help import show

    show(context)


def _show_help(context: CommandContext) -> None:
    """The page of the panel that has the keyboard; the first page if none has."""
    dock = None if context.start_shown else FOCUSED_PANEL.find(context)
    context.show_help("index" if dock is None else dock.spec.id)


COMMANDS: tuple[Command, ...] = (
    Command(
        "tools.scaling",
        tr("Scaling over replicas"),
        "Tools",
        lambda context: context.show_panel(SCALING),
        enabled=_can_scale,
        help=tr("Shows throughput over replicas, from typed numbers or the run of a Poplar profile."),
    ),
    Command(
        "tools.thresholds",
        tr("Thresholds of findings…"),
        "Tools",
        _thresholds,
        words=("settings", "rules", "limits"),
        help=tr("Sets the thresholds of the rules: values, defaults and reasons."),
    ),
    _limit("automatic", tr("Automatic size (up to 4 GiB)"), None, separator=True),
    _limit("1", tr("Up to 1 GiB"), 1 << 30),
    _limit("4", tr("Up to 4 GiB"), 4 << 30),
    _limit("16", tr("Up to 16 GiB"), 16 << 30),
    _limit("nothing", tr("Disable file cache"), 0),
    Command(
        "tools.cache_clear",
        tr("Clear file cache…"),
        "Tools",
        _clear_cache,
        submenu=CACHE,
        separator=True,
        help=tr("Deletes the decoded data of large files; your files are not changed."),
    ),
    _decoders("automatic", tr("One process per processor (up to 8)"), 0),
    _decoders("1", tr("1 process"), 1, separator=True),
    _decoders("2", tr("2 processes"), 2),
    _decoders("4", tr("4 processes"), 4),
    _decoders("8", tr("8 processes"), 8),
    _decoders("16", tr("16 processes"), 16),
    Command(
        "query.run",
        tr("Run query"),
        "Tools",
        QUERY.act(lambda panel: panel.run_query()),
        ("Ctrl+Return", "Ctrl+Enter"),
        enabled=QUERY.meets(lambda panel: panel.can_run_query),
        places=("query",),
        separator=True,
        words=("SQL", "execute", "statement"),
        help=tr("Runs the statement of the Query panel."),
    ),
    Command(
        "query.cancel",
        tr("Cancel query"),
        "",
        QUERY.act(lambda panel: panel.cancel_query()),
        enabled=QUERY.meets(lambda panel: panel.query_running),
        places=("query",),
        words=("SQL", "stop", "interrupt"),
        help=tr("Cancels the running statement (also Esc)."),
    ),
    Command(
        "tools.commands",
        tr("Command palette"),
        "Tools",
        lambda context: context.omnibox.start(COMMAND_SIGN),
        ("Ctrl+Shift+P",),
        help=tr("Type a few letters of a command, panel, table, setting or recent file."),
    ),
    Command(
        "help.page",
        tr("Help"),
        "Help",
        _show_help,
        ("F1",),
        places=("panel",),
        help=tr("Opens the help page of the focused panel: what it answers, formulas, keys, limits."),
        words=("manual", "documentation", "guide", "what is this"),
    ),
    *map(_tour, TOURS),
    Command(
        "help.keys",
        tr("Keyboard shortcuts"),
        "Help",
        _show_keys,
        ("?",),
        help=tr("Lists every command with its keys."),
    ),
    Command(
        "help.start",
        tr("Start page"),
        "Help",
        lambda context: context.show_start(not context.start_shown),
        enabled=lambda context: context.document.current is not None or not context.start_shown,
        checked=lambda context: context.start_shown,
        help=tr("Shows samples, recent files and first steps."),
    ),
    Command("help.about", tr("About Tilesight"), "Help", _about, separator=True),
)
