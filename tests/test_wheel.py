"""The wheel installs one package, ``tilesight``, which works beside anybody's own ``app``."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from email import message_from_string
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.requirements import Requirement

import wheel_backend
from app import __version__
from fakes.fresh_environment import FreshEnvironment, fresh_environment
from generators import ascend_trace
from installer import product

ABOUT = f"tilesight-{__version__}.dist-info"


@pytest.fixture(scope="module")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> FreshEnvironment:
    """The repository installed by pip, without a network."""
    environment = fresh_environment(tmp_path_factory.mktemp("installed"))
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        environment.python,
        "install",
    ]
    environment.run([*pip, "--quiet", "--no-deps", "--no-index", "--no-compile", "--no-cache-dir", root], root)
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
        "from tilesight.window.licences import itself, wanted\n"
        "from tilesight.resources import resource\n"
        "print(resource(), *itself().files, *wanted(), sep='\\n')\n"
    )
    resources, licence, *wanted = installed.run([installed.python, "-c", code], elsewhere).splitlines()
    assert Path(resources) == (installed.packages / "tilesight" / "resources").resolve()
    assert Path(licence) == (installed.packages / ABOUT / "licenses" / "LICENSE").resolve()
    assert any(line.startswith("numpy") for line in wanted)


def test_nothing_imports_the_source_s_name(installed: FreshEnvironment) -> None:
    statement = re.compile(r"^\s*(from|import) app\b", re.MULTILINE)
    modules = (installed.packages / "tilesight").rglob("*.py")
    assert [path for path in modules if statement.search(path.read_text("utf-8"))] == []


def test_the_package_describes_itself(installed: FreshEnvironment, root: Path) -> None:
    metadata = (installed.packages / ABOUT / "METADATA").read_text("utf-8")
    described = Metadata.from_email(metadata, validate=True)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert (described.name, str(described.version)) == ("tilesight", __version__)
    assert [str(line) for line in described.requires_dist or ()] == [
        str(Requirement(line)) for line in project["dependencies"]
    ]
    assert described.license_expression == "Apache-2.0"
    assert message_from_string(metadata).get_payload() == (root / "README.md").read_text("utf-8")


def test_there_is_no_source_distribution(tmp_path: Path) -> None:
    with pytest.raises(wheel_backend.UnsupportedOperation):
        wheel_backend.build_sdist(str(tmp_path))
