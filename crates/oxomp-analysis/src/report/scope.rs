//! What the parts of a run are called.

use super::units::time;
use crate::summary::{Scope, Window};

/// How the time outside every phase is called.
pub const OUTSIDE_PHASES: &str = "outside of phases";

/// What a report of a part of the run calls it; `None` for the whole run.
#[must_use]
pub fn scope_name(scope: &Scope) -> Option<String> {
    match scope {
        Scope::Run => None,
        // The path of the time outside of all phases is empty.
        Scope::Phase(path) if path.is_empty() => Some(OUTSIDE_PHASES.to_owned()),
        Scope::Phase(path) => Some(format!("phase {path}")),
        Scope::Window(window) => Some(window_name(*window)),
    }
}

/// From when to when a window is.
pub(super) fn window_name(Window { from_ns, to_ns }: Window) -> String {
    format!("from {} to {}", time(from_ns), time(to_ns))
}
