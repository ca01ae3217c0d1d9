//! Registration of libraries: their constructors and destructors.

use oxomp_sys::offload::__tgt_bin_desc;

use oxomp_target::host_runtime;

use crate::offload;

/// The descriptor of a library with images; null for none (rule T7).
#[repr(transparent)]
#[derive(Debug)]
pub struct Descriptor(*const __tgt_bin_desc);

export! {
    /// `void __tgt_register_lib(__tgt_bin_desc *desc)`
    pub fn __tgt_register_lib(descriptor: Descriptor) {
        // SAFETY: T7: the descriptor stays until the library is unregistered.
        unsafe { offload().register(descriptor.0) };
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
