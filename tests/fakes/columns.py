"""Heavy loads without a process: the work of the worker, done here and counted."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from msgspec.structs import replace

from app.formats.collect import Collector
from app.formats.events import Sink
from app.formats.registry import Job, by_id
from app.profile.profile import Profile
from app.store import load as load_module
from app.store import wire, worker
from app.store.cache.limit import CacheLimit
from app.store.load import Loaded, load
from app.store.token import Token


class Reader:
    """Loads jobs as heavy ones; ``count``: how often files were actually read."""

    def __init__(self, monkeypatch: Any) -> None:
        self.count = 0
        monkeypatch.setattr(load_module, "run_worker", self._run)

    def load(
        self, paths: tuple[Path, ...], choice: CacheLimit | None, *, anew: bool = False
    ) -> tuple[Loaded, list[Profile]]:
        """Loads a job; returns its columns and profiles."""
        job = heavy_job(*paths)
        collector = Collector(job.format.id)
        loaded = load(job, collector, Token(), choice, anew=anew)
        assert loaded is not None
        return loaded, collector.profiles

    def cached(self, paths: tuple[Path, ...], choice: CacheLimit | None = None, *, anew: bool = False) -> list[Profile]:
        """Loads a job, caches its columns, and closes it."""
        chosen = choice or CacheLimit(1 << 30)
        loaded, profiles = self.load(paths, chosen, anew=anew)
        loaded.cache_columns(chosen, Token())
        loaded.release()
        return profiles

    def _run(
        self, job: Job, folder: Path, emit: Sink, token: Token, _take: object, workers: int, *, preview: bool
    ) -> list[wire.Record]:
        self.count += 1
        pipe = io.BytesIO()
        request = wire.request(job.format.id, job.paths, folder, preview=preview)  # decoded here, without helpers
        worker._serve(request, pipe)
        pipe.seek(0)
        told: list[wire.Record] = []
        load_module._relay(cast("Any", SimpleNamespace(stdout=pipe)), job.paths, folder, emit, told)
        return told


def heavy_job(*paths: Path, format_id: str = "poplar") -> Job:
    """A job that counts as heavy, even if its files are small."""
    return Job(replace(by_id(format_id), heavy=lambda _: True), paths)
