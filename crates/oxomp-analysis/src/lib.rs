//! From recorded events to the numbers of a profile.

#![forbid(unsafe_code)]

pub mod report;
pub mod summary;
pub mod symbols;
