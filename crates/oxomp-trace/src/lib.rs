//! The .oxp format of recordings: its layout, writer and reader.
//!
//! README.md of the crate describes the bytes. [`Profile::open`] reads a file, also that of a
//! program that was killed while writing it: no repair is needed.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod calls;
pub mod costs;
pub mod counters;
pub mod crc;
mod estimate;
pub mod event;
pub mod fold;
pub mod info;
pub mod inner;
pub mod job_folder;
pub mod layout;
pub mod mpi_events;
pub mod offload;
pub mod phases;
pub mod present;
pub mod python;
pub mod registers;
pub mod slow_regions;
pub mod write;

mod agreement;
mod clock;
mod excerpt;
mod flight;
mod follow;
mod interval;
mod mpi;
mod owners;
mod part_view;
mod rank;
mod read;
mod ring;
mod settled;
mod slicer;
mod slices;
mod standing;
mod thread_events;

pub use agreement::{Counted, Disagreement};
pub use clock::Clock;
pub use costs::CostEntry;
pub use event::{EventKind, Record};
pub use flight::{Flight, FlightError};
pub use fold::{FoldEntry, FoldKind};
pub use follow::{Follower, Look};
pub use info::{Info, InfoError, Module};
pub use layout::FileHeader;
pub use mpi::{MpiClass, MpiElsewhere, MpiFunction};
pub use mpi_events::{MpiEvent, MpiRole, MpiWorld};
pub use phases::{Phase, Phases};
pub use rank::Rank;
pub use read::{Damage, DamageKind, Profile, ReadError};
pub use slicer::{Slicer, SlicesError};
pub use slices::Slice;
pub use slow_regions::SlowRegion;
pub use thread_events::{PhasedSum, ThreadEvents};
pub use write::Writer;
