//! OMPD's side in the runtime: the table of the layout that a debugger reads, and the functions at
//! which it stops the program.
//!
//! A debugger's library reads the process from outside (OpenMP 5.2 chapter 20) and calls no
//! function of this room. README.md in this folder lists what it can read, and the rules that keep
//! this valid.

pub mod library;
pub(crate) mod process;
pub(crate) mod stops;

use oxomp_base::{icv, places, settings};
use oxomp_ompd_layout::table::{count, gather};
use oxomp_ompd_layout::{Record, Table};

pub use process::Process;

use crate::ompt::event::{self, expect_debugger};
use crate::{barrier, block, task, worksharing};

/// The fields of each structure, listed beside its definition.
const PARTS: [&[Record]; 25] = [
    process::FIELDS,
    process::PLACE_FIELDS,
    process::TOOL_DATA_FIELDS,
    settings::FIELDS,
    block::THREAD_FIELDS,
    block::TEAM_FIELDS,
    block::IMPLICIT_TASK_FIELDS,
    block::OFFER_FIELDS,
    barrier::FIELDS,
    block::CONTENTION_GROUP_FIELDS,
    event::FIELDS,
    task::FIELDS,
    task::INNER_FIELDS,
    task::OWN_FIELDS,
    task::TASKGROUP_FIELDS,
    task::BLOCKS_FIELDS,
    task::PIECE_FIELDS,
    task::TIES_FIELDS,
    task::TIE_FIELDS,
    task::WAIT_FIELDS,
    task::GENERATION_FIELDS,
    task::MEMBER_TASKS_FIELDS,
    worksharing::LOOP_FIELDS,
    icv::FIELDS,
    places::FIELDS,
];

/// The whole table, in the form in which it is exported.
pub type LayoutTable = Table<Process, { count(&PARTS) }>;

/// The contents of the table.
pub const fn layout_table() -> LayoutTable {
    Table::new(&process::PROCESS, gather(&PARTS))
}

/// Publishes the settings to a debugger; reads the environment if no thread has done so. Returns
/// whether a debugger is expected, so that the runtime keeps all that it reads.
pub(crate) fn start() -> bool {
    let settings = settings::get();
    process::show(settings);
    if settings.globals.debug_var {
        expect_debugger();
    }
    settings.globals.debug_var
}
