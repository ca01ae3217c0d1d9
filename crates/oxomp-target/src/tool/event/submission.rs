//! The facts of the submission of a kernel.

use oxomp_sys::ompt::ompt_id_t;

use super::scope::ScopeRecord;

/// The facts of a submission.
#[derive(Debug)]
pub(crate) struct SubmissionRecord<'a> {
    pub(in crate::tool) scope: &'a ScopeRecord,
    /// The number of teams that the program asks for; 0 for any.
    pub(in crate::tool) requested_teams: u32,
    /// The operation's number.
    pub(in crate::tool) id: ompt_id_t,
}
