//! What the verdict says of work at memory: that several threads use, as samples tell, or for which
//! threads wait, as counters do.

use super::words::{amount, line_name};
use crate::report::units::share;
use crate::report::{MemoryWait, MemoryWaits, Names};
use crate::summary::{Class, Region, SiteId, Summary};

/// What threads do at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By atomic updates.
    Updates,
    /// In loops that wait for another thread to change a variable.
    Loops,
    /// In cache lines that one thread writes.
    Lines,
    /// At the limit of the bandwidth.
    Bandwidth,
    /// Waiting for single cache lines.
    Latency,
}

/// The form in which threads use memory for most of their time.
#[derive(Debug)]
pub(super) struct AtMemory {
    form: Form,
    /// The part of the useful time, from 0 to 1.
    pub(super) part: f64,
    /// ` at line 12 of bins.c`, where most samples are; empty if the line is not known.
    place: String,
    /// The region of that place.
    pub(super) region: Option<SiteId>,
}

/// One row of the summary: the region, the samples there, and the region's, and the line.
type Row<'a> = (Option<SiteId>, u64, u64, Option<&'a (String, u32)>);

impl AtMemory {
    /// The form of most time; `None` without any.
    pub(super) fn most(summary: &Summary, names: Names<'_>) -> Option<Self> {
        let updates = summary.atomics.iter();
        let updates = updates.map(|one| (one.region, one.samples, one.of, one.line.as_ref()));
        let loops = summary.spins.iter();
        let loops = loops.map(|one| (one.region, one.samples, one.of, one.line.as_ref()));
        let lines = summary.shared_lines.iter().map(|one| {
            let place = one.places.first().and_then(|place| place.line.as_ref());
            (one.region, one.samples, one.of, place)
        });
        let waiting = |kind: MemoryWait| -> Vec<Row<'_>> {
            let regions = summary.regions.iter();
            let own = regions.filter(|region| {
                MemoryWaits::of(region, summary).is_some_and(|found| found.kind == kind)
            });
            let line = |site| names.place(site).and_then(|place| place.line.as_ref());
            // All of the region.
            let row = |it: &Region| (it.site, it.useful_ns, it.useful_ns, line(it.site));
            own.map(row).collect()
        };
        let forms = [
            Self::of(Form::Updates, updates.collect(), summary),
            Self::of(Form::Loops, loops.collect(), summary),
            Self::of(Form::Lines, lines.collect(), summary),
            Self::of(Form::Bandwidth, waiting(MemoryWait::Bandwidth), summary),
            Self::of(Form::Latency, waiting(MemoryWait::Latency), summary),
        ];
        forms.into_iter().flatten().max_by(|a, b| a.part.total_cmp(&b.part))
    }

    fn of(form: Form, rows: Vec<Row<'_>>, summary: &Summary) -> Option<Self> {
        let &(region, _, _, line) = rows.iter().max_by_key(|row| row.1)?;
        let in_region = |region: &Region| {
            let own = rows.iter().filter(|row| row.0 == region.site);
            let part: f64 = own.map(|row| share(row.1, row.2)).sum();
            part.min(1.0) * region.useful_ns as f64
        };
        let time: f64 = summary.regions.iter().map(in_region).sum();
        let part = time / summary.budget.class_ns(Class::Useful).max(1) as f64;
        let place = line.map_or_else(String::new, |line| format!(" at {}", line_name(line)));
        Some(Self { form, part, place, region })
    }

    /// Whether the threads wait there, although they use a processor.
    pub(super) fn is_wait(&self) -> bool {
        self.form == Form::Loops
    }

    /// `, and half of it at the atomic update at line 12 of bins.c`, after a part of the time.
    pub(super) fn of_it(&self) -> String {
        let (part, place) = (amount(self.part.min(1.0)), &self.place);
        match self.form {
            Form::Updates => format!(", and {part} of it at the atomic update{place}"),
            Form::Loops => format!(", and {part} of it in a loop{place} that waits"),
            Form::Lines => format!(", and {part} of it at cache lines that they share{place}"),
            Form::Bandwidth => {
                format!(", and {part} of it at the limit of memory's bandwidth{place}")
            }
            Form::Latency => {
                format!(", and {part} of it waiting for single cache lines of memory{place}")
            }
        }
    }

    /// The sentence on threads that wait for the part `part` of their time.
    pub(super) fn sentence(&self, part: f64) -> String {
        format!(
            "For {} of their time the threads wait in a loop{} for another thread to change a \
             variable.",
            amount(part),
            self.place
        )
    }
}
