//! Task reductions (GOMP): the runtime makes a block of copies for each thread of the team, and the
//! program combines them.

use core::ffi::c_void;
use core::ptr;

use oxomp_core::Thread;
use oxomp_core::task::{self, Initializer, ReductionItem, Reductions};
use oxomp_sys::gomp::gomp_reduction_word as word;

/// Makes the copies that a descriptor describes, for each thread of a team.
///
/// # Safety
/// `descriptor` is one of gcc's.
pub(super) unsafe fn make(descriptor: *mut usize, threads: u32) -> &'static Reductions {
    // SAFETY: by contract.
    let read = |index: usize| unsafe { *descriptor.add(index) };
    let items: Vec<_> = (0..read(word::COUNT))
        .map(|index| {
            let at = word::ITEMS + index * word::ITEM_WORDS;
            let shared = ptr::with_exposed_provenance_mut::<c_void>(read(at));
            let item = ReductionItem {
                shared,
                original: shared,
                bytes: 0,
                initializer: Initializer::Zero,
                finalizer: None,
                combiner: None,
            };
            (item, read(at + 1))
        })
        .collect();
    Reductions::with_layout(items, read(word::BYTES), threads)
}

/// Tells the program where copies are.
///
/// # Safety
/// `descriptor` is one of gcc's.
pub(super) unsafe fn publish(descriptor: *mut usize, copies: &'static Reductions) {
    // SAFETY: by contract: words of the runtime's.
    unsafe {
        descriptor.add(word::BASE).write(copies.base().expose_provenance());
        descriptor.add(word::RUNTIME).write(ptr::from_ref(copies).expose_provenance());
    }
}

/// The current taskgroup reduces what the descriptors from `descriptor` on say.
///
/// # Safety
/// They are gcc's.
pub(super) unsafe fn register(thread: &'static Thread, descriptor: *mut usize) {
    let mut next = descriptor;
    while !next.is_null() {
        // SAFETY: by contract.
        unsafe {
            let copies = make(next, thread.team().size());
            publish(next, copies);
            task::reduce_with(thread, copies);
            next = ptr::with_exposed_provenance_mut(*next.add(word::NEXT));
        }
    }
}
