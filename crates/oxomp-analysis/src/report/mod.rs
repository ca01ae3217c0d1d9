//! Rendering of a summary.
