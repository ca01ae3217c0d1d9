//! Target constructs whose device is the host (OpenMP 5.2 §13): the runtime has code for the host
//! only. Constructs of gcc's code for other devices are passed on to libomptarget (`offload`); what
//! it does not execute, the host does.
//!
//! A construct generates a target task (`construct`). With nowait the task is deferred; otherwise
//! the encountering task waits for it. The task of a target region executes the region as an
//! initial task (`region`): a team of one thread, outside of all parallel regions, with a
//! contention group of its own. The host has the original variables, so nothing is mapped: the code
//! of the region gets the addresses of the variables themselves, except for private copies of
//! firstprivate ones.
//!
//! Routines for device memory are in `memory`; `operation` executes what they are asked for.

mod construct;
mod kernel;
mod memory;
mod offload;
mod operation;
mod region;
mod report;

use crate::task::Properties;

/// A target task, which is untied (OpenMP 5.2 §1.2.5); its one part runs on one thread.
const TARGET_TASK: Properties = Properties::ON_HOST.union(Properties::UNTIED);

pub use construct::{Item, Kind, TargetConstruct, begin_data, end_data, execute, generates_task};
pub use kernel::execute_kernel;
pub use memory::{CopyBytes, Fill, alloc, free};
pub use offload::Offload;
pub use operation::{Description, Operation, later, now};
