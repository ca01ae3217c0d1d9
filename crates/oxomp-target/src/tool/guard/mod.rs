//! Guards, by which constructs and routines tell tools of what they do. The begin of an event is
//! raised where its guard is made, the end where it is dropped. The crate's README has what they
//! promise.

mod operation;
mod scope;
mod submission;

pub(crate) use operation::DataOperation;
pub(crate) use scope::Scope;
