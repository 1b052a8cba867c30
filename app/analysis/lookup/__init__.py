"""Where something is: by name, number, text or cell. What "Go to" and "Search everything" ask."""
