//! The error directive (kmpc).

use core::ffi::{CStr, c_char};
use core::ptr;

use oxomp_core::CallSite;
use oxomp_core::diag::Location;
use oxomp_core::error_directive;
use oxomp_core::ompt::event::Severity;
use oxomp_sys::kmpc::ident_t;

entry! {
    /// `void __kmpc_error(ident_t *loc, int severity, const char *message)`
    ///
    /// # Safety
    /// `loc` is null or points to a location; `message` is null or a string.
    pub unsafe fn __kmpc_error(loc: *const ident_t, severity: i32, message: *const c_char) {
        const WARNING: i32 = Severity::Warning as i32;
        let site = CallSite::here();
        let severity = if severity == WARNING { Severity::Warning } else { Severity::Fatal };
        // SAFETY: by contract; both strings are the program's and stay.
        let (message, location) = unsafe {
            let message = if message.is_null() { c"" } else { CStr::from_ptr(message) };
            let description = loc.as_ref().map_or(ptr::null(), |loc| loc.psource);
            (message, Location::new(description, site))
        };
        error_directive::run(severity, message, location, site);
    }
}
