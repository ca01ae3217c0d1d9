//! Call paths by sampling. The README beside `lib.rs` has the argument that the
//! handler is safe.

mod alternate;
mod blocked;
mod c_thread;
mod guests;
mod handler;
mod lasting;
mod memory;
mod modules;
mod offers;
mod python;
mod registers;
mod sampler;
mod source;
mod stack;
mod steps;
mod table;
mod thread_list;
mod tree;
mod unwinder;
mod waiting;

pub(crate) use blocked::Watcher;
pub(crate) use guests::Host;
pub(crate) use handler::prepare;
pub(crate) use memory::text;
pub(crate) use modules::Maker;
pub(crate) use python::found as python_found;
pub(crate) use sampler::look_at_stack;
pub(crate) use table::{Samples, begin_anew, begin_child, tell_fork};
