//! A profile as one HTML file: it opens from a folder without a network, and may be forwarded.
//!
//! Everything that the page shows lies in it: the style sheet, the script, and the data. Its
//! Content-Security-Policy lets only that style sheet and that script act: names in the program,
//! its arguments and its environment cannot. `README.md` says how the page is built.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod absent;
mod advice;
mod blocked;
mod budget;
mod chart;
mod counters;
mod date;
mod definitions;
mod document;
mod flame;
mod header;
mod job;
mod kinds;
mod limits;
mod locks;
mod memory;
mod mpi;
mod offload;
mod phases;
mod profile;
mod quality;
mod regions;
mod scale;
mod serial;
mod slices;
mod source;
mod tables;
mod tasks;
mod text;
mod timeline;
mod verdict;
mod view;

pub use job::{JobPage, job_page};
pub use limits::PAGE_BYTES;
pub use scale::scale_page;

use limits::Limits;
use oxomp_analysis::Analysis;
use oxomp_analysis::report::Notes;
use view::View;

/// The page of `analysis`, at most [`PAGE_BYTES`] long. Reads the source files that the program's
/// debug information names, as far as they are there.
#[must_use]
pub fn page(analysis: &Analysis, notes: &Notes) -> String {
    let mut limits = Limits::default();
    loop {
        let page = profile::render(&View::new(analysis, notes, limits));
        if page.len() <= PAGE_BYTES || limits.are_smallest() {
            return page;
        }
        limits = limits.halved();
    }
}
