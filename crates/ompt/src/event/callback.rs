//! The callbacks that the runtime calls: one per event and tool type, made of the table of all
//! callbacks. Each reads the event from C's arguments (`host`, `target`), and hands it to the tool.
//! What happens where objects begin and end is in `lifecycle`, and for devices in `device`.
//!
//! Each callback inlines the tool's method. No callback can unwind: `extern "C"` aborts instead.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::transmute;

use oxomp_sys::for_each_callback;
use oxomp_sys::ompt::{self as c, ompt_callback_t};

use super::read::Read;
use super::{arguments, device, lifecycle};
use crate::{Event, Registered};

/// Hands an event to the tool. The tool exists, since callbacks are registered after it is stored;
/// a callback of another tool type than the runtime's would find no tool, and would do nothing.
macro_rules! hand_over {
    (thread_begin $($rest:tt)*) => {
        hand_over!(@in lifecycle, thread_begin $($rest)*)
    };
    (thread_end $($rest:tt)*) => {
        hand_over!(@in lifecycle, thread_end $($rest)*)
    };
    (parallel_begin $($rest:tt)*) => {
        hand_over!(@in lifecycle, parallel_begin $($rest)*)
    };
    (parallel_end $($rest:tt)*) => {
        hand_over!(@in lifecycle, parallel_end $($rest)*)
    };
    (implicit_task $($rest:tt)*) => {
        hand_over!(@in lifecycle, implicit_task $($rest)*)
    };
    (task_create $($rest:tt)*) => {
        hand_over!(@in lifecycle, task_create $($rest)*)
    };
    (task_schedule $($rest:tt)*) => {
        hand_over!(@in lifecycle, task_schedule $($rest)*)
    };
    (cancel $($rest:tt)*) => {
        hand_over!(@in lifecycle, cancel $($rest)*)
    };
    (control_tool $($rest:tt)*) => {
        hand_over!(@in lifecycle, control_tool $($rest)*)
    };
    (device_initialize $($rest:tt)*) => {
        hand_over!(@in device, device_initialize $($rest)*)
    };
    (device_finalize $($rest:tt)*) => {
        hand_over!(@in device, device_finalize $($rest)*)
    };

    (@in $module:ident, $name:ident of $tool:ident, $arguments:expr) => {
        // SAFETY: the runtime calls the callback with the arguments of its event.
        unsafe { $module::$name::<$tool>($arguments) }
    };
    ($name:ident of $tool:ident, $arguments:expr) => {
        if let Some(tool) = $tool::slot().tool() {
            // SAFETY: as above, and the event is gone when the callback returns.
            tool.$name(&unsafe { Read::read($arguments) });
        }
    };
}

/// The callback of one event, for a tool type.
macro_rules! callback {
    (
        $name:ident of $tool:ident, $callback:ident
        ($($role:ident $argument:ident: $type:ty),* $(,)? $(=> $answer:ty)?)
    ) => {{
        unsafe extern "C" fn $name<T: Registered>($($argument: $type),*) $(-> $answer)? {
            hand_over!($name of T, arguments::$callback { $($argument),* })
        }
        let callback: c::$callback = $name::<$tool>;
        // SAFETY: function pointers have one size; the runtime calls it by the event's signature,
        // which the line above has checked.
        unsafe { transmute::<c::$callback, ompt_callback_t>(callback) }
    }};
}

macro_rules! define_of {
    ($(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callback of an event, for a tool type; its signature is the event's.
        pub(crate) fn of<T: Registered>(event: Event) -> ompt_callback_t {
            match event {
                $($(Event::$constant => callback!($name of T, $callback $arguments),)*)*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

for_each_callback!(define_of);
