//! The record of a target construct for a tool, and the description of a data operation.

use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oxomp_arch::CallSite;

use super::record::TaskRecord;

/// A number that no other call returns in this run: `ompt_id_t`.
pub(crate) fn unique_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Relaxed)
}

/// The facts of a target construct that a tool is told before the target task exists.
#[derive(Clone, Copy, Debug)]
pub struct TargetFacts {
    /// `ompt_target_t`.
    pub(crate) kind: c_int,
    /// The number of the device that executes the construct.
    pub(crate) device_num: c_int,
    /// The outlined function of a target region; null for the other constructs.
    pub(crate) function: *const c_void,
}

/// A target construct that a thread executes, as tools see it. It exists only while a tool listens.
#[derive(Debug)]
pub struct TargetRecord<'a> {
    /// `ompt_target_t`.
    pub(crate) kind: c_int,
    /// The number of the device that executes the construct.
    pub(crate) device_num: c_int,
    /// The id of the construct (`ompt_id_t`).
    pub(crate) id: u64,
    /// The tool's word for the construct (`ompt_data_t`).
    pub(crate) data: Cell<u64>,
    /// The tool's id of the operation that the construct initiates (`ompt_id_t`).
    pub(crate) host_op_id: Cell<u64>,
    /// The task that encountered the construct.
    pub(crate) encountering: &'a TaskRecord,
    /// The target task, if the construct has one.
    pub(crate) target_task: Option<&'a TaskRecord>,
    /// The call of the construct.
    pub(crate) site: CallSite,
}

impl<'a> TargetRecord<'a> {
    /// The record of a construct of `kind` on device `device_num`, with an id of its own.
    pub(crate) fn new(
        (kind, device_num): (c_int, c_int),
        encountering: &'a TaskRecord,
        target_task: Option<&'a TaskRecord>,
        site: CallSite,
    ) -> Self {
        TargetRecord {
            kind,
            device_num,
            id: unique_id(),
            data: 0.into(),
            host_op_id: 0.into(),
            encountering,
            target_task,
            site,
        }
    }
}

/// A data operation: `ompt_callback_target_data_op_emi`, without its endpoint.
#[derive(Debug)]
pub struct DataOperation<'a> {
    /// `ompt_target_data_op_t`.
    pub(crate) kind: c_int,
    /// The address read from, and the number of its device.
    pub(crate) source: (*const c_void, c_int),
    /// The address written to, allocated or freed, and the number of its device.
    pub(crate) destination: (*const c_void, c_int),
    /// The number of bytes.
    pub(crate) bytes: usize,
    /// The target task that executes the operation, if one does.
    pub(crate) target_task: Option<&'a TaskRecord>,
    /// The tool's word for the construct of the operation (`ompt_data_t`).
    pub(crate) data: Cell<u64>,
    /// The tool's id of the operation (`ompt_id_t`).
    pub(crate) host_op_id: Cell<u64>,
}
