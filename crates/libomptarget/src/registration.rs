//! Registration of libraries: their constructors and destructors.

use oxomp_sys::offload::__tgt_bin_desc;

use oxomp_target::host_runtime;

use crate::offload;

export! {
    /// `void __tgt_register_lib(__tgt_bin_desc *desc)`
    ///
    /// # Safety
    /// The linker wrapper made the descriptor, whose library stays until it is unregistered.
    pub (unsafe) fn __tgt_register_lib(descriptor: *const __tgt_bin_desc) {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { offload().register(descriptor) };
        host_runtime::image_registered();
    }

    /// `void __tgt_unregister_lib(__tgt_bin_desc *desc)`
    pub fn __tgt_unregister_lib(descriptor: *const __tgt_bin_desc) {
        offload().unregister(descriptor);
    }

    /// `void __tgt_register_requires(int64_t flags)`: the bits are entries now, of clang 19 too.
    pub fn __tgt_register_requires(_flags: i64) {}

    /// `void __tgt_rtl_init(void)`: the runtime starts with the first library.
    pub fn __tgt_rtl_init() {
        offload();
    }

    /// `void __tgt_rtl_deinit(void)`: libraries unregister themselves.
    pub fn __tgt_rtl_deinit() {}

    /// `void __tgt_init_all_rtls(void)`
    pub fn __tgt_init_all_rtls() {
        offload().start_all();
    }
}
