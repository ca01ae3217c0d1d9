//! What each thread did when, as nested slices: for formats that show time.

mod devices;
mod extent;
mod fitting;
mod fold;
mod gaps;
mod holds;
mod name;
mod slice;
mod threads;

pub use extent::Extent;
pub(crate) use fitting::{Fitting, tid};
pub(crate) use fold::{Folded, fold};
pub(crate) use gaps::{Gaps, shares};
pub(crate) use holds::{Lanes, threads_of_members};
pub(crate) use name::{Namer, category, thread_name, what};
pub(crate) use slice::{Kind, Slice};
pub(crate) use threads::each_thread;
