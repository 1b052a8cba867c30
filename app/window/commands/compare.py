"""Comparing the shown profile with a baseline, or two parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from app.analysis.compare.names import TITLES, Names
from app.document.parts import PartOpener
from app.language import tr
from app.widgets.abilities import PairsRows, ShowsEvidence
from app.widgets.buttons import add_named
from app.window import dialogs
from app.window.command import CURRENT, Command, CommandContext, focused
from app.window.going import COMPARISON
from app.window.nearest import nearest
from app.window.notices import Notice
from app.window.recent import there, title_of
from app.window.settings import FilePair

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair
    from app.document.entry import Entry


RECENT_PAIRS = tr("Recent comparisons")
NAMES = tr("Names in comparisons")
EVIDENCE = focused(ShowsEvidence)
OPENER = "window's opener of parts"


def baseline_menu(context: CommandContext) -> QMenu | None:
    """The other open profiles, and a file; None if nothing is open."""
    current = context.document.current
    if current is None:
        return None
    menu = QMenu(tr("Compare with"), context.main)
    baseline = context.document.baselines.of(current.id)
    for entry in context.document.entries:
        if entry.id != current.id:
            paths = "\n".join(map(str, entry.profile.origin.paths))
            action = add_named(menu, entry.profile.name, paths)
            action.setCheckable(entry.id == baseline)
            action.setChecked(entry.id == baseline)
            action.triggered.connect(partial(_begin, context, current.id, entry.id))
    if menu.actions():
        menu.addSeparator()
    menu.addAction(tr("Open a file…")).triggered.connect(partial(_open, context, current.id))
    return menu


def fill_recent_pairs(context: CommandContext, menu: QMenu) -> None:
    """Adds the recent pairs to a menu."""
    menu.setToolTipsVisible(True)
    for pair in context.recent_pairs.pairs:
        action = add_named(menu, title_of(pair), "\n".join((*pair.after, tr("compared with"), *pair.before)))
        action.setEnabled(there(pair))
        action.triggered.connect(partial(open_pair, context, pair))


def open_pair(context: CommandContext, pair: FilePair, _checked: bool = False) -> None:
    """Opens both sides and compares them."""
    after, before = ([Path(path) for path in side] for side in (pair.after, pair.before))
    context.baseline_opener.open_pair(after, before, context.open)


def _begin(context: CommandContext, entry: int, baseline: int, _checked: bool = False) -> None:
    context.baseline_opener.compare(entry, baseline)


def tab_dropped(context: CommandContext, target: int, dragged: int, files: Sequence[Path]) -> None:
    """Compares the profile of a tab with the one whose tab was dropped on it, or asks whether to join their ranks.
    ``files``: those that complete the run of the first, if any."""
    if not files:
        context.baseline_opener.compare(target, dragged)
        return
    menu = QMenu(context.main)
    menu.aboutToHide.connect(menu.deleteLater)
    menu.addAction(tr("Join as one run")).triggered.connect(lambda: context.loader.join(target, files))
    menu.addAction(tr("Compare the two")).triggered.connect(partial(_begin, context, target, dragged))
    menu.popup(QCursor.pos())


def _open(context: CommandContext, entry: int, _checked: bool = False) -> None:
    paths = dialogs.ask_files(context.main, context.settings.value.recent)
    if paths:
        context.baseline_opener.wait(entry, paths)
        context.open(paths)


def _compare(context: CommandContext) -> None:
    menu = baseline_menu(context)
    if menu is not None:
        menu.aboutToHide.connect(menu.deleteLater)
        place = QPoint(context.main.width() // 3, context.main.menuBar().height())
        menu.popup(context.main.mapToGlobal(place))
        menu.setActiveAction(menu.actions()[0])  # for the keyboard: the key that opened it is Ctrl+Shift+O


def _compared(context: CommandContext) -> bool:
    return context.document.baselines.of(context.document.current_id) is not None


def _has_baseline(context: CommandContext) -> bool:
    return context.document.baselines.has(context.document.current_id)


def _swap(context: CommandContext) -> None:
    current, docks = context.document.current_id, context.docks
    if current is None:
        return
    baseline = context.document.baselines.of(current)
    seen = docks is not None and COMPARISON in docks.offered and docks.in_sight(COMPARISON)
    context.document.baselines.swap(current)
    if seen and baseline is not None:
        context.document.baselines.begun.emit(baseline)


def _set_names(context: CommandContext, names: Names) -> None:
    context.settings.update(compared_names=names)
    context.document.baselines.set_names(names)
    context.refresh_soon()


def _table(context: CommandContext) -> PairsRows | None:
    return nearest(context.keys.last_focus, PairsRows)


def _to_pair(context: CommandContext) -> tuple[Pair, ...] | None:
    table = _table(context)
    return None if table is None else table.rows_to_pair()


def _to_unpair(context: CommandContext) -> tuple[Pair, ...] | None:
    table = _table(context)
    return None if table is None else table.rows_to_unpair()


def _pair(context: CommandContext, pairs: tuple[Pair, ...] | None) -> None:
    current, baselines = context.document.current_id, context.document.baselines
    if current is not None and pairs is not None:
        baselines.set_pairs(current, (*baselines.pairs(current), *pairs))


def _names(names: Names, text: str) -> Command:
    return Command(
        f"compare.names_{names}",
        text,
        "Compare",
        lambda context: _set_names(context, names),
        checked=lambda context: context.document.baselines.names == names,
        submenu=NAMES,
        help=TITLES[names],
        words=("baseline", "difference", "matching", "settings"),
    )


def _compare_parts(context: CommandContext, entry: Entry) -> None:
    from app.window.input_dialogs import PartsDialog

    PartsDialog(context, opener_of(context), entry).open()


def opener_of(context: CommandContext) -> PartOpener:
    """That of the window, made when it is first needed."""
    opener = context.main.findChild(PartOpener, OPENER)
    if opener is None:
        opener = PartOpener(context.document, context.main)
        opener.setObjectName(OPENER)
        opener.failed.connect(lambda text: context.notices.add(Notice("error", text)))
    return opener


COMMANDS: tuple[Command, ...] = (
    Command(
        "compare.with",
        tr("Compare with…"),
        "Compare",
        _compare,
        ("Ctrl+Shift+O",),
        enabled=CURRENT.meets(),
        places=("tab", "baseline", COMPARISON),
        help=tr("Choose the baseline: another open profile, or a file. The Comparison panel shows the differences."),
        words=("baseline", "difference", "diff", "before", "after"),
        choices=baseline_menu,
    ),
    Command(
        "compare.parts",
        tr("Compare parts…"),
        "Compare",
        CURRENT.act_in(_compare_parts),
        enabled=CURRENT.meets(),
        places=("tab",),
        help=tr("Compares two blocks, cores, IPUs, processes, loop iterations or time ranges of this profile."),
        words=("blocks", "cores", "iterations", "ranges", "difference", "baseline", "replicas"),
    ),
    Command(
        "compare.swap",
        tr("Swap baseline"),
        "Compare",
        _swap,
        enabled=_compared,
        places=("tab", COMPARISON),
        icon="arrow-left-right",
        help=tr("Makes this profile the baseline."),
    ),
    Command(
        "compare.end",
        tr("End comparison"),
        "Compare",
        CURRENT.act_in(lambda context, entry: context.document.baselines.end(entry.id)),
        enabled=_has_baseline,
        places=("tab", COMPARISON),
        icon="x",
        help=tr("All panels show only this profile again."),
    ),
    Command(
        "compare.clear_recent",
        tr("Clear recent comparisons"),
        "Compare",
        lambda context: context.recent_pairs.clear(),
        enabled=lambda context: bool(context.recent_pairs.pairs),
        submenu=RECENT_PAIRS,
    ),
    _names("exact", tr("Compare exact names")),
    _names("hashes", tr("Ignore hashes")),
    _names("numbers", tr("Ignore hashes and numbers")),
    Command(
        "compare.pair_rows",
        tr("Pair these rows"),
        "",
        lambda context: _pair(context, _to_pair(context)),
        enabled=lambda context: _to_pair(context) is not None,
        places=("cell",),
        help=tr("In a compared table: select a row only in the baseline and one only in the comparison."),
        words=("match", "baseline", "by hand"),
    ),
    Command(
        "compare.unpair_row",
        tr("Unpair row"),
        "",
        lambda context: _pair(context, _to_unpair(context)),
        enabled=lambda context: _to_unpair(context) is not None,
        places=("cell",),
        help=tr("In a compared table: marks the two rows as different items."),
        words=("match", "baseline", "by hand"),
    ),
    Command(
        "compare.forget_pairs",
        tr("Clear manual pairs"),
        "Compare",
        CURRENT.act_in(lambda context, entry: context.document.baselines.set_pairs(entry.id, ())),
        enabled=lambda context: bool(context.document.baselines.pairs(context.document.current_id)),
        places=(COMPARISON,),
        help=tr("Matches rows only by the rules again."),
        words=("unpair", "match", "reset"),
    ),
    Command(
        "compare.show_row",
        tr("Show row in Tables"),
        "",
        EVIDENCE.act(lambda panel: panel.show_evidence()),
        enabled=EVIDENCE.meets(lambda panel: panel.can_show_evidence),
        places=(COMPARISON,),
        help=tr("Shows the compared table at the current row of the Comparison panel."),
    ),
)
