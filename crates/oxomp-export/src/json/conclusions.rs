//! The verdict, the advice, and how far the numbers can be trusted, in the document.

use oxomp_analysis::report::{JobAdvice, TryFirst, bounds_hold, no_bounds};
use oxomp_analysis::summary::{self, Class, SiteId};
use oxomp_analysis::verdict;
use serde::Serialize;

/// What the threads lose most time to: the cause in a sentence, which text and page show too.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Verdict {
    /// The sentence.
    text: String,
    /// A second sentence where processors are lacking, which may be the doing of other programs:
    /// what the threads lose most time to apart from that; else null.
    beside: Option<String>,
    /// The class of time, named as in `budget.classes` without `_ns`; null if the threads lose
    /// little, or if nothing was recorded.
    class: Option<&'static str>,
    /// The part of the threads' recorded time in that class, from 0 to 1; without a class, the part
    /// in which they worked.
    share: f64,
    /// The place that has the largest part of the loss; null if none is known.
    place: Option<SiteId>,
}

impl Verdict {
    pub(super) fn new(verdict: verdict::Verdict) -> Self {
        Self {
            text: verdict.text,
            beside: verdict.beside,
            class: verdict.class.map(Class::key),
            share: verdict.share,
            place: verdict.site,
        }
    }
}

/// What to try first, in the words of the text summary.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Advice {
    /// That threads and processors do not fit together, with the remedy; null if they fit.
    processors: Option<String>,
    /// Why the gains, and their order, say little, such as that threads lacked a processor; null if
    /// they are firm.
    doubt: Option<String>,
    /// Changes to try, by gain, largest first.
    changes: Vec<Change>,
}

/// A change to try.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Change {
    /// The place and the change, in words.
    text: String,
    /// What it wins in wall time, ns: an upper bound if `error_ns` is null, else an estimate.
    gain_ns: u64,
    /// By how much an estimated gain may be wrong, either way, ns; null for an upper bound.
    error_ns: Option<u64>,
}

impl Advice {
    pub(super) fn new(first: TryFirst) -> Self {
        let changes = first.advices.into_iter();
        Self {
            processors: first.processors,
            doubt: first.doubt,
            changes: changes
                .map(|it| Change { text: it.text, gain_ns: it.gain_ns, error_ns: it.error_ns })
                .collect(),
        }
    }

    /// That of a job.
    pub(super) fn of_job(advice: JobAdvice) -> Self {
        Self::new(TryFirst {
            processors: advice.processors,
            doubt: advice.doubt,
            advices: advice.changes,
        })
    }
}

/// Whether lost times are upper bounds of gains: those of regions, of locks and of serial code.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Bounds {
    /// True if they are: every thread had a processor for all of the time, but for a small part.
    /// Else they are what was lost, and a change may win more.
    hold: bool,
    /// Why they are not, in words; null if they are.
    doubt: Option<String>,
}

impl Bounds {
    pub(super) fn new(summary: &summary::Summary) -> Self {
        Self { hold: bounds_hold(summary), doubt: no_bounds(summary) }
    }
}

/// How far the numbers can be trusted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Quality<'a> {
    /// True if nothing is known to be missing: the recording ended with the process, no event
    /// and no chunk was lost, and the counts of the recording agree with each other.
    complete: bool,
    #[serde(flatten)]
    known: &'a summary::Quality,
}

impl<'a> Quality<'a> {
    pub(super) fn new(quality: &'a summary::Quality, truncated: bool) -> Self {
        let complete = !truncated
            && quality.lost_events == 0
            && quality.lost_chunks == 0
            && quality.damaged.is_empty()
            && quality.disagreements.is_empty()
            && quality.stopped.is_none();
        Self { complete, known: quality }
    }
}
