//! All blocks of threads that the process has made.

use oxomp_protocol::lock::Guarded;

use super::Thread;
use super::native::{Alone, Vacant};
use super::shared::Shared;
use crate::ompd::process::set_first_thread;
use crate::ompt::event::ThreadKind;

/// By number.
static THREADS: Guarded<Vec<Shared<Thread>>> = Guarded::new(Vec::new());

/// A new block.
pub(crate) fn create(kind: ThreadKind) -> Vacant {
    THREADS.with(|threads| {
        let block = Vacant::create(threads.len() as u32, kind);
        threads.push(block.shared());
        // A debugger follows the list from the last block on.
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

/// How many native threads the runtime has known so far.
pub fn threads_known() -> u32 {
    THREADS.with(|threads| threads.len() as u32)
}

/// fork(2) must not happen while another thread is at the list.
pub(crate) fn before_fork() {
    THREADS.hold();
}

/// In the parent process, and in the child.
pub(crate) fn after_fork() {
    THREADS.let_go();
}

/// In the child process, which has the thread `left` at most: the blocks of all threads that did not
/// come along.
pub(crate) fn left_behind(left: Option<&Thread>, alone: &Alone) -> Vec<Vacant> {
    let is_gone = |thread: &Shared<Thread>| !left.is_some_and(|left| thread.is(left));
    let gone = all_threads().into_iter().filter(is_gone);
    gone.map(|thread| Vacant::left_behind(thread, alone)).collect()
}
