//! The encoder of events as callbacks of OpenMP 5.0 to 6.0. If a tool has registered both forms of
//! a callback, only the later form, of 5.1, is called.

use core::ffi::{c_char, c_void};
use core::ptr;

use oxomp_sys::ompt::{
    ompt_addr_none, ompt_callback_device_finalize_t, ompt_callback_device_initialize_t,
    ompt_callback_device_load_t, ompt_callback_device_unload_t, ompt_callback_target_data_op_emi_t,
    ompt_callback_target_data_op_t, ompt_callback_target_emi_t, ompt_callback_target_map_emi_t,
    ompt_callback_target_map_t, ompt_callback_target_submit_emi_t, ompt_callback_target_submit_t,
    ompt_callback_target_t, ompt_callbacks_t as E, ompt_scope_endpoint_t as Endpoint,
    ompt_target_data_op_t,
};

use super::event::{Mapping, OperationRecord, ScopeRecord, SubmissionRecord, ToolEvent};
use super::host::{OpenMp5, call};
use super::look_up::look_up;
use crate::device::Image;
use crate::trace;

/// The offset of an image in its file, if the image is in no file.
const NO_OFFSET: i64 = -1;

/// The callback of an event, if one is registered now.
macro_rules! registered {
    ($tool:expr, $event:ident: $type:ty) => {
        // SAFETY: the callbacks of this event have this type (`omp-tools.h`).
        unsafe { $tool.callback::<$type>(E::$event) }
    };
}

/// Calls the callback of the event.
pub(super) fn encode(tool: &OpenMp5, event: &ToolEvent<'_>) {
    match *event {
        ToolEvent::Target { scope, endpoint } => target(tool, scope, endpoint),
        ToolEvent::DataOperation { operation, endpoint } => data_op(tool, operation, endpoint),
        ToolEvent::Submission { submission, endpoint } => submit(tool, submission, endpoint),
        ToolEvent::Map { scope, mappings } => map(tool, scope, mappings),
        ToolEvent::DeviceInitialize { device, description } => {
            call!(tool, DEVICE_INITIALIZE: ompt_callback_device_initialize_t, (
                device.number,
                description.as_ptr(),
                trace::handle(&device.tracer),
                Some(look_up),
                trace::DOCUMENTATION.as_ptr(),
            ));
        }
        ToolEvent::DeviceFinalize { device } => {
            call!(tool, DEVICE_FINALIZE: ompt_callback_device_finalize_t, (device.number));
        }
        ToolEvent::DeviceLoad { device, image } => load(tool, device, &image),
        ToolEvent::DeviceUnload { device, module } => {
            call!(tool, DEVICE_UNLOAD: ompt_callback_device_unload_t, (device, module));
        }
    }
}

fn target(tool: &OpenMp5, scope: &ScopeRecord, endpoint: Endpoint) {
    let Some(kind) = scope.kind() else { return };
    let (number, code) = (scope.executor.number(), scope.site.address());
    if let Some(callback) = registered!(tool, TARGET_EMI: ompt_callback_target_emi_t) {
        let (task, target_task, data) = (scope.task, scope.target_task, scope.data.as_ptr().cast());
        // SAFETY: as in `call`.
        return unsafe { callback(kind, endpoint, number, task, target_task, data, code) };
    }
    call!(tool, TARGET: ompt_callback_target_t, (
        kind, endpoint, number, scope.task, scope.id, code,
    ));
}

fn data_op(tool: &OpenMp5, operation: &OperationRecord<'_>, endpoint: Endpoint) {
    let &OperationRecord { scope, kind, from, to, bytes, id, .. } = operation;
    let (source, destination) = (address(from.address), address(to.address));
    let code = scope.site.address();
    let emi = registered!(tool, TARGET_DATA_OP_EMI: ompt_callback_target_data_op_emi_t);
    if let Some(callback) = emi {
        // SAFETY: as in `call`.
        return unsafe {
            callback(
                endpoint,
                scope.target_task,
                scope.data.as_ptr().cast(),
                scope.operation.as_ptr(),
                kind,
                source,
                from.number,
                destination,
                to.number,
                bytes,
                code,
            );
        };
    }
    // The event is the operation's begin if memory is about to be freed, and otherwise its end.
    let frees = matches!(kind, ompt_target_data_op_t::DELETE | ompt_target_data_op_t::DELETE_ASYNC);
    let omitted = if frees { Endpoint::END } else { Endpoint::BEGIN };
    if endpoint != omitted {
        call!(tool, TARGET_DATA_OP: ompt_callback_target_data_op_t, (
            scope.id, id, kind, source, from.number, destination, to.number, bytes, code,
        ));
    }
}

fn submit(tool: &OpenMp5, submission: &SubmissionRecord<'_>, endpoint: Endpoint) {
    let &SubmissionRecord { scope, requested_teams, id } = submission;
    let emi = registered!(tool, TARGET_SUBMIT_EMI: ompt_callback_target_submit_emi_t);
    if let Some(callback) = emi {
        let (data, operation) = (scope.data.as_ptr().cast(), scope.operation.as_ptr());
        // SAFETY: as in `call`.
        return unsafe { callback(endpoint, data, operation, requested_teams) };
    }
    if endpoint == Endpoint::BEGIN {
        call!(tool, TARGET_SUBMIT: ompt_callback_target_submit_t, (scope.id, id, requested_teams));
    }
}

fn map(tool: &OpenMp5, scope: &ScopeRecord, mappings: &[Mapping]) {
    let emi = registered!(tool, TARGET_MAP_EMI: ompt_callback_target_map_emi_t);
    let old = registered!(tool, TARGET_MAP: ompt_callback_target_map_t);
    if emi.is_none() && old.is_none() {
        return;
    }
    let mut hosts: Vec<_> = mappings.iter().map(|it| address(it.host)).collect();
    let mut devices: Vec<_> = mappings.iter().map(|it| it.device.as_ptr()).collect();
    let mut sizes: Vec<_> = mappings.iter().map(|it| it.bytes).collect();
    let mut flags: Vec<_> = mappings.iter().map(|it| it.flags.0).collect();
    let (count, code) = (mappings.len() as u32, scope.site.address());
    let arrays = (hosts.as_mut_ptr(), devices.as_mut_ptr(), sizes.as_mut_ptr(), flags.as_mut_ptr());
    let (hosts, devices, sizes, flags) = arrays;
    if let Some(callback) = emi {
        let data = scope.data.as_ptr().cast();
        // SAFETY: as in `call`; the arrays have `count` elements.
        unsafe { callback(data, count, hosts, devices, sizes, flags, code) };
    } else if let Some(callback) = old {
        // SAFETY: as above.
        unsafe { callback(scope.id, count, hosts, devices, sizes, flags, code) };
    }
}

fn load(tool: &OpenMp5, device: i32, image: &Image) {
    let none = address(ompt_addr_none as usize);
    let file = ptr::null::<c_char>();
    call!(tool, DEVICE_LOAD: ompt_callback_device_load_t, (
        device,
        file,
        NO_OFFSET,
        none,
        image.bytes,
        address(image.host),
        image.device.map_or(none, |address| address.as_ptr()),
        image.module,
    ));
}

fn address(number: usize) -> *mut c_void {
    ptr::with_exposed_provenance_mut(number)
}
