//! The start of a tool: the exported symbol, the initializer.

use core::ffi::{CStr, c_char, c_uint};
use std::borrow::ToOwned;
use std::boxed::Box;

use oxomp_sys::report_2015::{OMPT_VERSION, ompt_function_lookup_t, ompt_initialize_fn_t};

use super::gate::Gate;
use super::{EntryPoints, Initialization, Registered, Slot, register, trace};

/// Makes a type that implements [`report_2015::Tool`](crate::report_2015::Tool) the tool of this
/// library or program, by exporting `ompt_tool`. Use it once.
#[doc(hidden)]
#[macro_export]
macro_rules! ompt_tool_2015 {
    ($tool:ty) => {
        const _: () = {
            static SLOT: $crate::report_2015::Slot<$tool> = $crate::report_2015::Slot::new();

            // SAFETY: this macro is the only one that names the slot, and it is this type's own.
            unsafe impl $crate::report_2015::Registered for $tool {
                fn slot() -> &'static $crate::report_2015::Slot<Self> {
                    &SLOT
                }
            }

            /// The symbol by which a runtime with the interface of the 2015 report finds the tool.
            #[unsafe(no_mangle)]
            pub extern "C" fn ompt_tool()
            -> Option<$crate::raw::report_2015::c::ompt_initialize_fn_t> {
                $crate::report_2015::offer::<$tool>()
            }
        };
    };
}

impl<T: Registered> Slot<T> {
    /// An empty slot.
    #[expect(clippy::new_without_default, reason = "only made in a static, by `ompt_tool!`")]
    pub const fn new() -> Self {
        Self::with(Gate::new(trace::callbacks::<T>()))
    }
}

/// The body of `ompt_tool`. Only [`ompt_tool!`](super::ompt_tool) uses it.
///
/// A runtime gets no tool while another runtime of the process has it.
pub fn offer<T: Registered>() -> Option<ompt_initialize_fn_t> {
    (!T::slot().gate().is_taken() && T::wanted()).then_some(initialize::<T>)
}

/// # Safety
/// Called by the runtime that `ompt_tool` has answered: `lookup` is its look-up, and
/// `runtime_version` is null or a string.
unsafe extern "C" fn initialize<T: Registered>(
    lookup: ompt_function_lookup_t,
    runtime_version: *const c_char,
    ompt_version: c_uint,
) {
    let slot = T::slot();
    if ompt_version != OMPT_VERSION {
        std::eprintln!(
            "ompt: the runtime has version {ompt_version} of the interface of the 2015 report, \
             not {OMPT_VERSION}; the tool gets no events"
        );
        return;
    }
    if !slot.gate().open() {
        return;
    }
    // The tool of an earlier start stays for the callbacks that may still use it.
    slot.clear();
    let runtime_version: &'static CStr = match runtime_version.is_null() {
        true => c"",
        // SAFETY: a string (`# Safety`).
        false => copy(unsafe { CStr::from_ptr(runtime_version) }),
    };
    // SAFETY: `lookup` is the runtime's.
    let entry_points = unsafe { EntryPoints::look_up(lookup, slot.gate()) };
    let initialization = Initialization { runtime_version, entry_points };
    let tool = match entry_points.can_register() {
        true => T::initialize(&initialization),
        false => None,
    };
    let Some(tool) = tool else {
        slot.gate().close();
        return;
    };
    let tool: &'static T = Box::leak(Box::new(tool));
    slot.store(tool);
    let registration = register::all::<T>(&entry_points, tool.events());
    tool.registered(&registration);
}

/// A copy of the string for the rest of the run: the report does not say that the runtime's string
/// stays.
fn copy(string: &CStr) -> &'static CStr {
    Box::leak(string.to_owned().into_boxed_c_str())
}
