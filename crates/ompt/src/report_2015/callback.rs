//! The callbacks that the runtime calls: one per event and tool type, made of the table of all
//! callbacks. Each reads the event from C's arguments (`event`), and hands it to the tool.
//!
//! Each callback inlines the tool's method. No callback can unwind: `extern "C"` aborts instead.

use core::ffi::{c_int, c_void};
use core::mem::transmute;

use oxomp_sys::for_each_callback_2015;
use oxomp_sys::report_2015::{
    self as c, ompt_callback_t, ompt_parallel_callback_t, ompt_parallel_id_t, ompt_task_id_t,
    ompt_thread_callback_t, ompt_thread_id_t,
};

use super::{Event, Registered, arguments};
use crate::event::read::Read;

/// Hands an event to the tool. The tool exists, since callbacks are registered after it is stored.
macro_rules! hear {
    (runtime_shutdown of $tool:ident, $arguments:expr) => {
        shut_down::<$tool>()
    };
    ($name:ident of $tool:ident, $arguments:expr) => {
        if let Some(tool) = $tool::slot().tool() {
            // SAFETY: the runtime calls the callback with the arguments of its event, which is gone
            // when the callback returns.
            tool.$name(&unsafe { Read::read($arguments) });
        }
    };
}

/// The callback of one event, for a tool type.
macro_rules! callback {
    (
        $name:ident of $tool:ident, $callback:ident ($($argument:ident: $type:ty),* $(,)?)
    ) => {{
        unsafe extern "C" fn $name<T: Registered>($($argument: $type),*) {
            hear!($name of T, arguments::$callback { $($argument),* })
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
        #[allow(clippy::useless_transmute, reason = "one has the common signature")]
        pub(super) fn of<T: Registered>(event: Event) -> ompt_callback_t {
            match event {
                $($(Event::$constant => callback!($name of T, $callback $arguments),)*)*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

for_each_callback_2015!(define_of);

/// A callback that does nothing, for the end of a pair that the tool has not asked for.
pub(super) fn quiet(event: Event) -> ompt_callback_t {
    unsafe extern "C" fn thread(_: ompt_thread_id_t) {}
    unsafe extern "C" fn region(_: ompt_parallel_id_t, _: ompt_task_id_t) {}
    match event {
        Event::IDLE_BEGIN | Event::IDLE_END => {
            // SAFETY: function pointers have one size; the runtime calls it by the event's
            // signature, which is the one named here.
            unsafe { transmute::<ompt_thread_callback_t, ompt_callback_t>(thread) }
        }
        // The other pairs are waits of tasks.
        // SAFETY: as above.
        _ => unsafe { transmute::<ompt_parallel_callback_t, ompt_callback_t>(region) },
    }
}

/// The last event: the tool ends, and its entry points with it.
fn shut_down<T: Registered>() {
    if let Some(tool) = T::slot().tool() {
        tool.runtime_shutdown();
    }
    T::slot().gate().close();
    T::slot().gate().wait_for_calls();
}
