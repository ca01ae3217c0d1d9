//! What a debugger sees of the runtime: where everything lies, and where it can stop the program.
//!
//! A debugger's library reads the process from outside (OpenMP 5.2 chapter 20); nothing here is
//! called by one. README.md beside this file says what can be read and what keeps it true.

pub mod breakpoint;
pub(crate) mod process;

use oxomp_ompd_layout::table::{count, gather};
use oxomp_ompd_layout::{Record, Table};

pub use process::Process;

use crate::block::Team;
use crate::block::Thread;
use crate::ompt::event::{self, expect_debugger, is_debugged};
use crate::task::{Task, property};
use crate::{block, icv, places, settings, task};
use breakpoint::{Breakpoint, reach};

/// Each structure states its fields where it is defined.
const PARTS: [&[Record]; 10] = [
    process::FIELDS,
    process::PLACE_FIELDS,
    settings::FIELDS,
    block::THREAD_FIELDS,
    block::TEAM_FIELDS,
    block::IMPLICIT_TASK_FIELDS,
    event::FIELDS,
    task::FIELDS,
    icv::FIELDS,
    places::FIELDS,
];

/// The table, whole, as it is to be exported.
pub type LayoutTable = Table<Process, { count(&PARTS) }>;

/// The table's content.
pub const fn layout_table() -> LayoutTable {
    Table::new(&process::PROCESS, gather(&PARTS))
}

/// The environment has been read, or is now: shows it. Whether a debugger is expected, so that from
/// now on all is kept that it reads.
pub(crate) fn start() -> bool {
    let settings = settings::get();
    process::show(settings);
    if settings.globals.debug_var {
        expect_debugger();
    }
    settings.globals.debug_var
}

/// The calling thread goes on with an explicit task, which may have begun before if it is untied.
#[inline(always)]
pub(crate) fn task_goes_on(task: &Task) {
    if is_debugged() && !task.has(property::BEGUN) {
        task.add_property(property::BEGUN);
        reach(Breakpoint::TaskBegin);
    }
}

/// The body of an explicit task is over, and the calling thread has not left it yet.
#[inline(always)]
pub(crate) fn task_ends(task: &Task) {
    if is_debugged() {
        reach(Breakpoint::TaskEnd);
        if !task.has(property::DETACHABLE) {
            task.ompt.generation.end();
        }
    }
}

/// The body of a detachable task is over, and its event is fulfilled.
pub(crate) fn detached_task_is_complete(task: &Task) {
    if is_debugged() {
        task.ompt.generation.end();
    }
}

/// The calling thread has a team for the region, and no implicit task has begun.
pub(crate) fn parallel_begins(thread: &Thread, team: &'static Team) {
    if is_debugged() {
        thread.region.set(Some(team));
        reach(Breakpoint::ParallelBegin);
        thread.region.set(None);
    }
}

/// All implicit tasks of the region are over.
pub(crate) fn parallel_ends(thread: &Thread, team: &'static Team) {
    if is_debugged() {
        thread.region.set(Some(team));
        reach(Breakpoint::ParallelEnd);
        thread.region.set(None);
        team.record().generation.end();
    }
}
