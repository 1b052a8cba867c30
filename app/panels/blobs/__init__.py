"""The blobs of PopEF files: a table, and a strip that shows how they fill the file."""
