"""Tables as files: CSV, TSV, JSON, Excel workbooks and Parquet, written in pieces, so that memory is bounded."""
