"""The set-up script's decisions, without a network and without an administrator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dev_checks
import dev_environment
import dev_system
from dev_shell import SetupError

DEV = Path("packaging", "dev.py")


def run_dev(root: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / DEV), *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def test_help_and_wrong_words(root: Path, tmp_path: Path) -> None:
    helped = run_dev(root, "--help", cwd=tmp_path)
    assert helped.returncode == 0
    assert "dev.py run [FILE ...]" in helped.stdout
    assert run_dev(root, "build", "--help", cwd=tmp_path).stdout == helped.stdout
    wrong = run_dev(root, "fly", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "usage" in wrong.stderr
    assert run_dev(root, "setup", "now", cwd=tmp_path).returncode == 2


def test_packages_are_named_once_in_the_order_of_the_table() -> None:
    assert dev_system.missing_packages(lambda _: True, font=True) == []
    assert dev_system.missing_packages(lambda _: True, font=False) == ["fonts-dejavu-core"]
    assert dev_system.missing_packages(lambda name: "glib" not in name and "gthread" not in name, font=True) == [
        "libglib2.0-0"
    ]
    everything = dev_system.missing_packages(lambda _: False, font=False)
    assert len(everything) == len(set(everything)) == len(set(dev_system.LIBRARIES.values())) + 1


def test_a_library_is_asked_of_the_loader() -> None:
    assert not dev_system.loads("libthere-is-none-like-it.so.7")
    if sys.platform.startswith("linux"):
        assert dev_system.loads("libc.so.6")


def test_a_font_is_found_in_any_depth(tmp_path: Path) -> None:
    assert not dev_system.has_font([str(tmp_path), str(tmp_path / "absent")])
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "some.ttf").touch()
    assert dev_system.has_font([str(tmp_path)])


def test_without_rights_the_one_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev_system, "privilege", lambda: None)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(SetupError) as caught:
        dev_system.install(["libegl1", "libgl1"])
    assert str(caught.value).endswith(
        "run: sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 libgl1"
    )
    assert "\n" not in str(caught.value)


def test_without_apt_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SetupError, match="what Debian calls libegl1"):
        dev_system.install(["libegl1"])


def test_apt_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[list[str]] = []

    def refuse(command: list[str]) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 100, "E: no network\n")

    monkeypatch.setattr(dev_system, "privilege", list)
    monkeypatch.setattr(dev_system, "quietly", refuse)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(SetupError, match="E: no network"):
        dev_system.install(["libegl1"])
    assert [command[-1] for command in asked] == ["update", "libegl1"]
    assert "Installing through apt: libegl1" in capsys.readouterr().err


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository with an environment that is said to be finished."""
    (tmp_path / "packaging").mkdir()
    (tmp_path / dev_environment.CONSTRAINTS).write_text("numpy==2.4.6\n")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=2.3.5"]\n[dependency-groups]\ndev = ["pytest"]\n'
    )
    (tmp_path / dev_environment.ALIAS).write_text("import app\n")
    python = dev_environment.python_of(tmp_path / ".venv")
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    stamp = tmp_path / ".venv" / dev_environment.STAMP
    stamp.write_text(dev_environment.fingerprint(tmp_path, tmp_path / ".venv"))
    return tmp_path


def test_a_finished_environment_is_taken_as_it_is(house: Path) -> None:
    assert dev_environment.current(house)
    assert not dev_environment.lacks_venv(house)
    assert dev_environment.provide(house) == dev_environment.python_of(house / ".venv")


@pytest.mark.parametrize("name", dev_environment.SOURCES)
def test_a_changed_list_ends_it(house: Path, name: str) -> None:
    with (house / name).open("a") as file:
        file.write("# changed\n")
    assert not dev_environment.current(house)


def test_another_python_under_it_ends_it(house: Path) -> None:
    python = dev_environment.python_of(house / ".venv")
    python.unlink()
    python.symlink_to(house / "python3.99")
    assert not dev_environment.current(house)
    assert not dev_environment.usable(house / ".venv")


def test_the_environment_of_another_folder_is_not_usable(house: Path) -> None:
    (house / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3.99.0\n")
    assert not dev_environment.usable(house / ".venv")


def test_the_running_environment_is_usable(root: Path) -> None:
    folder = root / ".venv"
    if Path(sys.prefix).resolve() != folder.resolve():
        pytest.skip("these tests run in another environment than .venv")
    assert dev_environment.usable(folder)


def test_requirements_are_those_of_the_project_file(house: Path) -> None:
    assert dev_environment.requirements(house) == ["numpy>=2.3.5", "pytest"]
    assert dev_environment.name_of("PySide6-Essentials>=6.8,<6.12") == "PySide6-Essentials"


def test_every_step_runs_and_the_failed_ones_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    small = [("one", ["-c", "print('said one')"]), ("two", ["-c", "raise SystemExit(3)"]), ("three", ["-c", "1 / 1"])]
    small.insert(1, (dev_checks.BESIDE, ["-c", "print('said beside'); raise SystemExit(1)"]))
    monkeypatch.setattr(dev_checks, "steps", lambda _: small)
    assert dev_checks.check(Path(sys.executable), tmp_path, []) == 1
    lines = capfd.readouterr().out.splitlines()
    assert {"said one", "said beside"} <= set(lines)
    assert lines[-1].endswith(f"failed: two, {dev_checks.BESIDE}")
    verdicts = [line.split("s  ")[1] for line in lines[-5:-1]]
    assert verdicts == ["ok", "failed (exit status 3)", "ok", "failed (exit status 1)"]


def test_pytest_gets_its_arguments() -> None:
    assert dev_checks.steps(["-k", "canary"])[-1][1] == ["-m", "pytest", "-k", "canary"]
    assert dev_checks.steps([])[-1][1][:3] == ["-m", "pytest", "-n"]
    assert dev_checks.steps(["--quick"])[-1][1][:4] == ["-m", "pytest", "--quick", "-n"]


def test_the_check_leaves_out_foreign_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.sep)
    assert "PYTHONPATH" not in dev_checks.environment()


def test_programs_for_journeys_are_looked_for_on_the_path_and_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert dev_system.missing_programs(()) == list(dev_system.PROGRAMS.values())
    for name in ("Xvfb", "at-spi-bus-launcher"):
        (tmp_path / name).touch(0o755)
    assert dev_system.missing_programs(()) == ["openbox", "xdotool", "xclip", "dbus-daemon", "chromium"]
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "openbox").touch(0o755)
    assert dev_system.missing_programs([str(tmp_path / "beside")]) == ["xdotool", "xclip", "dbus-daemon", "chromium"]
