"""A tensor: its statistics, and its values as a table, an image, a histogram or bytes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.analysis.popef.values import Summary, remark
from app.analysis.table import Table
from app.analysis.tables.popef import histogram_table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.content.compared_tensor import ComparedTensor
from app.panels.content.hex_view import HexView
from app.panels.content.image import ImageScene, Picture, picture
from app.panels.content.subject import FirstDifference
from app.panels.content.tensor_bar import BYTES, HISTOGRAM, IMAGE, VALUES, TensorBar
from app.panels.content.values import Sides, ValuesView
from app.profile.arrays import F64, I64
from app.profile.popef import Model
from app.profile.profile import Profile
from app.store.outputs import safe_name
from app.store.payload import Tensor, Values, payload_of, save_npy, summarise, tensor_of, whole_feed
from app.views.chart.histogram import bins_chart
from app.views.chart.model import FIXED, Axis, Chart, Tick
from app.views.content import words
from app.views.content.words import Written
from app.views.look import Look
from app.views.units import MOST_DECIMALS, decimals_needed, plain, signed
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.dialogs import ask_target
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.tabular import Tabular

AUTOMATIC = 256 << 20
"""Statistics of tensors larger than this (bytes) are computed only on request."""


class PreparedSlice(NamedTuple):
    """A slice with everything needed to show it, prepared in the background so that the window stays responsive."""

    values: Values
    written: Written
    picture: Picture | None
    sides: Sides | None = None

    @classmethod
    def at(cls, values: Values, sides: Sides | None = None) -> PreparedSlice:
        shown = picture(values, signed=sides is not None) if values.numbers.size else None
        return cls(values, words.written(values.numbers), shown, sides)


class TensorView(QWidget):
    """The pages of one tensor. Slices, statistics and files are read in the background; the previous content stays
    visible until the new one is ready."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._profile: Profile | None = None
        self._row = -1
        self.tensor: Tensor | None = None
        self._unsummed = False
        """Whether statistics are to be computed as soon as the first values are there."""
        self._slices, self._sums, self._saving = Background(self), Background(self), Background(self)
        self._baseline: tuple[Profile, int] | None = None
        self._compares = False
        self.bar = TensorBar(display, self)
        self.compared = ComparedTensor(self.bar, self)
        self.difference = FirstDifference(display, self)
        self.values = ValuesView(display, self)
        self.image: PlaneCanvas[ImageScene] = PlaneCanvas(display, self)
        self.histogram = Histogram(display, self)
        self.bytes = HexView(display, self)
        self.pages = QStackedWidget(self)
        for page in (self.values, self.image, self.histogram, self.bytes):
            self.pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.difference)
        layout.addWidget(self.pages, 1)
        self.setFocusProxy(self.pages)
        self.bar.page_wanted.connect(self._turn)
        self.bar.side_wanted.connect(self._read)
        self.difference.wanted.connect(self.bytes.go_to)
        self.bar.number_wanted.connect(self._show)
        self.bar.slice_bar.changed.connect(self._read)
        self.bar.compute.clicked.connect(self._summarise)
        self.bar.log.toggled.connect(self.histogram.set_log)
        self.bar.save.clicked.connect(self._ask_where)
        display.changed.connect(self._entitle)

    @property
    def busy(self) -> bool:
        """Whether a request is still running."""
        own = (self._slices, self._sums, self._saving, self.compared, self.difference)
        return self._unsummed or any(part.busy for part in own)

    def show_tensor(self, profile: Profile, row: int) -> None:
        """Shows a row of the model's tensors and feeds; of a feed its first tensor."""
        if profile is self._profile and row == self._row:
            return
        same = self._profile is not None and profile.model is self._profile.model and row == self._row
        self._profile, self._row = profile, row
        if not same and profile.model is not None:
            self._baseline, self._compares = None, False
            own = profile.model.tensors
            self.bar.offer_numbers(int(own.count[row]) if own.feed[row] else 0)
            self._show()

    def compare_with(self, before: tuple[Profile, int] | None) -> None:
        """Shows how the tensor differs from a row of the baseline's tensors; None: it has no such tensor."""
        if not self._compares or before != self._baseline:
            self._baseline, self._compares = before, True
            self._show_baseline()
            self._read()

    def end_comparison(self) -> None:
        """Shows the tensor alone."""
        if self._compares:
            self._baseline, self._compares = None, False
            self._show_baseline()
            self._read()

    def _show_baseline(self) -> None:
        """Says how the tensor differs from the baseline's, if it is compared."""
        profile, model = self._profile, self._model
        if profile is None or model is None or not self._compares:
            self.compared.forget()
            self.bytes.compare_with(None)
            self._say_first_difference()
            return
        self.compared.show(self._baseline, (profile, self._row), self.bar.number)
        self.bytes.compare_with(self.compared.payload)
        self._say_first_difference()

    def _say_first_difference(self) -> None:
        """Compares the bytes while they are shown."""
        profile, model = self._profile, self._model
        if profile is None or model is None or self.bar.choice.checkedId() != BYTES:
            self.difference.show_payloads(None, None)
            return
        payload = payload_of(profile, int(model.tensors.blob[self._row]))
        self.difference.show_payloads(self.compared.payload, payload)

    def clear(self) -> None:
        """Shows nothing, and cancels reading."""
        self._profile, self._row, self.tensor, self._unsummed = None, -1, None, False
        self._baseline, self._compares = None, False
        self.compared.forget()
        for background in (self._slices, self._sums):
            background.cancel()

    def save_as(self, path: Path) -> None:
        """Saves the whole tensor (of a feed: all its tensors) as a NumPy file."""
        tensor, model = self.tensor, self._model
        if tensor is None or model is None:
            return
        if model.tensors.feed[self._row]:
            tensor = whole_feed(tensor, int(model.tensors.count[self._row]))
        note = remark(tensor.data_type)
        self.bar.say(tr("Saving {path}", path=path.name))
        self._saving.run(
            Task(
                lambda token, report: save_npy(tensor, path, token, report),
                lambda _: self.bar.say(
                    tr("Saved {path}.", path=path.name) + (f" {note[0].upper()}{note[1:]}." if note else "")
                ),
                lambda error: self.bar.say(
                    tr("{path} could not be saved: {error}", path=path.name, error=error), wrong=True
                ),
                lambda done, of: self.bar.say(
                    tr("Saving {path}: {progress}", path=path.name, progress=words.progress(done, of))
                ),
            )
        )

    @property
    def _model(self) -> Model | None:
        return None if self._profile is None else self._profile.model

    def _show(self) -> None:
        """Shows the tensor with the chosen number."""
        profile, model = self._profile, self._model
        if profile is None or model is None:
            return
        self.tensor = tensor_of(profile, self._row, self.bar.number)
        self._entitle()
        payload = payload_of(profile, int(model.tensors.blob[self._row]))
        self.bytes.show_payload(payload)
        self._show_baseline()
        self.bar.offer_pages(self.tensor is not None and self.tensor.elements > 0)
        if self.tensor is None or not self.tensor.elements:
            self._slices.cancel()
            self._sums.cancel()
            self.values.show_values(None)
            self.image.set_scene(None)
            self.bar.say_statistics("")
            self.bar.say(words.no_values(model, self._row), wrong=self.tensor is None)
            return
        self.bar.slice_bar.set_shape(self.tensor.shape)
        self._say_notes()
        self._read()
        if self.tensor.there * self.tensor.stored.itemsize <= AUTOMATIC:
            self._summarise()
        else:
            self._sums.cancel()
            self.histogram.show_summary(None)
            self.bar.offer_statistics(
                words.statistics_prompt(self.tensor.there * self.tensor.stored.itemsize, self._display.look)
            )

    def _entitle(self) -> None:
        """Updates the title, which contains colours and units of the look."""
        if self._model is not None:
            self.bar.set_title(words.tensor_title(self._model, self._row, self._display.look))

    def _say_notes(self, more: str = "") -> None:
        """Shows notes about the values."""
        tensor, model = self.tensor, self._model
        if tensor is None or model is None:
            return
        short = words.short_payload(tensor.there, tensor.elements)
        feed = words.runs(model, self._row) if model.tensors.feed[self._row] else ""
        self.bar.say(" ".join(part for part in (short, feed, more) if part), wrong=bool(short))

    def _read(self) -> None:
        tensor = self.tensor
        if tensor is None or not tensor.elements:
            return
        part = self.bar.slice_bar.part.limited()
        read = self.compared.reader(tensor, self.bar.side)
        self._slices.run(
            Task(
                lambda token, _: PreparedSlice.at(*read(part, token)),
                self._take_values,
                self._no_values,
            )
        )

    def _no_values(self, error: FormatError) -> None:
        self._unsummed = False
        self.values.show_values(None)
        self.image.set_scene(None)
        self._no_summary(error)

    def _take_values(self, prepared: PreparedSlice) -> None:
        self.values.show_values(prepared.values, prepared.written, prepared.sides)
        self.image.set_scene(None if prepared.picture is None else ImageScene(prepared.values, prepared.picture))
        self._say_notes(words.left_out(self.bar.slice_bar.part, prepared.values.part))
        if self._unsummed:
            self._unsummed = False
            self._summarise()

    def _summarise(self) -> None:
        tensor = self.tensor
        if tensor is None:
            return
        self.bar.say_statistics(self.bar.statistics_text or tr("reading"))
        self._sums.run(
            Task(
                lambda token, report: summarise(tensor, token, report),
                self._take_summary,
                self._no_summary,
                lambda done, of: self.bar.say_statistics(words.progress(done, of)),
            )
        )

    def _take_summary(self, summary: Summary) -> None:
        if self.tensor is not None:
            self.bar.say_statistics(words.statistics(summary, self.tensor.data_type))
            self.histogram.show_summary(summary)

    def _no_summary(self, error: FormatError) -> None:
        self.histogram.show_summary(None)
        self.bar.say_statistics("")
        self.bar.say(str(error), wrong=True)

    def _turn(self, page: int) -> None:
        self.pages.setCurrentIndex(page)
        self.bar.log.setVisible(page == HISTOGRAM)
        self.bar.slice_bar.setVisible(page in (VALUES, IMAGE))
        self._say_first_difference()
        if page == BYTES:
            self.bytes.viewport().update()

    def _ask_where(self) -> None:
        model = self._model
        if model is None or self.tensor is None:
            return
        name = model.strings.get(int(model.tensors.name[self._row])) or "tensor"
        ask_target(self, tr("Save as a NumPy file"), safe_name(name), self.save_as, {".npy": tr("NumPy array")})


TICKS = 4


class ValuesPicture(Struct, frozen=True, eq=False):
    """Bars of the histogram. ``log``: their heights are logarithms of the counts, so that rare values show beside
    frequent ones."""

    summary: Summary
    log: bool = False

    def chart(self, _look: Look) -> Chart:
        """The chart: counts upwards, the edges of the bins across."""
        summary, most = self.summary, int(self.summary.bins.max(initial=0))
        count = len(summary.bins)
        heights = np.log1p(summary.bins) if self.log else summary.bins
        top = (math.log1p(most) if self.log else float(most)) or 1.0
        edges = tuple(Tick(float(number), edge_text(summary.edges, number)) for number in range(count + 1))
        counts = tuple(Tick(share * top, "", plain(value)) for share, value in count_ticks(most, log=self.log))
        return bins_chart(
            tr("Values"),
            [float(height) for height in heights.tolist()],
            [words.bins(summary, number) for number in range(count)],
            Axis("", 0.0, float(max(count, 1)), least=FIXED, named=edges, grid=False),
            Axis("", 0.0, top, least=FIXED, named=counts),
            heading="",
            selectable=False,
        )


class Histogram(ChartCanvas[ValuesPicture], Tabular):
    """The histogram as a widget; it can be exported as a picture and as a table."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self.summary: Summary | None = None
        self.log = False

    def show_summary(self, summary: Summary | None) -> None:
        self.summary = summary
        shown = summary is not None and len(summary.bins) > 0
        self.show_picture(ValuesPicture(summary, self.log) if summary is not None and shown else None)

    def set_log(self, log: bool) -> None:
        self.log = log
        self.show_summary(self.summary)

    def shown_table(self) -> Table | None:
        summary = self.summary
        return None if summary is None else histogram_table(summary)

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return np.empty(0, np.int64)


def count_ticks(most: int, *, log: bool) -> list[tuple[float, int]]:
    """(share of the height, count) of the ticks up to ``most``: whole counts, each at its true height."""
    shares = [step / TICKS for step in range(TICKS + 1)]
    counts = {round(math.expm1(share * math.log1p(most)) if log else share * most) for share in shares}
    top = math.log1p(most) if log else most
    return [((math.log1p(count) if log else count) / (top or 1), count) for count in sorted(counts)]


def edge_text(edges: F64, number: int) -> str:
    """An edge with enough digits to tell it from its neighbours."""
    value, width = float(edges[number]), float(edges[-1] - edges[0]) / max(len(edges) - 1, 1)
    decimals = decimals_needed(width / 10)
    if decimals == MOST_DECIMALS:  # powers of ten are easier to read
        return words.number_text(value)
    rounded = words.plain_number(round(value, decimals))
    return words.number_text(rounded) if isinstance(rounded, int) else signed(f"{rounded:.{decimals}f}".rstrip("0"))
