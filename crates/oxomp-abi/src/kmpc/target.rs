//! What libomptarget asks the host runtime (kmpc).

use core::ffi::c_int;

use oxomp_core::settings;

entry! {
    /// `int __kmpc_get_target_offload(void)`: 0 disabled, 1 default, 2 mandatory.
    pub fn __kmpc_get_target_offload() -> c_int {
        settings::get().target_offload()
    }
}
