"""Pages about a profile, as documents that every front end shows: text, HTML, labels."""
