"""The open profiles and their shared state, as Qt objects."""

from app.document.overrides import install, skip_features

install()
skip_features()
