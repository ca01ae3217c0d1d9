//! fork(2): the child has the calling thread only, and a runtime that works.
//!
//! In the parent nothing changes. In the child everything of the gone threads is to be forgotten,
//! and nothing may be found half-way through a change that one of them was making. So, for whoever
//! adds a state that threads share:
//!
//! 1. What is behind a lock of the runtime's own (`oxomp_protocol::lock::Guarded`) is held over the fork:
//!    `before_fork` takes the locks in this order, the other two handlers give them back in the
//!    reverse one. A new one goes in front: it may not be taken while one of these is held.
//! 2. No lock of the standard library's stands for more than a call that takes no other:
//!    nobody could give it back in the child. What only grows is a chain of atomics
//!    instead (`icv::Deeper`).
//! 3. What teams share in a region (barrier, loops, singles, reductions) is made anew or brought to
//!    where the thread that is left stands: `Team::forget_workers`, outermost team first. That
//!    thread leads each team that it is in, alone, and goes on in the loop that it is in with what
//!    nobody had got (`worksharing/README.md`).
//! 4. Explicit tasks that nobody had begun, those that other threads were executing, and those
//!    whose event was not fulfilled are lost: the child does not execute them, waits for none of
//!    them, and does not hear of their events (`task/fork.rs`). The tasks that the thread which is
//!    left executes or has suspended go on, and so do those that they make from now on. Why so: of
//!    a task that was waiting for others, or had made some, nobody can say what it would have
//!    found; and nothing is executed in two processes but what the thread that called fork(2) does.
//!    A team of one thread has lost nobody, so it keeps its tasks.
//! 5. What a gone thread had for itself is free for the next thread: `pool::recycle`,
//!    `threadprivate::after_fork_in_child`. It may have been at its lists of spare memory; those
//!    are left as they are, and unused (`task::Spares::forget`).
//! 6. A lock of the program's own (critical, `omp_lock_t`) that a gone thread held stays held, as
//!    with any other lock; POSIX says no more. So with an event that another thread was to fulfil,
//!    where rule 4 keeps its task.
//! 7. A worker that is left ends where it would wait for its next region, and the process with it
//!    (`parallel::after_fork_in_child`).
//!
//! POSIX promises a child of a process with threads the async-signal-safe functions only. We
//! promise that the thread which is left goes on: it waits for nobody who is gone.

use super::root;
use crate::affinity_format;
use crate::block::Alone;
use crate::block::{self, ImplicitTask, Shared, Team, Thread};
use crate::parallel;
use crate::pool;
use crate::task::forget::{Stack, lose_tasks};
use crate::threadprivate;

/// From now on forks are noticed.
pub(crate) fn watch() {
    // SAFETY: the handlers are functions of ours, and the library is never unloaded.
    unsafe {
        libc::pthread_atfork(Some(before_fork), Some(after_in_parent), Some(after_in_child));
    }
}

unsafe extern "C" fn before_fork() {
    affinity_format::before_fork();
    threadprivate::before_fork();
    pool::before_fork();
    block::before_fork();
}

unsafe extern "C" fn after_in_parent() {
    block::after_fork();
    pool::after_fork_in_parent();
    threadprivate::after_fork_in_parent();
    affinity_format::after_fork();
}

/// The child has the calling thread only. Its teams hire anew.
unsafe extern "C" fn after_in_child() {
    // SAFETY: this is the handler.
    let alone = unsafe { Alone::in_child() };
    let left = Thread::known();
    block::after_fork();
    pool::after_fork_in_child(left.is_some());
    let gone = block::left_behind(left, &alone);
    left.inspect(|thread| alone.identify(thread));
    let is_root = left.is_some_and(|thread| thread.initial.get().is_some());
    root::forget_roots(is_root);
    parallel::after_fork_in_child(left);
    threadprivate::after_fork_in_child(&gone);
    affinity_format::after_fork();
    let still_used = left.map(|thread| {
        let innermost = thread.implicit_task().shared();
        let outermost = innermost.outermost();
        forget_workers_under(outermost, innermost, &Stack::of(thread, &alone), &alone);
        outermost
    });
    for block in gone {
        let thread = block.thread();
        thread.spares.forget();
        match thread.initial.get() {
            // A worker has forked: it goes on in the teams of a root that is gone.
            Some(initial) if still_used.is_some_and(|used| used.is(initial)) => {}
            Some(initial) => {
                thread.set_implicit_task(initial);
                initial.worksharing.abandon();
                lose_tasks(initial.team(), &Stack::EMPTY, &alone);
                forget_workers_under(initial.shared(), initial.shared(), &Stack::EMPTY, &alone);
                pool::recycle(block);
            }
            None => pool::recycle(block),
        }
    }
}

/// Of a root's teams those threads are left that `innermost` lies within, and of their tasks `stack`.
fn forget_workers_under(
    initial: Shared<ImplicitTask>,
    innermost: Shared<ImplicitTask>,
    stack: &Stack,
    alone: &Alone,
) {
    initial.team().group().forget_workers();
    if let Some(outermost) = alone.own(initial).child_if_any() {
        forget_workers_of(outermost, innermost, stack, alone);
    }
}

/// The team, and those below it, have one thread each, no explicit tasks that nobody executes, and
/// nothing that nobody has left half-way.
fn forget_workers_of(
    team: &'static Team,
    innermost: Shared<ImplicitTask>,
    stack: &Stack,
    alone: &Alone,
) {
    let left = innermost.within(team);
    // A team of one whose thread goes on has lost nobody.
    let goes_on = left.is_some_and(|left| stack.has(alone.own::<ImplicitTask>(left)));
    if team.size() != 1 || !goes_on {
        lose_tasks(team, stack, alone);
    }
    team.forget_workers(left, alone);
    for member in team.all_members(alone) {
        if let Some(child) = alone.own(member).child_if_any() {
            forget_workers_of(child, innermost, stack, alone);
        }
    }
}
