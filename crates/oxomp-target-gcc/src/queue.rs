//! Operations on a device of a plug-in of libgomp: each is done when its function returns.

use core::ffi::{c_int, c_void};
use core::ptr;
use std::sync::Arc;

use oxomp_target::plugin::{Address, DeviceError, Event, Kernel, Launch, Queue};

use crate::device::{Driver, pointer};
use crate::interface::Interface;

/// The bytes that a fill or a copy by way of the host moves at once.
const PIECE: usize = 1 << 16;

/// A queue; it holds no operation, since nothing waits in it.
#[derive(Debug)]
pub(crate) struct GccQueue {
    driver: Arc<Driver>,
}

impl GccQueue {
    /// A queue of an initialized device.
    pub(crate) fn new(driver: &Arc<Driver>) -> Self {
        Self { driver: driver.clone() }
    }

    fn operation(
        &self,
        (what, bytes): (&str, usize),
        call: impl FnOnce(&Interface, c_int) -> bool,
    ) -> Result<(), DeviceError> {
        if bytes == 0 || self.driver.call(call) {
            return Ok(());
        }
        Err(self.driver.error(&format!("{what} ({bytes} bytes) fails")))
    }
}

impl Queue for GccQueue {
    fn is_async(&self) -> bool {
        false
    }

    unsafe fn copy_to_device(
        &mut self,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.operation(("a copy to the device", bytes), |interface, number| {
            // SAFETY: the caller's own promise.
            unsafe { (interface.host2dev)(number, to.as_ptr(), from, bytes) }
        })
    }

    unsafe fn copy_from_device(
        &mut self,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.operation(("a copy from the device", bytes), |interface, number| {
            // SAFETY: the caller's own promise.
            unsafe { (interface.dev2host)(number, to, pointer(from), bytes) }
        })
    }

    unsafe fn copy_within_device(
        &mut self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        let overlaps = to.0 < from.0.saturating_add(bytes) && from.0 < to.0.saturating_add(bytes);
        if let Some(dev2dev) = self.driver.interface.dev2dev.filter(|_| !overlaps) {
            return self.operation(("a copy within the device", bytes), |_, number| {
                // SAFETY: the caller's own promise.
                unsafe { dev2dev(number, to.as_ptr(), pointer(from), bytes) }
            });
        }
        let mut buffer = vec![0_u8; bytes];
        // SAFETY: the caller's own promise, and the buffer has these bytes; each copy is done when
        // the function returns.
        unsafe {
            self.copy_from_device(buffer.as_mut_ptr().cast(), from, bytes)?;
            self.copy_to_device(to, buffer.as_ptr().cast(), bytes)
        }
    }

    unsafe fn fill(&mut self, to: Address, value: u8, bytes: usize) -> Result<(), DeviceError> {
        let piece = vec![value; bytes.min(PIECE)];
        for done in (0..bytes).step_by(PIECE) {
            let count = PIECE.min(bytes - done);
            // SAFETY: the caller's own promise; the piece has as many bytes.
            unsafe { self.copy_to_device(to.plus(done), piece.as_ptr().cast(), count)? };
        }
        Ok(())
    }

    unsafe fn launch(&mut self, kernel: Kernel, launch: &Launch<'_>) -> Result<u32, DeviceError> {
        let words = launch.arguments;
        let bytes = size_of_val(words);
        let block = match bytes {
            0 => None,
            _ => {
                let block = self.driver.take_block(bytes);
                let no_memory = || self.driver.error("no memory for the arguments of a kernel");
                Some(block.ok_or_else(no_memory)?)
            }
        };
        if let Some(block) = block {
            // SAFETY: the block has these bytes, and is this kernel's.
            unsafe { self.copy_to_device(block, words.as_ptr().cast(), bytes)? };
        }
        let variables = block.map_or(ptr::null_mut(), Address::as_ptr);
        let Driver { interface, number, .. } = &*self.driver;
        // SAFETY: the kernel is of a loaded image and takes the words in the block, as the caller
        // promises. No lock is held: kernels of several threads run at a time.
        unsafe { (interface.run)(*number, kernel.0.as_ptr(), variables, launch.words) };
        if let Some(block) = block {
            self.driver.give_block(block, bytes);
        }
        // The interface does not tell how many teams execute it.
        Ok(0)
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
