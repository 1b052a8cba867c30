"""The report is one page that needs nothing else, says what the program says, and runs nothing of a stranger's."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from app import language
from app.analysis.compare.comparison import Comparison
from app.cli.words import run
from app.formats.ascend_bin import FORMAT as BIN
from app.formats.collect import read
from app.formats.poplar import FORMAT as POPLAR
from app.formats.registry import plan
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.report.gather import gather
from app.report.page import html
from app.views.pages.document import Line, Rows, Section
from generators import poplar

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = SAMPLES / "matmul_leakyrelu.bin"
MOST_BYTES = 2_000_000
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


class Page(HTMLParser):
    """Tags, addresses and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "srcset", "data", "action"):
                self.addresses.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("name", ["matmul_leakyrelu.bin", "resnet-1472-tiles", "resnet_inference.popef"])
def test_a_sample_is_one_small_page_without_references(name: str, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert run(["report", str(SAMPLES / name), "-o", str(target)]) == 0
    assert target.stat().st_size < MOST_BYTES
    text = target.read_text("utf-8")
    page = Page(text)
    assert all(address.startswith(("#", "data:image/svg+xml;base64,")) for address in page.addresses)
    assert page.tags.count("script") == 1
    assert not page.handlers
    assert "default-src 'none'" in text
    assert {"html", "h1", "table", "details"} <= set(page.tags)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("data-parallel-4-ranks", {"steps-of-training", "kernel-types", "links"}),
        ("paged_attention_20260918_101500", {"pypto-kernels", "cores"}),
        ("wormhole-mlp", {"op-codes", "device-zones", "worker-cores", "noc-cores", "l1-per-core"}),
        ("matrix_multiply_aie.json", {"tile-events"}),
    ],
)
def test_the_tables_that_sum_a_capture_up_are_on_its_page(name: str, wanted: set[str]) -> None:
    jobs, _ = plan([SAMPLES / name])
    profile = read(jobs[0].format, jobs[0].paths)[0]
    assert wanted <= {table.id for table in gather(profile, ()).tables}


def test_names_of_strangers_are_text() -> None:
    (profile,) = read(BIN, [MATMUL])
    issue = Issue("warning", HOSTILE, HOSTILE)
    page = Page(html(gather(replace(profile, name=HOSTILE, issues=(issue,)), [])))
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert not page.handlers
    assert any(HOSTILE in text for text in page.texts)


def test_findings_figures_and_hashes_are_those_of_the_profile() -> None:
    (profile,) = read(BIN, [MATMUL])
    report = gather(profile, [])
    assert report.findings is not None
    first = report.findings.blocks[0]
    assert isinstance(first, Section)
    assert first.title == "2 of 20 AI cores of the chip have a block"
    assert first.remark == "saves at most 5.34 µs (operator)"
    lines = [line for group in report.figures for line in group.blocks if isinstance(line, Line)]
    assert ("Blocks launched", "2") in {(line.label, line.value) for line in lines}
    (files,) = (block for block in report.provenance.blocks if isinstance(block, Rows))
    ((_, _, digest),) = files.cells
    assert re.fullmatch(r"[0-9a-f]{64}", digest)
    (lanes,) = (table for table in report.tables if table.id == "lanes")
    assert len(lanes.rows) == 32
    (slices,) = (table for table in report.tables if table.id == "instructions")
    assert slices.left_out == "443 more rows in the file"


def slower(profile: Profile) -> Profile:
    steps = profile.steps
    assert steps is not None
    cycles = steps.cycles.copy()
    cycles[steps.compute_set == 2] += 100
    return replace(profile, name="slower", steps=replace(steps, cycles=cycles))


def test_a_comparison_names_what_explains_it(tmp_path: Path) -> None:
    scale = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)
    (profile,) = read(POPLAR, poplar.write_pair(tmp_path, scale))
    report = gather(slower(profile), [], Comparison(profile, slower(profile)))
    assert report.comparison is not None
    time = next(
        part for part in report.comparison.blocks if isinstance(part, Section) and part.title.startswith("Time")
    )
    (rows,) = time.blocks
    assert isinstance(rows, Rows)
    assert rows.cells[0][0].startswith("+200 cycles")
    assert "All main figures are the same." in html(gather(profile, [], Comparison(profile, profile)))


def test_wrong_words_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["report", str(MATMUL), "-o", str(tmp_path / "report.pdf")]) == 2
    assert run(["report", str(tmp_path / "none.bin"), "-o", str(tmp_path / "report.html")]) == 1
    assert run(["report", str(MATMUL), "-o", str(tmp_path / "no" / "report.html")]) == 1
    monkeypatch.setattr(language, "exists", lambda _: False)
    assert run(["report", str(MATMUL), "--language", "zh", "-o", str(tmp_path / "report.html")]) == 2
    assert not list(tmp_path.iterdir())
    error = capsys.readouterr().err
    assert "must end in" in error
    assert "--language zh: no translation into this language" in error
