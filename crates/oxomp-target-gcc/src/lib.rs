//! Devices of gcc's programs: libgomp's plug-ins behind the traits of `oxomp-target`, and gcc's
//! target constructs in terms of its list items. The README says how a construct gets here.
//!
//! | piece | where |
//! |---|---|
//! | a plug-in of libgomp, as functions | `interface` |
//! | its devices, and their end | `plugin`, `device`, `exclusive` |
//! | an image on a device | `program` |
//! | copies and kernels | `queue` |
//! | the tables of an object that offloads | `library`; the form of an image: `nvptx` |
//! | map kinds, and the list items that they stand for | `kind`, `items` |
//! | constructs | `construct` |
//! | target data regions that have not ended | `region` |

mod construct;
mod device;
mod exclusive;
mod interface;
mod items;
mod kind;
mod library;
mod nvptx;
mod plugin;
mod program;
mod queue;
mod region;

pub use construct::{end_data, execute};
pub use device::finish;
pub use library::library;
pub use plugin::plugins;
