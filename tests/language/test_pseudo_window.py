"""In the language for tests, whatever the window shows bears the mark, but for names and units."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from app.language import PSEUDO
from app.preferred_language import VARIABLE
from fakes.marked import without_marked

SAMPLES = ("matmul_leakyrelu.bin", "resnet_inference.popef", "resnet-1472-tiles")
UNITS = {
    "ns", "µs", "ms", "cycles", "steps", "KiB", "MiB", "GiB", "kB", "MB", "GB", "Hz", "MHz", "GHz", "TB",
}  # fmt: skip
"""Cycles and steps are words of figures in JSON too."""
KEYS = {
    "Ctrl", "Shift", "Alt", "Backspace", "Down", "Up", "Left", "Right", "Esc", "Del", "Home", "End", "Tab",
}  # fmt: skip
QT = {
    "Close", "Float", "Closes the dock widget", "Undocks and re-attaches the dock widget", "Scroll Left",
    "Scroll Right",
}  # fmt: skip
"""Texts of Qt's own widgets, which Qt translates."""
NAMES = {
    "compute", "constant", "delay", "inference", "mix", "multiple", "other", "popart", "profile", "rearrangement",
    "send", "stack", "sync", "tensor", "total", "training", "variable", "message", "vector", "cube", "Cube",
    "Cache", "Cycles", "Count", "Read", "Write", "Conflict", "Instructions", "Executed", "Process", "Bytes",
    "Vector", "Core", "Pipe", "Utilization", "Percentage", "Duration", "Memory", "Unit", "Total", "Execution",
    "Sync", "Tilesight", "Link", "resnet", "tiles", "Mean", "Peak", "Internal", "Host", "yes", "no",
    "histogram", "images", "probabilities",
}  # fmt: skip
"""As the files of the samples write them, names of products, and words that may be typed."""
IDENTIFIER = re.compile(r"[A-Z0-9_]+|\w*[a-z][A-Z0-9]\w*|\w+_\w+")


def test_texts_of_the_window_bear_the_mark(root: Path) -> None:
    samples = [str(root / "resources" / "samples" / name) for name in SAMPLES]
    index = json.loads((root / "resources" / "samples" / "index.json").read_text(encoding="utf-8"))
    ours = {text for sample in index for text in sample.values() if isinstance(text, str)}
    advice = {"took more time", "frequency is lower", "usage lower", "utilization lower"}
    environment = os.environ | {VARIABLE: PSEUDO, "PYTHONUTF8": "1", "PYTHONPATH": str(root)}
    command = [sys.executable, str(Path(__file__).with_name("pseudo_window.py")), *samples]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    texts = json.loads(done.stdout)
    assert len(texts) > 1000
    texts = [text for text in texts if text not in ours | QT and not any(part in text for part in advice)]
    assert [text for text in texts if strange(text)] == []


def strange(text: str) -> list[str]:
    """Words outside of marked texts that are neither names nor units."""
    rest = re.sub(r"<[^>]*>|&\w+;", " ", without_marked(text))
    rest = re.sub(r"\S*[/.]\w\S*", " ", rest)
    words = re.findall(r"\w*[^\W\d_]\w*", rest)
    allowed = UNITS | KEYS | NAMES
    return [word for word in words if len(word) > 1 and word not in allowed and not IDENTIFIER.fullmatch(word)]
