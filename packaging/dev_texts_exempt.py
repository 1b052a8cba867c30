"""Texts that are not translated, each with its reason."""

from __future__ import annotations

from typing import Final

NAMES: Final = frozenset(
    ("Qt", "PopEF", "Tilesight", "PySide6", "Hz", "KiB", "MiB", "GiB", "TiB", "PiB", "Ops/Byte", "Ctrl", "Shift", "Alt")
)
"""Names and units that are the same in every language."""

KEY_CALLS: Final = frozenset(
    (
        "Column#0",
        "Figure#0",
        "Table#0",
        "TableSpec#0",
        "PanelSpec#0",
        "PlotSpec#0",
        "Command#0",
        "get#0",
        "startswith#0",
        "endswith#0",
        "replace#0",
        "removeprefix#0",
        "removesuffix#0",
        "split#0",
        "partition#0",
        "index#0",
        "pop#0",
        "setdefault#0",
        "compile#0",
        "sub#0",
        "fullmatch#0",
        "search#0",
        "match#0",
        "frozenset#0",
        "getattr#1",
        "setattr#1",
        "setObjectName#0",
        "findChild#1",
        "findChildren#1",
        "setProperty#0",
        "setStyleSheet#0",
        "QKeySequence#0",
        "Struct#0",
        "getLogger#0",
        "TypeVar#0",
        "add_argument#metavar",
        "add_argument#version",
        "Parser#prog",
        "KeyError#0",
        "TypeError#0",
        "NotImplementedError#0",
    )
)
"""``function#argument`` (its number or name; none: the object itself): what programs read."""

SEARCHED: Final = "words"
"""The argument with other English words for a command or a panel: never shown, only searched."""

_FILE = "keys and names of the file"
_STORED = "a name that a reader gives to what the file leaves nameless; it is data of the profile"

EXEMPT: Final[tuple[tuple[str, str, str], ...]] = (
    ("app/profile/(poplar|tensorflow|ascend)\\.py", "", _FILE),
    ("app/(language|program)\\.py", "", "what texts are made of, and code for another interpreter"),
    ("app/widgets/code/colouring\\.py", "^Token", "kinds of words in source texts"),
    ("app/views/colours\\.py", "", _FILE),
    ("app/widgets/chart/(imports|symbols)\\.py", "^(PySide6|triangle down)", "names of modules and symbols"),
    ("app/(views|widgets|panels)/", "^(<|Q[A-Z]\\w+ {|(background|color|border): )", "markup and style sheets"),
    ("app/(views|widgets)/(plane|timeline)/", "^(wheel move|scroll bar)$", "keys of gestures"),
    ("app/panels/core_load/cards\\.py", "^Core 00$", "a text that is measured, never shown"),
    ("app/(views|panels)/scaling/", "^what if$", "the key of a line"),
    ("app/(views|panels)/(steps|scaling)/", "^Sync$", _FILE),
    ("app/document/overrides\\.py", "^PySide6", "the name of a package"),
    ("app/formats/ascend_bin/(instructions|memory|operator)\\.py", "^[A-Z]", _FILE),
    ("app/formats/ascend_bin/(memory|operator)\\.py", "^\\(?column", _STORED),
    ("app/formats/ascend_memory_info/read\\.py", "^Record\\[{}\\]$", _FILE),
    ("app/formats/ascend_trace/lanes\\.py", "", _STORED),
    ("app/profile/pipes\\.py", "", _STORED),
    ("app/formats/ascend_report/csv_table\\.py", "^\\(column", _STORED),
    ("app/formats/ascend_report/emulate\\.py", "^Util$", _FILE),
    ("app/formats/ascend_report/(members|traces)\\.py", "^(npu-rep {}|PipeTrace)", _FILE),
    (
        "app/formats/ascend_report/(block_tables|emulate|json_tables|metric_rows|metrics|operator)\\.py",
        "",
        _STORED,
    ),
    ("app/store/helper\\.py", "^another file", "for the process that asked, which then decodes the file itself"),
    ("app/analysis/figures/ascend\\.py", "^Memory$", _FILE),
    (
        "app/analysis/(about|export)\\.py",
        "( set by hand| MHz)$",
        "the head of a column beside its key: programs read it",
    ),
    ("app/analysis/scaling/doubling\\.py", "^(no data|only in [AB])$", "keys of verdicts, which programs read"),
    ("app/analysis/tables/ascend_memory\\.py", "^hit rate$", _FILE),
    ("app/analysis/time/classes\\.py", "^(Traces?|Spans|ProfilerStep#|Execution|Sync)$", _FILE),
    ("app/analysis/time/devices\\.py", "^Communication$", _FILE),
    ("app/analysis/time/waits\\.py", "^ \\(inferred from registers\\)$", "a mark behind names, which programs read"),
    ("app/analysis/timeline/pipes\\.py", "^(Overlap Analysis|Communication.*|Computing|Free)$", _FILE),
    ("app/formats/ascend_trace/event\\.py", "^Known{}$", "the name of a class"),
    ("app/store/process\\.py", "^(PySide6|a copy of this process$)", "a module; an error that its caller handles"),
    ("app/window/commands/view\\.py", "^set by hand$", "other words for a command: never shown, only searched"),
    ("app/formats/popef/decode\\.py", "", "keys of the file, and what a package adds to its messages, cut off here"),
    ("app/formats/poplar/kinds\\.py", "^System Information$", _FILE),
    ("app/formats/poplar/timeline\\.py", "", _STORED),
    (
        "app/formats/tensorflow_events/read\\.py",
        "^(Compile|Load|Execute|Other|Host to device|Device to host|Device {}|Bytes moved)$",
        _STORED,
    ),
    (
        "app/formats/tensorflow_events/containers\\.py",
        "^(event file|sequence of reports|single event)$",
        "keys of the forms of a log",
    ),
    ("app/formats/tensorflow_events/event_file\\.py", "^(other tensors|(log|session|run|meta) )", _STORED),
    ("app/store/(cache/.*|wire)\\.py", "", "why something is not taken from the cache: for the log alone"),
    (
        "app/window/",
        "^((Ctrl|Shift|Alt)\\+.*|Left|Right|Up|Down|Home|End|Return|Enter|Backspace|Esc|Del)$",
        "keys as Qt writes them",
    ),
    ("app/cli/(command_pages|help|words)\\.py", "^(##? )?tilesight {}", "words of the command line"),
    ("app/cli/version\\.py", "^(PySide6|XlsxWriter)", "names of packages"),
    ("app/places\\.py", "^(Library|Preferences|Application Support)$", "names of folders"),
    ("app/window/(commands/.*|menus)\\.py", "^(File|Edit|View|Go|Compare|Tools|Help)$", "keys of menus"),
    ("app/window/commands/(file|compare)\\.py", "^window's (saver|opener)", "the name of an object"),
    ("app/analysis/parts/blocks\\.py", "^block id$", _FILE),
    ("app/panels/picture\\.py", "^(Title|Software|Source|Description)$", "keywords of PNG"),
    ("app/store/table_files/kinds\\.py", "^(XlsxWriter|Parquet)$", "names"),
    ("app/window/application\\.py", "^Fusion$", "the name of a style of Qt"),
    ("app/window/licences\\.py", "^(License|Classifier|Python|Apache|Lucide|ISC)", "names and keys of packages"),
    ("app/window/style_sheet\\.py", "", "a style sheet"),
    ("app/window/unexpected\\.py", "^Tilesight {}, |times\\)", "the report of a defect, for the developers"),
    ("app/analysis/popef/dump\\.py", "", "the format of popef_dump, which programs read"),
    ("app/analysis/view_links/text\\.py", "^{}(file|content|part)$", "parameters of links"),
    ("app/(__init__|api/(arguments|comparison|plot|profile|table))\\.py", "", "errors of scripts, for programmers"),
    ("app/api/opening\\.py", "^the name of a file is empty$", "an error of scripts, for programmers"),
    ("app/analysis/findings/poplar_memory\\.py", "^Code$", _FILE),
    ("app/analysis/(hotspots|ascend/hottest)\\.py", "^(Instructions Executed|Cycles|Stall Sampling.*)$", _FILE),
    ("app/analysis/ascend/unit_use\\.py", "^(Cache|icache total)$", _FILE),
    (
        "app/analysis/ascend/unit_use\\.py",
        "^(vector all|.* conflict|mte urgent|UB |Instructions)",
        _FILE,
    ),
    ("app/analysis/ascend/pipes\\.py", "^(active rate.*|wait cycles|Vector)$", _FILE),
    ("app/analysis/(scaling/loops|poplar/program_figures)\\.py", "^(Repeat|If|Switch|Call|Sequence)$", _FILE),
    ("app/analysis/ascend/typed_columns\\.py", "^(start|allocation|release) time\\(us\\)$", _FILE),
    ("app/analysis/ascend/diagram/figures\\.py", "^(Cube|Vector1?)$", _FILE),
    ("app/analysis/ascend/cores\\.py", "^Vector{}$", _FILE),
    ("app/analysis/findings/ascend_memory\\.py", "^Memory$", _FILE),
    ("app/analysis/checks/capture\\.py", "^(OP Type|Core Type|Count|Total Time\\(us\\))$", _FILE),
    ("app/analysis/findings/capture_clock\\.py", "^AI Core Freq$", _FILE),
    ("app/analysis/findings/capture_host\\.py", "^Python$", _FILE),
    ("app/cli/junit\\.py", "^<", "XML"),
    ("app/(query/examples|panels/query/(completion|editor))\\.py", "^(select|with|count)\\b", "SQL"),
    (
        "app/query/(names|result|session|statement)\\.py",
        "^(Query interrupted|all|min|list|Mapping|BOOLEAN|(TRY_)?CAST|SELECT|DESCRIBE|CREATE| LIMIT)\\b",
        "SQL, and types",
    ),
    ("app/analysis/scaling/quantities\\.py", "ib$", "units"),
    (
        "app/cli/completion\\.py",
        "^(compopt|_tilesight|#compdef|shift words|__fish|complete -c|not \\{\\}| +\\{\\}\\))",
        "scripts of shells",
    ),
)
"""Pattern of the path, pattern of the text, reason."""
