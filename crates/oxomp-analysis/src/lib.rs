//! From recorded events to the numbers of a profile.

#![forbid(unsafe_code)]

pub mod summary;
