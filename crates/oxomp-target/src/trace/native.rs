//! Records in the device's own format: their kinds, which monitoring flags ask for them, and how
//! tools see them.

use core::ffi::CStr;

use oxomp_sys::ompt::{
    ompt_hwid_t, ompt_native_mon_flag_t as Flag, ompt_record_abstract_t, ompt_record_native_t,
    ompt_target_data_op_t,
};
use oxomp_sys::report_2015::{
    ompt_hwid_none, ompt_record_native_abstract_t, ompt_record_native_class_t,
};

use super::record::NativeRecord;

/// What a tool is told of a device: the names of its native records, and their structure.
pub(crate) const DOCUMENTATION: &CStr = c"\
Native records have the types copy_to_device, copy_from_device, copy_within_device (or between \
two), fill (ompt_native_data_motion_explicit: of routines and target update; \
ompt_native_data_motion_implicit: of list items), kernel_invocation \
(ompt_native_kernel_invocation), kernel_execution (ompt_native_kernel_execution), allocate, free \
(ompt_native_driver), construct (ompt_native_runtime), queue_wait (ompt_native_overhead). hwid is \
the number of the processor plus 1; for tools of the 2015 report, its number. A native record is: \
struct { uint32_t kind; int32_t processor; uint64_t start_time, end_time, target_id, host_op_id, \
activity, bytes; double bytes_per_second; void *from, *to; uint32_t thread, teams; }, with kinds \
from 1 on in the order of these types.";

/// What a native record tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NativeKind {
    CopyToDevice = 1,
    CopyFromDevice,
    /// A copy within a device, or between two.
    CopyWithinDevice,
    Fill,
    KernelInvocation,
    KernelExecution,
    Allocate,
    Free,
    Construct,
    QueueWait,
}

impl NativeKind {
    const ALL: [Self; 10] = [
        Self::CopyToDevice,
        Self::CopyFromDevice,
        Self::CopyWithinDevice,
        Self::Fill,
        Self::KernelInvocation,
        Self::KernelExecution,
        Self::Allocate,
        Self::Free,
        Self::Construct,
        Self::QueueWait,
    ];

    fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    /// The name in the abstract view.
    fn name(self) -> &'static CStr {
        match self {
            Self::CopyToDevice => c"copy_to_device",
            Self::CopyFromDevice => c"copy_from_device",
            Self::CopyWithinDevice => c"copy_within_device",
            Self::Fill => c"fill",
            Self::KernelInvocation => c"kernel_invocation",
            Self::KernelExecution => c"kernel_execution",
            Self::Allocate => c"allocate",
            Self::Free => c"free",
            Self::Construct => c"construct",
            Self::QueueWait => c"queue_wait",
        }
    }

    /// The kind of a data operation's record, and the flag that asks for it; `None` for operations
    /// of which the device has no record. `is_explicit` says that the program asked for the
    /// operation itself.
    pub(super) fn of_data_op(
        kind: ompt_target_data_op_t,
        is_explicit: bool,
    ) -> Option<(Self, Flag)> {
        use ompt_target_data_op_t as T;
        let motion = match is_explicit {
            true => Flag::DATA_MOTION_EXPLICIT,
            false => Flag::DATA_MOTION_IMPLICIT,
        };
        Some(match kind {
            T::TRANSFER_TO_DEVICE | T::TRANSFER_TO_DEVICE_ASYNC => (Self::CopyToDevice, motion),
            T::TRANSFER_FROM_DEVICE | T::TRANSFER_FROM_DEVICE_ASYNC => {
                (Self::CopyFromDevice, motion)
            }
            T::TRANSFER | T::TRANSFER_ASYNC | T::TRANSFER_RECT | T::TRANSFER_RECT_ASYNC => {
                (Self::CopyWithinDevice, motion)
            }
            T::MEMSET | T::MEMSET_ASYNC => (Self::Fill, motion),
            T::ALLOC | T::ALLOC_ASYNC => (Self::Allocate, Flag::DRIVER),
            T::DELETE | T::DELETE_ASYNC => (Self::Free, Flag::DRIVER),
            _ => return None,
        })
    }

    /// Whether data are moved.
    pub(super) fn is_motion(self) -> bool {
        use NativeKind as K;
        matches!(self, K::CopyToDevice | K::CopyFromDevice | K::CopyWithinDevice | K::Fill)
    }
}

/// The view of a native record that all devices share; `None` if the record has no known kind.
pub(super) fn abstract_5x(record: &NativeRecord) -> Option<ompt_record_abstract_t> {
    Some(ompt_record_abstract_t {
        rclass: ompt_record_native_t::EVENT,
        kind: NativeKind::of(record.kind)?.name().as_ptr(),
        start_time: record.start,
        end_time: record.end,
        // 0 stands for an unknown processor.
        hwid: (record.processor + 1).max(0) as ompt_hwid_t,
    })
}

/// The view of a native record for tools of the 2015 report; `None` if the record has no known
/// kind.
pub(super) fn abstract_2015(record: &NativeRecord) -> Option<ompt_record_native_abstract_t> {
    Some(ompt_record_native_abstract_t {
        rclass: ompt_record_native_class_t::EVENT,
        kind: NativeKind::of(record.kind)?.name().as_ptr(),
        start_time: record.start,
        end_time: record.end,
        dev_task_id: record.activity,
        hwid: u64::try_from(record.processor).unwrap_or(ompt_hwid_none),
    })
}

#[cfg(test)]
mod tests {
    use super::{NativeKind, abstract_5x, abstract_2015};
    use crate::trace::record::NativeRecord;

    #[test]
    fn processors_are_numbered_as_each_generation_has_its_none() {
        let record = |processor| NativeRecord { kind: 1, processor, ..NativeRecord::default() };
        let hwids = |processor| {
            let record = record(processor);
            (abstract_5x(&record).map(|it| it.hwid), abstract_2015(&record).map(|it| it.hwid))
        };
        assert_eq!(hwids(-1), (Some(0), Some(u64::MAX)));
        assert_eq!(hwids(0), (Some(1), Some(0)));
    }

    #[test]
    fn kinds_have_the_numbers_of_the_documentation() {
        let text = super::DOCUMENTATION.to_str().expect("it is ASCII");
        let mut last = 0;
        for (index, kind) in NativeKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index + 1);
            let name = kind.name().to_str().expect("it is ASCII");
            let at = text.find(name).expect("the type is documented");
            assert!(at > last, "{name} stands in its place");
            last = at;
        }
        let nothing = NativeRecord::default();
        assert!(abstract_5x(&nothing).is_none() && abstract_2015(&nothing).is_none());
    }
}
