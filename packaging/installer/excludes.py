"""Modules of Python and of its packages that stay out of the bundle, because nothing of Tilesight reaches them."""

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
"""Qt's own libraries still use each other; these are the doors for Python."""

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
    # encryption and what speaks over a network: Tilesight never does (asyncio stays, because pycapnp imports it)
    "_ssl",
    "ssl",
    "_hashlib",  # the digests that Python brings itself are enough
    "_uuid",  # and so are its random numbers
    "ftplib",
    "http.server",
    "imaplib",
    "smtplib",
    "socketserver",
    "xmlrpc",
    # for terminals, for developers, and other databases than our files
    "_curses",
    "curses",
    "readline",
    "sqlite3",
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
    "jinja2",  # pycapnp's compiler
    "markupsafe",
    "setuptools",
    "pkg_resources",
    "_distutils_hack",
    "pip",
    "pytest",
    "IPython",
)

MODULES = (*QT, *NUMPY, *STANDARD_LIBRARY, *OTHERS)
