//! The debugger interface OMPD (OpenMP 5.0 chapter 5, 6.0 chapters 38 to 42).
//!
//! A debugger loads the OMPD library, gives it a table of callbacks ([`ompd_callbacks_t`]), and
//! asks it for handles of threads, regions and tasks of the program that the debugger has stopped.

mod callback;
mod data;
mod enumeration;
mod functions;

pub use callback::{
    ompd_callback_device_host_fn_t, ompd_callback_get_thread_context_for_thread_id_fn_t,
    ompd_callback_memory_alloc_fn_t, ompd_callback_memory_free_fn_t,
    ompd_callback_memory_read_fn_t, ompd_callback_memory_write_fn_t,
    ompd_callback_print_string_fn_t, ompd_callback_sizeof_fn_t, ompd_callback_symbol_addr_fn_t,
    ompd_callbacks_t,
};
pub use data::{
    ICV_UNDEFINED, SEGMENT_NONE, ompd_addr_t, ompd_address_space_context_t,
    ompd_address_space_handle_t, ompd_address_t, ompd_device_t, ompd_device_type_sizes_t,
    ompd_frame_info_t, ompd_icv_id_t, ompd_parallel_handle_t, ompd_seg_t, ompd_size_t,
    ompd_task_handle_t, ompd_thread_context_t, ompd_thread_handle_t, ompd_thread_id_t,
    ompd_wait_id_t, ompd_word_t,
};
pub use enumeration::{
    device_kind, ompd_rc_t, ompd_scope_t, ompd_team_generator_t, thread_id_kind,
};
