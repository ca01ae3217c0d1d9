//! The submission of a kernel, as tools see it.

use oxomp_sys::ompt::ompt_scope_endpoint_t;

use crate::tool::event::{ScopeRecord, SubmissionRecord, ToolEvent};
use crate::tool::present::tell;
use crate::trace::{KernelOp, Operation, Times};

/// A kernel that is being submitted; empty if no tool listens. Its drop is the end.
#[derive(Debug)]
pub(crate) struct Submission<'a> {
    record: Option<SubmissionRecord<'a>>,
    /// Begin and end of the execution by the device's clock.
    pub(crate) times: Times,
    /// The number of teams that were formed; 0 if the device does not know.
    pub(crate) granted_teams: u32,
}

impl<'a> Submission<'a> {
    #[inline]
    pub(super) fn begin(scope: Option<&'a ScopeRecord>, requested_teams: u32) -> Self {
        match scope {
            None => Self { record: None, times: Times::default(), granted_teams: 0 },
            Some(scope) => Self::observed(scope, requested_teams),
        }
    }

    #[cold]
    #[inline(never)]
    fn observed(scope: &'a ScopeRecord, requested_teams: u32) -> Self {
        let record = SubmissionRecord { scope, requested_teams, id: scope.begins_operation() };
        let endpoint = ompt_scope_endpoint_t::BEGIN;
        tell(scope.tool, &ToolEvent::Submission { submission: &record, endpoint });
        scope.initiates(scope.operation_id(record.id));
        let times = Times::begin(scope.executor.device.map(|device| &device.tracer));
        Self { record: Some(record), times, granted_teams: 0 }
    }

    /// Reports the kernel to the trace of its device.
    #[cold]
    fn trace(&mut self) {
        let (Some(record), granted_teams) = (&self.record, self.granted_teams) else { return };
        self.times.report(|| {
            Operation::Kernel(KernelOp {
                ids: record.scope.ids(record.scope.operation_id(record.id)),
                requested_teams: record.requested_teams,
                granted_teams,
            })
        });
    }
}

impl Drop for Submission<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.record.is_some() {
            self.trace();
        }
        if let Some(record) = &self.record {
            let endpoint = ompt_scope_endpoint_t::END;
            tell(record.scope.tool, &ToolEvent::Submission { submission: record, endpoint });
            record.scope.initiates(0);
        }
    }
}
