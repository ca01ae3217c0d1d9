//! Times of a device's clock.

use oxomp_sys::report_2015::{ompt_target_time_t, ompt_time_none};

use super::DeviceTime;

/// A time of the device; `None` for the value that means "no time".
pub(super) fn time(value: ompt_target_time_t) -> Option<DeviceTime> {
    (value != ompt_time_none).then_some(DeviceTime(value))
}
