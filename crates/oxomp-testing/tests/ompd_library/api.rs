//! The functions of libompd.so, looked up as a debugger does.

use core::ffi::{c_char, c_int, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

use oxomp_sys::ompd::{
    ompd_address_space_context_t, ompd_address_space_handle_t, ompd_address_t, ompd_callbacks_t,
    ompd_device_t, ompd_frame_info_t, ompd_icv_id_t, ompd_parallel_handle_t, ompd_rc_t,
    ompd_scope_t, ompd_size_t, ompd_task_handle_t, ompd_thread_handle_t, ompd_thread_id_t,
    ompd_wait_id_t, ompd_word_t,
};

use crate::debuggee::runtime;

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        /// Every function of the library.
        #[derive(Debug)]
        pub(crate) struct Api {
            $(pub(crate) $name: unsafe extern "C" fn($($argument: $type),*) -> ompd_rc_t,)*
        }

        impl Api {
            /// The functions of the library at `path`.
            fn load(path: &std::path::Path) -> Self {
                let name = CString::new(path.as_os_str().as_bytes()).expect("no zero byte");
                // SAFETY: the library has no constructor that does anything.
                let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
                assert!(!library.is_null(), "{} cannot be loaded", path.display());
                Api {
                    $($name: {
                        let name = CString::new(stringify!($name)).expect("no zero byte");
                        // SAFETY: the library is loaded, and stays so; each function has the type
                        // that the header declares.
                        unsafe {
                            let address = libc::dlsym(library, name.as_ptr());
                            assert!(!address.is_null(), "there is no {name:?}");
                            core::mem::transmute::<
                                *mut c_void,
                                unsafe extern "C" fn($($argument: $type),*) -> ompd_rc_t,
                            >(address)
                        }
                    },)*
                }
            }
        }
    };
}

functions! {
    ompd_initialize(api_version: ompd_word_t, callbacks: *const ompd_callbacks_t);
    ompd_get_api_version(version: *mut ompd_word_t);
    ompd_get_version_string(string: *mut *const c_char);
    ompd_finalize();
    ompd_process_initialize(context: *mut ompd_address_space_context_t, host_handle: *mut *mut ompd_address_space_handle_t);
    ompd_device_initialize(host_handle: *mut ompd_address_space_handle_t, device_context: *mut ompd_address_space_context_t, kind: ompd_device_t, sizeof_id: ompd_size_t, id: *mut c_void, device_handle: *mut *mut ompd_address_space_handle_t);
    ompd_get_device_thread_id_kinds(device_handle: *mut ompd_address_space_handle_t, kinds: *mut *mut ompd_thread_id_t, thread_id_sizes: *mut *mut ompd_size_t, count: *mut c_int);
    ompd_rel_address_space_handle(handle: *mut ompd_address_space_handle_t);
    ompd_get_omp_version(address_space: *mut ompd_address_space_handle_t, omp_version: *mut ompd_word_t);
    ompd_get_omp_version_string(address_space: *mut ompd_address_space_handle_t, string: *mut *const c_char);
    ompd_get_thread_in_parallel(parallel_handle: *mut ompd_parallel_handle_t, thread_num: c_int, thread_handle: *mut *mut ompd_thread_handle_t);
    ompd_get_thread_handle(handle: *mut ompd_address_space_handle_t, kind: ompd_thread_id_t, sizeof_thread_id: ompd_size_t, thread_id: *const c_void, thread_handle: *mut *mut ompd_thread_handle_t);
    ompd_rel_thread_handle(thread_handle: *mut ompd_thread_handle_t);
    ompd_thread_handle_compare(thread_handle_1: *mut ompd_thread_handle_t, thread_handle_2: *mut ompd_thread_handle_t, cmp_value: *mut c_int);
    ompd_get_thread_id(thread_handle: *mut ompd_thread_handle_t, kind: ompd_thread_id_t, sizeof_thread_id: ompd_size_t, thread_id: *mut c_void);
    ompd_get_device_from_thread(thread_handle: *mut ompd_thread_handle_t, device: *mut *mut ompd_address_space_handle_t);
    ompd_get_curr_parallel_handle(thread_handle: *mut ompd_thread_handle_t, parallel_handle: *mut *mut ompd_parallel_handle_t);
    ompd_get_enclosing_parallel_handle(parallel_handle: *mut ompd_parallel_handle_t, enclosing_handle: *mut *mut ompd_parallel_handle_t);
    ompd_get_task_parallel_handle(task_handle: *mut ompd_task_handle_t, parallel_handle: *mut *mut ompd_parallel_handle_t);
    ompd_rel_parallel_handle(parallel_handle: *mut ompd_parallel_handle_t);
    ompd_parallel_handle_compare(parallel_handle_1: *mut ompd_parallel_handle_t, parallel_handle_2: *mut ompd_parallel_handle_t, cmp_value: *mut c_int);
    ompd_get_curr_task_handle(thread_handle: *mut ompd_thread_handle_t, task_handle: *mut *mut ompd_task_handle_t);
    ompd_get_generating_task_handle(task_handle: *mut ompd_task_handle_t, generating_handle: *mut *mut ompd_task_handle_t);
    ompd_get_scheduling_task_handle(task_handle: *mut ompd_task_handle_t, scheduling_handle: *mut *mut ompd_task_handle_t);
    ompd_get_task_in_parallel(parallel_handle: *mut ompd_parallel_handle_t, thread_num: c_int, task_handle: *mut *mut ompd_task_handle_t);
    ompd_rel_task_handle(task_handle: *mut ompd_task_handle_t);
    ompd_task_handle_compare(task_handle_1: *mut ompd_task_handle_t, task_handle_2: *mut ompd_task_handle_t, cmp_value: *mut c_int);
    ompd_get_task_function(task_handle: *mut ompd_task_handle_t, entry_point: *mut ompd_address_t);
    ompd_get_task_frame(task_handle: *mut ompd_task_handle_t, exit_frame: *mut ompd_frame_info_t, enter_frame: *mut ompd_frame_info_t);
    ompd_enumerate_states(address_space: *mut ompd_address_space_handle_t, current_state: ompd_word_t, next_state: *mut ompd_word_t, next_state_name: *mut *const c_char, more_enums: *mut ompd_word_t);
    ompd_get_state(thread_handle: *mut ompd_thread_handle_t, state: *mut ompd_word_t, wait_id: *mut ompd_wait_id_t);
    ompd_get_display_control_vars(address_space: *mut ompd_address_space_handle_t, control_vars: *mut *const *const c_char);
    ompd_rel_display_control_vars(control_vars: *mut *const *const c_char);
    ompd_enumerate_icvs(address_space: *mut ompd_address_space_handle_t, current: ompd_icv_id_t, next_id: *mut ompd_icv_id_t, next_icv_name: *mut *const c_char, next_scope: *mut ompd_scope_t, more: *mut c_int);
    ompd_get_icv_from_scope(handle: *mut c_void, scope: ompd_scope_t, icv_id: ompd_icv_id_t, icv_value: *mut ompd_word_t);
    ompd_get_icv_string_from_scope(handle: *mut c_void, scope: ompd_scope_t, icv_id: ompd_icv_id_t, icv_string: *mut *const c_char);
    ompd_get_tool_data(handle: *mut c_void, scope: ompd_scope_t, value: *mut ompd_word_t, ptr: *mut ompd_address_t);
}

/// The library beside the runtime under test.
pub(crate) fn api() -> &'static Api {
    static API: OnceLock<Api> = OnceLock::new();
    API.get_or_init(|| Api::load(&runtime().join("libompd.so")))
}
