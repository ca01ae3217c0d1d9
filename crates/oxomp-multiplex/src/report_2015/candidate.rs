//! The tools that may want to run.

use ompt::raw::report_2015::c::{ompt_initialize_fn_t, ompt_tool_t};

/// A tool that may want to run: it has `ompt_tool`, and it declined as a tool of OpenMP's
/// interface, or does not have that interface.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) ompt_tool: ompt_tool_t,
    /// Whether only its answer tells that it is a tool of the report: a library of both interfaces
    /// may decline both, and the next `ompt_tool` in the address space may belong to a runtime.
    pub(crate) is_doubtful: bool,
}

impl Candidate {
    /// Asks the tool; returns its initializer if it wants to run.
    pub(super) fn ask(&self) -> Option<ompt_initialize_fn_t> {
        // SAFETY: the report gives the function of that name this type (§7.1).
        unsafe { (self.ompt_tool)() }
    }
}
