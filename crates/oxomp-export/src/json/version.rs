//! The version of the documents.

/// The version of the documents' schema: of its form `MAJOR.MINOR.PATCH`, a reader needs to know
/// the first part. A new property raises the second part, a change of meaning the first.
pub const SCHEMA_VERSION: &str = "1.9.0";
