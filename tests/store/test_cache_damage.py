"""What is kept lies on a disk: whatever becomes of it there, the files are read again and nobody is told more than a
line in the log."""

from __future__ import annotations

import hashlib
import logging
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import google_crc32c
import msgspec
import pytest

from app.formats.errors import FormatError
from app.store import codec, folders
from app.store.cache import cache
from app.store.cache.limit import CacheLimit
from app.store.codec import Columns
from app.store.token import Token
from fakes.columns import Reader, heavy_job
from fakes.same import same
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=8, compute_sets=3)
KEEP = CacheLimit(1 << 30)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return poplar.write_pair(tmp_path, SCALE)


def store() -> Path:
    (one,) = folders.every(folders.place())
    return one


def columns() -> Path:
    return max(store().glob("*.columns"), key=lambda path: path.stat().st_size)


def opened(path: Path) -> Path:
    path.chmod(0o600)
    return path


def shorter() -> None:
    with opened(columns()).open("r+b") as file:
        file.truncate(columns().stat().st_size // 2)


def other_bytes() -> None:
    with opened(columns()).open("r+b") as file:
        file.write(b"\xaa" * 64)


def gone() -> None:
    columns().unlink()


def a_link() -> None:
    path = columns()
    target = path.replace(path.parent.parent / "elsewhere")
    path.symlink_to(target)


def a_pipe() -> None:
    path = columns()
    path.unlink()
    os.mkfifo(path)


def no_manifest() -> None:
    (store() / cache.MANIFEST_NAME).unlink()


def half_a_manifest() -> None:
    data = (store() / cache.MANIFEST_NAME).read_bytes()
    (store() / cache.MANIFEST_NAME).write_bytes(data[: len(data) // 2])


def other_manifest() -> None:
    data = bytearray((store() / cache.MANIFEST_NAME).read_bytes())
    data[len(data) // 2] ^= 1
    (store() / cache.MANIFEST_NAME).write_bytes(data)


def names_another_place() -> None:
    folders.key_file(store().parent, folders.key_of(store())).write_text("../../.ssh")


def names_nothing() -> None:
    folders.key_file(store().parent, folders.key_of(store())).write_bytes(b"\xff" * 4096)


@pytest.mark.parametrize(
    "damage",
    [
        shorter,
        other_bytes,
        gone,
        a_link,
        a_pipe,
        no_manifest,
        half_a_manifest,
        other_manifest,
        names_another_place,
        names_nothing,
    ],
)
def test_damage_is_read_anew_and_put_right(
    damage: Callable[[], None], reader: Reader, pair: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    (before,) = reader.cached(pair)
    damage()
    (after,) = reader.cached(pair)
    assert reader.count == 2
    assert before.filled() == after.filled()
    assert all(record.levelno == logging.INFO for record in caplog.records)
    if not damage.__name__.startswith("names"):
        assert "cached columns are not used" in caplog.text
    reader.cached(pair)
    assert reader.count == 2


def rewrite(change: Callable[[Any], None]) -> None:
    """Another manifest, in good order as far as its digest goes."""
    path = store() / cache.MANIFEST_NAME
    plain = msgspec.msgpack.decode(path.read_bytes()[cache.DIGEST :])
    change(plain)
    sign(path, msgspec.msgpack.encode(plain))


def sign(path: Path, body: bytes) -> None:
    path.write_bytes(hashlib.blake2b(body, digest_size=cache.DIGEST).digest() + body)


def section(plain: Any) -> Any:
    return next(content for kind, content in plain["records"] if kind == "Columns")


def column(plain: Any) -> Any:
    return next(value for value in section(plain)["skeleton"].values() if isinstance(value, dict) and "at" in value)


CHANGES: dict[str, Callable[[Any], None]] = {
    "not complete": lambda plain: plain.update(complete=False),
    "other format": lambda plain: plain.update(format="popef"),
    "no columns": lambda plain: section(plain).update(file=""),
    "column file elsewhere": lambda plain: section(plain).update(file="../../x.columns"),
    "other checksum": lambda plain: section(plain).update(checksum=section(plain)["checksum"] ^ 1),
    "other size": lambda plain: section(plain).update(size=section(plain)["size"] - 1),
    "negative size": lambda plain: section(plain).update(size=-1),
    "section elsewhere": lambda plain: section(plain).update(file="../0-target-0.columns"),
    "unknown section": lambda plain: section(plain).update(name="__class__"),
    "no profile": lambda plain: plain["records"].pop(0),
    "profile of nothing": lambda plain: plain["records"][0][1].update(paths=[7]),
    "negative file": lambda plain: plain["records"][0][1].update(paths=[-1]),
    "named file": lambda plain: plain["records"][0][1].update(paths=["graph.json"]),
    "columns inside": lambda plain: section(plain).update(file="", packed=b"12345678"),
    "beyond the file": lambda plain: column(plain).update(at=1 << 60),
    "before the file": lambda plain: column(plain).update(at=-64),
    "beyond all memory": lambda plain: column(plain).update(shape=[1 << 32, 1 << 32]),
    "negative shape": lambda plain: column(plain).update(shape=[-1]),
    "truth as shape": lambda plain: column(plain).update(shape=[True]),
    "objects": lambda plain: column(plain).update(type="|O"),
    "texts": lambda plain: column(plain).update(type="<U4"),
    "no type": lambda plain: column(plain).update(type=None),
    "more than is known": lambda plain: plain.update(run="this"),
    "an end": lambda plain: plain["records"].append(["Done", {}]),
    "another world": lambda plain: plain["records"].append(["Evil", {}]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_manifest_that_lies_is_not_believed(change: str, reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair)
    rewrite(CHANGES[change])
    reader.cached(pair)
    assert reader.count == 2


def test_any_manifest_is_taken_or_refused_but_nothing_else(reader: Reader, pair: tuple[Path, Path]) -> None:
    """A few hundred of them, each with a good digest: nothing but columns or None comes of them."""
    reader.cached(pair)
    path = store() / cache.MANIFEST_NAME
    name = folders.key_file(path.parent.parent, folders.key_of(path.parent))
    whole, named = path.read_bytes()[cache.DIGEST :], name.read_bytes()
    wanted = cache.ticket(heavy_job(*pair))
    assert wanted is not None
    numbers = random.Random(5)
    refused = 0
    for _ in range(400):
        body = bytearray(whole)
        for _ in range(numbers.randint(1, 4)):
            body[numbers.randrange(len(body))] = numbers.randrange(256)
        sign(path, bytes(body))
        described: cache.Manifest | None = None
        try:
            described = cache.read_manifest(path.parent)
            list(cache.events_of(path.parent, described, pair))
        except cache.DamagedError:
            refused += 1
    assert refused > 100
    name.write_bytes(named)


@pytest.mark.parametrize(
    "skeleton",
    [
        None,
        [],
        {},
        {"cycles": 1},
        {"names": {"blob": {"at": 0, "type": "|u1", "shape": [1] * 9}, "ends": {"at": 0, "type": "<i8", "shape": [0]}}},
        {"names": {"blob": {"at": 0, "type": "|i8", "shape": "12"}, "ends": 5}},
    ],
)
def test_a_description_that_makes_no_sense(tmp_path: Path, skeleton: Any) -> None:
    content = bytes(64)
    (tmp_path / "columns").write_bytes(content)
    columns = Columns("sources", "columns", skeleton, size=64, checksum=google_crc32c.value(content))
    with pytest.raises(FormatError, match="column store"):
        columns.section(tmp_path)


def test_bytes_changed_anywhere_are_noticed(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 40 random places of every column file and of the manifest, whether columns are copied or mapped: what is used
    is what was written, and anything else is read from the files again."""
    reader.cached(pair)
    numbers = random.Random(26)
    files = [*sorted(store().glob("*.columns")), store() / cache.MANIFEST_NAME]
    wanted = cache.ticket(heavy_job(*pair))
    assert wanted is not None
    written = {path: path.read_bytes() for path in files}
    name = folders.key_file(store().parent, folders.key_of(store()))
    key = name.read_bytes()
    monkeypatch.setattr(folders, "remove_unused", lambda _: True)  # each file is damaged alone
    for place in (path for path in files if written[path] for _ in range(40)):
        monkeypatch.setattr(codec, "IN_MEMORY", numbers.choice((0, 1 << 20)))
        content = bytearray(written[place])
        content[numbers.randrange(len(content))] ^= 1 << numbers.randrange(8)
        opened(place).write_bytes(content)
        assert cache.find(wanted, Token()) is None, place.name
        place.write_bytes(written[place])
    assert name.read_bytes() == key
    found = cache.find(wanted, Token())
    assert found is not None
    found.stored.release()


def test_a_profile_with_changed_bytes_is_read_again(reader: Reader, pair: tuple[Path, Path]) -> None:
    """The same, the whole way: between the places that used to be sampled."""
    (before,) = reader.cached(pair)
    for count in range(2, 8):
        path = opened(columns())
        content = bytearray(path.read_bytes())
        content[len(content) * count // 9] ^= 0x10
        path.write_bytes(content)
        (after,) = reader.cached(pair)
        assert reader.count == count
        assert same(before, after)
