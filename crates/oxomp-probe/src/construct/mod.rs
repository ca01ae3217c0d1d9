//! OpenMP's constructs, by the calls that clang's and gcc's code makes for them.

mod form;
mod location;
mod locks;
mod region;
mod synchronization;
mod tasks;
mod worksharing;

pub(crate) use form::Form;
pub(crate) use locks::{Lock, NestLock};
pub(crate) use region::{Member, Place, league, parallel, parallel_loop_by_gcc};
pub(crate) use tasks::{Dependence, Task, fulfill};
pub(crate) use worksharing::{Schedule, Single};
