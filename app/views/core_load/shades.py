"""Colours of the load levels."""

from __future__ import annotations

from app.views.colours import blend
from app.views.theme import Theme

LEVELS = (
    *("", "#FFF176", "#FFD600", "#FBC02D"),
    *("#A7CE52", "#81BA06", "#679405"),
    *("#EF5353", "#EC2829", "#D32322", "#BC2021"),
)
"""Colours of levels 1 to 10, as in MindStudio Insight (Ascend operator files, section 3.5); 0 is grey."""

TINT = 0.28


def shade(level: int, theme: Theme) -> str:
    """The colour of a level from 0 to 10."""
    return LEVELS[level] if 0 < level < len(LEVELS) else blend(theme.surface, theme.muted, 0.45)


def ground(level: int, theme: Theme) -> str:
    """The background of a tile: a pale tint of the level's colour that text reads well on."""
    return theme.raised if level < 0 else blend(theme.surface, shade(level, theme), TINT)
