//! The summary of a profile as text for a terminal.
//!
//! Rendering is a pure function of the summary, the names of its sites and a [`Style`]: the same
//! input gives the same text. A quantity that was not measured is not printed.

use crate::summary::Summary;
use crate::symbols::Place;
use crate::verdict::verdict;

mod advice;
mod atomics;
mod blocked;
mod budget;
mod calls;
mod certainty;
mod counters;
mod directives;
pub mod distances;
mod header;
mod iterations;
mod live;
mod loops;
mod memory;
mod memory_waits;
mod mpi;
mod names;
mod notes;
mod offload;
mod phases;
mod python;
mod quality;
mod ranks;
mod recording;
mod regions;
mod resend;
mod sampled_share;
mod scheduler;
mod scope;
mod serial;
mod shared_lines;
mod slices;
mod smaller_team;
mod spare_threads;
mod spins;
pub mod table;
mod tasks;
pub mod units;
mod waits;

pub use advice::{TryFirst, try_first};
pub use atomics::{TITLE as ATOMICS_TITLE, text as atomic_update_place};
pub use calls::{name as hot_code_name, of_stretch as hot_code_of};
pub use certainty::{Advice, bounds_hold, gain_title, no_bounds};
pub use counters::{
    OTHERS_TITLE as OTHER_COUNTERS_TITLE, TITLE as COUNTERS_TITLE, activity as counted_activity,
    has_ratios as counters_have_ratios, other_counters, per_second as counted_per_second,
    place_name as counted_place, rate as byte_rate, sentences as counter_sentences,
};
pub use live::render_live;
pub(crate) use memory_waits::{MemoryWait, MemoryWaits};
pub(crate) use names::file_name;
pub use names::{Names, line_name};
pub use notes::Notes;
pub use offload::{construct_name, data_name, unfinished_calls};
pub use oxomp_text::Style;
pub use python::callers as python_callers;
pub use quality::{differ, guessed, unknown_processor};
pub use ranks::{
    JobAdvice, JobHeader, JobNotes, UNKNOWN_MPI, job_advice, job_balance, job_bounds_hold,
    job_recording, job_waits_notes, job_warnings, mpi_title, process_name, rank_list, render_job,
};
pub use scope::{OUTSIDE_PHASES, scope_name};
pub use shared_lines::{
    TITLE as SHARED_LINES_TITLE, meeting as shared_lines_meeting, places as shared_lines_places,
};
pub use spare_threads::spare_ns;
pub use spins::{TITLE as SPINS_TITLE, place as spin_loop_place};
pub use table::write_table;
pub(crate) use tasks::awaited_events;
pub use tasks::task_bound;
pub use waits::tests as failed_lock_tests;

use oxomp_text::Page;

/// The text of `summary`, whose sites are named by `places` (same order).
#[must_use]
pub fn render(summary: &Summary, places: &[Place], notes: &Notes, style: Style) -> String {
    let names = Names { places };
    let mut page = Page::new(style);
    header::write(&mut page, summary, notes);
    quality::write_warnings(&mut page, summary);
    page.line("");
    page.paragraph(&verdict(summary, names).sentences(), 2);
    budget::write(&mut page, summary);
    phases::write(&mut page, summary);
    slices::write(&mut page, summary);
    regions::write(&mut page, summary, names);
    iterations::write(&mut page, summary, names);
    python::write(&mut page, summary, names);
    serial::write(&mut page, summary, names);
    mpi::write(&mut page, summary, names);
    blocked::write(&mut page, summary, names);
    counters::write(&mut page, summary, names);
    calls::write(&mut page, summary);
    atomics::write(&mut page, summary, names);
    spins::write(&mut page, summary, names);
    shared_lines::write(&mut page, summary, names);
    tasks::write(&mut page, summary, names);
    loops::write(&mut page, summary, names);
    offload::write(&mut page, summary, names);
    waits::write_barriers(&mut page, summary, names);
    waits::write_mutexes(&mut page, summary, names);
    advice::write(&mut page, summary, names);
    quality::write(&mut page, summary);
    if !notes.data.is_empty() {
        page.line("");
        for line in &notes.data {
            page.paragraph(line, 2);
        }
    }
    page.finish()
}
