"""Starts Tilesight as ``python -m`` with the name of this package."""

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
