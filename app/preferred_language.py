"""The language of the program's texts: what the environment says, else the choice made in the window, else the
system's. Known before any text is made, because module constants are texts; so it takes effect at the next start."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from app.atomic import atomic_file
from app.places import config_folder

VARIABLE = "TILESIGHT_LANGUAGE"
"""The environment variable that names the language; processes that this one starts inherit it."""
FILE = "language"
"""In the folder of the settings; absent if the language is the system's. The command line reads it, too."""

LanguageChoice: TypeAlias = Literal["system", "en", "zh_CN"]
CHOICES: Final[tuple[LanguageChoice, ...]] = ("system", "en", "zh_CN")
ENGLISH = "en"
OPTIONS: Final = {"en": ENGLISH, "zh": "zh_CN"}
"""Languages as options of commands name them, and their catalogues."""
SIMPLIFIED = ("zh", "zh_cn", "zh_sg", "zh_hans")
"""Names of locales that are written in simplified Chinese."""
SIMPLIFIED_WINDOWS = (0x0804, 0x1004)
"""Windows' identifiers of these languages (China, Singapore)."""


def take_option(words: Sequence[str]) -> None:
    """Puts the language that ``--language`` names into the environment of this process."""
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--language":
            chosen = value if equals else "".join(words[place + 1 : place + 2])
            os.environ[VARIABLE] = OPTIONS.get(chosen, chosen)


def prefer() -> None:
    """Puts the language into the environment of this process, unless it names one."""
    if VARIABLE not in os.environ:
        choice = chosen()
        os.environ[VARIABLE] = system_language() if choice == "system" else choice


def chosen() -> LanguageChoice:
    """The choice made in the window."""
    try:
        with (config_folder() / FILE).open("rb") as file:
            text = file.read(32).decode("ascii", "replace").strip()
    except OSError:
        return "system"
    return next((choice for choice in CHOICES if choice == text), "system")


def choose(choice: LanguageChoice) -> None:
    """Saves the choice. OSError if it cannot be written."""
    path = config_folder() / FILE
    if choice == "system":
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as scratch:
        scratch.write_text(choice, "ascii")


def system_language() -> str:
    """The catalogue for the language of the system's menus and messages: ENGLISH if there is none for it."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError, AttributeError):
            import ctypes

            return "zh_CN" if ctypes.windll.kernel32.GetUserDefaultUILanguage() in SIMPLIFIED_WINDOWS else ENGLISH
    named = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    locale = next((name for name in named if name), "")
    if locale.split(".")[0] not in ("", "C", "POSIX"):  # the list of preferences counts only beside a real locale
        locale = os.environ.get("LANGUAGE", "").split(":")[0] or locale
    return "zh_CN" if locale.split(".")[0].split("@")[0].lower() in SIMPLIFIED else ENGLISH
