//! What tools see of this library: callbacks of both generations of OMPT, at the events of target
//! constructs, data operations, kernels, mappings and devices.
//!
//! | piece | where |
//! |---|---|
//! | the functions that the host runtime gives | `host` |
//! | what tools are told: the events, with the facts of constructs and operations | `event` |
//! | one encoder a generation, from events to callbacks | `encoder_5x`, `encoder_2015` |
//! | whether a tool listens, and its calls that are going on | `present`, `calls` |
//! | devices and images | `devices` |
//! | the connection to the host runtime's tool, its begin and its end | `session` |
//! | the call of the program | `site` |
//! | by what constructs and routines tell: scopes, operations, submissions | `guard` |
//! | what a device's look-up knows | `look_up` |
//! | what the host runtime asks | `answers` |
//! | fork(2) | `fork` |
//!
//! A call goes down: a construct makes a guard, the guard tells an event, and its encoder calls the
//! tool. So the events stand below the encoders, and the guards above them.

mod answers;
mod calls;
mod devices;
mod encoder_2015;
mod encoder_5x;
mod event;
mod fork;
mod guard;
mod host;
mod look_up;
mod present;
mod session;
mod site;

pub(crate) use devices::{announce, is_announced, loaded, release as release_devices, unloading};
pub(crate) use event::{ConstructKind, DataOpKind, Executor, Mapping, MemoryPlace, Region};
pub(crate) use fork::{after_fork, each_lock};
pub(crate) use guard::{DataOperation, Scope};
pub(crate) use session::listener;
#[cfg(test)]
pub(crate) use session::{begin, end};

pub use crate::call_site::CallSite;
pub use answers::{DeviceInfo2015, answer};
pub use host::HostTool;
pub use session::connection;
