"""What the search field lists for the typed text: hits, and the palette of commands, panels, tables and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from app.analysis.view_links.text import BadLink, looks_like_link, parse
from app.language import Message, labelled, plural, tr
from app.window.command import PANEL_KEYS, Command, CommandContext
from app.window.key_names import shown, shown_key

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Answer, Hit, Mode, Source
    from app.window.lookup import Lookup


COMMAND_SIGN, GO_SIGN = ">", "@"
COMMANDS_BESIDE_HITS = 5
FEW = 6
"""Hits of a kind that are listed before the user asks for more."""
GO_HINT = tr("A lane, program, tensor, function, source file, file.cpp:123, tile 17 or 0x1a40")


class Offer(Struct, frozen=True):
    """One line of the list; ``detail`` is muted on the right. ``hit`` is set for items of the profile, ``more`` (id of
    a source) for the line that lists more of a kind; a ``heading`` cannot be chosen."""

    text: str
    detail: str = ""
    run: Callable[[], object] = lambda: None
    enabled: bool = True
    hit: Hit | None = None
    more: str = ""
    heading: bool = False

    def same(self, other: Offer) -> bool:
        """Whether ``other`` is the same line, possibly of an older list."""
        return (self.text, self.detail, self.more) == (other.text, other.detail, other.more)


NO_MATCHES = Offer(tr("No matches"), enabled=False)


class TypedQuery(Struct, frozen=True):
    """The typed text, parsed. ``mode`` None: commands, panels, tables and files instead of items of the profile."""

    mode: Mode | None
    text: str


def parse_query(text: str, *, any_open: bool) -> TypedQuery:
    """Parses the typed text: after ">" the palette (always while nothing is open, and for a link), after "@" a place to
    go to."""
    text = text.strip()
    if text.startswith(COMMAND_SIGN) or not any_open or looks_like_link(text):
        return TypedQuery(None, text.removeprefix(COMMAND_SIGN).strip())
    return TypedQuery("go", text[1:].strip()) if text.startswith(GO_SIGN) else TypedQuery("search", text)


def palette_offers(typed: str, context: CommandContext) -> list[Offer]:
    """Returns the palette's entries that match; for a link, the line that opens it."""
    if looks_like_link(typed):
        return [_link_offer(typed, context)]
    offers = ranked(typed, (entry for kind in KINDS for entry in kind(context)))
    return offers or [NO_MATCHES]


def _link_offer(typed: str, context: CommandContext) -> Offer:
    from app.window.input_dialogs import short

    try:
        link = parse(typed)
    except BadLink as error:
        return Offer(str(error), enabled=False)
    return Offer(tr("Open link to {path}", path=short(link)), link.panel, partial(context.links.ask_and_follow, link))


def ranked(typed: str, entries: Iterable[Entry]) -> list[Offer]:
    """Returns the matching entries, best first; disabled ones come last."""
    fitting = []
    for place, entry in enumerate(entries):
        points = entry.fit(typed)
        if points is not None:
            fitting.append((not entry.enabled, -points, place, entry))
    fitting.sort(key=lambda one: one[:3])
    return [Offer(entry.text, entry.detail, entry.run, entry.enabled) for *_, entry in fitting]


def hit_offers(lookup: Lookup, mode: Mode, only: str) -> list[Offer]:
    """Returns the hits so far, each kind under its heading; with ``only`` (id of a source) all hits of that source."""
    offers: list[Offer] = []
    groups = lookup.groups()
    if mode == "go":  # Enter takes the first line, so the kind with the nearest name comes first
        groups.sort(key=lambda group: -group[1].nearness)
    for source, answer in groups:
        if not only or source.id == only:
            offers += _group(source, answer, whole=bool(only))
    if lookup.failure:
        offers.append(Offer(tr("The search failed: {failure}", failure=lookup.failure), enabled=False))
    if lookup.busy:
        offers.append(Offer(tr("Searching…"), enabled=False))
    return offers or [NO_MATCHES]


def command_offers(typed: str, context: CommandContext) -> list[Offer]:
    """Returns a few commands whose text contains ``typed``, to be listed below the hits."""
    fitting = [entry for entry in commands(context) if typed.casefold() in entry.text.casefold()]
    offers = ranked(typed, fitting)[:COMMANDS_BESIDE_HITS]
    return [Offer(tr("Commands"), heading=True, enabled=False), *offers] if offers else []


def _group(source: Source, answer: Answer, *, whole: bool) -> list[Offer]:
    hits = answer.hits if whole else answer.hits[:FEW]
    counted = (
        f"{answer.total:,}"
        if len(hits) == answer.total
        else tr("first {count:,} of {total:,}", count=len(hits), total=answer.total)
    )
    lines = [Offer(source.title, counted, enabled=False, heading=True)]
    lines += [Offer(hit.text, hit.detail, hit=hit) for hit in hits]
    if len(hits) < len(answer.hits):
        every = len(answer.hits) == answer.total
        count = len(answer.hits)
        text = tr("Show all {count:,}", count=count) if every else tr("Show the first {count:,}", count=count)
        lines.append(Offer(text, source.title, more=source.id))
    return lines


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
        title = command_title(command) if command.text_now is None else command.text_now(context)
        yield Entry(title, shown_key(command), run, words, command.enabled(context))


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
        rows = "" if table.rows is None else plural("{count:,} row", "{count:,} rows", count=table.rows)
        yield Entry(
            table.title,
            tr("table, {rows}", rows=rows) if rows else tr("table"),
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
    from app.window.recent import there, title_of

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
    """Returns the command's text; of a choice with its submenu, so that "Dark" reads "Appearance: Dark"."""
    choice = command.submenu and command.checked is not None
    return labelled(command.submenu, command.text) if choice else command.text


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
