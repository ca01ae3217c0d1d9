//! The state of a device behind the handles of a tool, in either interface.

use core::ffi::c_void;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use super::buffers::{Buffer, Buffers};
use super::calls::{Call, Calls};
use super::delivery::Delivery;
use super::functions::EntryPoint;
use super::list::DeviceList;
use crate::owner::Owner;
use crate::trace::TraceError;

/// A device with its entry points `F`, from its begin until the end of the process.
#[derive(Debug)]
pub(crate) struct DeviceState<F> {
    /// The process whose runtime has the tool.
    owner: &'static Owner,
    pub(crate) number: i32,
    pub(crate) functions: F,
    pub(crate) calls: Calls,
    pub(crate) buffers: Buffers,
    /// The runtime's device, which entry points take. It never changes.
    device: AtomicPtr<c_void>,
}

impl<F> DeviceState<F> {
    pub(crate) fn new(
        owner: &'static Owner,
        number: i32,
        device: *mut c_void,
        functions: F,
    ) -> Self {
        Self {
            owner,
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

    /// Whether entry points may be called: neither the device nor the tool has ended.
    pub(crate) fn is_ready(&self) -> bool {
        self.owner.is_there() && self.calls.is_open()
    }

    /// Begins a call of an entry point; `None` if the device or the tool has ended.
    pub(crate) fn begin_call(&self) -> Option<Call<'_>> {
        if !self.owner.is_there() {
            return None;
        }
        self.calls.begin()
    }

    /// Calls an entry point that asks the device; `None` if the device lacks it, or the device or
    /// the tool has ended.
    pub(crate) fn ask<E, R>(
        &self,
        entry_point: EntryPoint<E>,
        call: impl FnOnce(E, *mut c_void) -> R,
    ) -> Option<R> {
        let function = entry_point.function?;
        let _call = self.begin_call()?;
        Some(call(function, self.raw()))
    }

    /// Calls an entry point that controls the trace.
    pub(crate) fn control<E: Copy, R>(
        &self,
        entry_point: EntryPoint<E>,
        call: impl FnOnce(E, *mut c_void) -> R,
    ) -> Result<R, TraceError> {
        if Delivery::is_here() {
            return Err(TraceError::InRecords);
        }
        entry_point.or_missing()?;
        self.ask(entry_point, call).ok_or(TraceError::Ended)
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

    /// Calls `read` with a buffer that a runtime hands over. The buffer may belong to any of the
    /// devices, since several may share one. `read` is not called for a buffer that the runtime did
    /// not get from them, nor after the tool has ended; a buffer that is given back is freed in any
    /// case.
    pub(crate) fn hand_over(
        devices: &DeviceList<Self>,
        start: *const c_void,
        is_given_back: bool,
        read: impl FnOnce(&Handed),
    ) where
        F: Send + Sync + 'static,
    {
        let handed = devices.iter().find_map(|state| {
            // In a forked child, a lock that a thread of the parent held stays held for ever.
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
            .map(|handed| (handed, state.owner))
        });
        if let Some((handed, owner)) = handed
            && owner.is_there()
        {
            let _delivery = Delivery::begin();
            read(&handed);
        }
    }
}

/// A buffer whose records are complete.
#[derive(Debug)]
pub(crate) enum Handed {
    /// The buffer belongs to the SDK again.
    Back(Buffer),
    /// The buffer stays with the runtime.
    Shown {
        /// The buffer's address.
        start: NonNull<u8>,
        /// The buffer's size in bytes.
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
