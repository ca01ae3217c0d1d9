//! Interop constructs and routines (OpenMP 5.2 §14.1, §18.12).

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use oxomp_sys::offload::interop_kind;
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::interop::{self, Interop, Property};

use crate::arguments::{Loc, wait_for};
use crate::{offload, start_for_tool};

/// The device clause is absent.
const DEFAULT_DEVICE: i32 = -1;

/// # Safety
/// `object` is `omp_interop_none` or of `__tgt_interop_init`, and not destroyed.
unsafe fn interop<'a>(object: *const c_void) -> Option<&'a Interop> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { object.cast::<Interop>().as_ref() }
}

/// # Safety
/// `code` is null or valid.
unsafe fn answer<T>((value, result): (T, c_int), code: *mut c_int) -> T {
    if !code.is_null() {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { code.write(result) };
    }
    value
}

fn text(value: Option<&'static CStr>) -> *const c_char {
    value.map_or(ptr::null(), CStr::as_ptr)
}

export! {
    /// `void __tgt_interop_init(ident_t *loc, int32_t gtid, omp_interop_t *object, int32_t kind,
    /// int32_t device, int32_t ndeps, void *deps, int32_t nowait)`
    ///
    /// # Safety
    /// The compiler made the arguments.
    pub (unsafe) fn __tgt_interop_init(
        _loc: Loc,
        _thread: i32,
        object: *mut *mut c_void,
        kind: i32,
        device: i32,
        depend_count: i32,
        depend_list: *const c_void,
        _nowait: i32,
    ) {
        // SAFETY: the compiler's dependences.
        unsafe { wait_for(depend_count, depend_list, 0, ptr::null()) };
        let device = match device {
            DEFAULT_DEVICE => HostRuntime::get().default_device() as i32,
            device => device,
        };
        // clang passes 2 for targetsync, and 1 for target; any other value means neither.
        let kind = if kind == interop_kind::TARGETSYNC { kind } else { interop_kind::TARGET };
        let made = Interop::new(offload(), kind, device);
        let pointer = made.map_or(ptr::null_mut(), |made| Box::into_raw(made).cast());
        // SAFETY: the place of the program's object.
        unsafe { object.write(pointer) };
    }

    /// `void __tgt_interop_use(ident_t *loc, int32_t gtid, omp_interop_t *object, int32_t device,
    /// int32_t ndeps, void *deps, int32_t nowait)`: the device's queues are empty between
    /// constructs, so that only the dependences remain to wait for.
    ///
    /// # Safety
    /// The compiler made the arguments.
    pub (unsafe) fn __tgt_interop_use(
        _loc: Loc,
        _thread: i32,
        _object: *mut *mut c_void,
        _device: i32,
        depend_count: i32,
        depend_list: *const c_void,
        _nowait: i32,
    ) {
        // SAFETY: the compiler's dependences.
        unsafe { wait_for(depend_count, depend_list, 0, ptr::null()) };
    }

    /// `void __tgt_interop_destroy(…)`, as `__tgt_interop_use`
    ///
    /// # Safety
    /// The compiler made the arguments, and the object is of `__tgt_interop_init`.
    pub (unsafe) fn __tgt_interop_destroy(
        _loc: Loc,
        _thread: i32,
        object: *mut *mut c_void,
        _device: i32,
        depend_count: i32,
        depend_list: *const c_void,
        _nowait: i32,
    ) {
        // SAFETY: the compiler's dependences; the object is `omp_interop_none`, or
        // `__tgt_interop_init` has made it.
        unsafe {
            wait_for(depend_count, depend_list, 0, ptr::null());
            let made = object.replace(ptr::null_mut());
            if !made.is_null() {
                drop(Box::from_raw(made.cast::<Interop>()));
            }
        }
    }

    /// `omp_intptr_t omp_get_interop_int(const omp_interop_t, omp_interop_property_t, int *)`
    ///
    /// # Safety
    /// The object is an interop object or `omp_interop_none`; the code is null or valid.
    pub (unsafe) fn omp_get_interop_int(
        object: *const c_void,
        property: Property,
        code: *mut c_int,
    ) -> isize {
        start_for_tool();
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { answer(interop::int(interop(object), property), code) }
    }

    /// `void *omp_get_interop_ptr(const omp_interop_t, omp_interop_property_t, int *)`
    ///
    /// # Safety
    /// As for `omp_get_interop_int`.
    pub (unsafe) fn omp_get_interop_ptr(
        object: *const c_void,
        property: Property,
        code: *mut c_int,
    ) -> *mut c_void {
        start_for_tool();
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { answer(interop::pointer(interop(object), property), code) }
    }

    /// `const char *omp_get_interop_str(const omp_interop_t, omp_interop_property_t, int *)`
    ///
    /// # Safety
    /// As for `omp_get_interop_int`.
    pub (unsafe) fn omp_get_interop_str(
        object: *const c_void,
        property: Property,
        code: *mut c_int,
    ) -> *const c_char {
        start_for_tool();
        // SAFETY: the caller's own promise (`# Safety`).
        text(unsafe { answer(interop::text(interop(object), property), code) })
    }

    /// `const char *omp_get_interop_name(const omp_interop_t, omp_interop_property_t)`
    pub fn omp_get_interop_name(_object: *const c_void, property: Property) -> *const c_char {
        start_for_tool();
        text(interop::name(property))
    }

    /// `const char *omp_get_interop_type_desc(const omp_interop_t, omp_interop_property_t)`
    pub fn omp_get_interop_type_desc(_object: *const c_void, property: Property) -> *const c_char {
        start_for_tool();
        text(interop::type_description(property))
    }
}
