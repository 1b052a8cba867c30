"""The commands of the command line, and what they do."""

from __future__ import annotations

from typing import Final

from app.language import tr

COMMANDS: Final[dict[str, str]] = {
    "info": tr("what the files are, their main figures, what is wrong with them"),
    "dump": tr("the text that popef_dump prints of PopEF files, with its options"),
    "tables": tr("the names of tables and plots that export takes for these files"),
    "scaling": tr("throughput over replicas: the model, from typed numbers or a Poplar profile"),
    "compare": tr("a profile against a baseline: what differs, and what explains it"),
    "findings": tr("what is wrong with the files, with evidence and an upper bound of what it costs"),
    "query": tr("one SQL statement over the tables of files (needs DuckDB)"),
    "report": tr("a profile as one HTML page: summary, findings, charts, tables"),
    "help": tr("a page of the help as plain text, or the list of pages"),
    "export": tr(
        "write a table (CSV, TSV, JSON, XLSX, Parquet), a plot (PNG, SVG), a raw block of a file, or everything"
    ),
}
