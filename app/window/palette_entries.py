"""Entries of the command palette: commands and settings, panels, tables, recent files, open profiles. A new kind of
entry is one more function in KINDS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from app.language import Message, labelled, plural, tr
from app.window.command import Command, CommandContext
from app.window.key_names import shown, shown_key


def score(typed: str, text: str) -> float | None:
    """Returns how well ``typed`` matches ``text`` (higher is better); None if its letters do not all occur in ``text``
    in that order. Literal matches, beginnings of words and consecutive letters score more."""
    wanted = typed.casefold().replace(" ", "")
    low = text.casefold()
    if not wanted:
        return 0.0
    whole = low.find(typed.casefold().strip())
    if whole >= 0:
        return 100.0 + (20.0 if _begins_word(low, whole) else 0.0) - whole * 0.1 - len(low) * 0.01
    total, place, previous = 0.0, -1, -2
    for letter in wanted:
        place = low.find(letter, place + 1)
        if place < 0:
            return None
        total += 3.0 if _begins_word(low, place) else 2.0 if place == previous + 1 else 0.5
        previous = place
    return total - len(low) * 0.01


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()


PANEL_KEYS = 6
BY_SYNONYM = 25.0
"""Penalty for a match by a synonym instead of the text itself."""
LEAST_SYNONYM = 100.0
"""Synonyms must match literally: scattered letters of many words would match anything."""
ALL_WORDS = 60.0


class Entry(Struct, frozen=True):
    """One line of the palette. ``detail`` is shown on the right (a key, a kind, why it is disabled); ``words``:
    synonyms."""

    text: str
    detail: str
    run: Callable[[], object]
    words: tuple[str, ...] = ()
    enabled: bool = True

    def fit(self, typed: str) -> float | None:
        """Returns the score of ``typed`` for this entry, synonyms included; None if it does not match."""
        own = score(typed, self.text)
        others = [points for word in self.words if (points := score(typed, word)) is not None]
        fits = [points - BY_SYNONYM for points in others if points >= LEAST_SYNONYM]
        if own is not None:
            fits.append(own)
        texts = " ".join((self.text, *self.words)).casefold()
        wanted = typed.casefold().split()
        if len(wanted) > 1 and all(word in texts for word in wanted):
            fits.append(ALL_WORDS)
        return max(fits, default=None)


def commands(context: CommandContext) -> Iterator[Entry]:
    """Yields every command, settings included."""
    for command in context.commands:
        run = partial(command.run, context)
        words = (*command.words, *_english(command.text))
        yield Entry(command_title(command), shown_key(command), run, words, command.enabled(context))


def panels(context: CommandContext) -> Iterator[Entry]:
    """Yields every panel: those offered for the current profile, closed ones included, then the others with what they
    need."""
    if context.document.current is None:
        return
    docks = context.prepare()
    for place, name in enumerate(docks.offered):
        spec = docks.docks[name].spec
        key = shown(f"Ctrl+{place + 1}") if place < PANEL_KEYS else ""
        kind = tr("closed panel") if docks.closed(name) else tr("panel")
        words = (*spec.words, *_english(spec.title))
        yield Entry(spec.title, "  ".join(filter(None, (kind, key))), partial(context.show_panel, name), words)
    for spec in docks.missing():
        needs = tr("panel, needs {missing}", missing=spec.missing)
        yield Entry(spec.title, needs, _nothing, (*spec.words, *_english(spec.title)), enabled=False)


def tables(context: CommandContext) -> Iterator[Entry]:
    """Yields every table of the current profile."""
    for table in context.tables.get():
        rows = plural("{count:,} row", "{count:,} rows", count=table.rows)
        yield Entry(
            table.title,
            tr("table, {rows}", rows=rows),
            partial(_show_table, context, table.id),
            (tr("table {table}", table=table.title), table.id),
        )


def recent(context: CommandContext) -> Iterator[Entry]:
    """Yields the recent files."""
    from app.window.recent import listed

    for file in listed(context.settings.value.recent, context.settings.value.recent_together):
        where = file.folder if file.exists else tr("{folder} (missing)", folder=file.folder)
        open_ = partial(context.open, file.paths)
        yield Entry(
            file.name, tr("recent file, {where}", where=where), open_, (tr("open recent"), "reopen"), file.exists
        )


def pairs(context: CommandContext) -> Iterator[Entry]:
    """Yields the other open profiles as baselines, and the recent comparisons."""
    from app.window.commands.compare import open_pair
    from app.window.recent_pairs import there, title_of

    current = context.document.current
    for entry in context.document.entries:
        if current is not None and entry.id != current.id:
            run = partial(context.baseline_opener.compare, current.id, entry.id)
            yield Entry(tr("Compare with {name}", name=entry.profile.name), tr("open profile"), run, COMPARE_WORDS)
    for pair in context.recent_pairs.pairs:
        yield Entry(
            title_of(pair), tr("recent comparison"), partial(open_pair, context, pair), COMPARE_WORDS, there(pair)
        )


COMPARE_WORDS = ("baseline", "compare", "difference")


def profiles(context: CommandContext) -> Iterator[Entry]:
    """Yields the open profiles except the current one."""
    for entry in context.document.entries:
        if entry is not context.document.current:
            show = partial(_show_profile, context, entry.id)
            yield Entry(entry.profile.name, tr("open profile"), show, ("switch", "tab"))


def command_title(command: Command) -> str:
    """Returns the command's text with its submenu, so that "Dark" reads "Appearance: Dark"."""
    return labelled(command.submenu, command.text) if command.submenu else command.text


def _english(text: str) -> tuple[str, ...]:
    """The English name of what has another name in the user's language: tutorials and colleagues use it."""
    return (text.english,) if isinstance(text, Message) and text.english != text else ()


def _show_table(context: CommandContext, table_id: str) -> None:
    from app.analysis.lookup.hit import Target
    from app.window.going import go

    go(context, Target(table=table_id), keyboard=True)


def _show_profile(context: CommandContext, entry_id: int) -> None:
    context.document.show(entry_id)
    context.show_start(False)


def _nothing() -> None:
    """The action of a disabled entry."""


KINDS: tuple[Callable[[CommandContext], Iterator[Entry]], ...] = (commands, panels, tables, recent, profiles, pairs)
