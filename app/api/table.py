"""A table: columns as numpy arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from operator import index as whole_index
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from app.analysis import table as analysis
from app.analysis.about import About
from app.analysis.export import heads
from app.analysis.table import subset
from app.api.arguments import whole
from app.api.notebook import SHOWN_ROWS, html_table, meant, paragraph
from app.language import untranslated
from app.optional_packages import how_to_get
from app.store.table_files.kinds import KINDS
from app.store.table_files.save import save_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Values: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class Table:
    """Columns of equal length by name: ``table["busy"]``. Figures are unscaled, in the unit that ``units`` names."""

    def __init__(
        self, table: analysis.Table, about: About, inputs: Iterable[Path] = (), check: Callable[[], None] = lambda: None
    ) -> None:
        self._table = table
        self._check = check
        self._about = about
        self._inputs = tuple(inputs)
        self._columns = {column.key: column for column in table.columns}

    def __repr__(self) -> str:
        return f"<tilesight.Table {self.name!r}: {len(self):,} rows, {len(self.columns)} columns>"

    def __len__(self) -> int:
        return self._table.rows

    def _repr_html_(self) -> str:
        """For notebooks: the first rows."""
        first = (self.row(row).values() for row in range(min(len(self), SHOWN_ROWS)))
        table = html_table(heads(self._table), [list(cells) for cells in first])
        return table + paragraph(f"{self.name}: {len(self):,} rows, {len(self.columns)} columns")

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Values:
        """TypeError: numpy and the constructor of pandas would make one column of the names."""
        raise TypeError(
            f"{self.name} has columns of several types: use table[name], to_pandas() or DataFrame.from_arrow"
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow stream that ``pyarrow.table``, ``polars.DataFrame``, ``pandas.DataFrame.from_arrow`` and DuckDB
        take. ImportError without pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self), len(self.columns)

    def head(self, rows: int = 5) -> Table:
        """The first rows. TypeError for no whole number, ValueError below 0."""
        chosen = np.arange(min(whole("rows", rows), len(self)), dtype=np.int64)
        return Table(subset(self._table, chosen), self._about, self._inputs, self._check)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> Values:
        """A column. Numbers are read-only and, where possible, not copied; cells without data are NaN, or masked (a
        ``numpy.ma.MaskedArray``) where the column is of integers or booleans. Texts are an array of ``str``, None
        without text. KeyError if there is no such column."""
        column = self._column(name)
        self._check()
        if isinstance(column.values, analysis.Coded):
            return texts_of(column.values)
        if isinstance(column.values, tuple):
            return _fixed(np.array([*map(untranslated, column.values), None], object)[:-1])
        if column.missing is None:
            return _fixed(column.values.view())
        if column.values.dtype.kind == "f":
            return _fixed(np.where(column.missing, np.nan, column.values))
        return np.ma.MaskedArray(_fixed(column.values.view()), _fixed(column.missing.view()))

    @property
    def name(self) -> str:
        return self._table.id

    @property
    def title(self) -> str:
        return self._table.title

    @property
    def note(self) -> str:
        """What has to be known about the whole table; "" if nothing."""
        return self._table.note

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column, "" for numbers without one, texts, and columns of mixed units."""
        return {name: column.unit for name, column in self._columns.items()}

    @property
    def help(self) -> dict[str, str]:
        """The source or the formula of each column that states one."""
        return {name: column.help for name, column in self._columns.items() if column.help}

    @property
    def roles(self) -> dict[str, str]:
        """What each column says about a row: ``name``, ``kind``, ``key`` (a number that other tables refer to),
        ``place`` (a time or an address), ``code``, ``counter`` (named by the file or by the counters of its device:
        other files may not have it), or "" for figures and other texts."""
        return {name: column.role for name, column in self._columns.items()}

    def codes(self, name: str) -> tuple[Values, list[str]]:
        """A column of texts without a ``str`` for each row: numbers of texts (-1: no text), and the texts. TypeError
        for other columns."""
        values = self._column(name).values
        if not isinstance(values, analysis.Coded):
            raise TypeError(f"{name} is no column of interned texts")
        return _fixed(values.ids.view()), values.strings.for_programs().tolist()

    def row(self, index: int) -> dict[str, Any]:
        """The cells of a row; None without data. IndexError outside the table, TypeError for no whole number."""
        index = whole_index(index)
        if not 0 <= index < len(self):
            raise IndexError(index)
        cells = {name: column.value(index) for name, column in self._columns.items()}
        return {name: untranslated(cell) if isinstance(cell, str) else cell for name, cell in cells.items()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """All rows, one after the other; columns are faster."""
        for index in range(len(self)):
            yield self.row(index)
        self._check()

    def save(self, path: str | Path, *, remarks: bool = False) -> None:
        """Writes a .csv, .tsv, .json, .xlsx or .parquet file, as `export --table` does; ``remarks``: CSV and TSV begin
        with lines (``# …``) about the source, which all others have in their metadata. ValueError for another ending;
        ImportError without XlsxWriter or pyarrow; OSError. UserWarning says what the file does not hold: the rest of
        texts that are longer than a cell of a workbook."""
        target = Path(path)
        kind = KINDS.get(target.suffix.lower())
        if kind is None:
            raise ValueError(f"{target.name}: the name must end in {' or '.join(KINDS)}")
        if kind.why_not:
            raise ImportError(kind.why_not)
        lost = save_table(self._table, target, self._about, self._inputs, remarks=remarks, look=lambda _: self._check())
        if lost:
            warnings.warn(f"{target}: {lost}", UserWarning, stacklevel=2)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame; texts as categories, integers without data as NA. ``attrs`` has the units. ImportError without
        pandas."""
        import pandas

        frame = pandas.DataFrame({name: _series(column, self[name]) for name, column in self._columns.items()})
        frame.attrs = {"name": self.name, "units": self.units}
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table; texts as dictionaries, cells without data as nulls. The metadata of each field has its unit.
        ImportError without pyarrow."""
        try:
            import pyarrow
        except ImportError:
            raise ImportError(f"Arrow needs pyarrow: {how_to_get('parquet')}") from None

        arrays = [_arrow(column, self[name]) for name, column in self._columns.items()]
        fields = [
            pyarrow.field(name, array.type, metadata={"unit": self.units[name]})
            for name, array in zip(self.columns, arrays, strict=True)
        ]
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata={"name": self.name}))

    def to_polars(self) -> polars.DataFrame:
        """A data frame. ImportError without polars and pyarrow."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def _column(self, name: str) -> analysis.Column:
        if name not in self._columns:
            raise KeyError(f"{self.name} has no column {name!r}{meant(str(name), self.columns)}")
        return self._columns[name]


def texts_of(values: analysis.Coded) -> Values:
    """object[rows]: the text of each row, None for no text."""
    texts = np.array([*values.strings.for_programs().tolist(), None], object)  # the last entry serves -1
    return _fixed(texts[values.ids])


def _fixed(values: Values) -> Values:
    values.flags.writeable = False
    return values


def _series(column: analysis.Column, values: Values) -> Any:
    import pandas

    if isinstance(column.values, analysis.Coded):
        return pandas.Categorical(values)
    if isinstance(values, np.ma.MaskedArray):
        data = np.array(values.data)
        kind = pandas.arrays.BooleanArray if data.dtype.kind == "b" else pandas.arrays.IntegerArray
        return kind(data, np.array(values.mask))
    return values


def _arrow(column: analysis.Column, values: Values) -> Any:
    import pyarrow

    if isinstance(column.values, analysis.Coded):
        ids, texts = np.asarray(column.values.ids), column.values.strings.for_programs().tolist()
        return pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(ids, mask=ids < 0), pyarrow.array(texts, pyarrow.string())
        )
    if isinstance(values, np.ma.MaskedArray):
        return pyarrow.array(values.data, mask=np.asarray(values.mask))
    return pyarrow.array(values, from_pandas=True)  # NaN is no data
