//! The events of target constructs and of data operations, for a tool of OpenMP 5.1 and later, or
//! else of 5.0: a tool that listens to both gets the later ones.

use oxomp_arch::CallSite;

use crate::ompt::event::{Audience, DataOperation, Endpoint, TargetRecord, emit};

/// A target construct begins or ends.
pub(super) fn construct(audience: impl Audience, record: &TargetRecord<'_>, endpoint: Endpoint) {
    if emit::wants_target_emi() {
        audience.target_emi(record, endpoint);
    } else {
        audience.target(record, endpoint);
    }
}

/// The initial task of a target region is created.
pub(super) fn submit(audience: impl Audience, record: &TargetRecord<'_>, num_teams: u32) {
    if emit::wants_target_submit_emi() {
        audience.target_submit_emi(record, Endpoint::Begin, num_teams);
        audience.target_submit_emi(record, Endpoint::End, num_teams);
    } else {
        audience.target_submit(record, num_teams);
    }
}

/// The end of an operation at which the event of 5.0 is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Memory is about to be freed.
    Begin,
    /// Memory has been allocated, or copied.
    End,
}

/// A data operation begins or ends; `old` is the moment of the event of 5.0.
pub(super) fn operation(
    operation: &DataOperation<'_>,
    endpoint: Endpoint,
    old: Moment,
    site: CallSite,
) {
    if emit::wants_target_data_op_emi() {
        emit::target_data_op_emi(operation, endpoint, site);
    } else if (endpoint == Endpoint::Begin) == (old == Moment::Begin) {
        emit::target_data_op(operation, site);
    }
}
