//! The start of a tool: the exported symbol, initialize and finalize.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr::null_mut;
use std::boxed::Box;

use oxomp_sys::ompt::{ompt_data_t, ompt_function_lookup_t, ompt_start_tool_result_t};

use crate::data::hooks::Hooks;
use crate::gate::Gate;
use crate::{EntryPoints, Event, EventSet, Initialization, Registered, Runtime, Slot, register};

/// Makes a type that implements [`Tool`](crate::Tool) the tool of this library or program, by
/// exporting `ompt_start_tool`. Use it once.
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

impl<T: Registered> Slot<T> {
    /// An empty slot.
    #[expect(clippy::new_without_default, reason = "only made in a static, by `ompt_tool!`")]
    pub const fn new() -> Self {
        let gate = Gate::new(lifecycle::<T>(), end::<T>);
        let result = ompt_start_tool_result_t {
            initialize: Some(initialize::<T>),
            finalize: Some(finalize::<T>),
            tool_data: ompt_data_t::NONE,
        };
        Self::with(gate, result)
    }
}

/// The events that the SDK may listen to whether the tool does or not: the events that the tool's
/// model needs, and the end of a device if the tool gets handles.
const fn lifecycle<T: Registered>() -> EventSet {
    let events = <T::Model as Hooks<T>>::LIFECYCLE;
    match T::METHODS.contains(Event::DEVICE_INITIALIZE) {
        true => events.union(EventSet::of(&[Event::DEVICE_FINALIZE])),
        false => events,
    }
}

/// The body of `ompt_start_tool`. Only [`ompt_tool!`](crate::ompt_tool) uses it.
///
/// A runtime gets no tool while another runtime of the process has it.
///
/// # Safety
/// Called by an OpenMP runtime; `runtime_version` is null or a string that stays.
pub unsafe fn start_tool<T: Registered>(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut c_void {
    let version = match runtime_version.is_null() {
        true => c"",
        // SAFETY: a string that stays, as the caller promises.
        false => unsafe { CStr::from_ptr(runtime_version) },
    };
    let runtime = Runtime { omp_version, version };
    let slot = T::slot();
    if slot.gate().is_taken() || !T::wanted(&runtime) {
        return null_mut();
    }
    slot.gate().announce(&runtime);
    slot.result().cast()
}

unsafe extern "C" fn initialize<T: Registered>(
    lookup: ompt_function_lookup_t,
    initial_device_num: c_int,
    _tool_data: *mut ompt_data_t,
) -> c_int {
    let slot = T::slot();
    let Some(runtime) = slot.gate().open() else { return 0 };
    // The tool of an earlier start stays for the callbacks that may still use it.
    slot.clear();
    // SAFETY: `lookup` is the runtime's.
    let entry_points = unsafe { EntryPoints::look_up(lookup, slot.gate()) };
    let initialization = Initialization { runtime, entry_points, initial_device_num, lookup };
    let tool = match entry_points.can_register() {
        true => T::initialize(&initialization),
        false => None,
    };
    // The tool may have ended itself while it was being made.
    let (Some(tool), true) = (tool, slot.gate().is_open()) else {
        slot.gate().close();
        return 0;
    };
    let tool: &'static T = Box::leak(Box::new(tool));
    slot.store(tool);
    let registration = register::all::<T>(&entry_points, tool.events());
    tool.registered(&registration);
    c_int::from(slot.gate().is_open())
}

/// Ends the tool without the runtime. If the runtime goes on calling callbacks, they find no tool.
fn end<T: Registered>() {
    let slot = T::slot();
    if slot.gate().begin_finalize() {
        if let Some(tool) = slot.tool() {
            tool.finalize();
        }
        slot.clear();
        slot.gate().close();
    }
}

unsafe extern "C" fn finalize<T: Registered>(_tool_data: *mut ompt_data_t) {
    let slot = T::slot();
    if slot.gate().begin_finalize()
        && let Some(tool) = slot.tool()
    {
        tool.finalize();
    }
    slot.gate().close();
}
