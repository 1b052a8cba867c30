"""`compare` and `findings` for builds: Markdown, JUnit, annotations and SARIF. Texts of strangers stay texts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.cli.annotations import Annotation, annotation_lines
from app.cli.junit import Case, Suite, xml_lines
from app.cli.words import run
from app.help.markdown import plain
from app.views.pages.document import Line, Rows, Section, Sentence, escaped, page_markdown
from generators import popef
from generators.popef import guide_blobs

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = str(SAMPLES / "matmul_leakyrelu.bin")
NETWORK = str(SAMPLES / "resnet-1472-tiles")
MEASURED = str(SAMPLES / "resnet-32-tiles-measured")
HOSTILE = '<script>|`*[x](http://e.org) @user #12 %0A\r\n::error::x ]]> "&amp;" \x1b[31m \ud800 </system-out>'
Caught = pytest.CaptureFixture[str]
CONDITIONS = (
    *("--fail-if", "memory.max_tile_bytes > +10 KiB"),
    *("--fail-if", "execution.cycles > spread"),
    *("--fail-if", "memory.tiles_over == 0"),
)


def said(words: list[str], status: int, capsys: Caught) -> str:
    assert run(words) == status
    return capsys.readouterr().out


def test_compare_as_junit_has_a_test_for_each_condition(capsys: Caught) -> None:
    text = said(["compare", NETWORK, MEASURED, "--format", "junit", *CONDITIONS], 2, capsys)
    (suite,) = ElementTree.fromstring(text)
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert len(cases["memory.max_tile_bytes > +10 KiB"]) == 0
    failure = cases["memory.tiles_over == 0"].find("failure")
    assert failure is not None
    assert failure.get("message") == "0 before, 0 after, limit 0"
    out = suite.findtext("system-out")
    assert out is not None
    assert "Main figures that differ" in out
    text = said(["compare", NETWORK, NETWORK, "--format", "junit"], 0, capsys)
    assert [case.get("name") for case in ElementTree.fromstring(text).iter("testcase")] == ["comparison"]


def test_compare_as_markdown_and_annotations(capsys: Caught) -> None:
    text = said(["compare", NETWORK, MEASURED, "--format", "markdown", *CONDITIONS], 2, capsys)
    lines = text.splitlines()
    assert lines[0] == "# resnet-32-tiles-measured compared with resnet-1472-tiles (baseline)"
    assert "| memory.tiles\\_over == 0 | holds | 0 | 0 | 0 |" in lines
    assert "## Main figures that differ" in lines
    table = lines.index("| --- | ---: | ---: | ---: | ---: |")
    assert all(lines[table + 1 + row].count(" | ") == 4 for row in range(10))
    text = said(["compare", NETWORK, MEASURED, "--format", "github", *CONDITIONS], 2, capsys)
    first, second = text.splitlines()
    assert first.startswith("::error title=execution.cycles > spread::")
    assert second == "::error title=memory.tiles_over == 0::0 before, 0 after, limit 0"
    notices = said(["compare", NETWORK, MEASURED, "--format", "github"], 0, capsys).splitlines()
    assert notices[0].startswith("::notice title=Time%3A Run::")
    table_only = said(["compare", NETWORK, MEASURED, "--table", "tiles", "--format", "markdown"], 0, capsys)
    assert table_only.startswith("# Tiles: ")


def test_findings_as_junit_fail_like_the_command(capsys: Caught) -> None:
    found = json.loads(said(["findings", MATMUL, "--json"], 0, capsys))
    warnings = {one["rule"] for one in found["findings"] if one["severity"] == "warning"}
    for fail_on, failed in (([], set()), (["--fail-on", "warning"], warnings)):
        text = said(["findings", MATMUL, "--format", "junit", *fail_on], int(bool(failed)), capsys)
        cases = {case.get("name"): case for case in ElementTree.fromstring(text).iter("testcase")}
        assert {name for name, case in cases.items() if case.find("failure") is not None} == failed
        skipped = {name for name, case in cases.items() if case.find("skipped") is not None}
        assert skipped == {one["rule"] for one in found["not_checked"]}
    text = said(["findings", MATMUL, "no-such-file", "--format", "junit"], 2, capsys)
    (*_, unread) = ElementTree.fromstring(text)
    assert (unread.get("name"), unread.get("errors")) == ("files", "1")


def test_places_are_relative_to_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Caught) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    file = folder / "50%.bin"
    file.write_bytes(Path(MATMUL).read_bytes())

    def places(*words: str) -> list[dict[str, str]]:
        (log,) = json.loads(said(["findings", str(file), "--sarif", *words], 0, capsys))["runs"]
        return [one["physicalLocation"]["artifactLocation"] for one in log["results"][0]["locations"]]

    assert places("--root", str(tmp_path)) == [{"uri": "a%20b/50%25.bin", "uriBaseId": "%SRCROOT%"}]
    assert places("--root", str(SAMPLES)) == places() == [{"uri": file.as_uri()}]
    monkeypatch.chdir(tmp_path)
    assert places("--root", ".") == [{"uri": "a%20b/50%25.bin", "uriBaseId": "%SRCROOT%"}]
    first = said(["findings", str(file), "--format", "github"], 0, capsys).splitlines()[0]
    assert first.startswith("::warning file=a b/50%25.bin,title=")
    first = said(["findings", str(file), "--format", "github", "--root", str(SAMPLES)], 0, capsys).splitlines()[0]
    assert first.startswith("::warning title=")
    assert run(["findings", str(file), "--root", "."]) == 2
    assert capsys.readouterr().err == "--root needs --sarif or --format github\n"
    with pytest.raises(SystemExit) as refused:
        run(["findings", str(file), "--sarif", "--root", "none"])
    assert refused.value.code == 2


@pytest.mark.parametrize("words", [["--json"], ["--sarif"]])
def test_one_form_at_a_time(words: list[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        run(["findings", MATMUL, "--format", "junit", *words])
    assert refused.value.code == 2


def test_hostile_texts_stay_texts_in_xml() -> None:
    suite = Suite(HOSTILE, [Case(HOSTILE, "failure", HOSTILE, HOSTILE), Case("b", "passed", "", HOSTILE)], HOSTILE)
    lines = list(xml_lines([suite]))
    (made,) = ElementTree.fromstring("\n".join(lines))
    first, second, out = made
    (failure,) = first
    assert [child.tag for child in made] == ["testcase", "testcase", "system-out"]
    for text in (made.get("name"), first.get("name"), failure.get("message"), out.text, second.findtext("system-out")):
        assert text is not None
        assert "<script>|`*[x](http://e.org) @user #12 %0A" in text
        assert "\\x1b[31m \\ud800 </system-out>" in text


def test_hostile_texts_cannot_begin_a_command() -> None:
    (line,) = annotation_lines([Annotation("error", HOSTILE, HOSTILE, "a,b:c")])
    assert "\n" not in line
    assert "\r" not in line
    head, _, text = line[2:].partition("::")
    assert head.startswith("error file=a%2Cb%3Ac,title=<script>")
    assert ":" not in head
    assert "%250A%0D%0A::error::x" in text


def test_hostile_texts_stay_texts_in_markdown() -> None:
    section = Section(
        HOSTILE,
        (Line(HOSTILE, HOSTILE, source=HOSTILE), Sentence(HOSTILE), Rows((HOSTILE, "b"), ((HOSTILE, "1. x"),))),
    )
    text = page_markdown(section)
    for line in text.splitlines():
        assert not re.search(r"(?<!\\)[<`*\[](?!!-- -->)", line.replace("<!-- -->", "")), line
        assert not re.search(r"@\w|#\d|://", line), line
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3]
    for own in ("- a", "+ a", "= a", "1. a", "12) a", "a_b", "50 %", "~x~", "a|b", "\\", "$x$", "19.5 MiB"):
        assert plain(escaped(own).replace("<!-- -->", "")) == own or own in ("= a", "$x$"), own
    assert escaped("19.5 MiB") == "19.5 MiB"
    assert escaped("1. a") == "1\\. a"


def test_names_of_a_hostile_file_are_escaped(tmp_path: Path, capsys: Caught) -> None:
    before = popef.write(tmp_path / "before.popef", guide_blobs())
    after = popef.write(tmp_path / "after.popef", [*guide_blobs(), popef.tensor("<img src=x>|@all", (8,), 3)])
    for form, shown in (("markdown", "\\<img src=x\\>\\|@<!-- -->all"), ("junit", "&lt;img src=x&gt;|@all")):
        assert shown in said(["compare", str(before), str(after), "--format", form], 0, capsys)
