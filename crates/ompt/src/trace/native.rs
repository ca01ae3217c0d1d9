//! Records in a device's own format.

use core::ffi::c_void;
use std::ffi::{CStr, CString};

use oxomp_sys::ompt::{ompt_id_t, ompt_record_abstract_t, ompt_record_native_t};

pub use oxomp_sys::ompt::ompt_native_mon_flag_t as NativeFlags;

use super::DeviceTime;
use super::functions::Functions;
use crate::kind::kinds;

kinds! {
    /// The meaning of a native record.
    pub enum RecordClass: ompt_record_native_t, "ompt_record_native_" {
        /// A piece of information, without a duration.
        Info = INFO,
        /// Something that happened.
        Event = EVENT,
    }
}

/// A record in the device's own format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRecord {
    /// The operation of the host that caused the record, as [`DataOpRecord`](super::DataOpRecord)
    /// and [`KernelRecord`](super::KernelRecord) name it; 0 if the device does not say.
    pub host_op_id: ompt_id_t,
    /// The view of the record that is the same for all devices; `None` if the device gives no view.
    pub view: Option<NativeView>,
}

/// The view of a native record that is the same for all devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeView {
    /// Whether it is a piece of information or something that happened.
    pub class: RecordClass,
    /// The name of the record's kind, which the documentation of the device explains.
    pub kind: Option<CString>,
    /// When the recorded activity began.
    pub start: Option<DeviceTime>,
    /// When the recorded activity ended.
    pub end: Option<DeviceTime>,
    /// The unit of the hardware.
    pub hwid: Option<u64>,
}

impl NativeRecord {
    /// # Safety
    /// `record` is a native record of the device with these entry points, and is alive.
    pub(super) unsafe fn from_raw(
        functions: &Functions,
        record: *mut c_void,
        host_op_id: ompt_id_t,
    ) -> Self {
        let view =
            functions.get_record_abstract.function.filter(|_| !record.is_null()).and_then(|get| {
                // SAFETY: the entry point is the device's, as is the record.
                let view = unsafe { get(record) };
                // SAFETY: null, or a view that stays until the next call.
                (!view.is_null()).then(|| unsafe { NativeView::from_raw(view) })
            });
        Self { host_op_id, view }
    }
}

impl NativeView {
    /// # Safety
    /// `view` is a view of the device and is alive.
    unsafe fn from_raw(view: *const ompt_record_abstract_t) -> Self {
        // SAFETY: as the caller promises.
        let view = unsafe { view.read_unaligned() };
        let some = |value: u64| (value != 0).then_some(value);
        Self {
            class: view.rclass.into(),
            // SAFETY: null, or a string that stays as long as the view.
            kind: (!view.kind.is_null()).then(|| unsafe { CStr::from_ptr(view.kind) }.to_owned()),
            start: some(view.start_time).map(DeviceTime),
            end: some(view.end_time).map(DeviceTime),
            hwid: some(view.hwid),
        }
    }
}
