"""Values that panels share and observe: selection, hover, matches of a search, ranges; and what the selection stands
for in other kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from weakref import WeakMethod

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.profile.selection import Kind, Ranges, Selection

if TYPE_CHECKING:
    from app.profile.arrays import I64  # numpy is imported after the window can be used
    from app.profile.profile import Profile
    from app.store.token import Token

MOST_KEPT: Final = 32


class SelectionModel(QObject):
    """The shared selection (or hover). Signal ``changed`` (Selection or None), emitted only when the value differs."""

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value: Selection | None = None

    @property
    def value(self) -> Selection | None:
        return self._value

    def set(self, value: Selection | None) -> None:
        if value != self._value:
            self._value = value
            self.changed.emit(value)

    def clear(self) -> None:
        self.set(None)


class MatchModel(QObject):
    """All things that the search of everything matches, so that panels can bring them forward. Signal ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[Kind, I64] = {}

    def of(self, kind: Kind) -> I64 | None:
        """int64: the matching things of a kind; None for none, or while nothing is searched for."""
        return self._groups.get(kind)

    def set(self, groups: Mapping[Kind, I64]) -> None:
        if groups or self._groups:
            self._groups = dict(groups)
            self.changed.emit()

    def clear(self) -> None:
        self.set({})


class RangeModel(QObject):
    """The time range and the tiles that statistics cover. Signals: ``changed`` (Ranges); ``replaced`` before it (the
    ranges before, those now) where the user set them, which can be undone."""

    changed = Signal(object)
    replaced = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = Ranges()

    @property
    def value(self) -> Ranges:
        return self._value

    def set(self, value: Ranges) -> None:
        """Sets new ranges."""
        if value != self._value:
            self.replaced.emit(self._value, value)
            self.show(value)

    def show(self, value: Ranges) -> None:
        """Sets ranges that were set before: those of another profile, or an edit that is undone."""
        if value != self._value:
            self._value = value
            self.changed.emit(value)


Key: TypeAlias = tuple[Kind, tuple[int, ...], Kind]


class LinksPending(Exception):
    """A thread looks the links up; ``Linked.attempt`` calls again when it is done."""


class LinkCache:
    """The last links of one profile, by what they are of; usable in every thread."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._lock = Lock()
        self._known: dict[Key, I64] = {}

    def known(self, selection: Selection, kind: Kind) -> I64 | None:
        return self._known.get((selection.kind, selection.indices, kind))

    def items(self, selection: Selection, kind: Kind) -> I64:
        """int64: as `translate`, with each kind on the way remembered."""
        import numpy as np

        from app.analysis.relations import route

        here = np.asarray(selection.indices, np.int64)
        hops = [] if selection.kind == kind else route(selection.kind, kind)
        for hop, link in hops:
            known = self.known(selection, hop)
            here = link(self.profile, here) if known is None else known
            if known is None:
                self._keep((selection.kind, selection.indices, hop), here)
        return here if hops or selection.kind == kind else here[:0]

    def _keep(self, key: Key, items: I64) -> None:
        items.flags.writeable = False  # several panels have it
        with self._lock:
            self._known[key] = items
            if len(self._known) > MOST_KEPT:
                self._known.pop(next(iter(self._known)))


class Linked(QObject):
    """Links of the current profile, looked up once for all panels, in a thread where that takes long. Panels mark what
    is selected or pointed at by ``attempt``, and look items up by ``items`` meanwhile."""

    def __init__(self, parent: QObject, *current: SelectionModel) -> None:
        """``current``: what is selected, and what is pointed at."""
        super().__init__(parent)
        self._current = current
        self._profile: Profile | None = None
        self._cache: LinkCache | None = None
        self._background = Background(self)
        self._wanted: dict[Key, Selection] = {}
        self._waiting: dict[WeakMethod[Callable[[], object]], None] = {}
        self._due: list[WeakMethod[Callable[[], object]]] = []
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._attempt_next)

    def cache(self, profile: Profile) -> LinkCache:
        """The cache of ``profile``, which replaces that of another."""
        if self._cache is None or self._cache.profile is not profile:
            self._cache = LinkCache(profile)
        return self._cache

    def follow(self, profile: Profile | None) -> None:
        """Drops everything that belongs to another profile; those that wait mark again, for this one."""
        if profile is self._profile:
            return
        self._profile = profile
        self._background.cancel()
        self._cache = None
        self._wanted.clear()
        self._attempt_soon()

    def items(self, profile: Profile, selection: Selection, kind: Kind) -> I64:
        """int64: the items of ``kind`` that ``selection`` stands for. Raises LinksPending where that takes long."""
        from app.analysis import relations

        if profile is not self._profile:
            return relations.translate(profile, selection, kind)
        cache = self.cache(profile)
        known = cache.known(selection, kind)
        if known is not None:
            return known
        if selection.kind == kind or not relations.slow(profile):
            return cache.items(selection, kind)
        self._wanted[selection.kind, selection.indices, kind] = selection
        self._look_up()
        raise LinksPending

    def attempt(self, mark: Callable[[], object]) -> None:
        """Calls ``mark``, a method, now or as soon as the links are known that it asks for; what it marks then is what
        is selected then."""
        method = WeakMethod(mark)
        self._waiting.pop(method, None)
        try:
            mark()
        except LinksPending:
            self._waiting[method] = None

    def _look_up(self) -> None:
        """Looks up what is wanted of the things that are selected and pointed at by now."""
        cache = self._cache
        if cache is None or self._background.busy:
            return
        now = [(one.kind, one.indices) for model in self._current if (one := model.value) is not None]
        wanted = {key: selection for key, selection in self._wanted.items() if key[:2] in now}
        self._wanted = {}
        if not wanted:
            return

        def work(token: Token, _: Callable[[int, int], None]) -> None:
            for (_kind, _indices, kind), selection in wanted.items():
                token.check()
                cache.items(selection, kind)

        self._background.run(Task(work, self._arrived, self._failed))

    def _arrived(self, _: Any) -> None:
        self._attempt_soon()
        self._look_up()

    def _attempt_soon(self) -> None:
        if self._waiting:
            self._due += self._waiting
            self._waiting.clear()
            self._next.start()

    def _failed(self, error: FormatError) -> None:
        self._waiting.clear()
        raise error

    def _attempt_next(self) -> None:
        """Lets one of those that waited mark in each turn of the event loop, for what is selected by then."""
        mark = self._due.pop(0)() if self._due else None
        if not self._due:
            self._next.stop()
        if mark is not None and isValid(getattr(mark, "__self__", None)):
            self.attempt(mark)
