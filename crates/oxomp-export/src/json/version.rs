//! The versions of the documents' schemas. Of the form `MAJOR.MINOR.PATCH`, a reader needs to know
//! the first part. A new property raises the second part, a change of meaning the first.

/// The version of the schema of a process.
pub const SCHEMA_VERSION: &str = "1.14.0";

/// The version of the schema of a job.
pub const JOB_SCHEMA_VERSION: &str = "1.11.0";

/// The version of the schema of several numbers of threads.
pub const SCALE_SCHEMA_VERSION: &str = "1.9.0";
