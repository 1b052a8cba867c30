"""What is said of a JSON file of no known format: its first keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.errors import FormatError
from app.formats.foreign import SHOWN_KEYS, json_keys
from app.formats.registry import sniff


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (b'{"hello": {"x": [1, {"y": "}"}]}, "weights": "a: \\" {", "config": {}}', ("hello", "weights", "config")),
        (b'\xef\xbb\xbf {"a":1', ("a",)),
        (b'[{"a": 1}]', ()),
        (b"{}", ()),
        (b'{"a": "never closed, "b": 1', ("a",)),
        (b"{" + b",".join(b'"k%d":0' % number for number in range(9)), ("k0", "k1", "k2", "k3", "k4")),
        (b"\0\1", ()),
    ],
)
def test_the_keys_of_the_outermost_object(text: bytes, keys: tuple[str, ...]) -> None:
    assert json_keys(text) == keys


@given(st.binary(max_size=300) | st.text('{}[]":\\ a', max_size=300).map(str.encode))
def test_anything_has_few_keys(text: bytes) -> None:
    assert len(json_keys(b"{" + text)) <= SHOWN_KEYS


def test_texts_that_never_end_are_looked_at_once() -> None:
    assert json_keys(b'{"a' + b'\\"' * 500_000) == ()


def test_the_message_names_them_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text('{"hello": 1, "weights": [2]}')
    with pytest.raises(FormatError, match="JSON with “hello”, “weights”; Tilesight opens traces"):
        sniff(path)
