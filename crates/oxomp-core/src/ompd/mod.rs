//! What a debugger sees of the runtime: where everything lies, and where it can stop the program.
//!
//! A debugger's library reads the process from outside (OpenMP 5.2 chapter 20); nothing here is
//! called by one. README.md beside this file says what can be read and what keeps it true.

pub mod breakpoint;
pub(crate) mod process;
pub(crate) mod stops;

use oxomp_ompd_layout::table::{count, gather};
use oxomp_ompd_layout::{Record, Table};

pub use process::Process;

use crate::ompt::event::{self, expect_debugger};
use crate::{block, icv, places, settings, task};

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
