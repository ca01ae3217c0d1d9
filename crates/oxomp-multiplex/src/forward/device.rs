//! Events of target constructs (OpenMP 5.2 §19.5.2.23 to §19.5.2.29).
//!
//! The functions have the signatures and conditions that OpenMP gives callbacks: each is called by
//! the runtime, with arguments of its event.
#![allow(clippy::missing_safety_doc, reason = "one condition for all: the module's text")]

use std::ffi::{c_int, c_uint, c_void};

use ompt::raw::c::{
    ompt_callback_target_data_op_emi_t, ompt_callback_target_emi_t, ompt_callback_target_map_emi_t,
    ompt_callback_target_submit_emi_t, ompt_data_t, ompt_id_t, ompt_scope_endpoint_t,
    ompt_target_data_op_t, ompt_target_t,
};

use super::each::{each, order_of, word};
use super::plain::{self, DataOperation, id_of};
use crate::answers::raises_emi;
use crate::running::Running;
use crate::tools::Order;

pub(super) unsafe extern "C" fn target(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task: *mut ompt_data_t,
    target_id: ompt_id_t,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    if raises_emi() {
        return;
    }
    // SAFETY: an argument of this callback.
    let task = unsafe { word(task) }.find();
    plain::target(kind, endpoint, device_num, task, target_id, codeptr_ra);
}

pub(super) unsafe extern "C" fn target_emi(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task: *mut ompt_data_t,
    target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (task, target_task, word) =
        unsafe { (word(task).find(), word(target_task).find(), word(target)) };
    let target = match endpoint {
        ompt_scope_endpoint_t::END => word.find(),
        _ => word.begin(),
    };
    each!(TARGET_EMI: ompt_callback_target_emi_t, order_of(endpoint), tool => (
        kind, endpoint, device_num, task.of(tool), target_task.of(tool), target.of(tool),
        codeptr_ra,
    ));
    plain::target(kind, endpoint, device_num, task, id_of(word), codeptr_ra);
    if endpoint != ompt_scope_endpoint_t::BEGIN {
        word.end();
    }
}

pub(super) unsafe extern "C" fn target_data_op(
    target_id: ompt_id_t,
    host_op_id: ompt_id_t,
    kind: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    if raises_emi() {
        return;
    }
    let operation = DataOperation {
        target_id,
        host_op_id,
        kind,
        source: (src_addr, src_device_num),
        destination: (dest_addr, dest_device_num),
        bytes,
        codeptr_ra,
    };
    operation.raise(ompt_scope_endpoint_t::BEGINEND);
}

/// In a block's link: the word of a target region exists for one data operation only, since a
/// routine such as `omp_target_alloc` has no region.
const OF_OPERATION: u64 = 1;

pub(super) unsafe extern "C" fn target_data_op_emi(
    endpoint: ompt_scope_endpoint_t,
    target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    kind: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (target_task, region, operation) =
        unsafe { (word(target_task).find(), word(target), word(host_op_id)) };
    let (target, id) = match endpoint {
        ompt_scope_endpoint_t::END => (region.find(), operation.find()),
        _ => {
            if region.block().is_none()
                && let Some(Some(block)) = region.begin_block()
            {
                block.set_link(OF_OPERATION);
            }
            (region.find(), operation.begin())
        }
    };
    each!(TARGET_DATA_OP_EMI: ompt_callback_target_data_op_emi_t, order_of(endpoint), tool => (
        endpoint, target_task.of(tool), target.of(tool), id.of(tool).cast(), kind, src_addr,
        src_device_num, dest_addr, dest_device_num, bytes, codeptr_ra,
    ));
    let plain = DataOperation {
        target_id: id_of(region),
        host_op_id: id_of(operation),
        kind,
        source: (src_addr, src_device_num),
        destination: (dest_addr, dest_device_num),
        bytes,
        codeptr_ra,
    };
    plain.raise(endpoint);
    if endpoint != ompt_scope_endpoint_t::BEGIN {
        operation.end();
        if region.block().is_some_and(|block| block.link() == OF_OPERATION) {
            region.end();
        }
    }
}

pub(super) unsafe extern "C" fn target_submit(
    target_id: ompt_id_t,
    host_op_id: ompt_id_t,
    requested_num_teams: c_uint,
) {
    let _running = Running::enter();
    if !raises_emi() {
        plain::submit(target_id, host_op_id, requested_num_teams);
    }
}

pub(super) unsafe extern "C" fn target_submit_emi(
    endpoint: ompt_scope_endpoint_t,
    target: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    requested_num_teams: c_uint,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (region, operation) = unsafe { (word(target), word(host_op_id)) };
    let target = region.find();
    let id = match endpoint {
        ompt_scope_endpoint_t::END => operation.find(),
        _ => operation.begin(),
    };
    each!(TARGET_SUBMIT_EMI: ompt_callback_target_submit_emi_t, order_of(endpoint), tool => (
        endpoint, target.of(tool), id.of(tool).cast(), requested_num_teams,
    ));
    if endpoint != ompt_scope_endpoint_t::END {
        plain::submit(id_of(region), id_of(operation), requested_num_teams);
    }
    if endpoint != ompt_scope_endpoint_t::BEGIN {
        operation.end();
    }
}

pub(super) unsafe extern "C" fn target_map(
    target_id: ompt_id_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    if !raises_emi() {
        let addresses = [host_addr, device_addr];
        plain::map(target_id, nitems, addresses, bytes, mapping_flags, codeptr_ra);
    }
}

pub(super) unsafe extern "C" fn target_map_emi(
    target: *mut ompt_data_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: an argument of this callback.
    let region = unsafe { word(target) };
    let target = region.find();
    each!(TARGET_MAP_EMI: ompt_callback_target_map_emi_t, Order::List, tool => (
        target.of(tool), nitems, host_addr, device_addr, bytes, mapping_flags, codeptr_ra,
    ));
    let addresses = [host_addr, device_addr];
    plain::map(id_of(region), nitems, addresses, bytes, mapping_flags, codeptr_ra);
}
