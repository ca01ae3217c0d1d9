//! The start of a tool: the exported symbol, the static slot of the tool, initialize and finalize.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int, c_uint};
use core::fmt;
use core::mem::MaybeUninit;

use oxomp_sys::ompt::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

use crate::{EntryPoints, Initialization, Registration, Runtime, Tool};

/// Makes a type that implements [`Tool`] the tool of this library or program, by exporting
/// `ompt_start_tool`. Use it once.
#[macro_export]
macro_rules! ompt_tool {
    ($tool:ty) => {
        const _: () = {
            static SLOT: $crate::Slot<$tool> = $crate::Slot::new();

            // SAFETY: this macro is the only one that names the slot, and it is this type's own.
            unsafe impl $crate::Registered for $tool {
                fn slot() -> &'static $crate::Slot<Self> {
                    &SLOT
                }
            }

            /// The symbol by which an OMPT runtime finds the tool.
            ///
            /// # Safety
            /// Called by an OpenMP runtime: `runtime_version` is null or a string that stays.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn ompt_start_tool(
                omp_version: ::core::ffi::c_uint,
                runtime_version: *const ::core::ffi::c_char,
            ) -> *mut ::core::ffi::c_void {
                // SAFETY: the runtime guarantees what `start_tool` demands.
                unsafe { $crate::start_tool::<$tool>(omp_version, runtime_version) }
            }
        };
    };
}

/// A [`Tool`] to which [`ompt_tool!`](crate::ompt_tool) has given a slot.
///
/// # Safety
/// `slot` returns the same slot every time, and nothing else uses it.
pub unsafe trait Registered: Tool {
    /// The slot of the tool.
    fn slot() -> &'static Slot<Self>;
}

/// The slot of a tool in static memory, so that callbacks find the tool at a constant address.
///
/// Only the runtime's starting thread writes it: at `ompt_start_tool`, and in `initialize` before
/// the first callback is registered. The runtime orders both before every event.
pub struct Slot<T> {
    runtime: UnsafeCell<Runtime>,
    result: UnsafeCell<ompt_start_tool_result_t>,
    tool: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: see the type: written by one thread before others read; the tool itself is `Sync`.
unsafe impl<T: Tool> Sync for Slot<T> {}

impl<T> Slot<T> {
    /// An empty slot.
    #[expect(clippy::new_without_default, reason = "only made in a static, by `ompt_tool!`")]
    pub const fn new() -> Self {
        Self {
            runtime: UnsafeCell::new(Runtime { omp_version: 0, version: c"" }),
            result: UnsafeCell::new(ompt_start_tool_result_t {
                initialize: None,
                finalize: None,
                tool_data: ompt_data_t::NONE,
            }),
            tool: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// The tool.
    ///
    /// # Safety
    /// `initialize` has stored it.
    #[inline]
    pub(crate) unsafe fn tool(&self) -> &T {
        // SAFETY: stored, as the caller promises, and not written again while callbacks run.
        unsafe { (*self.tool.get()).assume_init_ref() }
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").finish_non_exhaustive()
    }
}

/// The body of `ompt_start_tool`, of which [`ompt_tool!`](crate::ompt_tool) is the only user.
///
/// # Safety
/// Called by an OpenMP runtime, from one thread; `runtime_version` is null or a string that stays.
pub unsafe fn start_tool<T: Registered>(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut core::ffi::c_void {
    let version = match runtime_version.is_null() {
        true => c"",
        // SAFETY: a string that stays, as the caller promises.
        false => unsafe { CStr::from_ptr(runtime_version) },
    };
    let runtime = Runtime { omp_version, version };
    if !T::wanted(&runtime) {
        return core::ptr::null_mut();
    }
    let slot = T::slot();
    // SAFETY: no other thread uses the slot before `initialize` (see `Slot`).
    unsafe {
        *slot.runtime.get() = runtime;
        *slot.result.get() = ompt_start_tool_result_t {
            initialize: Some(initialize::<T>),
            finalize: Some(finalize::<T>),
            tool_data: ompt_data_t::NONE,
        };
    }
    slot.result.get().cast()
}

unsafe extern "C" fn initialize<T: Registered>(
    lookup: ompt_function_lookup_t,
    initial_device_num: c_int,
    _tool_data: *mut ompt_data_t,
) -> c_int {
    let slot = T::slot();
    // SAFETY: `lookup` is the runtime's, and `start_tool` has run on this thread.
    let initialization = unsafe {
        Initialization {
            runtime: *slot.runtime.get(),
            entry_points: EntryPoints::look_up(lookup),
            initial_device_num,
        }
    };
    if !initialization.entry_points.can_register() {
        return 0;
    }
    let Some(tool) = T::initialize(&initialization) else {
        return 0;
    };
    // SAFETY: no callback is registered yet, so no thread reads the slot. A tool of an earlier
    // start (the runtime was shut down and started again) stays undropped: a late event may still
    // hold a reference to what it owned.
    let tool = unsafe {
        (*slot.tool.get()).write(tool);
        slot.tool()
    };
    let registration = Registration::of::<T>(&initialization.entry_points, tool.events());
    tool.registered(&registration);
    1
}

unsafe extern "C" fn finalize<T: Registered>(_tool_data: *mut ompt_data_t) {
    // SAFETY: the runtime calls this only if `initialize` returned 1, having stored the tool.
    unsafe { T::slot().tool() }.finalize();
}
