"""Texts of the content panel, and bytes as lines of hexadecimal text."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from app.analysis.compare.contents import ContentDifference
from app.analysis.popef.anchors import consumed, elements, expected_payload, shape_text
from app.analysis.popef.values import Slice, Summary, remark
from app.language import plural, tr
from app.profile.arrays import Array
from app.profile.popef import ANCHOR_INPUT, DATA_TYPES, EXECUTABLE, Model, blob_type, data_type
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.views.markup import GAP, Markup, coloured, strong
from app.views.units import MINUS, format_value, percent, signed


def number_text(value: float | int) -> str:
    """A value of a tensor: integers exactly, others with six digits; NaN and infinity in words."""
    if isinstance(value, int):
        return signed(str(value))
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return tr("Inf") if value > 0 else f"{MINUS}Inf"
    return f"{value:.6g}".replace("-", MINUS)


Written: TypeAlias = Callable[[float | int], str]


def written(numbers: Array) -> Written:
    """The number format for the values of one slice: the same decimals for all, six digits for the largest."""
    if numbers.dtype.kind != "f":
        return number_text
    finite = np.abs(numbers[np.isfinite(numbers)].astype(np.float64))
    largest = float(finite.max(initial=0.0))
    if largest < 1e7 and (finite == np.rint(finite)).all():
        return partial(_fixed, 0)
    if not 1e-3 <= largest < 1e7:
        return number_text
    return partial(_fixed, max(0, 5 - math.floor(math.log10(largest))))


def _fixed(decimals: int, value: float | int) -> str:
    """``value`` with this many decimals; a nonzero value never reads as zero."""
    if not math.isfinite(value):
        return number_text(value)
    if value and abs(value) < 0.5 * 10.0**-decimals:
        return f"{value:.1e}".replace("-", MINUS)
    return signed(f"{value:.{decimals}f}")


def tensor_title(model: Model, row: int, look: Look) -> Markup:
    """Name, type, shape and size of a tensor or feed."""
    own = model.tensors
    parts = [data_type(int(own.data_type[row])), shape_text(tuple(own.shape.row(row).tolist()))]
    if own.feed[row]:
        parts[1] += f" × {int(own.count[row]):,}"
    size = int(expected_payload(own)[row])
    if size >= 0:
        parts.append(format_value(size, "B", look))
    return _title(model.strings.get(int(own.name[row])) or tr("without a name"), parts, look.theme)


def blob_title(profile: Profile, blob: int, taken: int, look: Look) -> Markup:
    """Name, type and size of a blob."""
    blobs = profile.blobs
    assert blobs is not None
    kind = blob_type(int(blobs.type[blob]))
    name = blobs.strings.get(int(blobs.name[blob]))
    return _title(name or kind, [*([kind] if name else []), format_value(taken, "B", look)], look.theme)


def _title(name: str, parts: list[str], theme: Theme) -> Markup:
    return strong(name) + GAP + coloured(" · ".join(parts), theme.muted)


def blob_facts(profile: Profile, blob: int, look: Look) -> str:
    """Further properties of a blob whose bytes are shown."""
    model, blobs = profile.model, profile.blobs
    if model is None or blobs is None:
        return ""
    if blobs.type[blob] == EXECUTABLE:
        for row in (model.executables.blob == blob).nonzero()[0].tolist():
            if not model.executables.compressed[row]:
                return tr("not compressed")
            before, after = int(model.executables.uncompressed_size[row]), int(blobs.payload_size[blob])
            unpacked = format_value(before, "B", look) if before >= 0 else tr("an impossible size")
            return tr(
                "compressed: {unpacked} in {after}; the format does not state the method",
                unpacked=unpacked,
                after=format_value(after, "B", look),
            )
    named = blobs.strings.get(int(blobs.executable[blob]))
    return tr("of executable {named}", named=named) if named else ""


def statistics(summary: Summary, data_type_number: int) -> str:
    """The statistics in one line."""
    parts = [
        plural(
            "{count:,} value",
            "{count:,} values",
            count=summary.count,
        )
    ]
    if summary.least is not None and summary.most is not None:
        parts += [
            tr("min {number_text}", number_text=number_text(summary.least)),
            tr("max {number_text}", number_text=number_text(summary.most)),
        ]
    if summary.mean is not None and summary.deviation is not None:
        parts += [
            tr("mean {number_text}", number_text=number_text(summary.mean)),
            tr("standard deviation {number_text}", number_text=number_text(summary.deviation)),
        ]
    parts.append(tr("zeros {count}", count=_count(summary.zeros, summary.count)))
    parts += [
        tr("NaN {count}", count=_count(summary.nan, summary.count)),
        tr("Inf {count}", count=_count(summary.infinite, summary.count)),
    ]
    note = remark(data_type_number)
    return " · ".join(parts) + (f". {note[0].upper()}{note[1:]}." if note else "")


def _count(count: int, of: int) -> str:
    return f"{count:,} ({percent(100 * count / of)})" if count else "0"


def differences(content: ContentDifference) -> str:
    """How the values of a tensor differ from the baseline's, in one line."""
    values = content.values
    if content.why:
        return tr("Not compared by value: {why}.", why=content.why)
    if values is None or not values.different:
        return tr("The baseline has the same values.")
    text = plural(
        "{different} of {count:,} value differs",
        "{different} of {count:,} values differ",
        count=values.elements,
        different=_count(values.different, values.elements),
    )
    parts: list[str] = [text]
    if values.largest is not None and values.mean is not None:
        parts += [
            tr("largest difference {number_text}", number_text=number_text(values.largest)),
            tr("mean difference {number_text}", number_text=number_text(values.mean)),
        ]
    if values.not_finite:
        parts.append(tr("not finite on one side {count:,}", count=values.not_finite))
    return " · ".join(parts)


def short_payload(there: int, elements: int) -> str:
    """A note about a payload that is shorter than its tensor."""
    return (
        tr(
            "The payload contains {there:,} of the {elements:,} elements of this shape; the others are missing.",
            there=there,
            elements=elements,
        )
        if (there < elements)
        else ""
    )


def no_values(model: Model, row: int) -> str:
    """Why the values of a tensor cannot be shown."""
    own = model.tensors
    kind = int(own.data_type[row])
    if kind < 0:
        return tr("Its message could not be decoded, so its shape and type are unknown; see Issues.")
    if kind >= len(DATA_TYPES):
        return tr("Its data type is {data_type}, so only its bytes can be shown.", data_type=data_type(kind))
    if int(elements(own.shape)[row]) < 0:
        return tr("Its shape is invalid: a dimension is negative, or there are 2^63 elements or more.")
    if not int(elements(own.shape)[row]):
        return tr("Its shape has a dimension of 0, so there are no values.")
    return tr("The position of its values is unknown.")


def runs(model: Model, row: int) -> str:
    """How many calls of the model use up a feed; "" if that is not known."""
    own = model.anchors
    for anchor in ((own.name == model.tensors.name[row]) & (own.type == ANCHOR_INPUT)).nonzero()[0].tolist():
        usage = consumed(model, row, anchor)
        if usage is not None:
            sentences: list[str] = [
                plural(
                    "All tensors contain {count:,} input element.",
                    "All tensors contain {count:,} input elements.",
                    count=usage.held,
                ),
                plural(
                    "A call takes {taken:,}: enough for {count:,} call.",
                    "A call takes {taken:,}: enough for {count:,} calls.",
                    count=usage.runs,
                    taken=usage.taken,
                ),
            ]
            if usage.in_last != usage.taken:
                sentences.append(tr("The last call takes {in_last:,}.", in_last=usage.in_last))
            if not model.metadata.inference[int(own.metadata[anchor])]:
                sentences.append(tr("Gradient accumulation is assumed to be 1."))
            return " ".join(sentences)
    return ""


def left_out(wanted: Slice, shown: Slice) -> str:
    """A note about the part of the slice that is too large for the table."""
    parts: list[str] = []
    if len(shown.rows) < len(wanted.rows):
        first, last = shown.rows[0], shown.rows[-1]
        parts.append(tr("rows {first:,} to {last:,} of {count:,}", first=first, last=last, count=len(wanted.rows)))
    if len(shown.columns) < len(wanted.columns):
        first, last = shown.columns[0], shown.columns[-1]
        parts.append(
            tr("columns {first:,} to {last:,} of {count:,}", first=first, last=last, count=len(wanted.columns))
        )
    if not parts:
        return ""
    return tr("Shown: {parts}. Type a range such as 1000:2000 to see others.", parts=", ".join(parts))


def place(part: Slice, row: int, column: int) -> str:
    """The index of a cell in the tensor, in the form that can be typed."""
    indices = [pick.start for pick in part.picks]
    for dim, index in zip(part.open, (row, column), strict=False):
        indices[dim] = part.picks[dim][index]
    return f"[{', '.join(map(str, indices))}]"


def progress(done: int, of: int) -> str:
    """Progress of the statistics."""
    return tr("reading {done}", done=percent(100 * done / max(of, 1)))


def statistics_prompt(taken: int, look: Look) -> str:
    """A note shown before statistics of a large tensor are computed."""
    return tr("Computing statistics reads all {taken} twice.", taken=format_value(taken, "B", look))


def bins(summary: Summary, number: int) -> str:
    """The text of a histogram bar."""
    low, high = (number_text(plain_number(edge)) for edge in summary.edges[number : number + 2].tolist())
    count = int(summary.bins[number])
    return plural(
        "{low} to {high}: {count:,} value ({percent} of the finite ones)",
        "{low} to {high}: {count:,} values ({percent} of the finite ones)",
        low=low,
        high=high,
        count=count,
        percent=percent(100 * count / max(summary.finite, 1)),
    )


def plain_number(value: float) -> float | int:
    """``value`` as an int if it is whole."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


WIDE, NARROW = 16, 8


class HexLine(NamedTuple):
    """``offset``, then the bytes in groups of eight, then the same bytes as ASCII. ``differs``: the
    places in the line of those that differ from the baseline."""

    offset: str
    bytes: str
    text: str
    differs: tuple[int, ...] = ()


def lines_of(size: int, width: int) -> int:
    """Number of lines for ``size`` bytes at ``width`` bytes per line."""
    return -(-size // width)


def digits_of(size: int) -> int:
    """Number of digits of an offset, the same on every line."""
    return max(8, len(f"{max(size - 1, 0):x}"))


def letters_of(size: int, width: int) -> int:
    """Number of characters in a whole line, with two between its parts."""
    return digits_of(size) + 2 + 3 * width + width // 8 + 2 + width


def hex_line(offset: int, content: bytes, digits: int, before: bytes | None = None) -> HexLine:
    """One line; an empty ``content`` means that it has not been read yet. ``before``: the bytes of the baseline there,
    None without one."""
    groups = [content[start : start + 8].hex(" ") for start in range(0, len(content), 8)]
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in content)
    differs: tuple[int, ...] = ()
    if before is not None:
        differs = tuple(place for place, byte in enumerate(content) if before[place : place + 1] != bytes((byte,)))
    return HexLine(f"{offset:0{digits}x}", "  ".join(groups), text, differs)


def letter_of(place: int) -> int:
    """The first character of a byte in the text of a line's bytes."""
    return 3 * place + place // 8
