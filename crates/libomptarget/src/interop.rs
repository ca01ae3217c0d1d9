//! Interop constructs and routines (OpenMP 5.2 §14.1, §18.12).

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use oxomp_argument::{Address, InOut, List, Out};
use oxomp_sys::kmpc::kmp_depend_info_t;
use oxomp_sys::offload::interop_kind;
use oxomp_target::host_runtime::HostRuntime;
use oxomp_target::interop::{self, Interop, Property};

use crate::arguments::{Loc, wait_for};
use crate::{offload, start_for_tool};

/// The device clause is absent.
const DEFAULT_DEVICE: i32 = -1;

/// An `omp_interop_t` (rule T5); null is `omp_interop_none`.
#[repr(transparent)]
#[derive(Debug)]
pub struct InteropObject(*mut Interop);

impl InteropObject {
    const NONE: Self = Self(ptr::null_mut());

    fn new(made: Option<Box<Interop>>) -> Self {
        made.map_or(Self::NONE, |made| Self(Box::into_raw(made)))
    }

    fn get(&self) -> Option<&Interop> {
        // SAFETY: T5: null, or an object of `new` that is not destroyed.
        unsafe { self.0.as_ref() }
    }

    fn destroy(self) {
        if !self.0.is_null() {
            // SAFETY: T5: an object of `new`, which the program gives up.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

fn answer<T>((value, result): (T, c_int), code: Option<Out<c_int>>) -> T {
    if let Some(code) = code {
        code.set(result);
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
    /// A3: `depend_count` is the length of `depend_list`.
    pub (unsafe) fn __tgt_interop_init(
        _loc: Loc,
        _thread: i32,
        object: Out<InteropObject>,
        kind: i32,
        device: i32,
        depend_count: i32,
        depend_list: List<kmp_depend_info_t>,
        _nowait: i32,
    ) {
        // SAFETY: A3 of the arguments.
        unsafe { wait_for(depend_count, depend_list, 0, List::default()) };
        let device = match device {
            DEFAULT_DEVICE => HostRuntime::get().default_device() as i32,
            device => device,
        };
        // clang passes 2 for targetsync, and 1 for target; any other value means neither.
        let kind = if kind == interop_kind::TARGETSYNC { kind } else { interop_kind::TARGET };
        object.set(InteropObject::new(Interop::new(offload(), kind, device)));
    }

    /// `void __tgt_interop_use(ident_t *loc, int32_t gtid, omp_interop_t *object, int32_t device,
    /// int32_t ndeps, void *deps, int32_t nowait)`: the device's queues are empty between
    /// constructs, so that only the dependences remain to wait for.
    ///
    /// # Safety
    /// A3: `depend_count` is the length of `depend_list`.
    pub (unsafe) fn __tgt_interop_use(
        _loc: Loc,
        _thread: i32,
        _object: Address,
        _device: i32,
        depend_count: i32,
        depend_list: List<kmp_depend_info_t>,
        _nowait: i32,
    ) {
        // SAFETY: A3 of the arguments.
        unsafe { wait_for(depend_count, depend_list, 0, List::default()) };
    }

    /// `void __tgt_interop_destroy(…)`, as `__tgt_interop_use`
    ///
    /// # Safety
    /// A3: `depend_count` is the length of `depend_list`.
    pub (unsafe) fn __tgt_interop_destroy(
        _loc: Loc,
        _thread: i32,
        object: InOut<InteropObject>,
        _device: i32,
        depend_count: i32,
        depend_list: List<kmp_depend_info_t>,
        _nowait: i32,
    ) {
        // SAFETY: A3 of the arguments.
        unsafe { wait_for(depend_count, depend_list, 0, List::default()) };
        object.replace(InteropObject::NONE).destroy();
    }

    /// `omp_intptr_t omp_get_interop_int(const omp_interop_t, omp_interop_property_t, int *)`
    pub fn omp_get_interop_int(
        object: InteropObject,
        property: Property,
        code: Option<Out<c_int>>,
    ) -> isize {
        start_for_tool();
        answer(interop::int(object.get(), property), code)
    }

    /// `void *omp_get_interop_ptr(const omp_interop_t, omp_interop_property_t, int *)`
    pub fn omp_get_interop_ptr(
        object: InteropObject,
        property: Property,
        code: Option<Out<c_int>>,
    ) -> *mut c_void {
        start_for_tool();
        answer(interop::pointer(object.get(), property), code)
    }

    /// `const char *omp_get_interop_str(const omp_interop_t, omp_interop_property_t, int *)`
    pub fn omp_get_interop_str(
        object: InteropObject,
        property: Property,
        code: Option<Out<c_int>>,
    ) -> *const c_char {
        start_for_tool();
        text(answer(interop::text(object.get(), property), code))
    }

    /// `const char *omp_get_interop_name(const omp_interop_t, omp_interop_property_t)`
    pub fn omp_get_interop_name(_object: Address, property: Property) -> *const c_char {
        start_for_tool();
        text(interop::name(property))
    }

    /// `const char *omp_get_interop_type_desc(const omp_interop_t, omp_interop_property_t)`
    pub fn omp_get_interop_type_desc(_object: Address, property: Property) -> *const c_char {
        start_for_tool();
        text(interop::type_description(property))
    }
}
