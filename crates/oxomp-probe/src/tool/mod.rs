//! The OMPT tool: it starts as the runtime asks for it, and keeps what its callbacks are told.

mod callbacks;
pub(crate) mod device;
mod entry_points;
pub(crate) mod event;
mod hook;
pub(crate) mod log;
mod noted;
mod start;
mod started;

pub(crate) use callbacks::CONTROL_RESULT;
pub(crate) use entry_points::{
    NAMES, enumerate, enumerate_mutex_impls, enumerate_states, finalize_tool, get_num_devices,
    get_num_places, get_num_procs, get_parallel_info, get_place_num, get_place_proc_ids,
    get_proc_id, get_target_info, get_task_info, get_task_memory, get_thread_data, get_unique_id,
    registered_for, set_callback, state,
};
pub(crate) use hook::{Hook, end_at};
pub(crate) use start::{AT_FINALIZE, DECLINES, REFUSES, WITHOUT_CONTROL};
pub(crate) use started::started;
