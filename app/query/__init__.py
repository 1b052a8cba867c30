"""SQL over the tables of profiles: one statement that only reads, run by DuckDB in memory. DuckDB is an optional
dependency, imported when a query runs."""
