//! The verdict, the advice, and how far the numbers can be trusted, in the document.

use oxomp_analysis::report::{JobAdvice, TryFirst, bounds_hold, no_bounds};
use oxomp_analysis::{summary, verdict};
use serde::Serialize;

use super::places::{Place, Places};
use crate::timeline::class_key;

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
    place: Option<Place>,
}

impl Verdict {
    pub(super) fn new(verdict: verdict::Verdict, places: &Places<'_>) -> Self {
        Self {
            text: verdict.text,
            beside: verdict.beside,
            class: verdict.class.map(class_key),
            share: verdict.share,
            place: places.place(verdict.site),
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
pub(super) struct Quality {
    /// True if nothing is known to be missing: the recording ended with the process, no event
    /// and no chunk was lost, and the counts of the recording agree with each other.
    complete: bool,
    /// Events read.
    events: u64,
    /// Region instances, barriers and lock operations that the collector summed up in the program
    /// instead of recording them one by one; their numbers are exact all the same.
    folded: u64,
    /// Explicit tasks that the collector only summed up, likewise.
    folded_tasks: u64,
    /// Of the folded region instances, those too short to be timed on all threads: their number and
    /// their times from fork to join are exact; what their threads did is estimated from the timed
    /// instances of the same region.
    counted: u64,
    /// Of the folded tasks, those too short to be timed: their number is exact, their times are
    /// estimated from the timed ones of the same construct.
    counted_tasks: u64,
    /// Of the folded acquisitions of locks, those that came too fast to be timed each: their number
    /// is exact, waits and holds are estimated from the others.
    counted_acquisitions: u64,
    /// Events that could not be recorded; above zero the numbers are too small.
    lost_events: u64,
    /// Chunks of the recording that were still being written when the program went away.
    open_chunks: u64,
    /// Chunks of the recording that are lost, wholly or in part, because they are damaged.
    lost_chunks: u64,
    /// The damage of each of these chunks, and the missing parts of threads, in words.
    damaged: Vec<String>,
    /// Why recording stopped early, in words; null if it did not.
    stopped: Option<String>,
    /// Stretches of user code of which the system did not tell how long they were blocked, and how
    /// long without a processor, so that the numbers of context switches decide: a number.
    guessed: u64,
    /// What recording took the program's threads, by class of events, the most costly first; empty
    /// if that is not known, as of a program that was killed.
    recording: Vec<RecordingCost>,
    /// Processor time of threads that OpenMP does not know, the collector's own included, ns; null
    /// if it was not measured.
    unseen_cpu_ns: Option<u64>,
    /// Why no call paths were sampled, in words; null if they were, or if they were not asked for.
    unsampled: Option<String>,
    /// Deviations of the runtime that were repaired.
    repaired: Vec<Count>,
    /// Events that fitted nowhere and were left out.
    anomalies: Vec<Count>,
    /// What the collector counted in two ways with different results, so that numbers are wrong;
    /// empty if the counts of the recording agree with each other.
    disagreements: Vec<Disagreement>,
    /// What the collector had no room for, and the sums leave out.
    left_out: Vec<Count>,
}

/// Two counts of the same thing that differ.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Disagreement {
    /// What was counted one way, in words.
    what: &'static str,
    /// How many.
    count: u64,
    /// What was counted the other way, in words.
    other: &'static str,
    /// How many.
    other_count: u64,
}

impl Disagreement {
    fn new(differ: &oxomp_analysis::Disagreement) -> Self {
        let ((what, other), (count, other_count)) = (differ.what.names(), differ.counts);
        Self { what, count, other, other_count }
    }
}

/// What recording the events of a class took the program's threads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RecordingCost {
    /// `regions`, `loops`, `locks`, `locks without events` (oxomp's runtime counts acquisitions
    /// without telling of each), `tasks`, `devices` or `samples`.
    class: &'static str,
    /// How many events there were.
    events: u64,
    /// What they took, estimated from some that were measured in the run, ns.
    cost_ns: u64,
}

/// How often something happened.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Count {
    /// A short name of it.
    what: &'static str,
    /// How often.
    count: u64,
}

impl Quality {
    pub(super) fn new(quality: &summary::Quality, truncated: bool) -> Self {
        let counts = |named: &[(&'static str, u64)]| {
            named.iter().map(|&(what, count)| Count { what, count }).collect()
        };
        Self {
            complete: !truncated
                && quality.lost_events == 0
                && quality.lost_chunks == 0
                && quality.damaged.is_empty()
                && quality.disagreements.is_empty()
                && quality.stopped.is_none(),
            events: quality.events,
            folded: quality.folded,
            folded_tasks: quality.folded_tasks,
            counted: quality.counted,
            counted_tasks: quality.counted_tasks,
            counted_acquisitions: quality.counted_acquisitions,
            lost_events: quality.lost_events,
            open_chunks: quality.open_chunks,
            lost_chunks: quality.lost_chunks,
            damaged: quality.damaged.clone(),
            stopped: quality.stopped.clone(),
            guessed: quality.guessed,
            recording: quality
                .recording
                .iter()
                .map(|it| RecordingCost { class: it.class, events: it.events, cost_ns: it.cost_ns })
                .collect(),
            unseen_cpu_ns: quality.unseen_cpu_ns,
            unsampled: quality.unsampled.clone(),
            repaired: counts(&quality.repaired),
            anomalies: counts(&quality.anomalies),
            disagreements: quality.disagreements.iter().map(Disagreement::new).collect(),
            left_out: counts(&quality.left_out),
        }
    }
}
