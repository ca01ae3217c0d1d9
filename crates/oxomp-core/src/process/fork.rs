//! fork(2): the child has the calling thread only, and a runtime that works.
//!
//! In the parent nothing changes. In the child the runtime forgets all state of the threads that
//! are gone, and reads nothing that one of them may have been changing at the time of fork(2). The
//! rules for state that threads share:
//!
//! 1. A lock of the runtime itself (`oxomp_protocol::lock::Guarded`) is free in the child, and what
//!    is behind it is new (`Guarded::forget`): the child does not read the old value. What the
//!    child needs of the parent is not behind a lock, but reached from one word: a list that only
//!    grows (`Chain`, the blocks of threads), or a value that is replaced as a whole.
//! 2. No thread waits for another one's first use of something, except in `Once`, which the child
//!    makes anew if the thread that was making the value is gone, and in the start (`PHASE`). The
//!    locks and once-cells of the standard library cannot be made anew, so the runtime has none:
//!    `cargo xtask layering` finds them, and each `Guarded` that is not forgotten.
//! 3. `Team::forget_workers`, outermost team first, makes the shared state of a region (barrier,
//!    loops, singles, reductions) anew, or brings it to the point that the surviving thread has
//!    reached. That thread becomes the primary and only thread of each team that it is in. In a
//!    loop it goes on with the iterations that no thread had taken (`worksharing/README.md`).
//! 4. Explicit tasks are lost if no thread had begun them, if other threads were executing them, or
//!    if their event was not fulfilled: the child does not execute them, waits for none of them,
//!    and ignores their events (`task/forget.rs`). The tasks that the surviving thread executes or
//!    has suspended go on, and generate tasks as before. The reason: the results of lost tasks are
//!    unknown, so a task that was waiting for them could not run correctly; and only the thread
//!    that called fork(2) executes code in both processes. A team of one thread has lost no thread,
//!    so it keeps its tasks.
//! 5. State that belonged to one thread that is gone is reset for the next native thread:
//!    `pool::recycle`, `threadprivate::after_fork_in_child`. The thread may have been changing its
//!    lists of spare memory; these are never used again (`task::Spares::forget`).
//! 6. A lock of the program (critical, `omp_lock_t`) whose holder is gone stays held, as a mutex of
//!    the C library does; POSIX demands no more. The mutexes of reductions and of atomic
//!    constructs, of which the program does not know, are free (`mutex::after_fork_in_child`). An
//!    event that such a thread was to fulfil stays unfulfilled, where rule 4 keeps its task.
//! 7. Callbacks of the tool that were running on threads which are gone are over
//!    (`ompt::tool::after_fork_in_child`; the count of each thread is its own, and reset with it).
//!    A tool of the 2015 report is gone; it is searched for again when the child uses OpenMP
//!    (`ompt/tool/restart_2015.rs`).
//! 8. If the surviving thread is a worker, it ends at its dock, and the process with it
//!    (`parallel::after_fork_in_child`).
//! 9. The calling thread holds no `Guarded` of the runtime: the runtime runs no code of others
//!    meanwhile, and a signal handler that forks must not have interrupted it there. A program
//!    whose handlers fork blocks the signal while it calls OpenMP.
//!
//! The handler is registered when the library is loaded, before any thread can call it. A fork(2)
//! that is under way when another thread loads the library may run no handler: the child then has
//! a library whose load no thread ends, as with any library.
//!
//! The C library calls the handlers of the child in the order of their registration: those of
//! libraries that were loaded earlier run before ours. Until ours has run, neither they nor a
//! thread that they start may call OpenMP: the call would find the state of threads that are gone,
//! and could wait for one of them.
//!
//! **Why no lock is held over fork(2).** The C library calls the handlers that run before a fork in
//! reverse order of their registration. After ours it would call those of libraries that were
//! loaded earlier, which take their own locks. A thread that holds one of these may call the
//! runtime. If our handler had taken a lock of the runtime, that thread would wait for the forking
//! one, and the forking one for it. So the runtime has no handler that runs before a fork. It has
//! one that runs in the child, where no thread can wait for it: it takes no lock that it has not
//! freed, and calls no code of the program. In the parent fork(2) has no effect on the runtime.
//!
//! **What the handler may read.** Other threads run while the process is copied, so it finds the
//! state of some moment of each thread that is gone, which may be in the middle of any function. It
//! reads words that are valid at every moment, follows addresses in them to objects that were
//! complete before their address was stored and that are never freed, and overwrites all else. The
//! child relies on the order of two stores of a thread that is gone in one case only, as all code
//! does that reads such a word: an address is stored after its object.
//!
//! A vector or a box that such a thread was changing is neither read nor freed: the memory that it
//! names may have been freed before. So blocks that outlive their thread keep lists that only grow
//! (`Chain`), or forget a vector without freeing it.
//!
//! POSIX guarantees a child of a process with threads only the async-signal-safe functions. The
//! runtime guarantees that the surviving thread goes on: it waits for no thread that is gone.
//!
//! One thing it cannot mend. If a library that dlopen(3) has loaded, a tool for example, has
//! thread-local variables, and another thread is in pthread_create(3) at the moment of fork(2), the
//! GNU C library (2.36 and 2.39 were tried) may free those of a thread that is gone twice when the
//! child creates threads, which damages the heap. It happens in programs without OpenMP, too.

use oxomp_base::settings;

use super::{root, start};
use crate::affinity_format;
use crate::block::{self, Alone, ImplicitTask, Shared, Team, Thread};
use crate::mutex;
use crate::ompt::tool;
use crate::parallel;
use crate::pool;
use crate::task::forget::{Stack, lose_tasks};
use crate::threadprivate;

/// Registers the handler of fork(2). Called when the library is loaded, before the program can call
/// it.
pub(super) fn watch() {
    // SAFETY: the handler is a function of this library, which is never unloaded. The registration
    // fails only if memory is exhausted.
    unsafe { libc::pthread_atfork(None, None, Some(after_in_child)) };
}

/// Repairs the runtime in the child, which has the calling thread only. Its teams hire new workers.
unsafe extern "C" fn after_in_child() {
    // SAFETY: this is the handler that runs in the child. The process has one thread, or others
    // that a handler registered before has started; none of them has called the runtime.
    let alone = unsafe { Alone::in_child() };
    let left = Thread::known().or_else(root::reveal);
    pool::after_fork_in_child(left.is_some(), &alone);
    let gone = block::left_behind(left, &alone);
    left.inspect(|thread| alone.identify(thread));
    let is_root = left.is_some_and(|thread| thread.initial.get().is_some());
    root::forget_roots(is_root, &alone);
    parallel::after_fork_in_child(left, &alone);
    mutex::after_fork_in_child(&alone);
    tool::after_fork_in_child(&alone);
    settings::after_fork_in_child(&alone);
    start::after_fork_in_child(&alone);
    threadprivate::after_fork_in_child(&gone);
    affinity_format::after_fork_in_child(&alone);
    let still_used = left.map(|thread| {
        let innermost = thread.implicit_task().shared();
        let outermost = innermost.outermost();
        forget_workers_under(outermost, innermost, &Stack::of(thread, &alone), &alone);
        outermost
    });
    for block in gone {
        let thread = block.thread();
        thread.spares.forget(&alone);
        match thread.initial.get() {
            // A worker has called fork(2): it goes on in the teams of a root that is gone.
            Some(initial) if still_used.is_some_and(|used| used.is(initial)) => {}
            Some(initial) => {
                thread.set_implicit_task(initial);
                initial.worksharing.abandon(&alone);
                lose_tasks(initial.team(), &Stack::EMPTY, &alone);
                forget_workers_under(initial.shared(), initial.shared(), &Stack::EMPTY, &alone);
                pool::recycle(block);
            }
            None => pool::recycle(block),
        }
    }
    if tool::is_waiting() {
        left.inspect(|thread| root::hide(thread));
    }
}

/// Reduces the teams of a root to the surviving thread: it goes on in the implicit task `innermost`
/// and those around it, and in the tasks on `stack`.
fn forget_workers_under(
    initial: Shared<ImplicitTask>,
    innermost: Shared<ImplicitTask>,
    stack: &Stack,
    alone: &Alone,
) {
    initial.team().group().forget_workers(alone);
    forget_workers_below(initial, innermost, stack, alone);
}

/// Reduces the teams that were formed in the task `outer` to one thread each: those of its parallel
/// regions, and of the initial tasks that it has executed of leagues and of target regions.
fn forget_workers_below(
    outer: Shared<ImplicitTask>,
    innermost: Shared<ImplicitTask>,
    stack: &Stack,
    alone: &Alone,
) {
    let outer = alone.own(outer);
    let others = [outer.league_team_if_any(), outer.target_if_any()];
    for team in outer.children().into_iter().chain(others).flatten() {
        forget_workers_of(team, innermost, stack, alone);
    }
}

/// Reduces the team, and those nested in it, to one thread each. They keep no explicit task that no
/// thread executes, and no half-done step of a thread that is gone.
fn forget_workers_of(
    team: &'static Team,
    innermost: Shared<ImplicitTask>,
    stack: &Stack,
    alone: &Alone,
) {
    let left = innermost.within(team);
    // A team of one thread, which goes on, has lost no thread.
    let goes_on = left.is_some_and(|left| stack.has(alone.own::<ImplicitTask>(left)));
    if team.size() != 1 || !goes_on {
        lose_tasks(team, stack, alone);
    }
    team.forget_workers(left, alone);
    if team.is_of_league() || team.is_of_target_region() {
        team.group().forget_workers(alone);
    }
    for member in team.all_members(alone) {
        forget_workers_below(member, innermost, stack, alone);
    }
}
