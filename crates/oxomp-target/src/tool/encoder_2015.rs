//! The encoder of events as callbacks of the 2015 report (§3). It knows constructs and mappings;
//! kernels, routines and devices have no callbacks there.
//!
//! To the report a construct is a target task (`ompt_event_target_task_begin`, 62, and 63); a
//! target data region has a pair of events of its own (65, 66). The compiler calls the same
//! function for both `target data` and `target enter data`. At its begin, a target data region is
//! recognized by what only a region can have: data that come back at its end, or device addresses
//! that its code uses. Its end is recognized by the compiler's arrays, which both calls pass. If
//! the begin shows neither, the region counts as two target tasks: clang passes the same arguments
//! for the begin of `target data map(to: x)` as for `target enter data map(to: x)`, and without
//! debug information the same location, too. So `ompt_set_callback` answers that the event is
//! raised where that is possible (3).

use core::ffi::c_void;
use core::ops::ControlFlow;
use core::ptr;

use oxomp_sys::ompt::ompt_scope_endpoint_t as Endpoint;
use oxomp_sys::report_2015::{
    ompt_event_t as E, ompt_target_data_begin_callback_t, ompt_target_data_map_begin_callback_t,
    ompt_target_data_map_end_callback_t, ompt_target_map_entry_t, ompt_target_map_flag_t as Flag,
    ompt_target_task_begin_callback_t, ompt_target_task_end_callback_t,
    ompt_target_task_type_t as TaskType, ompt_task_callback_t,
};

use super::event::{
    ConstructKind, DataOpKind, OperationRecord, Region, Reported, Role, ScopeRecord, ToolEvent,
};
use super::host::{Report2015, call};
use crate::sync::{Child, Mutex, Visit, lock};

/// A target data region that is open: its thread and its arrays.
pub(super) type OpenRegion = (usize, usize);

statics! {
    /// The target data regions that are open.
    static OPEN: Mutex<Vec<OpenRegion>> = Mutex::new(Vec::new());
}

/// Calls `visit` with the lock (`fork`).
pub(super) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    let lock: &Mutex<_> = &OPEN;
    visit(lock)
}

/// In the child of a fork. If a thread that is gone was changing the list, the tool gets a new
/// target task at the end of each open region.
pub(super) fn after_fork(child: &Child) {
    OPEN.after_fork(child, Vec::new);
}

/// A session of a tool begins: the tool has been told of no region.
pub(super) fn begin() {
    lock(&OPEN).clear();
}

/// The construct as the report's callbacks see it, at its begin on this thread.
pub(super) fn describe(
    tool: &Report2015,
    construct: Option<ConstructKind>,
    thread: usize,
) -> Reported {
    let task = tool.task();
    let new_task = || match task.target_task {
        0 => Role::Task(tool.new_id()),
        id => Role::Body(id),
    };
    let role = match construct {
        Some(ConstructKind::EnterData(Region { arrays, is_certain: true })) => {
            lock(&OPEN).push((thread, arrays));
            Role::RegionBegin
        }
        Some(ConstructKind::ExitData(Region { arrays, .. })) => {
            let mut open = lock(&OPEN);
            let index = open.iter().rposition(|region| *region == (thread, arrays));
            let ended = index.map(|index| open.remove(index));
            drop(open);
            ended.map_or_else(new_task, |_| Role::RegionEnd)
        }
        Some(_) => new_task(),
        // A routine is not a construct.
        None => Role::Body(task.target_task),
    };
    Reported { encountering: task.encountering, frame: task.frame, role }
}

/// Calls the callback of the event, if the report has one.
pub(super) fn encode(tool: &Report2015, event: &ToolEvent<'_>) {
    match *event {
        ToolEvent::Target { scope, endpoint } => target(tool, scope, endpoint),
        ToolEvent::DataOperation { operation, endpoint } => map(tool, operation, endpoint),
        ToolEvent::Submission { .. }
        | ToolEvent::Map { .. }
        | ToolEvent::DeviceInitialize { .. }
        | ToolEvent::DeviceFinalize { .. }
        | ToolEvent::DeviceLoad { .. }
        | ToolEvent::DeviceUnload { .. } => {}
    }
}

fn target(tool: &Report2015, scope: &ScopeRecord, endpoint: Endpoint) {
    let (Some(construct), Some(reported)) = (scope.construct, scope.reported) else { return };
    let (device, begins) = (scope.executor.number(), endpoint == Endpoint::BEGIN);
    let Reported { encountering, frame, role } = reported;
    match (role, begins) {
        (Role::Task(id), true) => {
            let (task_type, code) = match construct {
                ConstructKind::Target { code } => (TaskType::TARGET, code),
                ConstructKind::EnterData(_) => (TaskType::ENTER_DATA, 0),
                ConstructKind::ExitData(_) => (TaskType::EXIT_DATA, 0),
                ConstructKind::Update => (TaskType::UPDATE, 0),
            };
            let code = ptr::with_exposed_provenance::<c_void>(code);
            call!(tool, TARGET_TASK_BEGIN: ompt_target_task_begin_callback_t, (
                encountering, frame, id, device, code, task_type,
            ));
        }
        (Role::Task(id), false) => {
            call!(tool, TARGET_TASK_END: ompt_target_task_end_callback_t, (id));
        }
        (Role::RegionBegin, true) => {
            call!(tool, TARGET_DATA_BEGIN: ompt_target_data_begin_callback_t, (
                encountering, device, scope.site.address(),
            ));
        }
        (Role::RegionEnd, false) => {
            call!(tool, TARGET_DATA_END: ompt_task_callback_t, (encountering));
        }
        (Role::RegionBegin, false) | (Role::RegionEnd, true) | (Role::Body(_), _) => {}
    }
}

/// A data operation of a construct is a mapping of one variable.
fn map(tool: &Report2015, operation: &OperationRecord<'_>, endpoint: Endpoint) {
    let &OperationRecord { scope, from, to, bytes, id, is_async, .. } = operation;
    let (Some(reported), true) = (scope.reported, scope.construct.is_some()) else { return };
    let Some(executor) = operation.device() else { return };
    let (flag, host, device) = match operation.operation {
        DataOpKind::Allocate => (Flag::ALLOC, from, to),
        DataOpKind::ToDevice => (Flag::TO, from, to),
        DataOpKind::FromDevice => (Flag::FROM, to, from),
        DataOpKind::Delete => (Flag::DELETE, from, to),
        DataOpKind::BetweenDevices
        | DataOpKind::Fill
        | DataOpKind::Associate
        | DataOpKind::Disassociate => return,
    };
    if endpoint == Endpoint::END {
        call!(tool, TARGET_DATA_MAP_END: ompt_target_data_map_end_callback_t, (
            executor.number, id,
        ));
        return;
    }
    let item = ompt_target_map_entry_t {
        host_addr: ptr::with_exposed_provenance_mut(host.address),
        device_addr: ptr::with_exposed_provenance_mut(device.address),
        bytes,
        mapping_flags: if is_async { flag } else { flag | Flag::SYNC },
    };
    call!(tool, TARGET_DATA_MAP_BEGIN: ompt_target_data_map_begin_callback_t, (
        reported.encountering, executor.number, &raw const item, 1, id,
    ));
}
