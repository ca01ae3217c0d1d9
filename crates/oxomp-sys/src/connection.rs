//! The private interface between oxomp's libomp and oxomp's libomptarget: kernels on the host
//! device, and tools.
//!
//! About tools, LLVM's two libraries meet by `ompt_libomp_connect`: libomptarget passes a structure
//! with two functions, and libomp passes the first of them a look-up with three functions. oxomp's
//! libraries keep to that, so each also works with LLVM's other library. Whatever goes beyond it, a
//! library finds by name, and does without if the other library lacks the name:
//!
//! | name | where | type | what for |
//! |---|---|---|---|
//! | `ompt_get_unique_id` | libomp's look-up | `ompt_get_unique_id_t` | ids of constructs that differ from those of libomp's |
//! | [`RUNTIME_VERSION`] | libomp | `u32` | the version, below |
//! | [`OFFLOAD_VERSION`] | libomptarget | `u32` | the version, below |
//! | `oxomp_execute_kernel` | libomp | [`oxomp_execute_kernel_t`] | target regions in initial tasks |
//! | `oxomp_image_registered` | libomp | [`oxomp_image_registered_t`] | the tool's start, with devices |
//! | `oxomp_count_devices` | libomptarget | [`oxomp_count_devices_t`] | the host's number, for a tool |
//! | `oxomp_start_for_tool` | libomp | [`oxomp_start_for_tool_t`] | the tool's start by a routine |
//! | `oxomp_target_slot` | libomp's look-up | [`oxomp_target_slot_t`] | `ompt_get_target_info` |
//! | `oxomp_get_callback_2015` | libomp's look-up | [`ompt_get_callback_t`](crate::report_2015::ompt_get_callback_t) | callbacks of the 2015 report; there instead of `ompt_get_callback` |
//! | `oxomp_get_task_2015` | libomp's look-up | [`oxomp_get_task_2015_t`] | the ids in such callbacks |
//! | `oxomp_new_id_2015` | libomp's look-up | [`oxomp_new_id_2015_t`] | the id of a target task of libomptarget |
//! | `oxomp_offload_connection` | libomptarget | [`oxomp_offload_connection_t`] | whether a structure is that of ours |
//! | `oxomp_offload_answer` | libomptarget | [`oxomp_offload_answer_t`] | what `ompt_set_callback` answers |
//! | `oxomp_device_info_2015` | libomptarget | [`oxomp_device_info_2015_t`] | `ompt_target_get_device_info` |
//! | `oxomp_device_of_code` | libomptarget | [`oxomp_device_of_code_t`] | `omp_get_device_num` in code of a device |
//! | `oxomp_register_gcc_image` | libomptarget | [`oxomp_register_gcc_image_t`] | an image of gcc's for a device |
//! | `oxomp_unregister_gcc_image` | libomptarget | [`oxomp_unregister_gcc_image_t`] | its end |
//! | `oxomp_execute_gcc_construct` | libomptarget | [`oxomp_execute_gcc_construct_t`] | a construct of gcc's code, on a device |
//! | `oxomp_end_gcc_data` | libomptarget | [`oxomp_end_gcc_data_t`] | the end of a target data region of gcc's code |
//!
//! Beyond these names, libomptarget relies on three properties of oxomp's libomp: functions keep
//! frame pointers, so that a routine that libomp passes on has its caller in the frame behind;
//! libomp tells libomptarget of the tool's end before it tells the tool; and it forms as many teams
//! as it is asked for.
//!
//! **Versions.** Both libraries export [`VERSION`]. Each reads the other's word before it looks for
//! any other name, and with another version, or none, it treats the other library as LLVM's:
//! nothing of this page is called, and what the page says is not assumed. libomptarget then prints
//! one line (`oxomp-target`'s README has the text and the reasons).
//!
//! **Why libomp executes kernels.** A target region is executed as an initial task, outside of all
//! parallel regions and with a contention group of its own (OpenMP 5.2 §13.8). The host device's
//! kernels run on the host's threads, so that only libomp can make such a task. LLVM's executes
//! them in the task that encounters the construct.
//!
//! **Why a slot and no question.** `ompt_get_target_info` may be called in a signal handler. A
//! function of libomptarget would read a thread-local variable there, which the loader may have to
//! allocate first. So libomp keeps a word for each thread, in which libomptarget, on that thread,
//! stores the address of its record of the construct, and the former address when the construct
//! ends. The handler reads the word and the record of its own thread; the record is complete before
//! its address is stored.
//!
//! **Why gcc's constructs come by libomp.** gcc's programs call libgomp for them, whose place
//! libomp takes; clang's call libomptarget. libomp makes the target tasks, for which it needs no
//! device, and passes the rest on, so that programs of both compilers share devices, mapping tables
//! and events. libomp loads libomptarget with the first image for which there is a plug-in of
//! libgomp.
//!
//! **Why only ours is told of tools of 2015.** LLVM's libomptarget takes every look-up for one of
//! OpenMP 5, where `ompt_get_callback` counts events in another way.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicPtr, AtomicU64};

use crate::ompt::ompt_start_tool_result_t;
use crate::report_2015;

/// The version of this interface. Each change of a name, of a type, or of what the libraries may
/// assume of each other raises it by one. Neither library knows more than one version.
pub const VERSION: u32 = 2;

/// The word in libomp that has the version.
pub const RUNTIME_VERSION: &CStr = c"oxomp_interface_version";

/// The word in libomptarget that has the version.
pub const OFFLOAD_VERSION: &CStr = c"oxomp_offload_interface_version";

/// A function that executes a kernel with the data of its launch.
pub type oxomp_kernel_fn = unsafe extern "C" fn(data: *mut c_void);

/// A kernel to be executed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct oxomp_kernel_t {
    /// The function that executes it.
    pub function: oxomp_kernel_fn,
    /// The data that the function takes.
    pub data: *mut c_void,
    /// The kernel's code, which the function calls.
    pub code: *const c_void,
    /// Where that call returns to in libomptarget: the last call of a kernel may be a jump.
    pub returns_to: *const c_void,
    /// The frame of the function of libomptarget that the program has called for the construct:
    /// its caller's frame pointer and its return address; null if no tool listens.
    pub frame: *const c_void,
    /// The number of the device.
    pub device: u32,
}

/// Executes a target region on the calling thread, as an initial task: calls the function of the
/// kernel, and returns when all tasks of the region are complete.
pub type oxomp_execute_kernel_t = unsafe extern "C" fn(kernel: *const oxomp_kernel_t);

/// libomptarget has registered an image: a tool may start that waits for the number of devices.
pub type oxomp_image_registered_t = unsafe extern "C" fn();

/// The number of devices that registered images fit, whatever *target-offload-var* is:
/// libomp, which has that variable, does not read its environment for the question.
pub type oxomp_count_devices_t = unsafe extern "C" fn() -> c_int;

/// Starts libomp if a tool waits for the first or next use of OpenMP: a routine of libomptarget may
/// be that.
pub type oxomp_start_for_tool_t = unsafe extern "C" fn();

/// A target construct that a thread executes. The thread alone writes it; its signal handlers read
/// it.
#[repr(C)]
#[derive(Debug, Default)]
pub struct oxomp_target_t {
    /// The number of the device that executes the construct.
    pub device_num: AtomicU64,
    /// The id of the construct.
    pub target_id: AtomicU64,
    /// The id of the operation that the thread initiates; 0 if it initiates none.
    pub host_op_id: AtomicU64,
}

/// The word of the calling thread: the address of the innermost construct, or null. The thread
/// alone writes it; its signal handlers read it. The function returns null for a thread that libomp
/// does not know.
pub type oxomp_target_slot_t = unsafe extern "C" fn() -> *const AtomicPtr<oxomp_target_t>;

/// The task that executes a construct, to a tool of the 2015 report.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct oxomp_task_2015_t {
    /// The id of the task that has encountered the construct; 0 if there is no such task.
    pub encountering: report_2015::ompt_task_id_t,
    /// The frame of that task.
    pub frame: *const report_2015::ompt_frame_t,
    /// The id of the target task that libomp has generated for the construct; 0 if it has generated
    /// none.
    pub target_task: report_2015::ompt_task_id_t,
}

/// Stores the task that the calling thread executes.
pub type oxomp_get_task_2015_t = unsafe extern "C" fn(task: *mut oxomp_task_2015_t);

/// A number that no thread, region or task of the run has.
pub type oxomp_new_id_2015_t = unsafe extern "C" fn() -> u64;

/// The structure that libomptarget passes to `ompt_libomp_connect`.
pub type oxomp_offload_connection_t = unsafe extern "C" fn() -> *mut ompt_start_tool_result_t;

/// The answer of `ompt_set_callback` for an event that libomptarget raises, else 0: of OpenMP 5, or
/// of the 2015 report if `is_2015` is not 0.
pub type oxomp_offload_answer_t = unsafe extern "C" fn(event: c_int, is_2015: c_int) -> c_int;

/// `ompt_target_get_device_info` without its last argument.
pub type oxomp_device_info_2015_t = unsafe extern "C" fn(
    device_id: c_int,
    device_type: *mut *const c_char,
    device: *mut *mut c_void,
    look_up: *mut Option<report_2015::ompt_function_lookup_t>,
) -> c_int;

/// The number of the device whose program contains the code, or -1.
pub type oxomp_device_of_code_t = unsafe extern "C" fn(code: *const c_void) -> c_int;

/// An image of gcc's, as the program registers it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct oxomp_gcc_image_t {
    /// The version of libgomp's interface above, the version of the device's format below.
    pub version: c_uint,
    /// The type of the devices.
    pub device_type: c_int,
    /// The functions and variables of the object, a `gomp_host_table`.
    pub host_table: *const c_void,
    /// The image, which only a plug-in for its devices can read.
    pub data: *const c_void,
}

/// Registers an image; `runtime` is an address in libomp.
pub type oxomp_register_gcc_image_t =
    unsafe extern "C" fn(image: *const oxomp_gcc_image_t, runtime: *const c_void);

/// Unregisters an image.
pub type oxomp_unregister_gcc_image_t = unsafe extern "C" fn(image: *const oxomp_gcc_image_t);

c_enum! {
    /// A construct of gcc's code.
    pub struct oxomp_gcc_kind_t(c_uint);
    TARGET = 0 => c"target",
    /// The begin of a target data region.
    DATA = 1 => c"target data",
    ENTER_DATA = 2 => c"target enter data",
    EXIT_DATA = 3 => c"target exit data",
    UPDATE = 4 => c"target update",
}

/// A construct of gcc's code for a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct oxomp_gcc_construct_t {
    /// Which construct.
    pub kind: oxomp_gcc_kind_t,
    /// 1 with nowait, in the body of a target task, else 0.
    pub is_nowait: c_uint,
    /// The device of the device clause; -1 without a clause.
    pub device: c_int,
    /// The function of a target region on the host; null for the others.
    pub function: *const c_void,
    /// The number of list items.
    pub count: usize,
    /// Their addresses or values. Those of use_device_ptr become device addresses.
    pub addresses: *mut *mut c_void,
    /// Their sizes.
    pub sizes: *const usize,
    /// Their map kinds.
    pub kinds: *const u16,
    /// The arguments of a target region, which a null word ends; null for none.
    pub arguments: *mut *mut c_void,
    /// The number of teams that a target region asks for; 0 for any.
    pub num_teams: c_uint,
    /// The limit of threads of a target region; 0 for none.
    pub thread_limit: c_uint,
    /// Where the construct's call returns to in the program.
    pub return_address: *const c_void,
}

/// Executes a construct on its device. Returns 0 if the host has to execute it.
pub type oxomp_execute_gcc_construct_t =
    unsafe extern "C" fn(construct: *const oxomp_gcc_construct_t) -> c_int;

/// Ends the innermost target data region of the calling thread. Returns 0 if it is the host's.
pub type oxomp_end_gcc_data_t = unsafe extern "C" fn(return_address: *const c_void) -> c_int;

#[cfg(test)]
mod tests {
    use core::mem::offset_of;

    use super::{
        VERSION, oxomp_gcc_construct_t, oxomp_gcc_image_t, oxomp_kernel_t, oxomp_target_t,
        oxomp_task_2015_t,
    };

    #[test]
    fn a_version_has_these_structures() {
        let kernel = [
            offset_of!(oxomp_kernel_t, function),
            offset_of!(oxomp_kernel_t, data),
            offset_of!(oxomp_kernel_t, code),
            offset_of!(oxomp_kernel_t, returns_to),
            offset_of!(oxomp_kernel_t, frame),
            offset_of!(oxomp_kernel_t, device),
            size_of::<oxomp_kernel_t>(),
        ];
        let target = [
            offset_of!(oxomp_target_t, device_num),
            offset_of!(oxomp_target_t, target_id),
            offset_of!(oxomp_target_t, host_op_id),
            size_of::<oxomp_target_t>(),
        ];
        let task = [
            offset_of!(oxomp_task_2015_t, encountering),
            offset_of!(oxomp_task_2015_t, frame),
            offset_of!(oxomp_task_2015_t, target_task),
            size_of::<oxomp_task_2015_t>(),
        ];
        let image = [
            offset_of!(oxomp_gcc_image_t, version),
            offset_of!(oxomp_gcc_image_t, device_type),
            offset_of!(oxomp_gcc_image_t, host_table),
            offset_of!(oxomp_gcc_image_t, data),
            size_of::<oxomp_gcc_image_t>(),
        ];
        let construct = [
            offset_of!(oxomp_gcc_construct_t, kind),
            offset_of!(oxomp_gcc_construct_t, is_nowait),
            offset_of!(oxomp_gcc_construct_t, device),
            offset_of!(oxomp_gcc_construct_t, function),
            offset_of!(oxomp_gcc_construct_t, count),
            offset_of!(oxomp_gcc_construct_t, addresses),
            offset_of!(oxomp_gcc_construct_t, sizes),
            offset_of!(oxomp_gcc_construct_t, kinds),
            offset_of!(oxomp_gcc_construct_t, arguments),
            offset_of!(oxomp_gcc_construct_t, num_teams),
            offset_of!(oxomp_gcc_construct_t, thread_limit),
            offset_of!(oxomp_gcc_construct_t, return_address),
            size_of::<oxomp_gcc_construct_t>(),
        ];
        // A structure of another form is another version of the interface: change all of these
        // lines.
        let expected = (2, [0, 8, 16, 24, 32, 40, 48], [0, 8, 16, 24], [0, 8, 16, 24]);
        assert_eq!((VERSION, kernel, target, task), expected);
        let expected = ([0, 4, 8, 16, 24], [0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 68, 72, 80]);
        assert_eq!((image, construct), expected);
    }
}
