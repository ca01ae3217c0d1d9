//! Dependences between sibling tasks (OpenMP 5.2 §15.9.5). Steps and argument: README.md.

mod count;
#[cfg(not(loom))]
mod link;
#[cfg(not(loom))]
mod table;
#[cfg(not(loom))]
mod ties;
#[cfg(not(loom))]
mod trace;
mod wait;

pub(crate) mod exclusion;
pub(crate) mod generation;

#[cfg(not(loom))]
mod construct;

#[cfg(not(loom))]
pub use construct::{Dependence, DependenceKind, DependenceList};
#[cfg(not(loom))]
pub(super) use construct::{
    forget_children, has_ties, most_children, release, set_most_children, tie, wait, would_wait,
};
#[cfg(not(loom))]
pub(super) use link::SpareNodes;
#[cfg(not(loom))]
pub(super) use table::DependenceTable;
#[cfg(not(loom))]
pub(super) use ties::Ties;
#[cfg(not(loom))]
pub(super) use trace::report;
