"""The texts of the installers: what desktops and package tools read."""

from __future__ import annotations

import configparser
from datetime import UTC, datetime
from email import message_from_string
from fnmatch import fnmatch
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from app import __version__
from app.formats.registry import FORMATS
from app.resources import resource
from installer import chinese, debian, desktop, filetypes, metainfo, mime, product
from installer.filetypes import Match

DAY = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def matches(data: bytes, match: Match) -> bool:
    """As the shared MIME database is to be read."""
    mask = match.mask or b"\xff" * len(match.value)
    there = data[match.offset : match.offset + len(match.value)]
    same = len(there) == len(match.value) and all(
        (a & m) == (b & m) for a, b, m in zip(there, match.value, mask, strict=True)
    )
    return same and (not match.inside or any(matches(data, inner) for inner in match.inside))


def test_the_version_stands_in_one_place(root: Path) -> None:
    assert product.version(root) == __version__
    others = [path for path in (root / "packaging").rglob("*") if path.suffix in {".py", ".iss", ".spec", ".md"}]
    assert [path.name for path in others if f'"{__version__}"' in path.read_text("utf-8")] == []


def test_a_source_without_a_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("")
    with pytest.raises(ValueError, match="__version__"):
        product.version(tmp_path)


def test_the_date_is_that_of_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763631000")
    assert product.released(root) == datetime(2025, 11, 20, 9, 30, tzinfo=UTC)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("")
    assert product.released(tmp_path).year >= 2025


def test_control_has_the_fields_that_dpkg_needs() -> None:
    fields = message_from_string(debian.control("0.1.0", "amd64", "libc6 (>= 2.35), libgl1", 190_000))
    assert (fields["Package"], fields["Version"], fields["Architecture"]) == ("tilesight", "0.1.0", "amd64")
    assert fields["Depends"] == "libc6 (>= 2.35), libgl1"
    assert fields["Installed-Size"] == "190000"
    assert fields["Maintainer"] == f"{product.DEVELOPERS} <developers@{product.DOMAIN}>"
    assert product.ID.split(".")[1::-1] == product.DOMAIN.split(".")
    lines = fields["Description"].splitlines()
    assert len(lines[0]) <= 80
    assert not lines[0].endswith(".")
    assert all(line.startswith(" ") and len(line) <= 80 for line in lines[1:])
    assert " ." in lines


def test_changelog_and_copyright_are_in_the_forms_of_debian() -> None:
    lines = debian.changelog("0.1.0", DAY).splitlines()
    assert lines[0] == "tilesight (0.1.0) stable; urgency=medium"
    assert lines[-1].startswith(" -- ")
    assert lines[-1].endswith("  Fri, 20 Nov 2026 09:30:00 +0000")
    said = debian.copyright_(2026)
    assert "License: Apache-2.0\n" in said
    assert "License: LGPL-3\n" in said
    assert said.count("Copyright: ") == 2


def test_every_override_has_its_reason() -> None:
    lines = debian.overrides().splitlines()
    assert len(lines) == 2 * len(debian.OVERRIDES)
    assert all(reason.startswith("# ") and len(reason) > 20 for reason in lines[::2])
    assert all(tag.startswith("tilesight binary: ") for tag in lines[1::2])


def test_the_manual_keeps_what_roff_would_take_as_its_own() -> None:
    page = debian.manual("0.1.0", DAY, "usage: tilesight\n.popef files\n  --version")
    assert '.TH TILESIGHT 1 "2026-11-20" "tilesight 0.1.0"' in page
    assert "\n\\&.popef files\n" in page
    assert "\\-\\-version" in page


def test_the_menu_entry_offers_and_claims_nothing() -> None:
    parsed = configparser.RawConfigParser()
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(desktop.entry())
    entry = parsed["Desktop Entry"]
    assert entry["Exec"] == "tilesight %F"
    assert entry["Terminal"] == "false"
    kinds = entry["MimeType"].rstrip(";").split(";")
    assert kinds[: len(filetypes.OWN)] == [kind.mime for kind in filetypes.OWN]
    assert "application/json" in kinds
    assert "application/octet-stream" not in kinds
    assert entry["Categories"].endswith(";")
    assert entry["Comment[zh_CN]"] == chinese.SUMMARY
    assert set(entry["Keywords"].split(";")) < set(entry["Keywords[zh_CN]"].split(";"))


def test_only_our_own_kinds_are_described() -> None:
    described = Xml.fromstring(mime.document("tilesight"))
    space = {"m": mime.NAMESPACE}
    kinds = [entry.get("type", "") for entry in described.findall("m:mime-type", space)]
    assert kinds == [kind.mime for kind in filetypes.OWN]
    assert all(kind.startswith("application/x-tilesight-") for kind in kinds)
    assert [kind.id for kind in filetypes.OWN] == list(chinese.FILE_TYPES)
    assert [len(entry.findall("m:comment", space)) for entry in described] == [2] * len(kinds)
    patterns = [entry.get("pattern", "") for entry in described.findall(".//m:glob", space)]
    assert "*.bin" not in patterns
    assert "*.json" not in patterns
    known = [pattern for form in FORMATS for pattern in form.patterns]
    assert [name for name in patterns if not any(fnmatch(name, pattern) for pattern in known)] == []


@pytest.mark.parametrize(
    ("name", "kind"), [("resnet_inference.popef", "popef"), ("matmul_leakyrelu.bin", "ascend-bin")]
)
def test_magic_tells_the_samples_apart(name: str, kind: str) -> None:
    head = resource("samples", name).read_bytes()[:64]
    assert [own.id for own in filetypes.OWN if matches(head, own.magic)] == [kind]


def test_magic_knows_captures(shared_samples: Path) -> None:
    for pattern, kind in (("*.bin", "ascend-bin"), ("*.popef", "popef"), ("*.rep", "ascend-report")):
        for path in shared_samples.glob(pattern):
            head = path.read_bytes()[:64]
            assert [own.id for own in filetypes.OWN if matches(head, own.magic)] == [kind], path.name


@pytest.mark.parametrize("head", [bytes(64), b"\x7fELF" + bytes(60), b"ZZ" * 32, bytes(range(64)), b'{"a": 1}' * 8])
def test_magic_leaves_strangers_alone(head: bytes) -> None:
    assert [own.id for own in filetypes.OWN if matches(head, own.magic)] == []


def test_bytes_and_masks_are_written_as_the_database_reads_them() -> None:
    kind = filetypes.FileType("x", "application/x-tilesight-x", "X", (".x",), (), Match(3, b"A\0", b"\xff\xf0"))
    match = Xml.fromstring(mime.document("tilesight", [kind])).find(".//{*}match")
    assert match is not None
    assert match.attrib == {"type": "string", "value": "\\x41\\x00", "offset": "3", "mask": "0xfff0"}


def test_metainfo_names_what_is_installed() -> None:
    told = Xml.fromstring(metainfo.document("0.1.0", DAY))
    assert told.findtext("id") == product.ID
    assert told.findtext("launchable") == desktop.FILE
    assert told.findtext("project_license") == "Apache-2.0"
    assert [kind.text for kind in told.findall("provides/mediatype")] == [kind.mime for kind in filetypes.OWN]
    release = told.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "0.1.0", "date": "2026-11-20"}
    assert len(told.findtext("summary") or "") < 90
    languages = [text.get("{http://www.w3.org/XML/1998/namespace}lang") for text in told.iter() if text.tag == "p"]
    assert languages == [None, "zh_CN"] * len(product.PARAGRAPHS)
