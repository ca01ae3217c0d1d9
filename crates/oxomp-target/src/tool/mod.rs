//! What tools see of this library: callbacks of both generations of OMPT, at the events of target
//! constructs, data operations, kernels, mappings and devices.
//!
//! | piece | where |
//! |---|---|
//! | the connection to the host runtime's tool, its begin and its end | `session` |
//! | the calls of the tool that are going on | `calls` |
//! | the functions that the host runtime gives | `host` |
//! | a target construct or a routine, with its words | `scope`, `construct` |
//! | the call of the program | `site` |
//! | data operations and kernels | `operation`, `submission` |
//! | devices and images | `devices` |
//! | what a device's look-up knows | `look_up` |
//! | what the host runtime asks | `answers` |
//! | fork(2) | `fork` |
//! | events, and one encoder a generation | `event`, `encoder_5x`, `encoder_2015` |
//!
//! Scopes and operations are guards: the begin of the event is raised where the guard is made, the
//! end where it is dropped. The crate's README has what they promise.

mod answers;
mod calls;
mod construct;
mod devices;
mod encoder_2015;
mod encoder_5x;
mod event;
mod fork;
mod host;
mod look_up;
mod operation;
mod scope;
mod session;
mod site;
mod submission;

pub(crate) use construct::{ConstructKind, Executor, Region};
pub(crate) use devices::{announce, is_announced, loaded, release as release_devices, unloading};
pub(crate) use event::Mapping;
pub(crate) use fork::{after_fork, each_lock};
pub(crate) use operation::{DataOpKind, DataOperation, MemoryPlace};
pub(crate) use scope::Scope;
pub(crate) use session::listener;
#[cfg(test)]
pub(crate) use session::{begin, end};

pub use crate::call_site::CallSite;
pub use answers::{DeviceInfo2015, answer};
pub use host::HostTool;
pub use session::connection;
