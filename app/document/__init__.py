"""The open profiles and their shared state, as Qt objects."""

from app.document.features import skip_features
from app.document.overrides import install

install()
skip_features()
