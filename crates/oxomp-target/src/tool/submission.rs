//! The submission of a kernel, as tools see it.

use oxomp_sys::ompt::{ompt_id_t, ompt_scope_endpoint_t};

use super::event::Event;
use super::scope::ScopeRecord;
use super::session::tell;

/// A kernel that is being submitted; nothing if no tool listens. Its drop is the end.
#[derive(Debug)]
pub(crate) struct Submission<'a>(Option<SubmissionRecord<'a>>);

/// The facts of a submission.
#[derive(Debug)]
pub(crate) struct SubmissionRecord<'a> {
    pub(super) scope: &'a ScopeRecord,
    /// The number of teams that the program asks for; 0 for any.
    pub(super) requested_teams: u32,
    /// The operation's number.
    pub(super) id: ompt_id_t,
}

impl SubmissionRecord<'_> {
    /// The operation's id in traces: the tool's word if it has set it, else the runtime's number.
    pub(crate) fn host_op_id(&self) -> ompt_id_t {
        match self.scope.operation.get() {
            0 => self.id,
            word => word,
        }
    }
}

impl<'a> Submission<'a> {
    #[inline]
    pub(super) fn begin(scope: Option<&'a ScopeRecord>, requested_teams: u32) -> Self {
        match scope {
            None => Self(None),
            Some(scope) => Self::observed(scope, requested_teams),
        }
    }

    #[cold]
    #[inline(never)]
    fn observed(scope: &'a ScopeRecord, requested_teams: u32) -> Self {
        let record = SubmissionRecord { scope, requested_teams, id: scope.begins_operation() };
        let endpoint = ompt_scope_endpoint_t::BEGIN;
        tell(scope.tool, &Event::Submission { submission: &record, endpoint });
        scope.initiates(record.host_op_id());
        Self(Some(record))
    }
}

impl Drop for Submission<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(record) = &self.0 {
            let endpoint = ompt_scope_endpoint_t::END;
            tell(record.scope.tool, &Event::Submission { submission: record, endpoint });
            record.scope.initiates(0);
        }
    }
}
