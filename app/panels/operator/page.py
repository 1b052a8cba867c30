"""The operator's basic information as a page."""

from __future__ import annotations

from app.analysis.ascend import base_info
from app.language import tr
from app.profile.operator import Operator
from app.widgets.display import Display
from app.widgets.sheet import Line, Sheet
from app.widgets.units import exact, format_value

THROTTLED = tr("The chip ran clearly below its rated frequency; times are longer than they need be.")


def page(base: Operator, display: Display) -> Sheet:
    """Name, facts and advice."""
    look = display.look
    sheet = Sheet(display)
    sheet.title(base.name or tr("Operator without a name"))
    advice = [*base.advice, *([THROTTLED] if base_info.throttled(base) and not base.advice else [])]
    for text in advice:
        sheet.say(f"▲ {text}", look.theme.warning)
    sheet.space(4)
    sheet.facts(_line(fact) for fact in base_info.facts(base))
    sheet.end()
    return sheet


def _line(fact: base_info.Fact) -> Line:
    shown = format_value(fact.value, fact.unit)
    full = exact(fact.value, fact.unit)
    help_ = "\n".join(part for part in (fact.help, full if full != shown else "") if part)
    return Line(fact.label, shown, help_)
