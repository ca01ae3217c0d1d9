//! The callbacks that the runtime calls: each hands its event on to the tools.
//!
//! A pointer to a data word of the runtime becomes one to the tool's own word; all other arguments
//! are passed on as they are. The callbacks for the begin and the end of an object also make and
//! end its words, as words.rs and the README's section "Data words" explain.

mod device;
mod each;
mod host;
mod plain;

use std::mem::transmute;

use ompt::raw::c::{ompt_callback_t, ompt_callbacks_t};
use ompt::raw::for_each_event;

macro_rules! table {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The callback to register at the runtime for an event.
        pub(crate) fn forwarder(event: ompt_callbacks_t) -> ompt_callback_t {
            match event {
                $(ompt_callbacks_t::$constant => {
                    let function: $callback = functions::$name;
                    // SAFETY: the runtime converts the pointer back to the type of the event.
                    unsafe { transmute::<*const (), ompt_callback_t>(function as *const ()) }
                })*
                _ => unreachable!("no event has number {}", event.0),
            }
        }
    };
}

mod functions {
    pub(super) use super::device::{
        device_finalize, device_initialize, device_load, device_unload, target, target_data_op,
        target_data_op_emi, target_emi, target_map, target_map_emi, target_submit,
        target_submit_emi,
    };
    pub(super) use super::host::{
        cancel, control_tool, dependences, dispatch, error, flush, implicit_task, lock_destroy,
        lock_init, masked, mutex_acquire, mutex_acquired, mutex_released, nest_lock,
        parallel_begin, parallel_end, reduction, sync_region, sync_region_wait, task_create,
        task_dependence, task_schedule, thread_begin, thread_end, work,
    };
}

for_each_event!(table);
