//! LLVM's extensions: memory of other kinds, information.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_target::location::Location;
use oxomp_target::plugin::MemoryKind;
use oxomp_target::tool::CallSite;
use oxomp_target::{info, memory, report, settings};

use crate::offload;

/// Defines the functions that allocate and free memory of a kind.
macro_rules! kinds {
    ($($alloc:ident, $free:ident = $kind:ident;)*) => {
        $(export! {
            /// Allocates memory of a kind: `void *(size_t size, int device_num)`.
            pub fn $alloc(bytes: usize, device: c_int) -> *mut c_void {
                memory::alloc(offload(), bytes, device, MemoryKind::$kind, CallSite::here())
            }

            /// Frees memory of a kind: `void (void *ptr, int device_num)`.
            ///
            /// # Safety
            /// T4: null, or memory that the function for the same kind returned for that device.
            pub (unsafe) fn $free(pointer: *mut c_void, device: c_int) {
                let (kind, site) = (MemoryKind::$kind, CallSite::here());
                // SAFETY: T4 of the arguments.
                unsafe { memory::free(offload(), pointer, device, kind, site) };
            }
        })*
    };
}

kinds! {
    llvm_omp_target_alloc_device, llvm_omp_target_free_device = Device;
    llvm_omp_target_alloc_host, llvm_omp_target_free_host = Host;
    llvm_omp_target_alloc_shared, llvm_omp_target_free_shared = Shared;
}

export! {
    /// `void *llvm_omp_target_lock_mem(void *ptr, size_t size, int device_num)`: the devices at
    /// hand need no locked memory.
    pub fn llvm_omp_target_lock_mem(
        pointer: *mut c_void,
        _bytes: usize,
        _device: c_int,
    ) -> *mut c_void {
        pointer
    }

    /// `void llvm_omp_target_unlock_mem(void *ptr, int device_num)`
    pub fn llvm_omp_target_unlock_mem(_pointer: *mut c_void, _device: c_int) {}

    /// `void *llvm_omp_target_dynamic_shared_alloc(void)`: on the host there is no such memory.
    pub fn llvm_omp_target_dynamic_shared_alloc() -> *mut c_void {
        ptr::null_mut()
    }

    /// `void __tgt_set_info_flag(uint32_t flags)`
    pub fn __tgt_set_info_flag(bits: u32) {
        // Before the environment is read, its value would replace this one.
        offload();
        settings::set_info(bits);
    }

    /// `int __tgt_print_device_info(int64_t device)`: nonzero if there is such a device.
    pub fn __tgt_print_device_info(number: i64) -> c_int {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        let Some(device) = offload().device(number) else { return 0 };
        report::info(
            number,
            format_args!(
                "{}, {} processors, {:?}",
                device.device.description(),
                device.device.processors(),
                device.device.uid()
            ),
        );
        1
    }

    /// `void ompx_dump_mapping_tables(void)`
    pub fn ompx_dump_mapping_tables() {
        for device in offload().devices() {
            info::print_table(device, &Location::default());
        }
    }
}
