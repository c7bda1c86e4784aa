//! Records in places with typed columns: Parquet files, Arrow streams, tables of SQLite and PostgreSQL.
//!
//! All of them take rows of typed cells from [`record::Typing`], so a column has the type that the record type says, and
//! never one that the data of a run suggests.
//!
//! | sort | Parquet, Arrow | SQLite | PostgreSQL |
//! |---|---|---|---|
//! | text, link | string | `TEXT` | `text` |
//! | integer | 64-bit integer | `INTEGER` | `bigint` |
//! | decimal | 64-bit float | `REAL` | `numeric` |
//! | boolean | boolean | `BOOLEAN` (0, 1) | `boolean` |
//! | date | date | `DATE` (ISO 8601) | `date` |
//! | timestamp | timestamp, microseconds | `TIMESTAMP` (ISO 8601) | `timestamp` |
//! | several values | list | `TEXT` (JSON array) | array |
//! | nested record | struct | columns `field_inner` | columns `field_inner` |
//! | nested records | list of structs | table `table_field` | table `table_field` |
//!
//! A timestamp with a zone is stored as universal time; one without a zone as it is written.
//!
//! Features: `parquet`, `sqlite`, `postgres`.

#[cfg_attr(
    not(any(feature = "parquet", feature = "sqlite", feature = "postgres")),
    expect(dead_code, reason = "without any sink there is nothing to keep pace with")
)]
mod mark;
mod spec;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod layout;
#[cfg(feature = "postgres")]
mod postgresql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod tables;

#[cfg(feature = "parquet")]
mod batches;
#[cfg(feature = "parquet")]
mod frame;
#[cfg(feature = "parquet")]
mod parts;
#[cfg(feature = "parquet")]
mod stream;

#[cfg(feature = "parquet")]
pub use batches::Batches;
pub use mark::{Mark, Resume};
#[cfg(feature = "parquet")]
pub use parts::{PartFiles, Parts};
#[cfg(feature = "postgres")]
pub use postgresql::{Postgresql, PostgresqlPlace, from_postgres as postgres_error};
pub use spec::{OnNewField, PartLimits, TableSpec};
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
#[cfg(feature = "parquet")]
pub use stream::{Arrow, Parquet};
