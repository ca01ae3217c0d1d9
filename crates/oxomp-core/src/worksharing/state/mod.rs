//! How far an implicit task is with the worksharing regions of its team.

pub(super) mod in_loop;
pub(super) mod in_singles;
