//! Records in a device's own format.

use std::ffi::{CStr, CString};

use oxomp_sys::report_2015::{
    ompt_hwid_none, ompt_record_native_abstract_t, ompt_record_native_class_t,
};

pub use oxomp_sys::report_2015::ompt_native_mon_flags_t as NativeFlags;

use super::DeviceTime;
use super::time::time;
use crate::kind::kinds;
use crate::report_2015::ActivityId;

kinds! {
    /// The meaning of a native record.
    pub enum RecordClass: ompt_record_native_class_t, "ompt_record_native_class_" {
        /// A piece of information, without a duration.
        Info = INFO,
        /// Something that happened.
        Event = EVENT,
    }
}

/// The view of a native record that is the same for all devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRecord {
    /// Whether it is a piece of information or something that happened.
    pub class: RecordClass,
    /// The name of the record's kind, which the documentation of the device explains.
    pub kind: Option<CString>,
    /// When the recorded activity began.
    pub start: Option<DeviceTime>,
    /// When the recorded activity ended.
    pub end: Option<DeviceTime>,
    /// The activity, which a [`Correlation`](super::Correlation) links with a task of the host.
    pub activity: Option<ActivityId>,
    /// The unit of the hardware.
    pub hwid: Option<u64>,
}

impl NativeRecord {
    /// # Safety
    /// `view` is a view of the device and is alive.
    pub(super) unsafe fn from_raw(view: *const ompt_record_native_abstract_t) -> Self {
        // SAFETY: as the caller promises.
        let view = unsafe { view.read_unaligned() };
        Self {
            class: view.rclass.into(),
            // SAFETY: null, or a string that stays as long as the view.
            kind: (!view.kind.is_null()).then(|| unsafe { CStr::from_ptr(view.kind) }.to_owned()),
            start: time(view.start_time),
            end: time(view.end_time),
            activity: ActivityId::new(view.dev_task_id),
            hwid: (view.hwid != ompt_hwid_none).then_some(view.hwid),
        }
    }
}
