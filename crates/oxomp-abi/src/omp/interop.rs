//! Interoperability routines (OpenMP 5.2 §18.12). The runtime has no objects of other programming
//! models: each object is `omp_interop_none`. If the program has loaded libomptarget, its routines
//! answer.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use super::device_uid::return_string;
use super::libomptarget::forward;
use crate::argument::{Address, Out};

/// An `omp_interop_t`.
type Interop = Address;

/// `omp_interop_rc_t`.
mod result {
    use core::ffi::c_int;

    pub(super) const EMPTY: c_int = -1;
    pub(super) const OUT_OF_RANGE: c_int = -2;
}

/// The properties that the specification defines, from -1 downward: name, and type in C.
const PROPERTIES: [(&CStr, &CStr); 9] = [
    (c"fr_id", c"omp_interop_t"),
    (c"fr_name", c"const char *"),
    (c"vendor", c"int"),
    (c"vendor_name", c"const char *"),
    (c"device_num", c"int"),
    (c"platform", c"void *"),
    (c"device", c"void *"),
    (c"device_context", c"void *"),
    (c"targetsync", c"void *"),
];

/// What the results mean, from 1 downward.
const RESULTS: [&CStr; 8] = [
    c"no meaningful value available",
    c"successful",
    c"provided interoperability object is equal to omp_interop_none",
    c"property ID is out of range",
    c"property type is integer; use omp_get_interop_int",
    c"property type is pointer; use omp_get_interop_ptr",
    c"property type is string; use omp_get_interop_str",
    c"other error",
];

fn property(property_id: c_int) -> Option<(&'static CStr, &'static CStr)> {
    let index = usize::try_from((-1_i32).checked_sub(property_id)?).ok()?;
    PROPERTIES.get(index).copied()
}

/// Stores the result for an object without properties.
fn fail(interop: Interop, return_code: Option<Out<c_int>>) {
    if let Some(code) = return_code {
        code.set(if interop.is_null() { result::EMPTY } else { result::OUT_OF_RANGE });
    }
}

fn address(text: Option<&'static CStr>) -> *const c_char {
    text.map_or(ptr::null(), CStr::as_ptr)
}

entry! {
    /// `int omp_get_num_interop_properties(const omp_interop_t interop)`: the number of properties
    /// that the implementation adds.
    pub fn omp_get_num_interop_properties | omp_get_num_interop_properties_(
        interop: Interop,
    ) -> c_int {
        forward!(c"omp_get_num_interop_properties"(interop: Interop) -> c_int);
        0
    }

    /// `omp_intptr_t omp_get_interop_int(const omp_interop_t interop, omp_interop_property_t
    /// property_id, int *ret_code)`
    pub fn omp_get_interop_int | omp_get_interop_int_(
        interop: Interop,
        property_id: c_int,
        return_code: Option<Out<c_int>>,
    ) -> isize {
        forward!(c"omp_get_interop_int"(
            interop: Interop,
            property_id: c_int,
            return_code: Option<Out<'_, c_int>>,
        ) -> isize);
        fail(interop, return_code);
        0
    }

    /// `void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property_id,
    /// int *ret_code)`
    pub fn omp_get_interop_ptr | omp_get_interop_ptr_(
        interop: Interop,
        property_id: c_int,
        return_code: Option<Out<c_int>>,
    ) -> *mut c_void {
        forward!(c"omp_get_interop_ptr"(
            interop: Interop,
            property_id: c_int,
            return_code: Option<Out<'_, c_int>>,
        ) -> *mut c_void);
        fail(interop, return_code);
        ptr::null_mut()
    }

    /// `const char *omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t
    /// property_id, int *ret_code)`
    pub fn omp_get_interop_str(
        interop: Interop,
        property_id: c_int,
        return_code: Option<Out<c_int>>,
    ) -> *const c_char {
        forward!(c"omp_get_interop_str"(
            interop: Interop,
            property_id: c_int,
            return_code: Option<Out<'_, c_int>>,
        ) -> *const c_char);
        fail(interop, return_code);
        ptr::null()
    }

    /// `const char *omp_get_interop_name(const omp_interop_t interop, omp_interop_property_t
    /// property_id)`
    pub fn omp_get_interop_name(interop: Interop, property_id: c_int) -> *const c_char {
        forward!(c"omp_get_interop_name"(
            interop: Interop,
            property_id: c_int,
        ) -> *const c_char);
        address(property(property_id).map(|(name, _)| name))
    }

    /// `const char *omp_get_interop_type_desc(const omp_interop_t interop, omp_interop_property_t
    /// property_id)`
    pub fn omp_get_interop_type_desc(interop: Interop, property_id: c_int) -> *const c_char {
        forward!(c"omp_get_interop_type_desc"(
            interop: Interop,
            property_id: c_int,
        ) -> *const c_char);
        let known = property(property_id).filter(|_| !interop.is_null());
        address(known.map(|(_, kind)| kind))
    }

    /// `const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t
    /// ret_code)`
    pub fn omp_get_interop_rc_desc(interop: Interop, return_code: c_int) -> *const c_char {
        forward!(c"omp_get_interop_rc_desc"(
            interop: Interop,
            return_code: c_int,
        ) -> *const c_char);
        let index = 1_i32.checked_sub(return_code).and_then(|index| usize::try_from(index).ok());
        address(index.and_then(|index| RESULTS.get(index).copied()))
    }

    /// `omp_get_interop_str` under LLVM's Fortran name.
    pub fn omp_get_interop_str_@["VERSION"](
        interop: Interop,
        property_id: c_int,
        return_code: Option<Out<c_int>>,
    ) -> *const c_char {
        omp_get_interop_str(interop, property_id, return_code)
    }

    /// `omp_get_interop_name` under LLVM's Fortran name.
    pub fn omp_get_interop_name_@["VERSION"](
        interop: Interop,
        property_id: c_int,
    ) -> *const c_char {
        omp_get_interop_name(interop, property_id)
    }

    /// `omp_get_interop_type_desc` under LLVM's Fortran name.
    pub fn omp_get_interop_type_desc_@["VERSION"](
        interop: Interop,
        property_id: c_int,
    ) -> *const c_char {
        omp_get_interop_type_desc(interop, property_id)
    }

    /// `omp_get_interop_rc_desc` under LLVM's Fortran name.
    pub fn omp_get_interop_rc_desc_@["VERSION"](
        interop: Interop,
        return_code: c_int,
    ) -> *const c_char {
        omp_get_interop_rc_desc(interop, return_code)
    }

    /// `omp_get_interop_str` called from gfortran's code.
    pub fn omp_get_interop_str_of_gfortran = omp_get_interop_str_@["GOMP_5.1.3"](
        address: Out<*const c_char>,
        length: Out<usize>,
        interop: Interop,
        property_id: c_int,
        return_code: Option<Out<c_int>>,
    ) {
        return_string(omp_get_interop_str(interop, property_id, return_code), &address, &length);
    }

    /// `omp_get_interop_name` called from gfortran's code.
    pub fn omp_get_interop_name_of_gfortran = omp_get_interop_name_@["GOMP_5.1.3"](
        address: Out<*const c_char>,
        length: Out<usize>,
        interop: Interop,
        property_id: c_int,
    ) {
        return_string(omp_get_interop_name(interop, property_id), &address, &length);
    }

    /// `omp_get_interop_type_desc` called from gfortran's code.
    pub fn omp_get_interop_type_desc_of_gfortran = omp_get_interop_type_desc_@["GOMP_5.1.3"](
        address: Out<*const c_char>,
        length: Out<usize>,
        interop: Interop,
        property_id: c_int,
    ) {
        return_string(omp_get_interop_type_desc(interop, property_id), &address, &length);
    }

    /// `omp_get_interop_rc_desc` called from gfortran's code.
    pub fn omp_get_interop_rc_desc_of_gfortran = omp_get_interop_rc_desc_@["GOMP_5.1.3"](
        address: Out<*const c_char>,
        length: Out<usize>,
        interop: Interop,
        return_code: c_int,
    ) {
        return_string(omp_get_interop_rc_desc(interop, return_code), &address, &length);
    }
}
