//! The queue of a host device: each operation is done by the calling thread, at once.

use core::ffi::c_void;
use core::ptr;
use std::sync::Arc;

use oxomp_target::plugin::{Address, DeviceError, Event, Kernel, Launch, Queue};

use crate::call;

/// A queue; it holds nothing, since nothing waits in it.
#[derive(Debug)]
pub(crate) struct HostQueue;

impl Queue for HostQueue {
    fn is_async(&self) -> bool {
        false
    }

    unsafe fn copy_to_device(
        &mut self,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise; a program may pass device memory as its own.
        unsafe { ptr::copy(from.cast::<u8>(), to.as_ptr().cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn copy_from_device(
        &mut self,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: as for `copy_to_device`.
        unsafe { ptr::copy(from.as_ptr().cast::<u8>(), to.cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn copy_within_device(
        &mut self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise.
        unsafe { ptr::copy(from.as_ptr().cast::<u8>(), to.as_ptr().cast::<u8>(), bytes) };
        Ok(())
    }

    unsafe fn fill(&mut self, to: Address, value: u8, bytes: usize) -> Result<(), DeviceError> {
        // SAFETY: the caller's own promise.
        unsafe { ptr::write_bytes(to.as_ptr().cast::<u8>(), value, bytes) };
        Ok(())
    }

    unsafe fn launch(&mut self, kernel: Kernel, launch: &Launch<'_>) -> Result<(), DeviceError> {
        // Teams, threads and loops are calls of the host runtime in the kernel itself.
        // SAFETY: the caller's own promise.
        unsafe { call::kernel(kernel.0.as_ptr(), launch.takes_environment, launch.arguments) };
        Ok(())
    }

    fn record(&mut self) -> Result<Option<Arc<dyn Event>>, DeviceError> {
        Ok(None)
    }

    fn wait_for(&mut self, _event: &Arc<dyn Event>) -> Result<(), DeviceError> {
        Ok(())
    }

    fn is_done(&mut self) -> Result<bool, DeviceError> {
        Ok(true)
    }

    fn finish(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}
