//! All blocks of threads that the process has made.

use core::ptr::NonNull;

use oxomp_protocol::lock::Guarded;

use super::Thread;
use super::native::{Alone, Vacant};
use super::shared::Shared;
use crate::ompd::process;
use crate::ompt::event::ThreadKind;

/// Held by the thread that creates a block. The blocks are a list that only grows: its first word
/// is stored last, so threads read the list without the lock.
static CREATING: Guarded<()> = Guarded::new(());

/// The blocks, the newest first. A debugger walks the same list.
pub(crate) fn all_threads() -> impl Iterator<Item = Shared<Thread>> {
    core::iter::successors(newest(), |thread| thread.next().get())
}

fn newest() -> Option<Shared<Thread>> {
    // SAFETY: `create` is the only writer of the word, and stores the addresses of blocks.
    NonNull::new(process::first_thread().cast()).map(|block| unsafe { Shared::at(block) })
}

/// The number of threads that the runtime has known so far.
pub fn threads_known() -> u32 {
    newest().map_or(0, |newest| newest.number() + 1)
}

/// Creates a block.
pub(crate) fn create(kind: ThreadKind) -> Vacant {
    CREATING.with(|()| {
        let block = Vacant::create(threads_known(), kind);
        block.shared().next().set(newest());
        process::set_first_thread(block.shared().as_ptr().cast());
        block
    })
}

/// In the child of a fork(2), whose only thread is `left`, if the runtime knows it: the blocks of
/// all other threads of the parent. The lock is free: if a thread that is gone was creating a
/// block, the block is in the list, or is not used.
pub(crate) fn left_behind(left: Option<&Thread>, alone: &Alone) -> Vec<Vacant> {
    CREATING.forget((), alone);
    let is_gone = |thread: &Shared<Thread>| !left.is_some_and(|left| thread.is(left));
    let gone = all_threads().filter(is_gone);
    gone.map(|thread| Vacant::left_behind(thread, alone)).collect()
}
