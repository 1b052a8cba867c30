"""CSV files of any size from strangers: lines, columns of many cells at a time, tables. One reader for all formats."""
