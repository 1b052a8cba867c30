"""The wheel installs one package, ``tilesight``, which works beside anybody's own ``app``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_string
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.requirements import Requirement

import wheel_backend
from app import __version__
from app.store.table_files.kinds import KINDS
from fakes.fresh_environment import FreshEnvironment, fresh_environment
from generators import ascend_trace
from installer import product

PIP: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
OFFLINE = ("--quiet", "--no-deps", "--no-index", "--no-cache-dir")
ABOUT = f"tilesight-{__version__}.dist-info"


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip builds from the source archive, without a network."""
    folder = tmp_path_factory.mktemp("built")
    archive = wheel_backend.write_sdist(root, folder)
    subprocess.run([*PIP, "wheel", *OFFLINE, "--wheel-dir", folder, archive], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(root: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> FreshEnvironment:
    environment = fresh_environment(tmp_path_factory.mktemp("installed"))
    environment.run([*PIP, "--python", environment.python, "install", *OFFLINE, "--no-compile", built], root)
    return environment


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder in which somebody's own ``app.py`` lies."""
    (tmp_path / "app.py").write_text("raise SystemExit('the wrong app')\n")
    return tmp_path


def program(environment: FreshEnvironment) -> Path:
    return environment.python.with_name("tilesight").with_suffix(environment.python.suffix)


def test_one_package_is_installed(installed: FreshEnvironment, root: Path) -> None:
    tops = {path.name for path in installed.packages.iterdir()} - {"others.pth", "__pycache__"}
    assert tops == {"tilesight", ABOUT}
    package = installed.packages / "tilesight"
    modules = {path.relative_to(root / "app") for path in (root / "app").rglob("*.py")}
    own = {path.relative_to(package) for path in package.rglob("*.py")}
    assert {path for path in own if path.parts[0] != "resources"} == modules
    for name in ("icons/folder-open.svg", "samples/index.json", "themes/dark/check.svg", "popef.capnp"):
        assert (package / "resources" / name).read_bytes() == (root / "resources" / name).read_bytes()
    assert not (package / "resources" / "screenshots").exists()
    assert (installed.packages / ABOUT / "licenses" / "LICENSE").is_file()


def test_it_reads_with_a_worker_wherever_it_is_started(
    installed: FreshEnvironment, elsewhere: Path, home: Path, root: Path
) -> None:
    made = ascend_trace.write(elsewhere / "trace.json", 35_000)
    assert (elsewhere / "trace.json").stat().st_size > 8 << 20  # smaller files are read without a worker
    told = installed.run([program(installed), "info", "trace.json"], elsewhere)
    assert f"{made.slices:,}" in told
    assert list((home / ".cache" / "tilesight" / "columns").iterdir())
    assert installed.run([installed.python, "-m", "tilesight", "info", "trace.json"], elsewhere) == told
    facts = json.loads(installed.run([installed.python, "-m", "tilesight", "--version", "--json"], elsewhere))
    assert (facts["version"], facts["installation"]) == (__version__, "wheel")
    assert {"commit": facts["commit"], "date": facts["date"]} == json.loads(product.build_facts(root))


def test_it_finds_its_resources_and_licences(installed: FreshEnvironment, elsewhere: Path) -> None:
    picture = elsewhere / "start.png"
    installed.run([program(installed), "--screenshot", picture, "--size", "900x600"], elsewhere)
    assert picture.stat().st_size > 20_000  # with the pictures of the samples on it
    code = (
        "from tilesight.window.about import itself, wanted\n"
        "from tilesight.resources import resource\n"
        "print(resource(), *itself().files, *wanted(), sep='\\n')\n"
    )
    resources, licence, *wanted = installed.run([installed.python, "-c", code], elsewhere).splitlines()
    assert Path(resources) == (installed.packages / "tilesight" / "resources").resolve()
    assert Path(licence) == (installed.packages / ABOUT / "licenses" / "LICENSE").resolve()
    assert any(line.startswith("numpy") for line in wanted)


def test_it_completes_in_the_shell(installed: FreshEnvironment, elsewhere: Path) -> None:
    share = installed.folder / "share"
    script = share / "bash-completion" / "completions" / "tilesight"
    code = f"PATH='{program(installed).parent}':$PATH; source '{script}'; complete -p tilesight; type -t _tilesight"
    printed = installed.run(["bash", "--norc", "--noprofile", "-c", code], elsewhere)
    assert printed == "complete -o default -o filenames -F _tilesight tilesight\nfunction\n"
    assert (share / "zsh" / "site-functions" / "_tilesight").read_text().startswith("#compdef tilesight\n")
    assert (share / "fish" / "vendor_completions.d" / "tilesight.fish").is_file()


def test_nothing_imports_the_source_s_name(installed: FreshEnvironment) -> None:
    statement = re.compile(r"^\s*(from|import) app\b", re.MULTILINE)
    modules = (installed.packages / "tilesight").rglob("*.py")
    assert [path for path in modules if statement.search(path.read_text("utf-8"))] == []


def test_the_package_describes_itself(installed: FreshEnvironment, root: Path) -> None:
    metadata = (installed.packages / ABOUT / "METADATA").read_text("utf-8")
    described = Metadata.from_email(metadata, validate=True)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert (described.name, str(described.version)) == ("tilesight", __version__)
    extras = project["optional-dependencies"]
    further = [f'{line}; extra == "{extra}"' for extra, lines in extras.items() for line in lines]
    expected = [str(Requirement(line)) for line in (*project["dependencies"], *further)]
    assert [str(line) for line in described.requires_dist or ()] == expected
    assert described.provides_extra == list(extras)
    assert set(extras) == set(hinted(root)), "the program tells how to get these"
    assert described.author == product.DEVELOPERS
    assert described.project_urls == {"Homepage": f"https://{product.DOMAIN}"}
    assert "Typing :: Typed" in (described.classifiers or ())
    assert described.license_files == ["LICENSE"]
    assert described.license_expression == "Apache-2.0"
    assert message_from_string(metadata).get_payload() == (root / "README.md").read_text("utf-8")


def hinted(root: Path) -> list[str]:
    """The extras that the program names where something is missing."""
    texts = [path.read_text("utf-8") for path in (root / "app").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"how_to_get\(\"(\w+)\"\)", text)}
    return sorted(named | {kind.extra for kind in KINDS.values() if kind.extra})


def test_a_source_archive_makes_the_same_wheel(root: Path, built: Path, tmp_path: Path) -> None:
    made = wheel_backend.write_wheel(root, tmp_path)
    assert made.name == built.name
    assert made.read_bytes() == built.read_bytes()


def test_a_source_archive_has_the_files_of_the_repository(root: Path, tmp_path: Path) -> None:
    archive = wheel_backend.write_sdist(root, tmp_path)
    assert archive.name == f"tilesight-{__version__}.tar.gz"
    with tarfile.open(archive) as opened:
        names = {member.name.removeprefix(f"tilesight-{__version__}/"): member for member in opened}
    made = {"PKG-INFO", product.BUILD_FACTS}
    assert {*names} == {*wheel_backend.source_files(root), *made}
    assert [names[name].mode for name in (".ci/run", "LICENSE")] == [0o755, 0o644]
    assert {(member.mtime, member.uid, member.uname) for member in names.values()} == {
        (int(product.released(root).timestamp()), 0, "")
    }


def test_scripts_of_users_see_types(installed: FreshEnvironment, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    lines = ["import tilesight", 'start = tilesight.open("x").table("slices")["start"]', "reveal_type(start)"]
    script.write_text("\n".join([*lines, "tilesight.opne", ""]))
    mypy: list[str | Path] = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        installed.python,
        "--no-incremental",
    ]
    done = subprocess.run([*mypy, script.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    revealed, wrong, *_ = done.stdout.splitlines()
    assert 'note: Revealed type is "numpy.ndarray[' in revealed
    assert 'script.py:4: error: Module has no attribute "opne"' in wrong


def test_the_package_lists_its_names(installed: FreshEnvironment, elsewhere: Path) -> None:
    code = "import sys, tilesight; print(*dir(tilesight), 'numpy' in sys.modules)"
    *names, imported = installed.run([installed.python, "-c", code], elsewhere).split()
    assert {"open", "open_all", "compare", "Profile", "Table", "FormatError", "__version__"} <= set(names)
    assert not {"Any", "TYPE_CHECKING", "annotations", "importlib"} & set(names)
    assert imported == "False", "what only lists names reads no library"
