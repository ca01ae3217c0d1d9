//! The tool's data of threads, regions and tasks: raw words, or values of the tool's own types.

pub(crate) mod hooks;
mod id;
mod live;
mod model;
mod record;
mod typed;
mod typed_model;

pub use id::ObjectId;
pub use live::Live;
pub use model::{Model, Raw};
pub use typed::{Data, NewTask, Typed};
