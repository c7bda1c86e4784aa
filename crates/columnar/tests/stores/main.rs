//! The sinks with typed columns, read back by programs that are not ours: sqlite3, psql, pyarrow, DuckDB.

mod films;
mod parquet;
mod postgresql;
mod server;
mod sqlite;
