"""What is open, as Qt objects. A program imports this package before any other that makes classes from those of Qt."""

from app.document.overrides import install

install()
