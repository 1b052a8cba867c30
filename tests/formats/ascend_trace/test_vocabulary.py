"""Texts that a trace repeats are recognised, which changes nothing but the time."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import orjson
import pytest

from app.formats.ascend_trace.event import (
    ALL_KEYS,
    MOST_SURPRISES,
    MOST_TEXTS,
    Event,
    EventDecoder,
    KnownKeys,
    Vocabulary,
    keys_of,
    known,
)


def events(names: list[Any]) -> bytes:
    return orjson.dumps([{"ph": "X", "name": name, "pid": 1, "tid": "a", "cat": None} for name in names])


def names_of(decoded: list[Any]) -> list[Any]:
    return [event.name for event in decoded]


def known_by(vocabulary: Vocabulary) -> msgspec.json.Decoder[list[Event]]:
    keys = KnownKeys(Event)
    keys.learn(events(["a"]))
    kind: Any = known(Event, vocabulary, keys)
    return msgspec.json.Decoder(list[kind])


def test_a_known_text_is_one_object() -> None:
    decoder = EventDecoder()
    (first,) = decoder.decode(events(["ADD, one of many"]))
    second, third = decoder.decode(events(["ADD, one of many", "ADD, one of many"]))
    assert second.name is third.name
    assert first.name is second.name


def test_new_texts_numbers_and_null_are_decoded_as_ever() -> None:
    decoder = EventDecoder()
    for names in (["a", "b"], ["b", "c"], [7, None, 2.5, "a"], ["ä", "c\n"], [], ["\\u00e4"]):
        assert names_of(decoder.decode(events(names))) == names


def test_other_texts_are_invalid_for_known_events() -> None:
    vocabulary = Vocabulary("name")
    vocabulary.learn([Event(name="a")])
    with pytest.raises(msgspec.ValidationError):
        known_by(vocabulary).decode(events(["b"]))


def test_fields_without_a_key_have_their_default() -> None:
    decoder = EventDecoder()
    for text in (events(["a"]), events(["b"])):
        made = decoder.decode(text)
        assert set(keys_of(made)) == {"ph", "name", "pid", "tid", "cat"}
        assert (made[0].bp, made[0].key, made[0].group, made[0].is_word) == (None, None, None, False)
    flow = [{"ph": "s", "id": 7, "id2": None, "scope": "x"}]
    made = decoder.decode(orjson.dumps(flow))
    assert {"id", "id2", "scope"} <= set(keys_of(made))
    assert made[0].key == "x:7"
    assert keys_of(list(made)) == ALL_KEYS


def test_keys_that_are_no_fields() -> None:
    decoder = EventDecoder()
    for text in (events(["a"]), orjson.dumps([{"name": "a", "tts": 1}]), orjson.dumps([{"bp": "e", "sf": 1}])):
        made = decoder.decode(text)
    assert set(keys_of(made)) == ALL_KEYS
    assert made[0].bp == "e"


def test_a_field_with_many_texts_does_not_take_part() -> None:
    vocabulary = Vocabulary("name", "tid")
    vocabulary.learn([Event(name=str(number), tid="a") for number in range(MOST_TEXTS + 1)])
    assert names_of(known_by(vocabulary).decode(events(["another"]))) == ["another"]


def test_a_field_with_new_texts_again_and_again_does_not_take_part() -> None:
    vocabulary = Vocabulary("name")
    for number in range(MOST_SURPRISES + 1):
        vocabulary.learn([Event(name=str(number))])
    assert names_of(known_by(vocabulary).decode(events(["another"]))) == ["another"]


@pytest.mark.parametrize("exact", [False, True])
def test_the_same_as_without(exact: bool) -> None:
    dice = random.Random(5)
    values: list[Any] = ["X", "B", "", "7", 7, 7.5, None, "é", "\U0001f600", "a\\", 'q"']
    decoder = EventDecoder()
    decoder.exact = exact
    for _ in range(60):
        fields = ("cat", "cname", "name", "pid", "tid", "bp", "s", "scope", "id")
        made = [{field: dice.choice(values) for field in fields} | {"ts": 1.5} for _ in range(5)]
        plain = EventDecoder()
        plain.exact = exact
        for ours, other in zip(decoder.decode(orjson.dumps(made)), plain.decode(orjson.dumps(made)), strict=True):
            assert {name: getattr(ours, name) for name in Event.__struct_fields__ if name != "dur"} == {
                name: getattr(other, name) for name in Event.__struct_fields__ if name != "dur"
            }


@pytest.mark.parametrize("args", [None, 5, "text", [1, {"pc_addr": "0x10"}], True, 1.5])
def test_unusual_types_need_no_rescue(args: Any) -> None:
    event = {
        "args": args,
        "cat": 5,
        "cname": 7.0,
        "name": None,
        "ph": "X",
        "s": 1,
        "scope": 3,
        "id": 4,
        "ts": 1,
        "dur": 2,
    }
    (decoded,) = EventDecoder().decode(orjson.dumps([event]))
    assert decoded.arguments.pc_addr is None
    assert decoded.group is None
    assert decoded.key == "3:4"
