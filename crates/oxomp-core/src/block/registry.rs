//! All blocks of threads that the process has made.

use oxomp_protocol::lock::Guarded;

use super::Thread;
use super::native::{Alone, Vacant};
use super::shared::Shared;
use crate::ompd::process::set_first_thread;
use crate::ompt::event::ThreadKind;

/// The blocks, by the numbers of their threads.
static THREADS: Guarded<Vec<Shared<Thread>>> = Guarded::new(Vec::new());

/// Creates a block.
pub(crate) fn create(kind: ThreadKind) -> Vacant {
    THREADS.with(|threads| {
        let block = Vacant::create(threads.len() as u32, kind);
        threads.push(block.shared());
        // A debugger walks the list from the newest block.
        let address = block.shared().as_ptr();
        block.shared().next().set(threads.iter().rev().nth(1).copied());
        set_first_thread(address.cast::<()>());
        block
    })
}

/// All threads that the runtime has known so far.
pub(crate) fn all_threads() -> Vec<Shared<Thread>> {
    THREADS.with(|threads| threads.clone())
}

/// The number of threads that the runtime has known so far.
pub fn threads_known() -> u32 {
    THREADS.with(|threads| threads.len() as u32)
}

/// Before fork(2): takes the lock, so that no other thread is changing the list.
pub(crate) fn before_fork() {
    THREADS.hold();
}

/// After fork(2), in the parent and in the child: releases the lock.
pub(crate) fn after_fork() {
    THREADS.let_go();
}

/// In the child of a fork(2), whose only thread is `left`, if the runtime knows it: the blocks of
/// all other threads of the parent.
pub(crate) fn left_behind(left: Option<&Thread>, alone: &Alone) -> Vec<Vacant> {
    let is_gone = |thread: &Shared<Thread>| !left.is_some_and(|left| thread.is(left));
    let gone = all_threads().into_iter().filter(is_gone);
    gone.map(|thread| Vacant::left_behind(thread, alone)).collect()
}
