//! The functions of the OMPD library.

/// Calls the macro `$with` with the prototype of every function that an OMPD library exports. All
/// of them return an `ompd_rc_t`: `name(argument: type, …);` for each.
#[macro_export]
macro_rules! ompd_functions {
    ($with:ident) => {
        $with! {
            ompd_initialize(
                api_version: $crate::ompd::ompd_word_t,
                callbacks: *const $crate::ompd::ompd_callbacks_t
            );
            ompd_get_api_version(version: *mut $crate::ompd::ompd_word_t);
            ompd_get_version_string(string: *mut *const core::ffi::c_char);
            ompd_finalize();
            ompd_process_initialize(
                context: *mut $crate::ompd::ompd_address_space_context_t,
                host_handle: *mut *mut $crate::ompd::ompd_address_space_handle_t
            );
            ompd_device_initialize(
                host_handle: *mut $crate::ompd::ompd_address_space_handle_t,
                device_context: *mut $crate::ompd::ompd_address_space_context_t,
                kind: $crate::ompd::ompd_device_t,
                sizeof_id: $crate::ompd::ompd_size_t,
                id: *mut core::ffi::c_void,
                device_handle: *mut *mut $crate::ompd::ompd_address_space_handle_t
            );
            ompd_get_device_thread_id_kinds(
                device_handle: *mut $crate::ompd::ompd_address_space_handle_t,
                kinds: *mut *mut $crate::ompd::ompd_thread_id_t,
                thread_id_sizes: *mut *mut $crate::ompd::ompd_size_t,
                count: *mut core::ffi::c_int
            );
            ompd_rel_address_space_handle(handle: *mut $crate::ompd::ompd_address_space_handle_t);
            ompd_get_omp_version(
                address_space: *mut $crate::ompd::ompd_address_space_handle_t,
                omp_version: *mut $crate::ompd::ompd_word_t
            );
            ompd_get_omp_version_string(
                address_space: *mut $crate::ompd::ompd_address_space_handle_t,
                string: *mut *const core::ffi::c_char
            );
            ompd_get_thread_in_parallel(
                parallel_handle: *mut $crate::ompd::ompd_parallel_handle_t,
                thread_num: core::ffi::c_int,
                thread_handle: *mut *mut $crate::ompd::ompd_thread_handle_t
            );
            ompd_get_thread_handle(
                handle: *mut $crate::ompd::ompd_address_space_handle_t,
                kind: $crate::ompd::ompd_thread_id_t,
                sizeof_thread_id: $crate::ompd::ompd_size_t,
                thread_id: *const core::ffi::c_void,
                thread_handle: *mut *mut $crate::ompd::ompd_thread_handle_t
            );
            ompd_rel_thread_handle(thread_handle: *mut $crate::ompd::ompd_thread_handle_t);
            ompd_thread_handle_compare(
                thread_handle_1: *mut $crate::ompd::ompd_thread_handle_t,
                thread_handle_2: *mut $crate::ompd::ompd_thread_handle_t,
                cmp_value: *mut core::ffi::c_int
            );
            ompd_get_thread_id(
                thread_handle: *mut $crate::ompd::ompd_thread_handle_t,
                kind: $crate::ompd::ompd_thread_id_t,
                sizeof_thread_id: $crate::ompd::ompd_size_t,
                thread_id: *mut core::ffi::c_void
            );
            ompd_get_device_from_thread(
                thread_handle: *mut $crate::ompd::ompd_thread_handle_t,
                device: *mut *mut $crate::ompd::ompd_address_space_handle_t
            );
            ompd_get_curr_parallel_handle(
                thread_handle: *mut $crate::ompd::ompd_thread_handle_t,
                parallel_handle: *mut *mut $crate::ompd::ompd_parallel_handle_t
            );
            ompd_get_enclosing_parallel_handle(
                parallel_handle: *mut $crate::ompd::ompd_parallel_handle_t,
                enclosing_handle: *mut *mut $crate::ompd::ompd_parallel_handle_t
            );
            ompd_get_task_parallel_handle(
                task_handle: *mut $crate::ompd::ompd_task_handle_t,
                parallel_handle: *mut *mut $crate::ompd::ompd_parallel_handle_t
            );
            ompd_rel_parallel_handle(parallel_handle: *mut $crate::ompd::ompd_parallel_handle_t);
            ompd_parallel_handle_compare(
                parallel_handle_1: *mut $crate::ompd::ompd_parallel_handle_t,
                parallel_handle_2: *mut $crate::ompd::ompd_parallel_handle_t,
                cmp_value: *mut core::ffi::c_int
            );
            ompd_get_curr_task_handle(
                thread_handle: *mut $crate::ompd::ompd_thread_handle_t,
                task_handle: *mut *mut $crate::ompd::ompd_task_handle_t
            );
            ompd_get_generating_task_handle(
                task_handle: *mut $crate::ompd::ompd_task_handle_t,
                generating_handle: *mut *mut $crate::ompd::ompd_task_handle_t
            );
            ompd_get_scheduling_task_handle(
                task_handle: *mut $crate::ompd::ompd_task_handle_t,
                scheduling_handle: *mut *mut $crate::ompd::ompd_task_handle_t
            );
            ompd_get_task_in_parallel(
                parallel_handle: *mut $crate::ompd::ompd_parallel_handle_t,
                thread_num: core::ffi::c_int,
                task_handle: *mut *mut $crate::ompd::ompd_task_handle_t
            );
            ompd_rel_task_handle(task_handle: *mut $crate::ompd::ompd_task_handle_t);
            ompd_task_handle_compare(
                task_handle_1: *mut $crate::ompd::ompd_task_handle_t,
                task_handle_2: *mut $crate::ompd::ompd_task_handle_t,
                cmp_value: *mut core::ffi::c_int
            );
            ompd_get_task_function(
                task_handle: *mut $crate::ompd::ompd_task_handle_t,
                entry_point: *mut $crate::ompd::ompd_address_t
            );
            ompd_get_task_frame(
                task_handle: *mut $crate::ompd::ompd_task_handle_t,
                exit_frame: *mut $crate::ompd::ompd_frame_info_t,
                enter_frame: *mut $crate::ompd::ompd_frame_info_t
            );
            ompd_enumerate_states(
                address_space: *mut $crate::ompd::ompd_address_space_handle_t,
                current_state: $crate::ompd::ompd_word_t,
                next_state: *mut $crate::ompd::ompd_word_t,
                next_state_name: *mut *const core::ffi::c_char,
                more_enums: *mut $crate::ompd::ompd_word_t
            );
            ompd_get_state(
                thread_handle: *mut $crate::ompd::ompd_thread_handle_t,
                state: *mut $crate::ompd::ompd_word_t,
                wait_id: *mut $crate::ompd::ompd_wait_id_t
            );
            ompd_get_display_control_vars(
                address_space: *mut $crate::ompd::ompd_address_space_handle_t,
                control_vars: *mut *const *const core::ffi::c_char
            );
            ompd_rel_display_control_vars(control_vars: *mut *const *const core::ffi::c_char);
            ompd_enumerate_icvs(
                address_space: *mut $crate::ompd::ompd_address_space_handle_t,
                current: $crate::ompd::ompd_icv_id_t,
                next_id: *mut $crate::ompd::ompd_icv_id_t,
                next_icv_name: *mut *const core::ffi::c_char,
                next_scope: *mut $crate::ompd::ompd_scope_t,
                more: *mut core::ffi::c_int
            );
            ompd_get_icv_from_scope(
                handle: *mut core::ffi::c_void,
                scope: $crate::ompd::ompd_scope_t,
                icv_id: $crate::ompd::ompd_icv_id_t,
                icv_value: *mut $crate::ompd::ompd_word_t
            );
            ompd_get_icv_string_from_scope(
                handle: *mut core::ffi::c_void,
                scope: $crate::ompd::ompd_scope_t,
                icv_id: $crate::ompd::ompd_icv_id_t,
                icv_string: *mut *const core::ffi::c_char
            );
            ompd_get_tool_data(
                handle: *mut core::ffi::c_void,
                scope: $crate::ompd::ompd_scope_t,
                value: *mut $crate::ompd::ompd_word_t,
                ptr: *mut $crate::ompd::ompd_address_t
            );
        }
    };
}
