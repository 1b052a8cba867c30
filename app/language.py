"""Translated texts for the user interface.

Every text that a person reads goes through ``tr`` or ``plural``. Both take the English text itself as a literal, so
that the texts can be extracted, and named arguments for its placeholders: ``tr("{file}: byte {offset:,}", file=name,
offset=at)``. A placeholder is ``{name}`` or, for a whole number with separators, ``{name:,}``; a literal brace is
doubled.

What they return is a ``str`` in the language of this process. It keeps its source text and arguments, so that a text
stored or sent to another process can be shown in another language there.

The language is chosen when this module is imported, before any text is made: module constants are texts too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import index
from string import Formatter
from typing import TYPE_CHECKING, Protocol, TypeAlias

from app.preferred_language import ENGLISH, VARIABLE
from app.resources import resource

PSEUDO = "pseudo"
"""A language for tests: accented English between brackets, so that a text that was not marked for translation stands
out."""

Argument: TypeAlias = object
"""The value of a placeholder: a text, a number, or another Message."""
Packed: TypeAlias = "str | int | float | list[str | dict[str, Packed]]"
"""A text as it is stored: plain, or [English singular, English plural, arguments]."""

_PLACES = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z_][a-z_0-9]*(?::,)?\})*")
_PLACE = re.compile(r"(\{[^{}]*\})")
_BRACKET = re.compile(r" \(|\s*（")
_FULL_WIDTH = "（）：；，。、"
_IDEOGRAPHS = "\u3400-\u9fff"
_NO_SPACE = rf"[{_FULL_WIDTH}{_IDEOGRAPHS}][{_FULL_WIDTH}{_IDEOGRAPHS}]|[{_FULL_WIDTH}]\S|\S[{_FULL_WIDTH}]"
_CLAUSE = rf"[{_IDEOGRAPHS}）][:;,] "
_FULL_WIDTH_OF = {":": "：", ";": "；", ",": "，"}
_ONE_SPACE = rf"[{_IDEOGRAPHS}][A-Za-z0-9]|[A-Za-z0-9%][{_IDEOGRAPHS}]"
_ACCENTS = str.maketrans("AEIOUYaeiouyCcNn", "ÀÉÎÖÛÝàéîöûýÇçÑñ")


class Catalogue(Protocol):
    """The translations into one language, as ``gettext`` reads them."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, several: str, count: int, /) -> str: ...


class Message(str):
    """A text in the language of this process. ``english`` is its id, ``several`` the English plural ("" for a text
    without a count), ``arguments`` the values of its placeholders."""

    __slots__ = ("arguments", "english", "several")
    english: str
    several: str
    arguments: Mapping[str, Argument]

    def __new__(cls, english: str, several: str, arguments: Mapping[str, Argument]) -> Message:
        self = str.__new__(cls, _shown(english, several, arguments))
        self.english = english
        self.several = several
        self.arguments = arguments
        return self

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, Mapping[str, Argument]]]:
        return Message, (self.english, self.several, self.arguments)

    def with_texts(self, change: Callable[[str], str]) -> Message:
        """A copy with ``change`` applied to every text among its arguments."""
        changed = {name: _with_texts(value, change) for name, value in self.arguments.items()}
        return Message(self.english, self.several, changed)


if TYPE_CHECKING:
    Text: TypeAlias = str
else:
    Text = Message
"""The type of fields that are stored or sent and hold a text, which tells readers that they are not keys."""


def tr(english: str, /, **arguments: Argument) -> Message:
    """The text in the language of this process. ``english`` is a literal."""
    return Message(english, "", arguments)


def plural(one: str, several: str, /, **arguments: Argument) -> Message:
    """The plural form for the argument ``count``, a whole number. Both English texts are literals: ``one`` is the
    singular."""
    return Message(one, several, arguments)


def untranslated(text: str) -> str:
    """``text`` in English, as programs read it, whatever the language of this process."""
    if not isinstance(text, Message):
        return text
    english = text.several if text.several and text.arguments["count"] != 1 else text.english
    return english.format_map({name: _untranslated(value) for name, value in text.arguments.items()})


def _untranslated(value: Argument) -> Argument:
    return untranslated(value) if isinstance(value, Message) else value


def plain_text(value: object) -> str:
    """A text of Tilesight as a plain one, for encoders that do not know it (``enc_hook`` of msgspec).
    NotImplementedError for anything else."""
    if isinstance(value, Message):
        return f"{value}"
    raise NotImplementedError(f"{type(value).__name__} cannot be stored")


def joined(separator: str, texts: Iterable[str]) -> Message:
    """The texts joined by ``separator``; each can still be translated."""
    named = {f"p{number}": text for number, text in enumerate(texts)}
    return Message(separator.join(f"{{{name}}}" for name in named), "", named)


def labelled(label: object, value: object) -> Message:
    """``label: value``, with the colon of this language."""
    return tr("{label}: {value}", label=label, value=value)


def pieces(text: Message) -> Iterator[Argument]:
    """What ``text`` is put together from, in the order of this language: its own words, and its arguments as they are
    (as texts where a place has a format)."""
    pattern = _pattern(text.english, text.several, text.arguments)
    for words, name, form, _ in Formatter().parse(pattern):
        if words:
            yield words
        if name is not None:
            yield format(text.arguments[name], form) if form else text.arguments[name]


def capitalised(text: str) -> str:
    """``text`` as the beginning of a line: with a capital, but in Chinese foreign words stay as they are."""
    return text if _chinese else text[:1].upper() + text[1:]


def followed(left: str, right: str, *, ours: bool) -> str:
    """``left`` and then ``right``, with the spacing of this language; ``ours``: both are texts of Tilesight."""
    return _meeting(left, right, ours=ours, apart=True) if _chinese else left + right


def split_at_bracket(text: str) -> tuple[str, str]:
    """``text`` up to its first bracket, and the rest: Chinese has a wider bracket, and no space before it."""
    place = _BRACKET.search(text)
    return (text, "") if place is None else (text[: place.start()], text[place.start() :])


def pack(text: str) -> Packed:
    """``text`` in builtin types, for a file or a pipe. ValueError if it has places that ``unpack`` would refuse, a
    defect that is reported where the text was made."""
    if not isinstance(text, Message):
        return text
    if not (_PLACES.fullmatch(text.english) and _PLACES.fullmatch(text.several)):
        raise ValueError(f"a text has places that cannot be sent: {text.english}")
    return [text.english, text.several, {name: _packed(value) for name, value in text.arguments.items()}]


def unpack(packed: object) -> str:
    """The text that ``pack`` packed, in the language of this process. ValueError if it is malformed: it may come from a
    file that was edited, and only plain placeholders are filled."""
    match packed:
        case str():
            return packed
        case [str(english), str(several), dict(arguments)]:
            if not (_PLACES.fullmatch(english) and _PLACES.fullmatch(several)):
                raise ValueError("a text has places that cannot be filled")
            try:
                return Message(english, several, {str(name): _unpacked(value) for name, value in arguments.items()})
            except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
                raise ValueError(f"a text cannot be filled: {error}") from error
        case _:
            raise ValueError("this is no text")


def unpack_text(packed: object) -> Message:
    """As ``unpack``, but as a Message, for fields of type ``Text``."""
    return joined("", (unpack(packed),))


def _with_texts(value: Argument, change: Callable[[str], str]) -> Argument:
    if isinstance(value, Message):
        return value.with_texts(change)
    return value if isinstance(value, float) or hasattr(value, "__index__") else change(str(value))


def _packed(value: Argument) -> Packed:
    if isinstance(value, Message):
        return pack(value)
    if isinstance(value, Exception) and len(value.args) == 1 and isinstance(value.args[0], Message):
        return pack(value.args[0])
    if hasattr(value, "__index__"):  # also numpy numbers
        return index(value)
    return float(value) if isinstance(value, float) else str(value)


def _unpacked(value: object) -> Argument:
    return value if isinstance(value, int | float) else unpack(value)


def _shown(english: str, several: str, arguments: Mapping[str, Argument]) -> str:
    pattern = _pattern(english, several, arguments)
    if "{" not in pattern and "}" not in pattern:
        return pattern
    return _filled_chinese(pattern, arguments) if _chinese else pattern.format_map(arguments)


def _filled_chinese(pattern: str, arguments: Mapping[str, Argument]) -> str:
    """``pattern`` with its places filled, and Chinese spacing where two pieces meet: one space between an ideograph
    and a Latin letter or digit, none between ideographs or beside full-width punctuation; a colon, semicolon or comma
    after an ideograph is full-width. What is inside a piece stays as it is, and so does the border of a text that is
    not ours, such as a path."""
    shown, ours = "", False
    apart = not pattern.startswith("{p0}")  # joined texts get no space that their separator lacks
    for piece, is_ours in _filled_pieces(pattern, arguments):
        shown = _meeting(shown, piece, ours=ours and is_ours, apart=apart)
        ours = is_ours
    return shown


def _meeting(left: str, right: str, *, ours: bool, apart: bool) -> str:
    """``left`` and ``right`` with Chinese spacing between them; ``ours``: both are texts of Tilesight; ``apart``:
    whether a missing space is added."""
    if ours and re.fullmatch(_CLAUSE, left[-1:] + right[:2]):
        right = _FULL_WIDTH_OF[right[0]] + right[2:]
    before, after = left.removesuffix(" "), right.removeprefix(" ")
    spaces = len(left) - len(before) + len(right) - len(after)
    border = before[-1:] + after[:1]
    if spaces == 1 and ours and re.fullmatch(_NO_SPACE, border):
        return before + after
    if spaces == 0 and apart and re.fullmatch(_ONE_SPACE, border):
        return f"{before} {after}"
    return left + right


def _filled_pieces(pattern: str, arguments: Mapping[str, Argument]) -> Iterator[tuple[str, bool]]:
    """The words of ``pattern`` and the values of its places, each with whether it is a text of Tilesight."""
    for words, name, form, _ in Formatter().parse(pattern):
        if words:
            yield words, True
        if name is not None:
            value = arguments[name]
            yield format(value, form or ""), isinstance(value, Message)


def _pattern(english: str, several: str, arguments: Mapping[str, Argument]) -> str:
    """The text in the language of this process, before its places are filled."""
    if english.startswith("{p0}") or not english:  # joined texts: each has its own translation
        return english
    if not several:
        return english if _catalogue is None else _catalogue.gettext(english)
    count = arguments["count"]
    if _catalogue is None:
        return english if count == 1 else several
    return _catalogue.ngettext(english, several, int(count))  # type: ignore[call-overload]


class _Pseudo:
    """The PSEUDO language: every text in brackets and with accents."""

    def gettext(self, message: str, /) -> str:
        parts = _PLACE.split(message)
        return f"⟦{''.join(part if part.startswith('{') else part.translate(_ACCENTS) for part in parts)}⟧"

    def ngettext(self, one: str, several: str, count: int, /) -> str:
        return self.gettext(one if count == 1 else several)


def exists(name: str) -> bool:
    """Whether texts can be shown in the language ``name``: English, or that of a catalogue."""
    return name == ENGLISH or _chosen(name) is not None


def _chosen(name: str) -> Catalogue | None:
    """The catalogue of the language ``name``; None for English, or if there is none."""
    if name == PSEUDO:
        return _Pseudo()
    path = resource("languages", f"{name}.mo")
    if not re.fullmatch(r"[A-Za-z_]{2,12}", name) or not path.is_file():
        return None
    import gettext  # only loaded when it is needed

    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


_catalogue = _chosen(os.environ.get(VARIABLE, ""))
_chinese = _catalogue is not None and os.environ.get(VARIABLE, "").startswith("zh")
