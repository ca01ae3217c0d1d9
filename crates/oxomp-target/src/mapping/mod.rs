//! Which host memory has a counterpart on a device (OpenMP 5.2 §5.8): the mapping table of a
//! device, its entries and their reference counts.
//!
//! `table` decides, under the table's lock, what happens to counts; `gate` makes the transfers of
//! one entry happen in the order in which the table decided on them. The crate's README has the
//! argument.

mod count;
mod entry;
mod gate;
mod table;

pub use count::{Count, CountKind};
pub use entry::{Attached, Attachments, Entry, POINTER_BYTES, Shared};
pub use gate::{Gate, Ticket, Turn};
pub use table::{Mapped, Match, NewEntry, Release, Released, Request, Table};
