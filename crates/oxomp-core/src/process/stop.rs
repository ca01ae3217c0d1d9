//! The end of the process, and of the tool.

use crate::block::Thread;
use crate::ompt::event::is_debugged;
use crate::ompt::tool;
use crate::parallel;
use crate::pool;

use super::root;

/// Ends the idle workers that can be ended: those of the pool, and those of the calling root's
/// teams if the root is not in a region. With a tool the workers report their ends first.
pub fn end_workers() {
    if let Some(thread) = Thread::known()
        && let Some(task) = thread.initial.get()
        && core::ptr::eq(thread.task(), &**task)
    {
        parallel::dismiss_workers(task);
    }
    parallel::quit(&pool::take_idle());
}

/// The process ends. May be called twice.
pub(super) extern "C" fn at_exit() {
    shut_down();
}

/// The process ends, or the tool is to be finalized: emits the last events that can be delivered,
/// then calls the tool's finalizer. Does nothing without a tool and a debugger.
pub fn shut_down() {
    if !tool::is_active() && !is_debugged() {
        // The tool's initializer may run, or another thread may end the tool.
        tool::finish();
        return;
    }
    report_ends();
    tool::finish();
}

/// `omp_pause_resource` with the hard kind: ends the session of a tool that can start again; the
/// next use of OpenMP starts it. A tool of OpenMP 5 or 6 lasts until the process ends.
///
/// The runtime does not end while other threads of the program use it: the session goes on if there
/// is another root, or if the caller is in a region.
pub fn pause_tool() {
    if tool::is_restartable() && Thread::known().is_some_and(root::is_alone) {
        report_ends();
        tool::pause();
        if tool::is_waiting()
            && let Some(thread) = Thread::known()
        {
            root::hide(thread);
        }
    }
}

/// Ends the idle workers, which report their ends, and reports that of the calling root.
fn report_ends() {
    end_workers();
    if let Some(thread) = Thread::known()
        && thread.ompt.is_announced.get()
        && let Some(task) = thread.initial.get()
        && core::ptr::eq(thread.implicit_task(), task)
    {
        root::end_root(thread);
    }
}
