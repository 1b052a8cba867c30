"""A profile as one self-contained HTML page, for people who do not have the program."""
