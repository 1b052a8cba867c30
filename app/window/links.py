"""Links to views: makes the link to what is shown, and follows one: finds its files, opens them, and shows the place in
them, step by step as things are read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from app.analysis.view_links.view_link import ProfileRef, ViewLink
from app.document.background import WAITING, Background
from app.document.threads import absolute
from app.formats.errors import FormatError
from app.language import plural, tr
from app.views.texts import CAPTION, first_names, shown_line
from app.widgets.view_state import view_state
from app.window.comparing import is_of
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.analysis.view_links.things import Located
    from app.document.document import Document
    from app.document.entry import Entry
    from app.panels.panel import Panel
    from app.store.link_files import Files
    from app.store.token import Token
    from app.window.command import CommandContext
    from app.window.dock import Dock


LOOK_MS: Final = 15
MOST_LOOKS: Final = 2_000
"""After so many looks at a panel that still works, the rest is done regardless."""
NAMED: Final = 3
MOST_PLACES: Final = 12
"""Of so many profiles that are opened together, each is shown for a moment at its place."""
OF_TABLES: Final = ("filter", "sort", "columns")


class LinkFollower(QObject):
    """A new link replaces one that is still followed."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self._context = context
        self._steps: Iterator[object] | None = None
        self._link: ViewLink | None = None
        self._background = Background(self)
        self._timer = QTimer(self, interval=LOOK_MS, singleShot=True)
        self._timer.timeout.connect(self._step)
        self.arrived = False
        """Whether the last link led to its place, with everything that it names."""
        self._lacks_part = False

    @property
    def busy(self) -> bool:
        """Whether a link is being followed."""
        return self._steps is not None

    def follow(self, link: ViewLink, passed: Sequence[Path] = ()) -> None:
        """Opens the files of ``link`` (which the user has agreed to) and goes to its place. ``passed``: the files that
        the user named, which are being opened; the link is about one of them."""
        self._link = link
        self._begin(self._go(link, passed))

    def follow_all(self, links: Sequence[ViewLink], shown: int) -> None:
        """Opens the files of all ``links`` (which the user has agreed to), in their order, and goes to the place of
        each; that of index ``shown`` is the last."""
        self._begin(self._go_to_all(links, shown))

    def ask_and_follow(self, link: ViewLink) -> None:
        """Goes to the place of a link of unknown origin at once if its profile is open, else asks before anything is
        read."""
        self._begin(self._go_if_open(link))

    def _begin(self, steps: Iterator[object]) -> None:
        self._background.cancel()
        self._steps = steps
        self.arrived = self._lacks_part = False
        self._step()

    def _step(self) -> None:
        if self._steps is None:
            return
        steps = self._steps
        try:
            next(steps)
        except StopIteration:
            if self._steps is steps:
                self._steps = None
        except FormatError as error:
            self._steps = None
            self.arrived = False
            self._say(tr("The link could not be followed: {error}", error=error), "error")
        except BaseException:
            self._steps = None  # else who waits for it waits for ever
            raise
        if self._steps is not None:
            self._timer.start()

    # -- files --------------------------------------------------------------------------------------------

    def _go_if_open(self, link: ViewLink) -> Generator[object, None, None]:
        for ref in (link.profile, *([] if link.baseline is None else [link.baseline])):
            if (yield from self._open_entry(ref)) is None:
                from app.window.input_dialogs import LinkDialog

                LinkDialog(self._context, link).open()
                return
        yield from self._go(link, ())

    def _go_to_all(self, links: Sequence[ViewLink], shown: int) -> Generator[object, None, None]:
        """Files that are missing are left to the step that says so. Of very many profiles, the others have their view
        as it was saved with the file."""
        for link in (yield from self._background.waited(partial(_readable, links))):
            if not self._entries_of(link.profile.paths):
                self._context.open(link.profile.paths)
        for place, link in enumerate(links):
            if place != shown and (len(links) <= MOST_PLACES or link.baseline is not None):
                yield from self._follow_one(link)
        yield from self._follow_one(links[shown])

    def _follow_one(self, link: ViewLink) -> Generator[object, None, None]:
        self._link = link
        yield from self._go(link, ())

    def _open_entry(self, ref: ProfileRef) -> Generator[object, None, Entry | None]:
        """The open entry with the content of ``ref``; without a known content, that of its paths."""
        own = [entry for entry in self._context.document.entries if not entry.is_part and entry.profile.origin.paths]
        if not ref.content:
            return next((entry for entry in own if is_of(entry, absolute(ref.paths))), None)
        contents = yield from self._background.waited(partial(_contents, [entry.profile.origin.paths for entry in own]))
        same = [entry for entry, content in zip(own, contents, strict=True) if content == ref.content]
        return next((entry for entry in same if is_of(entry, absolute(ref.paths))), next(iter(same), None))

    def _side(self, ref: ProfileRef, passed: Sequence[Path]) -> Generator[object, None, tuple[int, bool] | None]:
        """(entry id of the profile of ``ref``, opened if necessary and complete; whether its content is that of the
        link); None if there is none, which was said then."""
        loader, document = self._context.loader, self._context.document
        while passed and loader.busy:
            yield WAITING
        entry = yield from self._open_entry(ref)
        if entry is not None:
            files = None
            if set(entry.profile.origin.paths).isdisjoint(ref.paths) and not is_of(entry, absolute(ref.paths)):
                self._say_moved(ref, entry.profile.origin.paths)
        else:
            files = yield from self._find(ref, passed)
            if files is None:
                return None
            if not self._entries_of(files.paths):
                self._context.open(files.paths)
            while loader.busy and not any(entry.done for entry in self._entries_of(files.paths)):
                yield WAITING
            while loader.busy and len(self._entries_of(files.paths)) > 1:
                yield WAITING
            entry = (yield from self._open_entry(ref)) or next(iter(self._entries_of(files.paths)), None)
        while entry is not None and not entry.done:
            yield WAITING
            entry = document.entry(entry.id)
        if entry is None:
            return None  # reading failed, which was said, or it was closed
        same = files is None or files.how != "changed"
        if not same:
            self._say_changed(ref, files.paths if files is not None else ())
        return (yield from self._part(entry, ref.part)), same

    def _find(self, ref: ProfileRef, passed: Sequence[Path]) -> Generator[object, None, Files | None]:
        """The files to open; None if there are none, or if the user has to decide first."""
        recent = self._context.settings.value
        known = [[Path(text), *map(Path, recent.recent_together.get(text, ()))] for text in recent.recent]
        files = yield from self._background.waited(partial(_find, ref, passed, known))
        if files.how == "missing":
            self._say_missing(ref, passed)
            return None
        if files.how == "moved":
            if not passed:
                self._offer_recent(ref, files.paths)
                return None
            self._say_moved(ref, files.paths)
        return files

    def _entries_of(self, paths: Sequence[Path]) -> list[Entry]:
        """The entries that were read from these files, or from files in this folder."""
        return [entry for entry in self._context.document.entries if is_of(entry, absolute(paths))]

    def _part(self, entry: Entry, part: str) -> Generator[object, None, int]:
        """The id of that part of the entry; of the entry if there is none, which was said then, or none is named."""
        if not part:
            return entry.id
        from app.window.commands.compare import opener_of

        opener, opened = opener_of(self._context), list[int]()
        opener.open(entry, [part], opened.extend)
        while opener.busy:
            yield WAITING
        self._lacks_part |= not opened
        return opened[0] if opened else entry.id

    # -- the place ----------------------------------------------------------------------------------------

    def _go(self, link: ViewLink, passed: Sequence[Path]) -> Generator[object, None, None]:
        from app.analysis.view_links.things import ranges_of  # imports numpy

        document = self._context.document
        after = yield from self._side(link.profile, passed)
        if after is None:
            return
        before = None if link.baseline is None else (yield from self._side(link.baseline, ()))
        entry = document.entry(after[0])
        if entry is None:
            return
        document.show(entry.id)
        self._context.show_start(False)
        if before is not None:
            document.baselines.set(entry.id, before[0])
        document.ranges.set(ranges_of(entry.profile, link.ranges))
        self.arrived = (link.baseline is None or before is not None) and not self._lacks_part
        yield from self._go_inside(link, entry, same=after[1])

    def _go_inside(self, link: ViewLink, entry: Entry, *, same: bool) -> Generator[object, None, None]:
        from app.analysis.lookup.hit import Target
        from app.window.going import go

        context, document = self._context, self._context.document
        place: Located | None = None
        if link.chosen is not None:
            place = yield from self._background.waited(partial(_located, entry, link, same))
            self._say_lost(link, place)
        document.selection.set(None)
        docks = context.prepare()
        panel = link.panel
        if panel and panel not in docks.offered:
            self._say(tr("This profile has no panel {panel}.", panel=panel))
            self.arrived = False
            panel = ""
        selection = None if place is None else place.selection
        if panel or selection is not None:
            go(context, Target(selection, panel), keyboard=True)
        if panel:
            yield from self._restore(panel, link)

    def _restore(self, name: str, link: ViewLink) -> Generator[object, None, None]:
        """Brings back how the panel showed its content."""
        from app.panels.panel import Panel
        from app.widgets.view_state import restore_choices, restore_parts

        docks = self._context.prepare()
        panel = docks.docks[name].widget()
        if not isinstance(panel, Panel):
            return
        yield from self._settled(name, panel)
        restore_choices(panel, link.view)
        yield from self._settled(name, panel, wholly=any(key.endswith(OF_TABLES) for key in link.view))
        restore_parts(panel, link.view)

    def _settled(self, name: str, panel: Panel, *, wholly: bool = False) -> Iterator[object]:
        """Waits until the panel is filled (``wholly``: until nothing of it is being computed), or is not seen."""
        docks = self._context.prepare()
        for _ in range(MOST_LOOKS):
            yield WAITING
            works = wholly and any(part.busy for part in panel.findChildren(Background))
            due = panel.refill_due or panel.filling or docks.building
            if not docks.in_sight(name) or not (due or works):
                return

    # -- what is said -------------------------------------------------------------------------------------

    def _say(self, text: str, severity: str = "info") -> None:
        self._context.notices.add(Notice("error" if severity == "error" else "info", text, "open"))

    def _say_moved(self, ref: ProfileRef, paths: Sequence[Path]) -> None:
        self._say(
            tr("The link names {wanted}; {path} has the same content.", wanted=_name(ref.paths), path=_name(paths))
        )

    def _say_changed(self, ref: ProfileRef, paths: Sequence[Path]) -> None:
        if paths and set(paths).isdisjoint(ref.paths):
            text = tr(
                "The link names {wanted}; {path} has the same name, but another content.",
                wanted=_name(ref.paths),
                path=_name(paths),
            )
        else:
            text = tr("{path} has changed since the link was made.", path=_name(ref.paths))
        self._say(text)

    def _say_missing(self, ref: ProfileRef, passed: Sequence[Path]) -> None:
        if passed:
            text = tr("None of the files is {path}, the target of the link.", path=_name(ref.paths))
            self._offer(text, ref, ref.paths)
        else:
            text = tr(
                "{path} no longer exists, and no open or recent file has the same content.",
                path=_name(ref.paths),
            )
            self._say(text, "error")

    def _offer_recent(self, ref: ProfileRef, paths: Sequence[Path]) -> None:
        """Offers a recent file with the same content."""
        text = tr(
            "{wanted} is not there, or has changed. {path}, opened recently, has the content of the link.",
            wanted=_name(ref.paths),
            path=_name(paths),
        )
        self._offer(text, ref, paths)

    def _offer(self, text: str, ref: ProfileRef, paths: Sequence[Path]) -> None:
        """Offers to follow the link with the files ``paths`` for ``ref``; nothing is opened before the user accepts."""
        link = self._link
        if link is None:
            return
        elsewhere = replace(ref, paths=tuple(paths))
        other = replace(link, profile=elsewhere) if ref is link.profile else replace(link, baseline=elsewhere)
        notices = self._context.notices

        def accept() -> None:
            notices.withdraw([notice])
            self.follow(other)

        notice = Notice("info", text, steps={tr("Open {path}", path=shown_line(_name(paths), CAPTION)): accept})
        notices.add(notice)

    def _say_lost(self, link: ViewLink, place: Located) -> None:
        from app.analysis.kinds import KINDS

        if not place.lost or link.chosen is None:
            return
        self.arrived = False
        total = len(link.chosen.indices)
        things = KINDS[link.chosen.kind].counted(total)
        text = plural(
            "{count:,} of {things} of the link is not in this profile.",
            "{count:,} of {things} of the link are not in this profile.",
            count=place.lost,
            things=things,
        )
        names = [shown_line(name, CAPTION) for name in first_names([name for name in place.missing if name], NAMED)]
        self._say(f"{text} {tr('Missing: {names}', names=', '.join(names))}" if names else text)


def _contents(paths: Sequence[Sequence[Path]], token: Token) -> list[str]:
    from app.store.link_files import content_of  # imports the formats

    contents = []
    for own in paths:
        token.check()
        contents.append(content_of(own))
    return contents


def _readable(links: Sequence[ViewLink], token: Token) -> list[ViewLink]:
    """Those of which all files exist."""
    readable = []
    for link in links:
        token.check()
        with contextlib.suppress(OSError):
            readable += [link] if all(path.exists() for path in link.profile.paths) else []
    return readable


def _find(ref: ProfileRef, passed: Sequence[Path], known: Sequence[Sequence[Path]], token: Token) -> Files:
    from app.store.link_files import find

    return find(ref.paths, ref.content, passed, known, token.check)


def _located(entry: Entry, link: ViewLink, same: bool, _token: Token) -> Located:
    from app.analysis.view_links.things import located

    assert link.chosen is not None
    return located(entry.profile, link.chosen, same=same)


def _name(paths: Sequence[Path]) -> str:
    return ", ".join(first_names([str(path) for path in paths], NAMED))


def ref_of(document: Document, entry: Entry) -> ProfileRef:
    """The files of an entry, and which part of them it is."""
    from app.store.link_files import content_of

    ref = known_ref(document, entry)
    return ref if ref.content else replace(ref, content=content_of(entry.profile.origin.paths))


def known_ref(document: Document, entry: Entry) -> ProfileRef:
    """The same without reading the files: their content is left out while it is not known."""
    from app.store.link_files import link_paths

    origin = entry.profile.origin
    return ProfileRef(link_paths(origin.paths), document.states.fingerprint(entry.id), origin.part)


def link_to_view(context: CommandContext, ref: Callable[[Document, Entry], ProfileRef] = ref_of) -> ViewLink | None:
    """The link to the shown profile as the panel with the focus (else the main one) shows it; None if nothing is open
    that comes from a file. ``ref``: how it refers to profiles."""
    from app.analysis.view_links.things import chosen_of  # imports numpy

    document = context.document
    entry = document.current
    if entry is None or not entry.profile.origin.paths:
        return None
    selection, dock = document.selection.value, _dock(context)
    baseline = document.entry(document.baselines.of(entry.id) or 0)
    return ViewLink(
        ref(document, entry),
        "" if dock is None else dock.spec.id,
        None if selection is None else chosen_of(entry.profile, selection),
        document.ranges.value,
        {} if dock is None or not dock.filled else view_state(dock.widget()),
        None if baseline is None or not baseline.profile.origin.paths else ref(document, baseline),
    )


def _dock(context: CommandContext) -> Dock | None:
    docks, focus = context.docks, context.keys.last_focus
    if docks is None:
        return None
    here = docks.at(focus) if focus is not None else None
    return here if here is not None and here.spec.id in docks.offered else docks.main()
