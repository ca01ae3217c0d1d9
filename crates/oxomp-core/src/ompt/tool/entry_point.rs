//! The parts of entry points that both interfaces share: the caller, the results, which a tool has
//! stored at addresses that it passes, and the look-up by name.

use core::ffi::c_int;

use super::phase::answers;
use crate::block::Thread;

/// The calling thread, if the runtime knows it and a tool may ask.
pub(super) fn caller() -> Option<&'static Thread> {
    if answers() { Thread::known() } else { None }
}

/// Stores `value` at an address that a tool has passed, unless it is null.
///
/// # Safety
/// `to` is null or writable.
pub(super) unsafe fn store<T>(to: *mut T, value: T) {
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

/// `"name" => function: its type` for each entry point of an interface: defines `by_name`, which
/// finds the function.
macro_rules! entry_points {
    ($($name:literal => $function:path: $type:ty;)*) => {
        /// The names, for the tests.
        #[cfg(test)]
        const NAMES: &[&core::ffi::CStr] = &[$($name),*];

        fn by_name(name: &core::ffi::CStr) -> Option<ompt_interface_fn_t> {
            $(if name == $name {
                let function: $type = $function;
                // SAFETY: the tool converts the pointer back to the type that the interface gives
                // the function of this name.
                return Some(unsafe {
                    core::mem::transmute::<*const (), ompt_interface_fn_t>(function as *const ())
                });
            })*
            None
        }
    };
}

pub(super) use entry_points;
