//! Storing of results at addresses that a tool passes.

use core::ffi::c_int;

/// Stores `value` at an address that a tool has passed, unless it is null.
///
/// # Safety
/// `to` is null or writable.
pub(in super::super) unsafe fn store<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: `to` is not null here, so it is writable (`# Safety`).
        unsafe { to.write(value) };
    }
}

/// Stores `count` numbers at an address that a tool has passed, if there is room for all.
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
        // SAFETY: `to` is not null here and has room for `room` numbers (`# Safety`), of which
        // `index` is one.
        unsafe { to.add(index).write(number) };
    }
}
