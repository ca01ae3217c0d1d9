//! The callbacks of a debugger.

use core::ffi::{c_char, c_int, c_void};

use super::{
    ompd_address_space_context_t, ompd_address_t, ompd_device_type_sizes_t, ompd_rc_t, ompd_size_t,
    ompd_thread_context_t, ompd_thread_id_t,
};

/// Allocates `nbytes` bytes in the debugger.
pub type ompd_callback_memory_alloc_fn_t =
    unsafe extern "C" fn(nbytes: ompd_size_t, ptr: *mut *mut c_void) -> ompd_rc_t;
/// Frees what the callback above has allocated.
pub type ompd_callback_memory_free_fn_t = unsafe extern "C" fn(ptr: *mut c_void) -> ompd_rc_t;
/// Shows a text to the user.
pub type ompd_callback_print_string_fn_t =
    unsafe extern "C" fn(string: *const c_char, category: c_int) -> ompd_rc_t;
/// The sizes of C's types in the program.
pub type ompd_callback_sizeof_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    sizes: *mut ompd_device_type_sizes_t,
) -> ompd_rc_t;
/// The address of a symbol of the program.
pub type ompd_callback_symbol_addr_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    thread_context: *mut ompd_thread_context_t,
    symbol_name: *const c_char,
    symbol_addr: *mut ompd_address_t,
    file_name: *const c_char,
) -> ompd_rc_t;
/// Reads memory of the program, without a change of byte order.
pub type ompd_callback_memory_read_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    thread_context: *mut ompd_thread_context_t,
    addr: *const ompd_address_t,
    nbytes: ompd_size_t,
    buffer: *mut c_void,
) -> ompd_rc_t;
/// Writes memory of the program.
pub type ompd_callback_memory_write_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    thread_context: *mut ompd_thread_context_t,
    addr: *const ompd_address_t,
    nbytes: ompd_size_t,
    buffer: *const c_void,
) -> ompd_rc_t;
/// Converts the byte order of `count` values of `unit_size` bytes.
pub type ompd_callback_device_host_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    input: *const c_void,
    unit_size: ompd_size_t,
    count: ompd_size_t,
    output: *mut c_void,
) -> ompd_rc_t;
/// The debugger's view of the native thread with this id.
pub type ompd_callback_get_thread_context_for_thread_id_fn_t = unsafe extern "C" fn(
    context: *mut ompd_address_space_context_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *const c_void,
    thread_context: *mut *mut ompd_thread_context_t,
) -> ompd_rc_t;

c_record! {
    /// The callbacks that a debugger gives to the library. By the specification none of them may be
    /// missing; debuggers leave out the callbacks that they lack.
    ompd_callbacks_t: 88 bytes {
        /// Allocates memory in the debugger.
        alloc_memory: Option<ompd_callback_memory_alloc_fn_t> = 0,
        /// Frees it.
        free_memory: Option<ompd_callback_memory_free_fn_t> = 8,
        /// Shows a text to the user.
        print_string: Option<ompd_callback_print_string_fn_t> = 16,
        /// The sizes of C's types in the program.
        sizeof_type: Option<ompd_callback_sizeof_fn_t> = 24,
        /// The address of a symbol of the program.
        symbol_addr_lookup: Option<ompd_callback_symbol_addr_fn_t> = 32,
        /// Reads memory of the program.
        read_memory: Option<ompd_callback_memory_read_fn_t> = 40,
        /// Writes memory of the program.
        write_memory: Option<ompd_callback_memory_write_fn_t> = 48,
        /// Reads text of the program, to its zero byte.
        read_string: Option<ompd_callback_memory_read_fn_t> = 56,
        /// Converts the program's byte order to the debugger's.
        device_to_host: Option<ompd_callback_device_host_fn_t> = 64,
        /// Converts the debugger's byte order to the program's.
        host_to_device: Option<ompd_callback_device_host_fn_t> = 72,
        /// The debugger's view of a native thread.
        get_thread_context_for_thread_id:
            Option<ompd_callback_get_thread_context_for_thread_id_fn_t> = 80,
    }
}
