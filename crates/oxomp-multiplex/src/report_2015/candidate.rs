//! The tools that may want to run.

use ompt::raw::report_2015::c::{ompt_initialize_fn_t, ompt_tool_t};

/// A tool that may want to run: one with `ompt_tool` that declined as a tool of OpenMP's, or is
/// none.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) ompt_tool: ompt_tool_t,
    /// Whether only its answer tells that it is a tool of the report: a library of both interfaces
    /// may decline both, and the next `ompt_tool` in the address space may be a runtime's.
    pub(crate) is_doubtful: bool,
}

impl Candidate {
    /// Asks the tool; its initializer if it wants to run.
    pub(super) fn ask(&self) -> Option<ompt_initialize_fn_t> {
        // SAFETY: the report gives the function of that name this type (§7.1).
        unsafe { (self.ompt_tool)() }
    }
}
