//! State of tasks with a depend clause, and of the tasks that generate them.

pub(in crate::task) mod kind;
pub(in crate::task) mod link;
pub(in crate::task) mod source;
pub(in crate::task) mod table;
pub(in crate::task) mod tie_list;
pub(in crate::task) mod ties;

pub(in crate::task) use link::SpareNodes;
pub(in crate::task) use table::DependenceTable;
pub(in crate::task) use ties::Ties;
