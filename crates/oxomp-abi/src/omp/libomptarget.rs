//! Calls that are passed on to libomptarget, if the program has loaded it.

/// `forward!(c"name"(argument: type, …) -> result)`: starts the runtime for a tool that waits for
/// it, and returns from the calling function with the result of libomptarget's routine of that
/// name, if there is one.
macro_rules! forward {
    ($name:literal($($argument:ident: $type:ty),* $(,)?) -> $result:ty) => {{
        static ROUTINE: oxomp_core::devices::Routine = oxomp_core::devices::Routine::new($name);
        oxomp_core::process::start_for_tool();
        if let Some(routine) = ROUTINE.in_libomptarget() {
            type Function = unsafe extern "C" fn($($type),*) -> $result;
            // SAFETY: OpenMP gives the routine of that name this type, and the caller's arguments
            // are those of that routine.
            return unsafe {
                core::mem::transmute::<core::ptr::NonNull<core::ffi::c_void>, Function>(routine)(
                    $($argument),*
                )
            };
        }
    }};
}

pub(super) use forward;
