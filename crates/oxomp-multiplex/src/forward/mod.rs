//! The callbacks that the runtime calls: each hands its event on to the tools.
//!
//! A pointer to a data word of the runtime becomes one to the tool's own word; all other arguments
//! are passed on as they are. The callbacks for the begin and the end of an object also make and
//! end its words, as words.rs and the README's section "Data words" explain.

mod device;
mod each;
mod host;
mod plain;
mod unchanged;

use std::mem::transmute;

use ompt::raw::c::{self, ompt_callback_t, ompt_callbacks_t as E};

/// A function of an event, as a callback of any signature; the function has this type.
macro_rules! erased {
    ($function:path as $callback:ident) => {{
        // SAFETY: the runtime converts the pointer back to the type of the event.
        unsafe { transmute::<c::$callback, ompt_callback_t>($function) }
    }};
}

/// The callback to register at the runtime for an event.
pub(crate) fn forwarder(event: E) -> ompt_callback_t {
    match event {
        E::THREAD_BEGIN => erased!(host::thread_begin as ompt_callback_thread_begin_t),
        E::THREAD_END => erased!(host::thread_end as ompt_callback_thread_end_t),
        E::PARALLEL_BEGIN => erased!(host::parallel_begin as ompt_callback_parallel_begin_t),
        E::PARALLEL_END => erased!(host::parallel_end as ompt_callback_parallel_end_t),
        E::TASK_CREATE => erased!(host::task_create as ompt_callback_task_create_t),
        E::TASK_SCHEDULE => erased!(host::task_schedule as ompt_callback_task_schedule_t),
        E::IMPLICIT_TASK => erased!(host::implicit_task as ompt_callback_implicit_task_t),
        E::CANCEL => erased!(host::cancel as ompt_callback_cancel_t),
        E::CONTROL_TOOL => erased!(host::control_tool as ompt_callback_control_tool_t),
        E::TARGET => erased!(device::target as ompt_callback_target_t),
        E::TARGET_EMI => erased!(device::target_emi as ompt_callback_target_emi_t),
        E::TARGET_DATA_OP => erased!(device::target_data_op as ompt_callback_target_data_op_t),
        E::TARGET_DATA_OP_EMI => {
            erased!(device::target_data_op_emi as ompt_callback_target_data_op_emi_t)
        }
        E::TARGET_SUBMIT => erased!(device::target_submit as ompt_callback_target_submit_t),
        E::TARGET_SUBMIT_EMI => {
            erased!(device::target_submit_emi as ompt_callback_target_submit_emi_t)
        }
        E::TARGET_MAP => erased!(device::target_map as ompt_callback_target_map_t),
        E::TARGET_MAP_EMI => erased!(device::target_map_emi as ompt_callback_target_map_emi_t),
        _ => unchanged::of(event),
    }
}
