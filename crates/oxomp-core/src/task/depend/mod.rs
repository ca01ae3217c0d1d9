//! Dependences between sibling tasks (OpenMP 5.2 §15.9.5). Steps and argument: README.md.

mod link;
mod table;
mod ties;
mod trace;

mod construct;

pub use construct::{Dependence, DependenceKind, DependenceList};
pub(super) use construct::{
    forget_children, has_ties, most_children, release, set_most_children, tie, wait, would_wait,
};
pub(super) use link::SpareNodes;
pub(super) use table::DependenceTable;
pub(super) use ties::Ties;
pub(super) use trace::report;
