"""`tilesight dump`: against the listings of the PopEF user guide, and listings of our own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from app.cli import main
from generators import popef

SEED = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "popef-file-format.txt"
MASKED = re.compile(r"^(Version|Available read size):.*")


def dumped(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["dump", *words])
    out, err = capsys.readouterr()
    return status, out, err


def masked(lines: Iterable[str]) -> list[str]:
    """Without indentation and without the two figures that are the SDK's own."""
    return [MASKED.sub(r"\1", line.strip()) for line in lines]


def guide_listings() -> tuple[list[str], list[str]]:
    """The two listings of the guide (2.6), each behind its command."""
    if not SEED.is_file():
        pytest.skip("the user guide's text (../shared/seeds) is not on this machine")
    text = SEED.read_text(encoding="utf-8")
    first, second = re.split(r"^\$ popef_dump .*\n", text, flags=re.MULTILINE)[1:]
    return first.splitlines(), second.splitlines()


@pytest.fixture
def guide_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The guide's model, as ``executable.popef`` in the working folder."""
    popef.write(tmp_path / "executable.popef", popef.guide_blobs())
    monkeypatch.chdir(tmp_path)
    return "executable.popef"


@pytest.mark.parametrize(("words", "number"), [(("-a", "-t", "-e", "-o"), 0), (("-m",), 1)])
def test_the_guides_listings_line_by_line(
    guide_file: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], number: int
) -> None:
    wanted = guide_listings()[number]
    assert len(wanted) > 30
    status, out, err = dumped(capsys, *words, guide_file)
    assert (status, err) == (0, "")
    assert masked(out.splitlines()) == masked(wanted)


def test_long_options_say_the_same(guide_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    short = dumped(capsys, "-m", "-a", "-u", "-e", "-t", "-f", "-o", guide_file)
    names = ("metadata", "anchors", "user-anchors", "execs", "tensors", "feeds", "opaques")
    assert dumped(capsys, *(f"--{name}" for name in names), guide_file) == short
    assert dumped(capsys, "--all", guide_file) == short
    assert short[1].count("Anchors:") == 1


def test_without_an_option_the_blobs_are_listed(guide_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = popef.GUIDE_EXECUTABLE
    assert dumped(capsys, guide_file)[1].splitlines() == [
        "PopEF file: executable.popef",
        "Blobs:",
        f'  0: METADATA of executable "{name}" (byte 0, 1288 bytes)',
        f'  1: POPLAR_EXECUTABLE "{name}" (byte 1288, 126 bytes)',
        f'  2: OPAQUE "popart" of executable "{name}" (byte 1414, 128 bytes)',
        '  3: DATA_TENSOR "input_parameter" (byte 1542, 128 bytes)',
    ]


def test_only_what_the_user_provides(guide_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = dumped(capsys, "-u", guide_file)[1].splitlines()
    assert [line.strip() for line in lines if "provided" in line or "Name" in line] == [
        "Inputs (User provided):",
        'Name: "user_input":',
        "Outputs (User provided):",
        'Name: "Add:0":',
    ]


def test_what_the_guide_does_not_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = popef.Model(
        executable="9",
        anchors=(popef.Anchor("w", shape=(2, 3, 8), per_replica=True, remote=True, repeats=3, type=popef.UNKNOWN),),
        replication=2,
        device=(("ipuLinkDomainSize", "2"),),
    )
    path = popef.write(
        tmp_path / "a.popef",
        [
            popef.metadata(model),
            popef.executable("9", bytes(5), uncompressed=77),
            popef.feed("f", (2, 3), 2, 4),
            popef.tensor("s", (), 99, b"12"),
        ],
    )
    status, out, _ = dumped(capsys, "--all", str(path))
    assert status == 0
    assert (
        out
        == f"""PopEF file: {path}
Metadata:
  Version: 1
  IpuVersion: 2
  Executable: 9
  Replication Factor: 2
  NumIpus: 1
  SeedHandle:
  IsInference: True
  IsPOD: False
  NumProcesses: 1
  DeviceIterations: 1
  Engine Options: <empty>
  Program Flow:
    load: []
    main: []
    save: []
  Programs Map: <empty>
  Device Options:
    ipuLinkDomainSize: 2
Anchors:
  Direction unknown (User provided):
    Name: "w":
      TensorInfo: {{ dtype: F32, sizeInBytes: 192, shape [2, 3, 8] }}
      Programs: [5]
      Handle:
      IsPerReplica: True
      UseRemoteBuffers: True
      Repeats: 3
Executables:
  Name: "9":
    Is compressed: True
    Version: 1
    Available read size: 5
    Uncompressed size: 77
Tensors:
  Name: "s":
    Version: 1
    Available read size: 2
    TensorInfo: {{ dtype: unknown (99), sizeInBytes: unknown, shape [] }}
Feeds:
  Name: "f":
    Version: 1
    Available read size: 48
    TensorInfo: {{ dtype: F16, sizeInBytes: 12, shape [2, 3] }}
    NumTensors: 4
Opaques: <empty>
"""
    )


def test_several_files_and_several_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = [popef.metadata(popef.Model(name, (popef.Anchor(name.lower()),))) for name in ("A", "B")]
    first = popef.write(tmp_path / "1.popef", [*two, popef.executable("A", b"x"), popef.executable("B", b"y")])
    second = popef.write(tmp_path / "2.popef", [popef.tensor("t", (2,), 3)])
    status, out, _ = dumped(capsys, "-a", str(first), str(second))
    assert status == 0
    assert [line for line in out.splitlines() if not line.startswith("   ")] == [
        f"PopEF file: {first}",
        "Anchors:",
        "  Executable: A",
        "  Inputs (User provided):",
        "Anchors:",
        "  Executable: B",
        "  Inputs (User provided):",
        f"PopEF file: {second}",
        "Anchors: <empty>",
    ]


def test_files_that_are_one_model_are_told_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    popef.write(tmp_path / "executable.popef", popef.guide_blobs()[:3])
    popef.write(tmp_path / "variables.popef", popef.guide_blobs()[3:])
    files = [str(tmp_path / name) for name in ("executable.popef", "variables.popef")]
    out = dumped(capsys, *files)[1].splitlines()
    assert out[:3] == [f"PopEF file: {files[0]}", f"PopEF file: {files[1]}", "Blobs:"]
    assert out[-1] == '  3: DATA_TENSOR "input_parameter" (variables.popef, byte 0, 128 bytes)'
    assert dumped(capsys, "-a", *files)[1].count("Popef provided") == 2


def test_colours_are_all_that_color_adds(guide_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = dumped(capsys, "--all", guide_file)[1]
    coloured = dumped(capsys, "--all", "--color", guide_file)[1]
    assert coloured != plain
    assert re.sub("\033\\[[0-9]+m", "", coloured) == plain


def test_verbose_tells_the_parts_of_each_blob_on_standard_error(
    guide_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = dumped(capsys, "-v", guide_file)
    assert (status, out) == (0, dumped(capsys, guide_file)[1])
    assert err.splitlines()[3] == ("executable.popef: byte 1542: DATA_TENSOR, header 48, message 72, payload 8 bytes")


def test_a_damaged_file_is_listed_as_far_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = b"".join(popef.guide_blobs())
    path = tmp_path / "cut.popef"
    path.write_bytes(whole[:-3])
    status, out, err = dumped(capsys, str(path))
    assert status == 0
    assert len(out.splitlines()) == 5
    assert len(err.splitlines()) == 1
    assert "extends beyond the end of the file" in err


def test_other_files_are_errors_and_the_rest_is_still_printed(
    guide_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "random.popef"
    other.write_bytes(bytes(range(200)))
    status, out, err = dumped(capsys, str(other), guide_file, str(tmp_path / "missing.popef"))
    assert status == 1
    assert out.startswith("PopEF file: executable.popef")
    assert sorted(line.split(": ")[0] for line in err.splitlines()) == sorted(
        [str(other), str(tmp_path / "missing.popef")]
    )


def test_names_cannot_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = popef.write(
        tmp_path / "a.popef", [popef.tensor("a\x1b[2Jb\nName: c", (1,), 3), popef.tensor("é ✓", (1,), 3)]
    )
    out = dumped(capsys, "-t", str(path))[1]
    assert '"a\\x1b[2Jb\\nName: c"' in out
    assert '"é ✓"' in out
    assert "\x1b" not in out


def test_help_says_what_the_layout_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["dump", "-h"])
    text = " ".join(capsys.readouterr().out.split())
    assert end.value.code == 0
    assert "not verified with a file written by the Graphcore SDK" in text
    assert "--user-anchors" in text
