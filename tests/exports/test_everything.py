"""Everything of a profile in a folder: whole or not at all, nothing of others replaced unasked."""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from app import __version__
from app.analysis.table import Table
from app.analysis.tables import available
from app.cli import main
from app.cli.words import run
from app.exports import everything
from app.exports.everything import Choice, FolderExport, Subject
from app.formats.errors import Cancelled
from app.store.outputs import INDEX, FolderNotEmptyError, OutputFolder, OutputIsInputError
from app.store.table_files.save import save_table
from fakes.shell import ascend

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MODEL = SAMPLES / "resnet_inference.popef"
DC = "{http://purl.org/dc/elements/1.1/}"


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_all_tables_and_plots_with_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run(["export", str(MODEL), "--all", "--plots", "png", "-o", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: 9 tables and 2 plots, ")
    index = json.loads((out / "index.json").read_bytes())
    (profile,) = index["profiles"]
    assert index["tilesight"] == __version__
    assert profile["source"] == {"profile": "resnet_inference.popef", "format": "popef", "files": [MODEL.name]}
    assert profile["figures"]["popef.anchors"] > 0
    listed = {entry["file"] for entry in (*profile["tables"], *profile["plots"])}
    assert names(out) == {"index.json", *listed}
    for entry in profile["tables"]:
        with (out / entry["file"]).open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert len(rows) == entry["rows"]
        assert [cell.partition(" [")[0] for cell in head] == [column["key"] for column in entry["columns"]]
    texts = png_texts((out / "blobs.png").read_bytes())
    assert texts["Software"] == f"Tilesight {__version__}"
    assert texts["Source"] == MODEL.name


def png_texts(content: bytes) -> dict[str, str]:
    """The texts in the chunks tEXt, zTXt and iTXt."""
    texts, at = {}, 8
    while at < len(content):
        size, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        body = content[at + 8 : at + 8 + size]
        at += size + 12
        if kind in (b"tEXt", b"zTXt", b"iTXt"):
            key, _, rest = body.partition(b"\0")
            if kind == b"tEXt":
                texts[key.decode()] = rest.decode("latin-1")
            elif kind == b"zTXt":
                texts[key.decode()] = zlib.decompress(rest[1:]).decode("latin-1")
            else:
                plain = rest[2:].split(b"\0", 2)[2]
                texts[key.decode()] = (zlib.decompress(plain) if rest[0] else plain).decode()
    return texts


def test_a_drawing_says_where_it_comes_from(tmp_path: Path) -> None:
    target = tmp_path / "plot.svg"
    assert run(["export", str(MODEL), "--plot", "blobs", "-o", str(target)]) == 0
    root = ElementTree.parse(target).getroot()
    (source,), (creator,) = (list(root.iter(f"{DC}{name}")) for name in ("source", "creator"))
    assert (source.text, creator.text) == (MODEL.name, f"Tilesight {__version__}")


def test_several_profiles_each_have_a_folder_and_a_baseline_is_compared(tmp_path: Path) -> None:
    words = ["export", str(MODEL), str(SAMPLES / "resnet-1472-tiles"), "--all", "--plots", "none"]
    out = tmp_path / "out"
    assert run([*words, "--baseline", str(MODEL), "--format", "tsv", "-o", str(out)]) == 0
    index = json.loads((out / "index.json").read_bytes())
    assert [profile["folder"] for profile in index["profiles"]] == ["resnet_inference.popef", "resnet-1472-tiles"]
    head = (out / "resnet_inference.popef" / "blobs.tsv").read_text("utf-8").splitlines()[0]
    assert head.startswith("status\t")
    assert index["profiles"][1]["source"]["baseline"]["files"] == [MODEL.name]
    assert not index["profiles"][0]["plots"]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "blobs.csv").write_text("mine")
    words = ["export", str(MODEL), "--all", "--plots", "none", "-o", str(tmp_path)]
    assert run(words) == 2
    assert "the folder is not empty" in capsys.readouterr().err
    assert names(tmp_path) == {"mine.txt", "blobs.csv"}
    assert run([*words, "--force"]) == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "blobs.csv").read_text() != "mine"
    assert run([*words[:-1], str(tmp_path / "mine.txt")]) == 2
    assert run([*words[:-1], str(tmp_path / "no" / "such")]) == 1
    assert run(["export", str(MODEL), "--table", "blobs", "--force", "-o", str(tmp_path / "x.csv")]) == 2


def test_nothing_is_moved_over_a_file_that_is_read(tmp_path: Path) -> None:
    read = tmp_path / "b.csv"
    read.write_text("mine")
    out = OutputFolder(tmp_path, [read], replace=True)
    for name in ("a.csv", "b.csv"):
        (out.scratch / name).write_text("new")
    with pytest.raises(OutputIsInputError):
        out.publish()
    out.discard()
    assert names(tmp_path) == {"b.csv"}
    assert read.read_text() == "mine"
    with pytest.raises(FolderNotEmptyError):
        OutputFolder(tmp_path)


def test_once_the_index_is_there_nothing_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(source: Path, target: Path) -> Path:
        moved = replace(source, target)
        listed = {path.name for path in tmp_path.iterdir()}
        if INDEX in listed:
            seen_with_it.append(listed)
        return moved

    replace, seen_with_it = Path.replace, list[set[str]]()
    monkeypatch.setattr(Path, "replace", seen)
    out = OutputFolder(tmp_path)
    for name in (INDEX, "a.csv"):
        (out.scratch / name).write_text("new")
    assert out.publish() == len("new") * 2
    assert seen_with_it == [{INDEX, "a.csv"}]


def stop_tables(export: FolderExport) -> None:
    def look(done: int, total: int, what: str) -> None:
        if done > total // 2:
            raise Cancelled

    export.tables(look)


def stop_plots(export: FolderExport) -> None:
    export.tables(lambda *_: None)
    next(export.plots())
    raise Cancelled


@pytest.mark.parametrize("begin", [stop_tables, stop_plots])
@pytest.mark.parametrize("there", [False, True])
def test_what_is_stopped_leaves_no_file(begin: Callable[[FolderExport], None], there: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if there:
        out.mkdir()
    export = FolderExport(out, [Subject(ascend())], Choice())
    with pytest.raises(Cancelled):
        begin(export)
    export.discard()
    assert out.exists() == there
    assert not names(tmp_path)


def test_ctrl_c_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: FolderExport) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FolderExport, "finish", interrupted)
    out = tmp_path / "out"
    assert main(["export", str(MODEL), "--all", "--plots", "none", "-o", str(out)]) == 130
    assert not out.exists()


def test_names_that_systems_confuse_have_different_files(tmp_path: Path) -> None:
    profile = ascend("index.json")
    export = FolderExport(tmp_path, [Subject(profile), Subject(profile)], Choice(".json", ""))
    export.tables(lambda *_: None)
    summary = export.finish()
    folders = {path.name for path in tmp_path.iterdir() if path.is_dir()}
    assert folders == {"index.json-2", "index.json-3"}
    assert summary.tables == 2 * len(available(profile))


def test_what_a_file_does_not_hold_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def save(table: Table, *words: Any, **others: Any) -> str:
        return save_table(table, *words, **others) or ("2 texts are truncated" if table.id == "blobs" else "")

    monkeypatch.setattr(everything, "save_table", save)
    out = tmp_path / "out"
    assert run(["export", str(MODEL), "--all", "--plots", "none", "-o", str(out)]) == 1
    assert capsys.readouterr().err == "blobs: 2 texts are truncated\n"
    (profile,) = json.loads((out / "index.json").read_bytes())["profiles"]
    assert profile["incomplete"] == [{"name": "blobs", "why": "2 texts are truncated"}]
    assert (out / "blobs.csv").is_file()
