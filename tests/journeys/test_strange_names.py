"""Names that are markup, very long, or hold control characters, in the real window."""

from __future__ import annotations

from pathlib import Path

import orjson

from journeys.conftest import Start

NAMES = ('<img src="/dev/zero"><h1>x</h1>', "word " * 10_000, "x" * 10_000_000, "a\n\u202eb\x1b[31m")


def test_the_window_outlives_names_of_strangers(start: Start, tmp_path: Path) -> None:
    path = tmp_path / '<b>trace<img src="zero">.json'
    events = [
        {"ph": "X", "name": name, "pid": "core0", "tid": "MTE2", "ts": 10.0 * place, "dur": 9.0, "args": {"text": name}}
        for place, name in enumerate(NAMES)
    ]
    path.write_bytes(orjson.dumps({"traceEvents": events, "displayTimeUnit": "ns"}))
    program = start(path)
    program.window("<b>trace")
    program.hands.press("0", "period", "period", "period", "ctrl+f")
    program.hands.press("w", "Return", "Escape", "Escape")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0
