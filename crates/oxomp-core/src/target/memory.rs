//! Device memory of the host (OpenMP 5.2 §18.8): allocated, freed, copied and filled.

use core::ffi::c_void;
use core::ptr;

use oxomp_arch::CallSite;
use oxomp_sys::ompt::ompt_target_data_op_t as Op;

use super::operation::{Description, Operation};
use super::report::{self, Moment};
use crate::block::Thread;
use crate::devices;
use crate::ompt::event::{DataOperation, Endpoint, EnterFrame, is_active};

/// Allocates `bytes` of memory; null if `bytes` is 0, or if there is not so much memory.
pub fn alloc(thread: &'static Thread, bytes: usize, site: CallSite) -> *mut c_void {
    if bytes == 0 {
        return ptr::null_mut();
    }
    let take = || {
        // SAFETY: malloc has no precondition.
        unsafe { libc::malloc(bytes) }
    };
    if !is_active() {
        return take();
    }
    let _frame = EnterFrame::new(&thread.task().ompt, site);
    let mut operation = described(Op::ALLOC.0, ptr::null(), bytes);
    report::operation(&operation, Endpoint::Begin, Moment::End, site);
    let memory = take();
    operation.destination.0 = memory;
    report::operation(&operation, Endpoint::End, Moment::End, site);
    memory
}

/// Frees memory that `alloc` has returned. Does nothing for null.
///
/// # Safety
/// The program uses the memory no more.
pub unsafe fn free(thread: &'static Thread, memory: *mut c_void, site: CallSite) {
    if memory.is_null() {
        return;
    }
    // SAFETY: the caller's own promise (`# Safety`).
    let give_back = || unsafe { libc::free(memory) };
    if !is_active() {
        return give_back();
    }
    let _frame = EnterFrame::new(&thread.task().ompt, site);
    let operation = described(Op::DELETE.0, memory, 0);
    report::operation(&operation, Endpoint::Begin, Moment::Begin, site);
    give_back();
    report::operation(&operation, Endpoint::End, Moment::Begin, site);
}

/// An allocation or a deletion.
fn described<'a>(kind: i32, memory: *const c_void, bytes: usize) -> DataOperation<'a> {
    let host = devices::num_devices();
    DataOperation {
        kind,
        source: (ptr::null(), host),
        destination: (memory, host),
        bytes,
        target_task: None,
        data: 0.into(),
        host_op_id: 0.into(),
    }
}

/// A copy of consecutive bytes.
#[derive(Clone, Copy, Debug)]
pub struct CopyBytes {
    /// The first byte to write.
    pub destination: *mut c_void,
    /// The first byte to read.
    pub source: *const c_void,
    /// The number of bytes.
    pub bytes: usize,
}

impl Operation for CopyBytes {
    type Item = ();

    fn description(&self) -> Description {
        Description::of_copy(self.destination, self.source, self.bytes)
    }

    unsafe fn perform(&self, _: &[()]) {
        let (from, to) = (self.source.cast::<u8>(), self.destination.cast::<u8>());
        // SAFETY: the caller's own promise (`# Safety`); the parts may overlap.
        unsafe { ptr::copy(from, to, self.bytes) };
    }
}

/// The same value for consecutive bytes.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The first byte to write.
    pub destination: *mut c_void,
    /// The value of each byte.
    pub value: u8,
    /// The number of bytes.
    pub bytes: usize,
}

impl Operation for Fill {
    type Item = ();

    fn description(&self) -> Description {
        Description {
            kind: Op::MEMSET.0,
            kind_later: Op::MEMSET_ASYNC.0,
            source: ptr::null(),
            destination: self.destination,
            bytes: self.bytes,
        }
    }

    unsafe fn perform(&self, _: &[()]) {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { ptr::write_bytes(self.destination.cast::<u8>(), self.value, self.bytes) };
    }
}
