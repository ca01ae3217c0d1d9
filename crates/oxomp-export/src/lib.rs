//! A recorded run in the formats that other programs read.
//!
//! Each format is a function from an [`Analysis`](oxomp_analysis::Analysis) to bytes.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod chrome;
pub mod collapsed;
pub mod csv;
pub mod firefox;
pub mod json;
pub mod otf2;
pub mod perfetto;
pub mod pprof;
pub mod speedscope;

mod message;
mod stacks;
mod timeline;

pub use timeline::Extent;
