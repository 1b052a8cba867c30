"""A PopEF model as text, in the words and the order of popef_dump's listings (PopEF user guide, 2.6).

Fields that those listings do not show, and that say something, are added at the end of their block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from app.analysis.popef.anchors import GROUPS, groups, tensor_bytes
from app.profile.arrays import I32, I64, Ragged
from app.profile.popef import Blobs, Model, blob_type, data_type
from app.profile.profile import Profile

EMPTY = "<empty>"
UNKNOWN = "unknown"
STEP = "  "


class Sections(Struct, frozen=True):
    """Which sections are listed; if none are, the blobs."""

    metadata: bool = False
    anchors: bool = False
    user_anchors: bool = False
    executables: bool = False
    tensors: bool = False
    feeds: bool = False
    opaques: bool = False

    @classmethod
    def all(cls) -> Sections:
        return cls(True, True, True, True, True, True, True)

    @property
    def any(self) -> bool:
        return self != Sections()


class Line(Struct, frozen=True):
    """``level`` of indentation; ``value`` None for a heading."""

    level: int
    key: str
    value: str | None = None

    @property
    def text(self) -> str:
        return f"{STEP * self.level}{self.key}:" + (f" {self.value}" if self.value else "")


def listing(profile: Profile, wanted: Sections) -> Iterator[Line]:
    """The lines for a profile of PopEF files; none for other profiles."""
    blobs, model = profile.blobs, profile.model
    if blobs is None or model is None:
        return
    for path in profile.origin.paths:
        yield Line(0, "PopEF file", printable(str(path)))
    if not wanted.any:
        yield from _blobs(profile, blobs)
        return
    if wanted.metadata:
        yield from _metadata(blobs, model)
    if wanted.anchors or wanted.user_anchors:
        yield from _anchors(model, users_only=not wanted.anchors)
    if wanted.executables:
        yield from _executables(blobs, model)
    if wanted.tensors:
        yield from _data(blobs, model, feed=False)
    if wanted.feeds:
        yield from _data(blobs, model, feed=True)
    if wanted.opaques:
        yield from _opaques(blobs, model)


def details(profile: Profile) -> Iterator[str]:
    """One line per blob on its layout in its file: what ``--verbose`` adds."""
    blobs = profile.blobs
    if blobs is None:
        return
    for blob in range(len(blobs)):
        name = printable(profile.origin.paths[int(blobs.file[blob])].name)
        parts = (blobs.header_size, blobs.info_size, blobs.payload_size)
        header, message, payload = (_size(part, blob) for part in parts)
        yield (
            f"{name}: byte {int(blobs.offset[blob])}: {blob_type(int(blobs.type[blob]))}, "
            f"header {header}, message {message}, payload {payload} bytes"
        )


def printable(text: str) -> str:
    """``text`` with everything escaped that a terminal would act on: names come from untrusted files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _blobs(profile: Profile, blobs: Blobs) -> Iterator[Line]:
    yield Line(0, "Blobs", None if len(blobs) else EMPTY)
    several = len(profile.origin.paths) > 1
    for blob in range(len(blobs)):
        words = [blob_type(int(blobs.type[blob]))]
        if name := blobs.strings.get(int(blobs.name[blob])):
            words.append(_quoted(name))
        if executable := blobs.strings.get(int(blobs.executable[blob])):
            words.append(f"of executable {_quoted(executable)}")
        place = f"byte {int(blobs.offset[blob])}, {int(blobs.size[blob])} bytes"
        if several:
            place = f"{printable(profile.origin.paths[int(blobs.file[blob])].name)}, {place}"
        yield Line(1, str(blob), f"{' '.join(words)} ({place})")


def _metadata(blobs: Blobs, model: Model) -> Iterator[Line]:
    own, texts = model.metadata, model.strings
    if not len(own):
        yield Line(0, "Metadata", EMPTY)
    for row in range(len(own)):
        yield Line(0, "Metadata")
        yield _version(blobs, int(own.blob[row]), 1)
        yield Line(1, "IpuVersion", str(own.ipu_version[row]))
        yield Line(1, "Executable", printable(texts.get(int(own.executable[row]))))
        yield Line(1, "Replication Factor", str(own.replication_factor[row]))
        yield Line(1, "NumIpus", str(own.ipus[row]))
        yield Line(1, "SeedHandle", printable(texts.get(int(own.seed_handle[row]))))
        yield Line(1, "IsInference", str(bool(own.inference[row])))
        yield Line(1, "IsPOD", str(bool(own.pod[row])))
        yield Line(1, "NumProcesses", str(own.processes[row]))
        yield Line(1, "DeviceIterations", str(own.device_iterations[row]))
        yield from _list("Engine Options", _options(model, row, device=False))
        yield Line(1, "Program Flow")
        for word, flow in (("load", own.load), ("main", own.main), ("save", own.save)):
            yield Line(2, word, _numbers(flow, row))
        yield from _list("Programs Map", _programs(model, row))
        yield from _list("Device Options", _options(model, row, device=True))


def _list(title: str, pairs: Iterable[tuple[str, str]]) -> Iterator[Line]:
    lines = [Line(2, key, value) for key, value in pairs]
    yield Line(1, title, None if lines else EMPTY)
    yield from lines


def _options(model: Model, row: int, *, device: bool) -> Iterator[tuple[str, str]]:
    own = model.options
    for option in ((own.metadata == row) & (own.device == device)).nonzero()[0].tolist():
        texts = (model.strings.get(int(column[option])) for column in (own.name, own.value))
        name, value = (printable(text) for text in texts)
        yield name, value


def _programs(model: Model, row: int) -> Iterator[tuple[str, str]]:
    own = model.programs
    for entry in (own.metadata == row).nonzero()[0].tolist():
        yield str(own.index[entry]), printable(model.strings.get(int(own.name[entry])))


def _anchors(model: Model, *, users_only: bool) -> Iterator[Line]:
    group = groups(model)
    shown = (group % 2 == 0) | (not users_only)
    if not shown.any():
        yield Line(0, "Anchors", EMPTY)
    several = len(model.metadata) > 1
    sizes = tensor_bytes(model.anchors.shape, model.anchors.data_type)
    for row in range(len(model.metadata)):
        of_model = (model.anchors.metadata == row) & shown
        if not of_model.any():
            continue
        yield Line(0, "Anchors")
        if several:
            yield Line(1, "Executable", printable(model.strings.get(int(model.metadata.executable[row]))))
        for number, title in enumerate(GROUPS):
            members = (of_model & (group == number)).nonzero()[0].tolist()
            if members:
                yield Line(1, title.replace("user", "User").replace("PopEF", "Popef"))
            for anchor in members:
                yield from _anchor(model, anchor, sizes)


def _anchor(model: Model, anchor: int, sizes: I64) -> Iterator[Line]:
    own = model.anchors
    yield _name(model, own.name, anchor)
    yield _tensor_info(3, own.shape, own.data_type, anchor, sizes)
    yield Line(3, "Programs", _numbers(own.programs, anchor))
    yield Line(3, "Handle", printable(model.strings.get(int(own.handle[anchor]))))
    yield Line(3, "IsPerReplica", str(bool(own.per_replica[anchor])))
    if own.remote_buffer[anchor]:
        yield Line(3, "UseRemoteBuffers", "True")
        yield Line(3, "Repeats", str(own.repeats[anchor]))


def _executables(blobs: Blobs, model: Model) -> Iterator[Line]:
    own = model.executables
    yield Line(0, "Executables", None if len(own) else EMPTY)
    for row in range(len(own)):
        blob = int(own.blob[row])
        yield _name(model, own.name, row, 1)
        yield Line(2, "Is compressed", str(bool(own.compressed[row])))
        yield _version(blobs, blob, 2)
        yield _read_size(blobs, blob)
        if own.compressed[row]:
            yield Line(2, "Uncompressed size", _size(own.uncompressed_size, row))


def _data(blobs: Blobs, model: Model, *, feed: bool) -> Iterator[Line]:
    own = model.tensors
    rows = (own.feed == feed).nonzero()[0].tolist()
    sizes = tensor_bytes(own.shape, own.data_type)
    yield Line(0, "Feeds" if feed else "Tensors", None if rows else EMPTY)
    for row in rows:
        blob = int(own.blob[row])
        yield _name(model, own.name, row, 1)
        yield _version(blobs, blob, 2)
        yield _read_size(blobs, blob)
        if own.data_type[row] >= 0:
            yield _tensor_info(2, own.shape, own.data_type, row, sizes)
        if feed:
            yield Line(2, "NumTensors", str(own.count[row]))


def _opaques(blobs: Blobs, model: Model) -> Iterator[Line]:
    own = model.opaques
    yield Line(0, "Opaques", None if len(own) else EMPTY)
    for row in range(len(own)):
        blob = int(own.blob[row])
        yield _name(model, own.name, row, 1)
        yield Line(2, "Executable", printable(model.strings.get(int(own.executable[row]))))
        yield _version(blobs, blob, 2)
        yield _read_size(blobs, blob)


def _name(model: Model, names: I32, row: int, level: int = 2) -> Line:
    """The listings end the line of a name with an additional colon."""
    return Line(level, "Name", f"{_quoted(model.strings.get(int(names[row])))}:")


def _version(blobs: Blobs, blob: int, level: int) -> Line:
    return Line(level, "Version", printable(blobs.strings.get(int(blobs.version[blob]))))


def _read_size(blobs: Blobs, blob: int) -> Line:
    return Line(2, "Available read size", _size(blobs.payload_size, blob))


def _tensor_info(level: int, shapes: Ragged, data_types: I32, row: int, sizes: I64) -> Line:
    kind, taken = data_type(int(data_types[row])), _size(sizes, row)
    return Line(level, "TensorInfo", f"{{ dtype: {kind}, sizeInBytes: {taken}, shape {_numbers(shapes, row)} }}")


def _size(sizes: I64, row: int) -> str:
    return str(int(sizes[row])) if sizes[row] >= 0 else UNKNOWN


def _numbers(rows: Ragged, row: int) -> str:
    return f"[{', '.join(str(number) for number in rows.row(row).tolist())}]"


def _quoted(text: str) -> str:
    return f'"{printable(text)}"'
