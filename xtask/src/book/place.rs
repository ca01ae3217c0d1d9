//! Where the book lies.

/// The folder of the book, below the root of the repository.
pub(super) const BOOK: &str = "docs";

/// The folder of its sources.
pub(super) const SOURCES: &str = "docs/src";
