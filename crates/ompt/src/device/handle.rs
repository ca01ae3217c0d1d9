//! The state of a device behind the handles of a tool, in either interface.

use core::ffi::{CStr, c_void};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use super::buffers::{Buffer, Buffers};
use super::calls::Calls;
use super::delivery::Delivery;
use crate::trace::TraceError;

/// A device with its entry points `F`, from its begin until the end of the process.
#[derive(Debug)]
pub(crate) struct DeviceState<F> {
    pub(crate) number: i32,
    pub(crate) functions: F,
    pub(crate) calls: Calls,
    pub(crate) buffers: Buffers,
    /// The runtime's device, which entry points take. It never changes.
    device: AtomicPtr<c_void>,
}

impl<F> DeviceState<F> {
    pub(crate) fn new(number: i32, device: *mut c_void, functions: F) -> Self {
        Self {
            number,
            functions,
            calls: Calls::new(),
            buffers: Buffers::new(),
            device: AtomicPtr::new(device),
        }
    }

    /// The runtime's device, which entry points take.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.device.load(Ordering::Relaxed)
    }

    /// Calls an entry point that asks the device; none if the runtime lacks it, or the device or
    /// the tool (`is_running`) has ended.
    pub(crate) fn ask<E, R>(
        &self,
        is_running: bool,
        function: Option<E>,
        call: impl FnOnce(E, *mut c_void) -> R,
    ) -> Option<R> {
        let function = function.filter(|_| is_running)?;
        let _call = self.calls.begin()?;
        Some(call(function, self.raw()))
    }

    /// Calls an entry point that controls the trace, with its name.
    pub(crate) fn control<E, R>(
        &self,
        is_running: bool,
        (function, name): (Option<E>, &'static CStr),
        call: impl FnOnce(E, *mut c_void) -> R,
    ) -> Result<R, TraceError> {
        if Delivery::is_here() {
            return Err(TraceError::InRecords);
        }
        let function = function.ok_or(TraceError::Missing(name))?;
        self.ask(is_running, Some(function), call).ok_or(TraceError::Ended)
    }

    /// Answers the runtime's request of a buffer.
    ///
    /// # Safety
    /// The runtime passes variables of its own.
    pub(crate) unsafe fn lend(
        state: Option<&Self>,
        minimum: usize,
        buffer: *mut *mut c_void,
        bytes: *mut usize,
    ) {
        let lent = state.and_then(|state| state.buffers.lend(minimum));
        let (start, size) =
            lent.map_or((null_mut(), 0), |(start, size)| (start.as_ptr().cast(), size));
        // SAFETY: as the caller promises.
        unsafe {
            buffer.write(start);
            bytes.write(size);
        }
    }

    /// The buffer that a runtime hands over, of this device or of another one that shares it.
    pub(crate) fn find_buffer<'a>(
        mut states: impl Iterator<Item = &'a Self>,
        start: *const c_void,
        is_given_back: bool,
    ) -> Option<Handed>
    where
        F: 'a,
    {
        states.find_map(|state| {
            // Locks of a parent process may be held for ever in a forked child.
            if !state.calls.is_of_this_process() {
                return None;
            }
            match is_given_back {
                true => state.buffers.take_back(start.cast()).map(Handed::Back),
                false => {
                    let bytes = state.buffers.size_of(start.cast())?;
                    NonNull::new(start.cast_mut().cast())
                        .map(|start| Handed::Shown { start, bytes })
                }
            }
        })
    }
}

/// A buffer whose records are complete.
#[derive(Debug)]
pub(crate) enum Handed {
    /// It belongs to the SDK again.
    Back(Buffer),
    /// It stays with the runtime.
    Shown {
        /// Its address.
        start: NonNull<u8>,
        /// Its size.
        bytes: usize,
    },
}

impl Handed {
    pub(crate) fn start(&self) -> *mut c_void {
        match self {
            Self::Back(buffer) => buffer.start().as_ptr().cast(),
            Self::Shown { start, .. } => start.as_ptr().cast(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Back(buffer) => buffer.bytes(),
            Self::Shown { bytes, .. } => *bytes,
        }
    }
}
