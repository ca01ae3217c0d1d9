//! Times of a device's clock.

use core::fmt;

/// A time by the clock of a device, in units of that clock. Times of one device can be compared;
/// only [`Device::translate_time`](crate::Device::translate_time) converts them to seconds, and the
/// interface does not name the unit of their difference.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeviceTime(pub u64);

impl fmt::Display for DeviceTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
