"""What goes into the bundle, what stays out, and what it then needs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
from functools import partial
from pathlib import Path

import pytest

import dev_build
from app.panels.registry import PANELS
from app.window.about import Component
from dev_shell import SetupError
from installer import (
    appimage,
    bundle,
    clean_root,
    deb,
    depends,
    elf,
    excludes,
    filetypes,
    furnish,
    hidden,
    licences,
    prune,
    sums,
    tools,
    validate,
)
from installer.clean_root import CleanRoot
from installer.steps import Facts


@pytest.mark.parametrize(
    "path",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/lib/libQt6Svg.so.6",
        "libxcb-cursor.so.0",
        "resources/samples/index.json",
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "resources/languages/zh.mo",
        "resources/icons/folder-open.svg",
        "numpy.libs/libscipy_openblas64_-32a4b2a6.so",
    ],
)
def test_what_is_used_stays(path: str) -> None:
    assert prune.wanted(path)


@pytest.mark.parametrize(
    "path",
    [
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6/Qt/plugins/xcbglintegrations/libqxcb-glx-integration.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt/translations/qtbase_zh_TW.qm",
        "PySide6/Qt/translations/qt_zh_CN.qm",
        "PySide6/Qt/translations/designer_zh_CN.qm",
        "PySide6/opengl32sw.dll",
        "libGL.so.1",
        "libfontconfig.so.1",
        "libstdc++.so.6",
        "numpy/__init__.pyi",
        "resources/screenshots/poplar-light.png",
        "resources/samples/.gitattributes",
        "resources/languages/zh.po",
    ],
)
def test_what_is_not_used_goes(path: str) -> None:
    assert not prune.wanted(path)


def test_of_pygments_only_the_coloured_languages_stay() -> None:
    assert prune.is_wanted_module("pygments.lexers.c_cpp")
    assert prune.is_wanted_module("pygments.lexer")
    assert not prune.is_wanted_module("pygments.lexers.php")
    assert not prune.is_wanted_module("pygments.formatters.html")
    assert prune.is_wanted_module("app.cli")


def test_a_library_stays_only_for_something_that_stays() -> None:
    needs = {
        "a/module.so": ["libone.so.1", "libc.so.6"],
        "libone.so.1": ["libtwo.so"],
        "libthree.so": ["libtwo.so"],
        "x/plugins/platforms/libplugin.so": ["libfour.so"],
    }
    paths = [*needs, "libtwo.so", "libfour.so", "lib/libfour.so", "libpython3.11.so.1.0"]
    kept = prune.reachable(paths, lambda path: needs.get(path, []))
    assert set(paths) - kept == {"libthree.so"}


def imports(root: Path) -> set[str]:
    """Every module that the program names in an import."""
    found: set[str] = set()
    for path in (root / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
                found.add(f"numpy.{node.attr}")  # numpy imports its parts when they are named
    return found


def test_nothing_that_the_program_imports_is_excluded(root: Path) -> None:
    assert imports(root) & set(excludes.MODULES) <= {*excludes.TOO_LARGE, *excludes.OF_QUERIES}
    assert len(set(excludes.MODULES)) == len(excludes.MODULES)


DRAW_A_CHART = """
import sys
from installer.excludes import MODULES

class Excluded:
    def find_spec(self, name, path=None, target=None):
        if any(name == module or name.startswith(module + ".") for module in MODULES):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Excluded())
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication
application = QApplication(sys.argv[:1])
from app.views.chart.model import Axis, Chart, Series
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.views.look import Look
axis = Axis("", 1, 100, log=True)
series = Series(0, "a", ((1, 1), (100, 100)), ((10, 20),))
scene = ChartScene(Chart("", "", axis, axis, (series,)), ChartPainter())
image = QImage(300, 200, QImage.Format.Format_RGB32)
image.fill(0)
before = image.copy()
with QPainter(image) as painter:
    metrics = QFontMetricsF(QFont())
    scene.draw(painter, scene.lay_out(QRectF(0, 0, 300, 200), scene.whole(), Look(), metrics), Look())
assert image != before
"""


def test_charts_are_drawn_without_what_is_excluded(root: Path) -> None:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": f"{root}{os.pathsep}{root / 'packaging'}",
    }
    command = [sys.executable, "-c", DRAW_A_CHART]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_hidden_imports_of_compiled_packages_are_seen() -> None:
    found = hidden.loaded_by(["msgspec", "capnp"], excluded=["json", "uuid"])
    assert {"msgspec._core", "asyncio", "decimal"} <= set(found)
    assert not {"json", "json.decoder", "uuid", "cython_runtime"} & set(found)


def test_modules_that_are_imported_by_their_names_go_into_the_bundle(root: Path) -> None:
    """PyInstaller reads import statements alone."""
    names = set(hidden.own(root))
    assert {"app", "app.program", "app.window.main_window"} <= names
    panels = {module for spec in PANELS if isinstance(spec.load, partial) for module in spec.load.args[:1]}
    assert {"summary.panel", "liveness.panel"} <= panels
    assert {f"app.panels.{module}" for module in panels} <= names


def test_objdump_is_read() -> None:
    text = "Dynamic Section:\n  NEEDED               libm.so.6\n  NEEDED               libc.so.6\n  SONAME  libx.so\n"
    assert elf.parse(text) == ["libm.so.6", "libc.so.6"]
    assert elf.parse("") == []


def test_only_regular_binaries_are_binaries(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x7fELF\2\1\1")
    (tmp_path / "b").write_text("text")
    (tmp_path / "c").symlink_to("a")
    assert [name for name in "abcd" if elf.is_elf(tmp_path / name)] == ["a"]


def test_packages_of_bundled_libraries_are_not_needed() -> None:
    told = (
        "libxcb-cursor0:amd64: /usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0\n"
        "libffi8:amd64: /usr/lib/x86_64-linux-gnu/libffi.so.8\n"
        "libffi8:amd64: /usr/lib/x86_64-linux-gnu/libffi.so.8.1.2\n"
        "dpkg-query: no path found matching pattern */libQt6Core.so.6\n"
    )
    assert depends.packages_in(told) == ["libffi8", "libxcb-cursor0"]
    assert depends.without_bundled(["liba.so", "libb.so", "libb.so"], [Path("x/liba.so")]) == ["libb.so"]


def test_tools_are_asked_for_once() -> None:
    wanted = {"one": "first", "two": "second", "three": "first"}
    assert tools.missing(wanted, lambda name: None if name != "two" else "/usr/bin/two") == ["first"]
    assert tools.missing(wanted, lambda name: f"/usr/bin/{name}") == []


def test_an_archive_says_nothing_of_who_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    made = tmp_path / "tilesight"
    (made / "_internal").mkdir(parents=True)
    (made / "tilesight").write_text("#!")
    (made / "tilesight").chmod(0o755)
    (made / "_internal" / "link").symlink_to("../tilesight")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    first = bundle.archive(tmp_path, made, tmp_path)
    assert first.name.startswith("tilesight-1.2.3-")
    with tarfile.open(first) as tar:
        entries = {entry.name: entry for entry in tar}
    assert set(entries) == {f"tilesight-1.2.3{rest}" for rest in ("", "/_internal", "/_internal/link", "/tilesight")}
    assert {(entry.uid, entry.uname, entry.mtime) for entry in entries.values()} == {(0, "root", 1000000000)}
    assert entries["tilesight-1.2.3/tilesight"].mode & 0o111
    kept = first.read_bytes()
    os.utime(made / "tilesight", (5, 5))
    assert bundle.archive(tmp_path, made, tmp_path).read_bytes() == kept
    assert bundle.size_of(made) == 2
    more = tmp_path / "tilesight.bash"
    more.write_text("complete")
    with tarfile.open(bundle.archive(tmp_path, made, tmp_path, {"share/a/tilesight": more})) as tar:
        (added,) = set(tar.getnames()) - set(entries)
    assert added == "tilesight-1.2.3/share/a/tilesight"


def test_checksums_are_those_of_the_packages_of_a_version(tmp_path: Path) -> None:
    names = ["Tilesight-1.2.3-x86_64.AppImage", "tilesight-1.2.3.tar.gz", "tilesight_1.2.3_amd64.deb"]
    for name in (*names, "tilesight-1.2.30.tar.gz", "tilesight-11.2.3.tar.gz", sums.FILE):
        (tmp_path / name).write_text("abc")
    written = sums.write(tmp_path, sums.of_version(tmp_path, "1.2.3"))
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert written.read_text().splitlines() == [f"{digest}  {name}" for name in names]


def test_what_makes_it_known_to_the_desktop(root: Path, tmp_path: Path) -> None:
    furnish.furnish(root, tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"applications/tilesight.desktop", "mime/packages/tilesight.xml"} <= names
    assert "icons/hicolor/scalable/apps/tilesight.svg" in names
    assert sum(name.startswith("icons/hicolor/") for name in names) == len(furnish.ICON_SIZES) + 1


def test_the_shells_of_debian_find_the_completion(root: Path, tmp_path: Path) -> None:
    furnish.complete(root, tmp_path, debian=True)
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        "bash-completion/completions/tilesight",
        "zsh/vendor-completions/_tilesight",
        "fish/vendor_completions.d/tilesight.fish",
    }
    for path in (root / "packaging" / "completion").iterdir():
        assert "tilesight completion " in path.read_text("utf-8"), "the program writes the rest"


def test_sums_and_rights_of_a_package(tmp_path: Path) -> None:
    furnish.write(tmp_path / "DEBIAN" / "control", "")
    furnish.write(tmp_path / "usr" / "share" / "a.txt", "abc")
    furnish.write(tmp_path / "opt" / "tilesight" / "tilesight", "")
    deb.link(tmp_path / "usr" / "bin" / "tilesight", "/opt/tilesight/tilesight")
    (tmp_path / "usr" / "share" / "a.txt").chmod(0o600)
    deb.allow(tmp_path)
    assert (tmp_path / "usr" / "share" / "a.txt").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "opt" / "tilesight" / "tilesight").stat().st_mode & 0o777 == 0o755
    lines = deb.sums(tmp_path).splitlines()
    assert "900150983cd24fb0d6963f7d28e17f72  usr/share/a.txt" in lines
    assert len(lines) == 2


def test_an_appimage_without_its_tool_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SetupError, match="appimagetool is not on the path"):
        appimage.make(tmp_path, tmp_path, tmp_path)


COMPLETED = tuple(f"usr/share/{place}" for place in furnish.COMPLETION.values())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="AppImages are Linux's")
def test_an_app_folder_starts_its_program_wherever_it_is(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("APPDIR", raising=False)
    for name in ("app", "resources", "packaging"):
        (tmp_path / name).symlink_to(root / name)
    made = bundle.Bundle(tmp_path / "bundle", 0, 0)
    says = 'printf \'{"installation": "%s", "name": "%s", "version": "%s"}\' "$KIND" "$APPDIR" "$*"'
    furnish.write(made.folder / "tilesight", f"#!/bin/sh\n{says}\n")
    (made.folder / "tilesight").chmod(0o755)
    top = appimage.folder(tmp_path, made)
    for name in ("tilesight.desktop", "tilesight.svg", ".DirIcon", "usr/bin/tilesight", "AppRun", *COMPLETED):
        assert (top / name).is_file(), name
    monkeypatch.setenv("KIND", "appimage")
    assert appimage.starts(top) == f"build/{top.name}, {top} --version --json starts"
    monkeypatch.setenv("KIND", "archive")
    with pytest.raises(SetupError, match="takes itself for archive"):
        appimage.starts(top)


def test_resources_that_are_not_in_the_bundle_are_named(tmp_path: Path) -> None:
    for name in ("resources/help/en/a.md", "resources/themes/b.svg", "resources/languages/zh.po"):
        furnish.write(tmp_path / name, name)
        furnish.write(tmp_path / "bundle" / "_internal" / name, name)
    assert validate.resources(tmp_path, tmp_path / "bundle") == "2 files as in the source"
    (tmp_path / "bundle" / "_internal" / "resources" / "help" / "en" / "a.md").write_text("older")
    with pytest.raises(SetupError, match=r"1 missing or different: resources/help/en/a\.md"):
        validate.resources(tmp_path, tmp_path / "bundle")


def test_leftovers_are_found_and_the_persons_own_are_not(tmp_path: Path) -> None:
    for name in ("usr/share/mime/application/x-tilesight-popef.xml", "tmp/person/.cache/tilesight/a", "opt/other/b"):
        furnish.write(tmp_path / name, "")
    furnish.write(tmp_path / "usr/share/applications/mimeinfo.cache", "application/json=tilesight.desktop;\n")
    assert sorted(clean_root.leftovers(tmp_path)) == [
        "usr/share/applications/mimeinfo.cache names it",
        "usr/share/mime/application/x-tilesight-popef.xml",
    ]


def test_the_person_in_the_clean_root_has_no_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dev_system.privilege", list)
    words = CleanRoot(tmp_path).command(["tilesight", "--version"], person=True, display=":7")
    assert words[0] == "unshare"
    assert words[-2:] == ["tilesight", "--version"]
    assert "setpriv" in words
    assert "DISPLAY=:7" in words
    assert "setpriv" not in CleanRoot(tmp_path).command(["true"])


def test_facts_name_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> str:
        raise SetupError("no such thing")

    facts = Facts()
    facts.run("one", lambda: "there")
    facts.run("two", fail)
    assert facts.failed == ["two"]
    assert facts.summary().splitlines()[-1] == "failed: two"
    assert "FAILED  two: no such thing" in capsys.readouterr().err


def test_build_takes_one_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev_build.build(tmp_path, ["--chekc"]) == 2
    assert "--chekc" in capsys.readouterr().err


def test_samples_and_strangers_are_asked_for(root: Path, tmp_path: Path) -> None:
    wanted = validate.asked(root, tmp_path)
    assert set(wanted.values()) == {
        *(kind.mime for kind in filetypes.OWN),
        "application/json",
        "application/octet-stream",
    }
    packs = {path.name: kind for path, kind in wanted.items() if kind.endswith("-report")}
    assert {name.rpartition(".")[1:] for name in packs} == {("", "ascend-report"), ("", "ascend-npu-report")} | {
        (".", ending) for ending in ("rep", "ncrep", "npu-rep")
    }
    assert all(path.is_file() for path in wanted)


def test_licences_are_collected(root: Path, tmp_path: Path) -> None:
    copied = licences.copied(Component("Some thing", "1", "MIT", (str(root / "LICENSE"),)), tmp_path)
    assert copied.files == ("some-thing-1.txt",)
    assert (tmp_path / "some-thing-1.txt").read_bytes() == (root / "LICENSE").read_bytes()
    (qt,) = [part for part in licences.with_lgpl(licences.bundled()) if part.name.startswith("PySide6")]
    assert [Path(name).name for name in qt.files] == ["LGPL-3.0.txt", "GPL-3.0.txt"]
    names = {part.name for part in licences.bundled()}
    assert {"pyqtgraph", "colorama", "Jinja2", "MarkupSafe", "xlsxwriter"} <= names
    assert "pandas" not in names
    said = "Files: *\nLicense: MIT\n text\n\nLicense: GPL-2+\nLicense: MIT\n"
    assert licences.short_licence(said) == "MIT AND GPL-2+"
    assert licences.of_system([root / "main.py"]) == []
    for part in licences.qt():
        assert part.licence
        assert all(len(Path(name).read_text("utf-8")) > 500 for name in part.files)


def test_the_texts_of_the_lgpl_are_there() -> None:
    lesser, general = (Path(name).read_text("utf-8") for name in licences.LGPL)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in lesser
    assert "GNU GENERAL PUBLIC LICENSE" in general
