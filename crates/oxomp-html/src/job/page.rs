//! What a page of several processes shows.

use oxomp_analysis::ranks::Job;
use oxomp_analysis::report::{JobNotes, process_name};
use oxomp_analysis::symbols::Place;

use crate::limits::Limits;
use crate::text::shown;

/// What a page of several processes shows.
#[derive(Debug, Clone, Copy)]
pub struct JobPage<'a> {
    /// The processes.
    pub job: &'a Job,
    /// What else is known of them.
    pub notes: &'a JobNotes,
    /// For each process, in the order of [`Job::processes`], the file name of its own page in the
    /// same folder; empty if the process has no page.
    pub pages: &'a [String],
}

impl JobPage<'_> {
    /// `text` as the page may show it.
    pub(super) fn shown(&self, text: &str) -> String {
        shown(text, Limits::default().name)
    }

    /// Function and place as the page may show them.
    pub(super) fn columns(&self, place: Option<&Place>) -> (String, String) {
        let (function, place) = match place {
            Some(place) => (place.function_or_nearest().unwrap_or_default(), place.short()),
            None => (String::new(), "(unknown place)".to_owned()),
        };
        (self.shown(&function), self.shown(&place))
    }

    /// The name of the process at a position in [`Job::processes`].
    pub(super) fn name_at(&self, position: usize) -> String {
        self.job.processes.get(position).map(process_name).unwrap_or_default()
    }
}
