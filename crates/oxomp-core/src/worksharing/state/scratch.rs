//! Zeroed memory that the threads of a team share during one loop: gcc's code uses it for
//! lastprivate(conditional) and scans.

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use oxomp_base::{diag, memory};
use oxomp_protocol::Alone;

/// The unit of such memory, which has the largest alignment of C's types.
type Unit = u128;

/// The memory of a loop in flight, if it has any: the first unit holds the number of units.
#[derive(Debug)]
pub(crate) struct Scratch(AtomicPtr<Unit>);

impl Scratch {
    pub(crate) fn none() -> Self {
        Scratch(AtomicPtr::new(ptr::null_mut()))
    }

    /// The memory of at least `bytes` bytes, which the first thread that asks for it allocates. All
    /// threads of a team ask for the same size.
    pub(crate) fn share(&self, bytes: usize) -> *mut c_void {
        // Acquire, here and below: pairs with the exchange of the thread that allocated the memory,
        // so that its zeros are seen.
        let mut block = self.0.load(Acquire);
        if block.is_null() {
            let made = allocate(bytes);
            block = match self.0.compare_exchange(ptr::null_mut(), made, AcqRel, Acquire) {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: this thread allocated the block, and no other thread has seen it.
                    unsafe { release(made) };
                    other
                }
            };
        }
        // SAFETY: a block has one unit more than requested.
        unsafe { block.add(1).cast::<c_void>() }
    }

    /// Frees the memory: every thread has left the loop.
    #[inline(always)]
    pub(super) fn clean(&self) {
        let block = self.0.load(Relaxed);
        if !block.is_null() {
            self.0.store(ptr::null_mut(), Relaxed);
            // SAFETY: every thread has left the loop, so no thread uses the block.
            unsafe { release(block) };
        }
    }

    /// In the child of a fork(2): drops the memory without freeing it, since a thread may still use
    /// it.
    pub(super) fn forget(&self, _: &Alone) {
        self.0.store(ptr::null_mut(), Relaxed);
    }
}

/// The layout of a block of `count` units.
fn layout(count: usize) -> Option<Layout> {
    Layout::array::<Unit>(count).ok()
}

/// Allocates a block for `bytes` bytes.
#[cold]
fn allocate(bytes: usize) -> *mut Unit {
    let count = bytes.div_ceil(size_of::<Unit>()) + 1;
    let Some(block) = layout(count).and_then(memory::zeroed) else {
        diag::fatal_in_call(&format!(
            "worksharing: no memory for {bytes} bytes that the threads of a loop share"
        ));
    };
    let block = block.cast::<Unit>().as_ptr();
    // SAFETY: the block has at least one unit.
    unsafe { *block = count as Unit };
    block
}

/// Frees a block.
///
/// # Safety
/// `allocate` made the block, and no thread uses it any more.
#[cold]
unsafe fn release(block: *mut Unit) {
    // SAFETY: `allocate` made the block (`# Safety`), and wrote the number of units to the first
    // one.
    let count = unsafe { *block as usize };
    if let (Some(block), Some(layout)) = (NonNull::new(block), layout(count)) {
        // SAFETY: `allocate` took the block from `memory::zeroed` with this layout, and no thread
        // uses it any more (`# Safety`).
        unsafe { memory::free(block.cast::<u8>(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn all_threads_get_the_same_zeroed_memory_until_it_is_freed() {
        let scratch = Scratch::none();
        for bytes in [1, 16, 17, 100_000] {
            let addresses: Vec<usize> = std::thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..4).map(|_| scope.spawn(|| scratch.share(bytes) as usize)).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert!(addresses.iter().all(|address| *address == addresses[0]));
            assert_eq!(addresses[0] % 16, 0);
            let memory = addresses[0] as *mut u8;
            for index in 0..bytes {
                // SAFETY: the memory has `bytes` bytes.
                unsafe {
                    assert_eq!(*memory.add(index), 0);
                    *memory.add(index) = 1;
                }
            }
            scratch.clean();
            scratch.clean();
        }
    }
}
