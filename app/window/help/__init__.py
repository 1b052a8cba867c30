"""The window of the help: pages, search, links to panels and commands."""
