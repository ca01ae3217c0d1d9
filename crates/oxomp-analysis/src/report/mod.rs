//! The summary of a profile as text for a terminal.
//!
//! Rendering is a pure function of the summary, the names of its sites and a [`Style`]: the same
//! input gives the same text. A quantity that was not measured is not printed.

use crate::summary::{SiteId, Summary};
use crate::symbols::Place;
use crate::verdict::verdict;

mod advice;
mod atomics;
mod blocked;
mod budget;
mod calls;
mod certainty;
mod directives;
pub mod distances;
mod header;
mod late_chain;
mod loops;
mod offload;
mod quality;
mod ranks;
mod recording;
mod regions;
mod resend;
mod sampled_share;
mod scheduler;
mod serial;
mod shared_lines;
mod smaller_team;
mod spins;
mod starvation;
pub mod table;
mod tasks;
pub mod units;
mod waits;

pub use advice::{TryFirst, try_first};
pub use atomics::{TITLE as ATOMICS_TITLE, text as atomic_update_place};
pub use calls::{name as hot_code_name, of_stretch as hot_code_of};
pub use certainty::{Advice, bounds_hold, gain_title, no_bounds};
pub use offload::{construct_name, data_name, unfinished_calls};
pub use oxomp_text::Style;
pub use quality::{differ, guessed};
pub use ranks::{
    JobAdvice, JobHeader, JobNotes, UNKNOWN_MPI, job_advice, job_balance, job_bounds_hold,
    job_recording, job_warnings, process_name, rank_list, render_job,
};
pub use shared_lines::{
    TITLE as SHARED_LINES_TITLE, meeting as shared_lines_meeting, places as shared_lines_places,
};
pub use spins::{TITLE as SPINS_TITLE, place as spin_loop_place};
pub use tasks::task_bound;
pub use waits::tests as failed_lock_tests;

pub use smaller_team::spare_ns;
pub(crate) use tasks::awaited_events;

use oxomp_text::Page;
use table::Table;

/// Facts beyond the profile itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// The version of the program that prints.
    pub version: String,
    /// How the runtime got under the program: "kept", "preloaded".
    pub runtime_origin: Option<String>,
    /// How the program ended if not by itself, such as "killed by SIGSEGV".
    pub ended: Option<String>,
    /// Last lines: where the data lies.
    pub data: Vec<String>,
}

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
    regions::write(&mut page, summary, names);
    serial::write(&mut page, summary, names);
    blocked::write(&mut page, summary, names);
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

/// The names of sites.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// In the order of [`Summary::sites`].
    pub places: &'a [Place],
}

impl Names<'_> {
    /// The function, or the closest name known; empty if there is none.
    #[must_use]
    pub fn function(&self, site: Option<SiteId>) -> String {
        self.place(site).and_then(Place::function_or_nearest).unwrap_or_default()
    }

    /// `solver.c:118` or `module+0x…`.
    #[must_use]
    pub fn short(&self, site: Option<SiteId>) -> String {
        self.place(site).map_or_else(|| "(unknown place)".to_owned(), Place::short)
    }

    /// `solver.c:118`, else the function, with the address if other places are in it, else the
    /// address.
    #[must_use]
    pub fn compact(&self, site: Option<SiteId>) -> String {
        match self.place(site) {
            Some(place @ Place { line: None, function: Some(function), offset, .. }) => {
                let beside = |other: &&Place| {
                    other.function == place.function && other.offset != place.offset
                };
                match self.places.iter().find(beside) {
                    Some(_) => format!("{function} (+{offset:#x})"),
                    None => function.clone(),
                }
            }
            _ => self.short(site),
        }
    }

    /// Function and place for two columns; code without any name has its module in the first.
    #[must_use]
    pub fn columns(&self, site: Option<SiteId>) -> (String, String) {
        let function = self.function(site);
        match self.place(site) {
            Some(Place { line: None, module: Some(module), offset, .. }) if function.is_empty() => {
                (module.clone(), format!("+{offset:#x}"))
            }
            _ => (function, self.short(site)),
        }
    }

    /// All that is known of the place.
    #[must_use]
    pub fn place(&self, site: Option<SiteId>) -> Option<&Place> {
        self.places.get(site?.0 as usize)
    }
}

/// Writes a section that is a table.
pub fn write_table(page: &mut Page, title: &str, table: &Table) {
    let (heading, rows) = table.layout(title, page.width());
    for (number, line) in heading.iter().enumerate() {
        if number == 0 {
            page.heading(line);
        } else {
            page.line(line);
        }
    }
    for row in rows {
        page.line(&row);
    }
}
