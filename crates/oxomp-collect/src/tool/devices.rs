//! Constructs for devices, and operations of devices.

use std::sync::atomic::{AtomicBool, Ordering};

use ompt::{CodePtr, Endpoint, Event, TargetKind};
use oxomp_trace::info::EventClass;
use oxomp_trace::offload::HOST;

use super::collector::Collector;
use crate::log;
use crate::offload::{Operation, OperationKind, device_number};

/// Whether a library has initialized a device; the runtime itself may not know of the device.
pub(super) static HAS_DEVICES: AtomicBool = AtomicBool::new(false);

/// Events of devices that stand for both ends of an operation, or that newer events have replaced.
pub(super) const WITHOUT_ENDS: [Event; 3] =
    [Event::TARGET, Event::TARGET_DATA_OP, Event::TARGET_SUBMIT];

impl Collector {
    /// Whether the device of this number is the host, whose number is the number of devices: 0 if
    /// there are none.
    pub(super) fn is_host(&self, device: i32) -> bool {
        let has_none = !HAS_DEVICES.load(Ordering::Relaxed);
        device == 0 && has_none && self.entry_points.num_devices() == Some(0)
    }

    /// The construct of the number `id` begins or ends.
    pub(super) fn target_construct(
        &self,
        id: u64,
        endpoint: Endpoint,
        what: (TargetKind, i32, CodePtr),
    ) {
        let (kind, device, code) = what;
        let device = if self.is_host(device) { HOST } else { device_number(device) };
        let what = (kind.raw().0 as u8, device, code.0 as u64);
        self.event(EventClass::Devices, |log, store, now| match endpoint {
            Endpoint::Begin => log.begin_target(store, now, id, what),
            Endpoint::End => log.end_target(store, now, id),
            _ => Ok(()),
        });
    }

    /// A device begins or ends an operation.
    pub(super) fn operation(&self, operation: Operation, endpoint: Endpoint) {
        self.event(EventClass::Devices, |log, store, now| match endpoint {
            Endpoint::Begin => log.begin_operation(store, now, operation),
            Endpoint::End => log.end_operation(store, now, operation, true),
            _ => log.end_operation(store, now, operation, false),
        });
    }

    /// The construct that the calling thread is in submits a kernel.
    pub(super) fn kernel(&self, teams: u32, endpoint: Endpoint) {
        let construct = log::with_current(|log| (log.offload.code(), log.offload.device()));
        let Some((code, device)) = construct else { return };
        let kind = OperationKind::Kernel { teams };
        self.operation(Operation { kind, device, code }, endpoint);
    }
}
