"""A few named amounts as horizontal bars, drawn as lines and letters."""
