"""Modules of Python and of packages that are excluded from the bundle, because Tilesight does not use them."""

from __future__ import annotations

QT = (
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtPrintSupport",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtSql",
    "PySide6.QtTest",
    "PySide6.QtXml",
)
"""These are only the Python modules; Qt's libraries may still use each other."""

NUMPY = (
    "numpy.f2py",
    "numpy.distutils",
    "numpy.testing",
    "numpy.conftest",
    "numpy.random",
    "numpy.fft",
    "numpy.polynomial",
    "numpy.ctypeslib",
    "numpy._core.tests",
)

STANDARD_LIBRARY = (
    # encryption and networking, which Tilesight does not use (asyncio stays, because pycapnp imports it)
    "_ssl",
    "ssl",
    "_hashlib",  # Python's built-in digests are enough
    "_uuid",  # and so are its built-in UUIDs
    "ftplib",
    "http.server",
    "imaplib",
    "smtplib",
    "socketserver",
    "xmlrpc",
    # terminals, development tools, and databases
    "_curses",
    "curses",
    "tkinter",
    "turtle",
    "unittest",
    "doctest",
    "pdb",
    "pydoc_data",
    "lib2to3",
    "ensurepip",
    "idlelib",
    "venv",
    "distutils",
    # compressions that no profile uses
    "_bz2",
    "bz2",
    "_lzma",
    "lzma",
)

OTHERS = (
    # parts of pyqtgraph that charts do not reach
    "pyqtgraph.console",
    "pyqtgraph.dockarea",
    "pyqtgraph.examples",
    "pyqtgraph.exporters",
    "pyqtgraph.flowchart",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    "PIL",
    "setuptools",
    "pkg_resources",
    "_distutils_hack",
    "pip",
    "pytest",
    "IPython",
)

TOO_LARGE = ("pandas", "polars", "pyarrow", "duckdb", "_duckdb")
"""Used where a person has installed them: 150 MB for one kind of file, and 65 MB (18 MB compressed) for queries, beside
210 MB of all the rest, is too much for an installer. The program says how to get them."""

OF_QUERIES = ("readline",)
"""Completes what is typed at the prompt of `query`, which needs DuckDB, too."""

MODULES = (*QT, *NUMPY, *STANDARD_LIBRARY, *OTHERS, *TOO_LARGE, *OF_QUERIES)
