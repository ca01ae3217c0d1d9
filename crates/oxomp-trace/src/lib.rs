//! The .oxp format: what the collector records, how it is written and read.
//!
//! README.md beside the sources describes the bytes. [`Profile::open`] reads a file; a program
//! that was killed while writing it leaves nothing that has to be repaired first.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod crc;
pub mod event;
pub mod fold;
pub mod info;
pub mod layout;
pub mod write;

mod clock;
mod read;

pub use clock::Clock;
pub use event::{EventKind, Record};
pub use fold::{FoldEntry, FoldKind};
pub use info::{Info, InfoError, Module};
pub use layout::FileHeader;
pub use read::{Damage, DamageKind, Profile, ReadError, ThreadEvents};
pub use write::Writer;
