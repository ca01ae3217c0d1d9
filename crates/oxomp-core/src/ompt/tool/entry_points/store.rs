//! Results where a tool wants them.

use core::ffi::c_int;

/// Stores `value` where a tool wants it.
///
/// # Safety
/// `to` is null or writable.
pub(super) unsafe fn store<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: writable, by contract.
        unsafe { to.write(value) };
    }
}

/// Stores `count` numbers where a tool wants them, if it has room for all.
///
/// # Safety
/// `to` is null or has room for `room` numbers.
pub(super) unsafe fn store_all(
    to: *mut c_int,
    room: c_int,
    count: c_int,
    numbers: impl Iterator<Item = c_int>,
) {
    if to.is_null() || room < count {
        return;
    }
    for (index, number) in numbers.take(count as usize).enumerate() {
        // SAFETY: there is room, by contract.
        unsafe { to.add(index).write(number) };
    }
}
