"""Shells complete the command line: real shells on a terminal, with a real Tab."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.command_names import COMMANDS
from app.cli.findings import ALL
from app.cli.words import parser_of, run

END = "END-OF-LINE"
PROMPT = "READY>"
STARTS = {
    "bash": (
        ["--norc", "--noprofile", "-i"],
        f"bind 'set show-all-if-ambiguous on'\nbind 'set bell-style none'\nPS1='{PROMPT}'\n",
    ),
    "zsh": (["-f", "-i"], f"PROMPT='{PROMPT}'\nautoload -U compinit; compinit -D -u\nsetopt no_beep\n"),
}


class Terminal:
    """A shell on a terminal, with the completion, in which ``tilesight`` prints its arguments."""

    def __init__(self, shell: str, script: Path, folder: Path) -> None:
        self._master, slave = pty.openpty()
        words, start = STARTS[shell]
        variables = {**os.environ, "TERM": "dumb", "HISTFILE": "", "COLUMNS": "500", "LC_ALL": "C.UTF-8"}
        self._process = subprocess.Popen(
            [shell, *words], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=variables, start_new_session=True
        )
        os.close(slave)
        self.typed(f"stty cols 500; {start}tilesight() {{ printf '<%s>' \"$@\"; echo; }}\nsource {script}\n")

    def typed(self, keys: str) -> str:
        """What the shell prints after ``keys``, until it is ready for others: before, a Tab is a character."""
        os.write(self._master, f"{keys}\x15echo '{END}'\n".encode())  # the control character clears the line
        printed, last = b"", time.monotonic() + 60
        while not re.search(rf"^{END}\r?\n.*{PROMPT}", printed.decode(errors="replace"), re.MULTILINE):
            assert select.select([self._master], [], [], max(0, last - time.monotonic()))[0], printed
            printed += os.read(self._master, 1 << 16)
        return printed.decode()

    def completed(self, line: str) -> list[str]:
        """The arguments after ``line`` was typed, Tab and Enter pressed."""
        (arguments,) = re.finditer(r"^<(.*)>\r?$", self.typed(f"{line}\t\n"), re.MULTILINE)
        return arguments[1].split("><")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)


@pytest.fixture(params=sorted(STARTS))
def terminal(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Terminal]:
    shell = str(request.param)
    if shell != "bash" and shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert run(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a trace.json").touch()
    opened = Terminal(shell, script, folder)
    yield opened
    opened.close()


def test_commands_options_values_and_files(terminal: Terminal) -> None:
    rule = ALL[0].id
    for line, arguments in {
        "tilesight exp": ["export"],
        "tilesight --pan": ["--panel"],
        "tilesight --panel core_l": ["--panel", "core_load"],
        "tilesight a": ["a trace.json"],
        "tilesight info a": ["info", "a trace.json"],
        "tilesight findings a --fail-on w": ["findings", "a", "--fail-on", "warning"],
        f"tilesight findings --rule {rule[:-1]}": ["findings", "--rule", rule],
        "tilesight report a --baseline=a": ["report", "a", "--baseline=a trace.json"],
        "tilesight report a -o a": ["report", "a", "-o", "a trace.json"],
        "tilesight export a --theme d": ["export", "a", "--theme", "dark"],
        "tilesight help exch": ["help", "exchanges"],
        "tilesight info --jobs ": ["info", "--jobs"],
        "tilesight completion f": ["completion", "fish"],
    }.items():
        assert terminal.completed(line) == arguments, line


def test_all_options_are_offered(terminal: Terminal) -> None:
    for name in (*COMMANDS, ""):
        names = [text for action in parser_of(name or "window")._actions for text in action.option_strings]
        listed = terminal.typed(f"tilesight {name} --\t\t")
        assert [text for text in names if text.startswith("--") and text not in listed] == [], (name, listed)


def test_a_value_after_an_equals_sign(terminal: Terminal) -> None:
    assert terminal.completed("tilesight export a --theme=d") == ["export", "a", "--theme=dark"]


def test_fish_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    assert run(["completion", "fish"]) == 0
    script = tmp_path / "script.fish"
    script.write_text(capsys.readouterr().out)

    def offered(line: str) -> list[str]:
        words = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        printed = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        return [text.split("\t")[0] for text in printed.splitlines()]

    assert offered("tilesight exp") == ["export"]
    assert offered("tilesight findings a --fail-on w") == ["warning"]
    assert offered("tilesight export a --theme=d") == ["--theme=dark"]
    assert offered("tilesight report -o s") == ["script.fish"]
    assert offered("tilesight help exch") == ["exchanges"]
    assert "--goto" in offered("tilesight --")
    assert "--sarif" in offered("tilesight findings --")
    assert "--sarif" not in offered("tilesight info --")


def test_an_unknown_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(["completion", "tcsh"])
    assert "tcsh" in capsys.readouterr().err
