//! The events of target constructs in their form before OpenMP 5.1, made of the later form: a
//! runtime raises only one form, and the tools of the list may want both.
//!
//! The id of a region or an operation is the name in its word: not 0, and the same from begin to
//! end.

use std::ffi::{c_int, c_uint, c_void};

use ompt::raw::c::{
    ompt_callback_target_data_op_t, ompt_callback_target_map_t, ompt_callback_target_submit_t,
    ompt_callback_target_t, ompt_id_t, ompt_scope_endpoint_t, ompt_target_data_op_t, ompt_target_t,
};

use super::each::{each, order_of};
use crate::tools::Order;
use crate::words::{Word, Words};

/// The id of the object with this word of the runtime; 0 without one.
pub(super) fn id_of(word: Word<'_>) -> ompt_id_t {
    word.block().map_or(0, |block| block.id().value())
}

/// The begin or end of a target construct.
pub(super) fn target(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task: Words,
    target_id: ompt_id_t,
    codeptr_ra: *const c_void,
) {
    each!(TARGET: ompt_callback_target_t, order_of(endpoint), tool => (
        kind, endpoint, device_num, task.of(tool), target_id, codeptr_ra,
    ));
}

/// A data operation, with the arguments of its event.
#[derive(Clone, Copy, Debug)]
pub(super) struct DataOperation {
    pub(super) target_id: ompt_id_t,
    pub(super) host_op_id: ompt_id_t,
    pub(super) kind: ompt_target_data_op_t,
    pub(super) source: (*mut c_void, c_int),
    pub(super) destination: (*mut c_void, c_int),
    pub(super) bytes: usize,
    pub(super) codeptr_ra: *const c_void,
}

impl DataOperation {
    /// Raises the event at the one endpoint that the form has: at the begin if memory is freed, and
    /// at the end of all other operations (OpenMP 6.0 §35.7).
    pub(super) fn raise(self, endpoint: ompt_scope_endpoint_t) {
        let is_free = matches!(
            self.kind,
            ompt_target_data_op_t::DELETE | ompt_target_data_op_t::DELETE_ASYNC
        );
        let other = match is_free {
            true => ompt_scope_endpoint_t::END,
            false => ompt_scope_endpoint_t::BEGIN,
        };
        if endpoint == other {
            return;
        }
        each!(TARGET_DATA_OP: ompt_callback_target_data_op_t, Order::List, _tool => (
            self.target_id, self.host_op_id, self.kind, self.source.0, self.source.1,
            self.destination.0, self.destination.1, self.bytes, self.codeptr_ra,
        ));
    }
}

/// The begin of a kernel's submission.
pub(super) fn submit(target_id: ompt_id_t, host_op_id: ompt_id_t, requested_num_teams: c_uint) {
    each!(TARGET_SUBMIT: ompt_callback_target_submit_t, Order::List,
        _tool => (target_id, host_op_id, requested_num_teams));
}

/// The mappings of a construct: arrays of `nitems`, which the runtime has passed.
pub(super) fn map(
    target_id: ompt_id_t,
    nitems: c_uint,
    [host_addr, device_addr]: [*mut *mut c_void; 2],
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
) {
    each!(TARGET_MAP: ompt_callback_target_map_t, Order::List, _tool => (
        target_id, nitems, host_addr, device_addr, bytes, mapping_flags, codeptr_ra,
    ));
}
