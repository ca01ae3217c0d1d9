//! Traces of devices, for tools of both generations of OMPT: records of constructs, data
//! operations, kernels and mappings, in buffers of the tool.
//!
//! | piece | where |
//! |---|---|
//! | what the constructs report, and the records made of it | `operation`, `moment`, `times` |
//! | what a tool has selected, and the states of its trace | `selection`, `phase` |
//! | the trace of a device, and what the device has not done | `tracer`, `unfinished` |
//! | records that wait, and the thread that delivers them | `queue`, `delivery`, `fork` |
//! | the end of a tool | `end` |
//! | records in buffers | `record`, `layout`, `native`, `callbacks` |
//! | the functions that a tool gets | `entry_points`, `entry_points_5x`, `entry_points_2015`, `handle` |
//! | times of the host | `clock` |
//!
//! The crate's README has the protocol between the threads.

mod callbacks;
mod clock;
mod delivery;
mod end;
mod entry_points;
mod entry_points_2015;
mod entry_points_5x;
mod fork;
mod handle;
mod layout;
mod moment;
mod native;
mod operation;
mod phase;
mod queue;
mod record;
mod selection;
mod times;
mod tracer;
mod unfinished;

#[cfg(all(test, feature = "model"))]
mod models;
#[cfg(all(test, not(feature = "model")))]
mod tests;

pub(crate) use end::{discard, finalize};
pub(crate) use entry_points_5x::entry_point_5x;
pub(crate) use entry_points_2015::entry_point_2015;
pub(crate) use fork::{after_fork, each_lock};
pub(crate) use handle::handle;
pub(crate) use native::DOCUMENTATION;
pub(crate) use operation::{DataOp, Ids, KernelOp, Operation, Target};
pub(crate) use record::MapItemRecord;
pub(crate) use times::Times;
pub(crate) use tracer::{Begin, Tracer};
