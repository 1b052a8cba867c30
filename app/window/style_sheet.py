"""The style sheet of a theme, for what a palette cannot express: flat tabs with an accent line, thin scroll bars,
controls 28 pixels high, focus rings, hairlines. All its colours are tokens of the theme.

A style sheet, not a QProxyStyle: Qt would call a proxy in Python for every part of every control that it paints. Cells
of tables and trees are not mentioned here, since a rule for items doubles the time that each takes to paint; their
delegates draw them from the same tokens."""

from __future__ import annotations

import re

from app.resources import resource
from app.views.look import Theme
from app.widgets.icons import SIDE

CONTROL = 28
"""Height of buttons, fields and boxes in pixels, with a font of the usual size."""
RADIUS = 4
BAR = 10
"""Width of a scroll bar in pixels; its handle is 6 wide, and 8 under the pointer."""
INSIDE = CONTROL - 2 * (4 + 1)
"""What padding and border leave of CONTROL."""


VISIBLE = 3.0
"""Contrast of what must be seen to use a control (WCAG 2.2, 1.4.11)."""

LEAST_SCALED = 10
"""Lengths from so many pixels on grow with the texts; lines, gaps and corners stay as they are."""


STILL = (
    "QMainWindow, QTabBar, QScrollBar, QTreeView, QLineEdit, QComboBox, QProgressBar { widget-animation-duration: 0; }"
)
"""Added where nothing may move by itself."""


def stylesheet(theme: Theme, text_size: int = 100, *, still: bool = False) -> str:
    """Returns the style sheet of the application for texts of this size, in percent; ``still``: without animations."""
    parts = (_buttons, _fields, _boxes, _tabs, _scroll_bars, _tables, _menus, _window, _header, _texts, _cards)
    sheet = scaled("\n".join(part(theme) for part in parts), text_size)
    return f"{sheet}\n{STILL}" if still else sheet


def scaled(sheet: str, percent: int) -> str:
    """Returns a style sheet whose lengths from LEAST_SCALED on are ``percent`` as long."""

    def length(match: re.Match[str]) -> str:
        pixels = int(match[1])
        return f"{round(pixels * percent / 100) if pixels >= LEAST_SCALED else pixels}px"

    return re.sub(r"\b(\d+)px", length, sheet)


def image(theme: Theme, name: str) -> str:
    """Returns the address of a drawing in the theme's colours (``packaging/icons.py`` makes them)."""
    return f"url({resource('themes', theme.name, f'{name}.svg').as_posix()})"


def _buttons(theme: Theme) -> str:
    return f"""
QPushButton {{ min-height: {INSIDE}px; padding: 4px 12px; border: 1px solid {theme.border}; border-radius: {RADIUS}px;
  background: {theme.control}; color: {theme.text}; }}
QPushButton:hover {{ background: {theme.control_hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {theme.control_on}; }}
QPushButton:default {{ border-color: {theme.accent}; background: {theme.accent}; color: {theme.surface}; }}
QPushButton:default:hover {{ border-color: {theme.text}; }}
QPushButton:disabled {{ border-color: {theme.line}; background: {theme.raised}; color: {theme.disabled}; }}
QPushButton:focus {{ padding: 3px 11px; border: 2px solid {theme.focus}; }}
QPushButton:default:focus {{ border-color: {theme.text}; }}
QPushButton, QToolButton {{ icon-size: {SIDE}px; }}
QToolButton {{ min-height: {INSIDE - 1}px; padding: 3px; border: 1px solid transparent; border-radius: {RADIUS}px;
  background: transparent; color: {theme.text}; }}
QToolButton:hover {{ background: {theme.control_hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {theme.control_on}; }}
QToolButton:checked {{ border-color: {theme.accent}; }}
QToolButton:disabled {{ color: {theme.disabled}; background: transparent; }}
QToolButton:focus {{ padding: 2px; border: 2px solid {theme.focus}; }}
QToolButton[tone]:hover, QToolButton[tone]:checked {{ color: {theme.text}; }}
QToolButton[tone] {{ min-height: 0; padding: 1px; }}
QToolButton[popupMode="1"] {{ padding-right: 20px; }}
QToolButton[popupMode="2"] {{ padding-right: 18px; }}
QToolButton::menu-button {{ width: 18px; border: none; }}
QToolButton::menu-arrow {{ image: {image(theme, "chevron-down")}; width: 12px; height: 12px; }}
QToolButton::menu-indicator {{ image: {image(theme, "chevron-down")}; width: 12px; height: 12px;
  subcontrol-origin: padding; subcontrol-position: right center; right: 3px; }}
QToolButton::left-arrow {{ image: {image(theme, "chevron-left")}; width: 12px; height: 12px; }}
QToolButton::right-arrow {{ image: {image(theme, "chevron-right")}; width: 12px; height: 12px; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
"""


def _fields(theme: Theme) -> str:
    return f"""
QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit, QTextEdit {{ border: 1px solid {theme.border};
  border-radius: {RADIUS}px; background: {theme.control}; color: {theme.text};
  placeholder-text-color: {theme.muted}; selection-background-color: {theme.selection};
  selection-color: {theme.surface}; }}
QLineEdit {{ min-height: {INSIDE}px; padding: 4px 6px; }}
QAbstractSpinBox {{ min-height: {CONTROL - 5}px; padding: 0 6px; }}
QComboBox {{ min-height: {INSIDE}px; padding: 4px 20px 4px 8px; }}
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover {{ border-color: {theme.muted}; }}
QLineEdit:focus {{ padding: 3px 5px; border: 2px solid {theme.focus}; }}
QAbstractSpinBox:focus {{ min-height: {CONTROL - 7}px; padding: 0 5px; border: 2px solid {theme.focus}; }}
QComboBox:focus {{ padding: 3px 19px 3px 7px; border: 2px solid {theme.focus}; }}
QPlainTextEdit, QTextEdit {{ padding: 1px; }}
QPlainTextEdit:focus, QTextEdit:focus {{ padding: 0; border: 2px solid {theme.focus}; }}
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {{ border-color: {theme.line};
  color: {theme.disabled}; }}
QLineEdit[invalid="true"] {{ border-color: {theme.error}; }}
QPlainTextEdit[frameShape="0"], QTextEdit[frameShape="0"] {{ padding: 0; border: none; background: transparent; }}
QLineEdit QToolButton, QLineEdit QToolButton:focus {{ min-height: 0; padding: 0; border: none; }}
QLineEdit QToolButton:focus {{ background: {theme.control_hover}; border: 1px solid {theme.focus}; }}
QAbstractItemView QLineEdit {{ min-height: 0; padding: 0 4px; border-radius: 0; }}
QComboBox QLineEdit, QAbstractSpinBox QLineEdit {{ min-height: 0; padding: 0; border: none; background: transparent; }}
QComboBox::drop-down {{ width: 20px; border: none; subcontrol-origin: border; subcontrol-position: center right; }}
QComboBox::down-arrow {{ image: {image(theme, "chevron-down")}; width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ border: 1px solid {theme.border}; background: {theme.surface}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 18px; border: none; background: transparent; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {theme.control_hover}; }}
QAbstractSpinBox::up-arrow {{ image: {image(theme, "chevron-up")}; width: 10px; height: 10px; }}
QAbstractSpinBox::down-arrow {{ image: {image(theme, "chevron-down")}; width: 10px; height: 10px; }}
QSlider:horizontal {{ min-height: {CONTROL - 4}px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {theme.line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {theme.accent}; }}
QSlider::handle:horizontal {{ width: 12px; margin: -5px 0; border: 1px solid {theme.border}; border-radius: 7px;
  background: {theme.control}; }}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ border-color: {theme.focus}; }}
QProgressBar {{ border: none; border-radius: 3px; background: {theme.line}; }}
QProgressBar::chunk {{ border-radius: 3px; background: {theme.accent}; }}
"""


def _boxes(theme: Theme) -> str:
    indicators = "QCheckBox::indicator{0}, QAbstractItemView::indicator{0}"
    return f"""
QCheckBox {{ spacing: 6px; margin: 0 4px; }}
QCheckBox:disabled {{ color: {theme.disabled}; }}
{indicators.format("")} {{ width: 14px; height: 14px; border: 1px solid {theme.border}; border-radius: 3px;
  background: {theme.control}; }}
{indicators.format(":hover")} {{ background: {theme.control_hover}; }}
{indicators.format(":checked")} {{ border-color: {theme.accent}; background: {theme.accent};
  image: {image(theme, "check-on")}; }}
{indicators.format(":indeterminate")} {{ border-color: {theme.accent}; background: {theme.accent};
  image: {image(theme, "minus-on")}; }}
{indicators.format(":disabled")} {{ border-color: {theme.line}; background: {theme.line}; }}
QCheckBox::indicator:focus {{ border: 2px solid {theme.focus}; width: 12px; height: 12px; }}
"""


def _tabs(theme: Theme) -> str:
    return f"""
QTabBar {{ border: none; background: transparent; }}
QTabBar::tab {{ padding: 5px 10px 4px 10px; border: none; border-bottom: 2px solid transparent; background: transparent;
  color: {theme.muted}; }}
QMainWindowTabBar::tab {{ min-height: 20px; }}
QTabBar::tab:hover:!selected {{ background: {theme.control_hover}; color: {theme.text}; }}
QTabBar::tab:selected {{ border-bottom-color: {theme.accent}; color: {theme.text}; }}
QTabBar::tab:selected:focus {{ border-bottom-color: {theme.focus}; background: {theme.control_on}; }}
QTabBar::tab:disabled {{ color: {theme.disabled}; }}
QTabBar::scroller {{ width: 40px; }}
QTabBar QToolButton {{ min-height: 0; padding: 0; border: none; border-radius: 0; background: {theme.raised}; }}
"""


def _scroll_bars(theme: Theme) -> str:
    return f"""
QScrollBar {{ border: none; background: transparent; }}
QScrollBar:vertical {{ width: {BAR}px; }}
QScrollBar:horizontal {{ height: {BAR}px; }}
QScrollBar::handle {{ border-radius: 3px; background: {theme.border}; }}
QScrollBar::handle:vertical {{ min-height: 28px; margin: 2px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; margin: 2px; }}
QScrollBar::handle:vertical:hover, QScrollBar::handle:vertical:pressed {{ margin: 1px; border-radius: 4px;
  background: {theme.muted}; }}
QScrollBar::handle:horizontal:hover, QScrollBar::handle:horizontal:pressed {{ margin: 1px; border-radius: 4px;
  background: {theme.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ border: none; background: transparent; }}
"""


def _tables(theme: Theme) -> str:
    return f"""
QTableView, QTreeView {{ border: none; background: {theme.surface}; }}
QHeaderView, QTableCornerButton::section {{ border: none; background: {theme.raised}; }}
QHeaderView::section {{ padding: 4px 8px; border: none; border-bottom: 1px solid {theme.line};
  background: {theme.raised}; color: {theme.muted}; }}
QHeaderView::section:hover {{ color: {theme.text}; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{ width: 12px; height: 6px; subcontrol-position: top center; }}
QHeaderView::up-arrow {{ image: {image(theme, "chevron-up")}; }}
QHeaderView::down-arrow {{ image: {image(theme, "chevron-down")}; }}
#lines {{ border: none; background: {theme.surface}; }}
#lines::item {{ padding: 3px 4px; }}
QDialog #lines, QDialog QListView, QDialog QTableView, QDialog QTreeView {{ padding: 1px;
  border: 1px solid {theme.line}; border-radius: {RADIUS}px; }}
QDialog #lines:focus, QDialog QListView:focus, QDialog QTableView:focus, QDialog QTreeView:focus {{ padding: 0;
  border: 2px solid {theme.focus}; }}
#names {{ border: none; border-right: 1px solid {theme.line}; background: {theme.raised}; }}
#names::item {{ padding: 3px 7px; border: 1px solid transparent; color: {theme.text}; }}
#names::item:selected {{ border-color: {_edge(theme)}; background: {theme.control_on}; }}
#names::item:hover:!selected {{ background: {theme.control_hover}; }}
"""


def _edge(theme: Theme) -> str:
    """The outline of the current item in a theme of high contrast, where its ground alone does not stand out enough."""
    return theme.accent if theme.faintest >= VISIBLE else "transparent"


def _menus(theme: Theme) -> str:
    return f"""
QMenuBar {{ background: {theme.raised}; color: {theme.text}; }}
QMenuBar::item {{ padding: 3px 7px; border: 1px solid transparent; border-radius: {RADIUS}px;
  background: transparent; }}
QMenuBar::item:selected, QMenuBar::item:pressed {{ border-color: {_edge(theme)};
  background: {theme.control_hover}; }}
QMenu {{ padding: 4px; border: 1px solid {theme.border}; background: {theme.surface}; color: {theme.text}; }}
QMenu::item {{ padding: 3px 23px 3px 27px; border: 1px solid transparent; border-radius: {RADIUS}px; }}
QMenu::item:selected {{ border-color: {_edge(theme)}; background: {theme.control_on}; }}
QMenu::item:disabled {{ color: {theme.disabled}; }}
QMenu::separator {{ height: 1px; margin: 4px 8px; background: {theme.line}; }}
QMenu::icon {{ left: 6px; }}
QMenu::indicator {{ left: 6px; width: 14px; height: 14px; }}
QMenu::indicator:checked {{ image: {image(theme, "check")}; }}
QMenu::right-arrow {{ image: {image(theme, "chevron-right")}; width: 12px; height: 12px; right: 4px; }}
QToolTip {{ padding: 4px; border: 1px solid {theme.border}; background: {theme.raised}; color: {theme.text}; }}
"""


def _window(theme: Theme) -> str:
    """Docks never move by themselves: Qt 6.11 crashes where they are arranged again meanwhile."""
    return f"""
QDockWidget, QDockWidgetGroupWindow, QTabBar {{ widget-animation-duration: 0; }}
QMainWindow::separator {{ width: 4px; height: 4px; background: {theme.raised}; }}
QMainWindow::separator:hover {{ background: {theme.accent}; }}
QSplitter::handle {{ background: {theme.raised}; }}
QSplitter::handle:horizontal {{ width: 4px; }}
QSplitter::handle:vertical {{ height: 4px; }}
QSplitter::handle:hover {{ background: {theme.accent}; }}
QStatusBar {{ border-top: 1px solid {theme.line}; }}
QStatusBar::item {{ border: none; }}
#heading {{ border-bottom: 1px solid {theme.line}; background: {theme.raised}; }}
#groupButton {{ min-height: 0; padding: 1px; }}
#panelButtons QToolButton {{ min-height: 0; padding: 3px; }}
#heading QTabBar::tab {{ padding: 4px 8px; border: 1px solid transparent; border-radius: {RADIUS}px; }}
#heading QTabBar::tab:selected {{ border-color: {theme.accent}; background: {theme.control_on}; }}
#heading QTabBar::tab:selected:focus {{ border-color: {theme.focus}; }}
#reading {{ background: {theme.surface}; color: {theme.muted}; }}
#popup, #jobs {{ border: 1px solid {theme.border}; border-radius: 6px; background: {theme.surface}; }}
#filter {{ border: 1px solid {theme.border}; background: {theme.surface}; }}
#jobs QToolButton, QStatusBar QToolButton {{ min-height: 0; padding: 1px 4px; }}
#notices {{ border-bottom: 1px solid {theme.line}; background: {theme.surface}; }}
"""


def _header(theme: Theme) -> str:
    return f"""
#header {{ border-bottom: 1px solid {theme.line}; background: {theme.raised}; }}
#tabClose {{ min-height: 0; padding: 1px; }}
#chip {{ min-height: 0; padding: 1px 8px; border: 1px solid {theme.border}; border-radius: 9px;
  background: {theme.control_on}; color: {theme.text}; }}
#chip:hover {{ border-color: {theme.focus}; }}
#chip:focus {{ padding: 0 7px; border: 2px solid {theme.focus}; }}
#verdicts {{ border-bottom: 1px solid {theme.line}; background: {theme.surface}; }}
#claim {{ min-height: 0; padding: 3px 9px; border-right-color: {theme.line}; border-radius: 0; }}
#claim:focus {{ padding: 2px 8px; border-color: {theme.focus}; }}
#comparisonChip {{ border: 1px solid {theme.border}; border-radius: {RADIUS}px; background: {theme.control_on}; }}
"""


def _texts(theme: Theme) -> str:
    return f"""
#headingText {{ color: {theme.text}; font-weight: 600; }}
#title {{ color: {theme.text}; }}
#muted {{ color: {theme.muted}; }}
#error {{ color: {theme.error}; font-weight: 600; }}
#info {{ color: {theme.accent}; font-weight: 600; }}
QLabel[tone="muted"], QToolButton[tone="muted"] {{ color: {theme.muted}; }}
QLabel[tone="accent"], QToolButton[tone="accent"] {{ color: {theme.accent}; }}
QToolButton[tone="ok"] {{ color: {theme.ok}; }}
QLabel[tone="warning"], QToolButton[tone="warning"] {{ color: {theme.warning}; }}
QLabel[tone="error"], QToolButton[tone="error"] {{ color: {theme.error}; }}
"""


def _cards(theme: Theme) -> str:
    return f"""
#start {{ background: {theme.surface}; }}
#card {{ padding: 0; border: 1px solid {theme.line}; border-radius: 8px; background: {theme.raised}; }}
#card:hover {{ border-color: {theme.accent}; }}
#card:focus {{ border: 2px solid {theme.focus}; }}
#tour {{ border: 1px solid {theme.border}; border-radius: 8px; background: {theme.surface}; }}
#tour #helpPage {{ padding: 2px; border: none; background: transparent; }}
#tour #helpPage:focus {{ padding: 0; border: 2px solid {theme.focus}; }}
#tourMark {{ border: 3px dashed {theme.accent}; background: transparent; }}
#flat {{ min-height: 0; padding: 2px 2px 2px 0; border: 2px solid transparent; text-align: left;
  background: transparent; }}
#flat:hover, #flat:focus {{ background: {theme.control_hover}; }}
#flat:focus {{ border-color: {theme.focus}; }}
"""
