//! Dependences between sibling tasks (OpenMP 5.2 §15.9.5). Steps and argument: README.md.

mod construct;
mod tell;
mod trace;

pub(super) use construct::{tie, wait, would_wait};
pub(super) use tell::release;
pub(super) use trace::{before_completion, report};
