"""What Windows and macOS get, as far as it can be looked at without them."""

from __future__ import annotations

import ast
import plistlib
import re
import struct
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from installer import filetypes, macos, pictures, product, windows


def test_a_windows_icon_holds_its_pictures(root: Path, tmp_path: Path) -> None:
    data = pictures.write_ico(root, tmp_path / "a" / "tilesight.ico").read_bytes()
    reserved, kind, count = struct.unpack_from("<HHH", data)
    assert (reserved, kind, count) == (0, 1, len(pictures.ICO_SIZES))
    for number, size in enumerate(pictures.ICO_SIZES):
        width, _, _, _, _, bits, length, at = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        assert (width or 256, bits) == (size, 32)
        assert QImage.fromData(data[at : at + length]).width() == size
    assert at + length == len(data)


def test_a_mac_icon_holds_its_pictures(root: Path, tmp_path: Path) -> None:
    data = pictures.write_icns(root, tmp_path / "tilesight.icns").read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack_from(">I", data, 4)[0] == len(data)
    at, kinds = 8, []
    while at < len(data):
        kinds.append(data[at : at + 4])
        length = struct.unpack_from(">I", data, at + 4)[0]
        assert not QImage.fromData(data[at + 8 : at + length]).isNull()
        at += length
    assert kinds == [kind for size in sorted(pictures.ICNS_KINDS) for kind in pictures.ICNS_KINDS[size]]


def test_the_version_resource_is_an_expression_with_four_numbers() -> None:
    text = windows.version_resource("0.12.3")
    assert "filevers=(0, 12, 3, 0)" in text
    assert isinstance(ast.parse(text, mode="eval").body, ast.Call)
    assert "StringStruct('ProductVersion', '0.12.3')" in text


def test_other_systems_need_nothing_of_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.name", "posix")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    assert windows.resources(root) == {}
    assert macos.icon(root) is None


def test_inno_setup_takes_no_kind_that_is_not_ours() -> None:
    script = windows.SCRIPT.read_text("utf-8")
    registry = [line for line in script.splitlines() if line.startswith("Root: HKA")]
    own = {f"Software\\Classes\\{ending}" for kind in filetypes.OWN for ending in kind.endings}
    for line in registry:
        key = re.search(r'Subkey: "([^"]+)"', line)
        assert key is not None
        if re.fullmatch(r"Software\\Classes\\\.\w+", key[1]):  # the default of an ending
            assert key[1] in own
            assert "createvalueifdoesntexist" in line
            assert "Tasks: popef" in line
        if key[1].endswith("OpenWithProgids"):
            assert "uninsdeletevalue" in line
    for ending in ("json", "bin", "rep", "ncrep", "npu-rep"):
        assert any(rf"\.{ending}\OpenWithProgids" in line for line in registry)


def test_inno_setup_gets_what_changes_from_outside(root: Path, tmp_path: Path) -> None:
    script = windows.SCRIPT.read_text("utf-8")
    command = windows.setup_command("iscc", root, tmp_path / "bundle", tmp_path)
    given = {word[2:].partition("=")[0] for word in command if word.startswith("/D")}
    assert set(re.findall(r"\{#(\w+)\}", script)) - set(re.findall(r"#define (\w+)", script)) == given
    assert f'#define Window "{windows.WINDOW}.exe"' in script
    assert f'#define Console "{product.NAME}.exe"' in script
    assert f"/DVersion={product.version(root)}" in command
    assert "PrivilegesRequiredOverridesAllowed=dialog commandline" in script
    assert "ChangesAssociations=yes" in script


def test_the_mac_bundle_opens_its_own_kinds_and_only_offers_others() -> None:
    told = plistlib.loads(plistlib.dumps(macos.information("0.1.0")))
    assert told["CFBundleShortVersionString"] == "0.1.0"
    ranks = {
        kind: document["LSHandlerRank"]
        for document in told["CFBundleDocumentTypes"]
        for kind in document["LSItemContentTypes"]
    }
    assert ranks[f"{macos.IDENTIFIER}.popef"] == "Owner"
    assert ranks["public.json"] == "Alternate"
    declared, *others = told["UTExportedTypeDeclarations"]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["popef", "poplar_exec"]
    endings = [kind["UTTypeTagSpecification"]["public.filename-extension"] for kind in others]
    assert endings == [["rep", "ncrep"], ["npu-rep"]]


def test_a_disk_image_is_asked_of_hdiutil(tmp_path: Path) -> None:
    command = macos.disk_image_command(tmp_path, tmp_path / "a.dmg")
    assert command[:2] == ["hdiutil", "create"]
    assert command[-1] == str(tmp_path / "a.dmg")


def test_the_workflow_runs_commands_that_exist(root: Path) -> None:
    text = (root / "packaging" / "workflow.yml").read_text("utf-8")
    used = set(re.findall(r"packaging/dev\.py (\w+)", text))
    known = (root / "packaging" / "dev.py").read_text("utf-8")
    assert used == {"test", "build", "flatpak"}
    assert all(f'"{name}"' in known for name in used)
    for variable in (macos.IDENTITY, windows.SIGNING):
        assert f"secrets.{variable}" in text


def test_signing_is_asked_for_by_variables(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert macos.signing(tmp_path) == {}
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setenv(macos.IDENTITY, "me")
    asked = macos.signing(tmp_path)
    assert asked["codesign_identity"] == "me"
    assert plistlib.loads(Path(asked["entitlements_file"]).read_bytes()) == macos.ENTITLEMENTS
    monkeypatch.setenv(windows.SIGNING, "signtool sign $f")
    command = windows.setup_command("iscc", root, tmp_path, tmp_path)
    assert "/Ssign=signtool sign $f" in command
    assert "#ifdef Sign" in windows.SCRIPT.read_text("utf-8")
