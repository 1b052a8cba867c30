"""The link to what the window shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.analysis.view_links.things import chosen_of
from app.analysis.view_links.view_link import ProfileRef, ViewLink
from app.store.link_files import content_of, link_paths
from app.widgets.view_state import view_state

if TYPE_CHECKING:
    from app.document.document import Document, Entry
    from app.window.command import CommandContext
    from app.window.dock import Dock


def ref_of(document: Document, entry: Entry) -> ProfileRef:
    """The files of an entry, and which part of them it is."""
    ref = known_ref(document, entry)
    return ref if ref.content else replace(ref, content=content_of(entry.profile.origin.paths))


def known_ref(document: Document, entry: Entry) -> ProfileRef:
    """The same without reading the files: their content is left out while it is not known."""
    origin = entry.profile.origin
    return ProfileRef(link_paths(origin.paths), document.states.fingerprint(entry.id), origin.part)


def link_to_view(context: CommandContext, ref: Callable[[Document, Entry], ProfileRef] = ref_of) -> ViewLink | None:
    """The link to the shown profile as the panel with the focus (else the main one) shows it; None if nothing is open
    that comes from a file. ``ref``: how it refers to profiles."""
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
