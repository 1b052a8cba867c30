"""The commands of the command line, and what they do."""

from __future__ import annotations

from typing import Final

from app.language import tr

COMMANDS: Final[dict[str, str]] = {
    "info": tr("show file types, main figures and issues"),
    "dump": tr("print PopEF files as popef_dump does, with the same options"),
    "tables": tr("list the tables and plots that export can write"),
    "scaling": tr("model throughput over replicas, from typed numbers or a Poplar profile"),
    "compare": tr("compare a profile with a baseline: differences and what explains them"),
    "baseline": tr("keep what later comparisons need of a profile, or of several runs, in a small file"),
    "findings": tr("find performance problems, with evidence and an upper bound of their cost"),
    "critical-path": tr("show what fills the time: the chain of work and waits, and what better scheduling can save"),
    "what-if": tr("estimate what a change would save, with an upper bound"),
    "query": tr("run one SQL statement over the tables of files (needs DuckDB)"),
    "report": tr("write a profile as one HTML page: summary, findings, charts, tables"),
    "mcp": tr("offer read-only tools to assistants, over standard input and output (needs the package mcp)"),
    "help": tr("print a help page as plain text, or list all pages"),
    "export": tr(
        "write a table (CSV, TSV, JSON, XLSX, Parquet), a plot (PNG, SVG), a raw block of a file, or everything"
    ),
    "completion": tr("print the script that completes the command line in bash, zsh or fish"),
}
