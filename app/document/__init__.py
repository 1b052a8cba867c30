"""What is open, as Qt objects."""

from app.document.overrides import install

install()
