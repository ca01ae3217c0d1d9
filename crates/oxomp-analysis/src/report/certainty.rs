//! How well a gain is known: as an upper bound, or as an estimate with an error.
//!
//! Let n threads execute a region in the time T. Their time n·T is the work W, and time that is
//! lost: C to the cause that a change removes, and R to other causes. After the change the region
//! takes T' with n·T' = W' + R'. So the change wins T − T' = (C + (W − W') + (R − R')) / n, which
//! is at most (C + R) / n if W' ≥ W, and if R is what may go together with C: what the threads pay
//! for meeting each other, since threads that waited long were put to sleep, and are late when they
//! wake. A bound therefore needs that
//!
//! * the change takes waiting away and not work (fewer chunks, tasks, regions and short holds of a
//!   lock are less work), and work does not become cheaper, by caches for instance;
//! * every thread had a processor for all of the time: else the time that it lacked is in the
//!   classes of the others, which waited for it, and in its own;
//! * the times were measured, and not estimated from a sample.
//!
//! Where one of these does not hold, or where R is much of the sum, the gain is an estimate: C / n
//! and half of R / n, or of C / n if that is less. Its error is the root of the sum of squares of
//! that half, of the time in which threads lacked a processor, of the standard error of the
//! executions' mean time, of what is known badly of C, and of a part of the work. Where samples
//! tell C, twice their standard error is known badly.

use super::units::{percent, plural, share, time};
use crate::summary::{Class, ExpectedGain, Header, Region, Summary};

/// Share of the recorded time that must be at stake.
pub(super) const AT_STAKE: f64 = 0.02;

/// Part of the threads' time in which they may lack a processor although a bound is called one:
/// half of the least gain that is worth a line. The bound has that time in it.
const NEARLY_ALWAYS: f64 = 0.01;
/// A bound says little of its cause if the other losses in it are more than this part of the
/// cause's own.
const BESIDE: f64 = 0.25;
/// Part of a region's work that caches may make cheaper or dearer when other threads do it.
const CACHES: f64 = 0.03;
/// Standard error of a mean time that is known from one execution, as a part of this time.
const OF_ONE: f64 = 0.03;
/// A wrong order of the gains costs a reader at most by how much they may be wrong. Up to this part
/// of the first gain, the change that is named first wins at least half of what the best one does.
const WRONG_ORDER: f64 = 0.5;

/// A change to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What it could win, ns of wall time: an upper bound, or an estimate if there is an error.
    pub gain_ns: u64,
    /// By how much an estimated gain may be wrong, either way, ns; `None` for an upper bound.
    pub error_ns: Option<u64>,
    /// The place and the change, in words.
    pub text: String,
}

impl Advice {
    /// The gain in a run of `recorded_ns`, in words.
    #[must_use]
    pub fn gain(&self, recorded_ns: u64) -> String {
        let part = percent(share(self.gain_ns, recorded_ns));
        match self.error_ns {
            None => format!("gain ≤ {} ({part})", time(self.gain_ns)),
            Some(error) => {
                format!("gain about {} ± {} ({part})", time(self.gain_ns), time(error))
            }
        }
    }

    /// The gain that a replay expects.
    pub(super) fn expected(one: &ExpectedGain, text: String) -> Self {
        Self { gain_ns: one.gain_ns, error_ns: Some(one.error_ns), text }
    }
}

/// What a recording tells of a gain, ns of wall time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cause {
    /// Lost to the cause, C / n.
    pub(super) lost_ns: u64,
    /// Lost to what may go together with it, R / n.
    pub(super) beside_ns: u64,
    /// By how much `lost_ns` may be wrong, for costs that are estimated.
    pub(super) error_ns: u64,
    /// Whether the change removes work, too.
    pub(super) is_work: bool,
}

impl Cause {
    /// Waiting that a change of `region` takes away.
    pub(super) fn waiting(lost_ns: u64, region: &Region) -> Self {
        let beside_ns = region.gain.barrier_ns.saturating_add(region.gain.fork_join_ns);
        Self { lost_ns, beside_ns, ..Self::default() }
    }

    /// Time that is work, or is known by an estimate, which may be wrong by `error_ns`.
    pub(super) fn work(lost_ns: u64, error_ns: u64) -> Self {
        Self { lost_ns, error_ns, is_work: true, ..Self::default() }
    }

    /// This cause, of which `half_ns` is taken to be the collector's: the true part lies between
    /// nothing and twice as much.
    pub(super) fn recorded_with(self, half_ns: u64) -> Self {
        let half_ns = half_ns.min(self.lost_ns / 2);
        let (lost_ns, error_ns) = (self.lost_ns - half_ns, self.error_ns.saturating_add(half_ns));
        Self { lost_ns, error_ns, ..self }
    }

    /// This cause, whose loss samples tell with the standard error `error_ns`: in 19 of 20 runs it
    /// is not wrong by more than twice as much.
    pub(super) fn sampled_with(self, error_ns: u64) -> Self {
        self.estimated_with(error_ns.saturating_mul(2))
    }

    /// This cause, whose loss may besides be wrong by `error_ns`, independently.
    pub(super) fn estimated_with(self, error_ns: u64) -> Self {
        let error_ns = root(&[self.error_ns as f64, error_ns as f64]) as u64;
        Self { error_ns, ..self }
    }

    /// The advice to make a change in `region`, or outside of every one.
    pub(super) fn advice(self, region: Option<&Region>, summary: &Summary, text: String) -> Advice {
        let most = region.map_or(summary.header.recorded_ns, |region| region.wall_ns);
        let taken = region.map_or(lacking(summary), |region| region.gain.scheduler_ns);
        let is_mostly_it = self.beside_ns as f64 <= BESIDE * self.lost_ns as f64;
        if !self.is_work && self.error_ns == 0 && is_mostly_it && bounds_hold(summary) {
            let bound = self.lost_ns.saturating_add(self.beside_ns).saturating_add(taken);
            return Advice { gain_ns: bound.min(most), error_ns: None, text };
        }
        // What goes together with a cause is at most as much again.
        let beside_ns = self.beside_ns.min(self.lost_ns);
        let gain = self.lost_ns.saturating_add(beside_ns / 2).min(most);
        let work = region.map_or(0.0, |region| {
            CACHES * region.useful_ns as f64 / f64::from(region.team.1.max(1))
        });
        let spread = region.map_or(0.0, spread_ns);
        let parts = [beside_ns as f64 / 2.0, self.error_ns as f64, taken as f64, spread, work];
        Advice { gain_ns: gain, error_ns: Some(root(&parts) as u64), text }
    }
}

fn root(parts: &[f64]) -> f64 {
    parts.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Whether the lost time of a region, or of serial code, is an upper bound of what a change there
/// wins that takes waiting away: every thread had a processor for all of the time.
#[must_use]
pub fn bounds_hold(summary: &Summary) -> bool {
    let header = &summary.header;
    have_processors((header.threads, header.allowed_cpus), disturbed(summary))
}

/// Why lost times are not upper bounds of what changes win, in words; `None` if they are
/// ([`bounds_hold`]).
#[must_use]
pub fn no_bounds(summary: &Summary) -> Option<String> {
    if bounds_hold(summary) {
        return None;
    }
    let Header { threads, allowed_cpus, .. } = summary.header;
    let mut reasons = Vec::new();
    if !have_processors((threads, allowed_cpus), 0.0) {
        let [threads, processors] = [(threads, "thread"), (allowed_cpus, "processor")]
            .map(|(number, what)| plural(number.into(), what));
        reasons.push(format!("there were {threads} and {processors}"));
    }
    if disturbed(summary) > NEARLY_ALWAYS {
        let part = percent(disturbed(summary));
        reasons.push(format!("threads lacked a processor for {part} of the time"));
    }
    Some(reasons.join(", and "))
}

/// Whether every thread of a process had a processor for nearly all of the time. The process has
/// `threads` threads, and `processors` for them (0: not known); for the part `lacked` of their time
/// the threads lacked a processor.
pub(super) fn have_processors((threads, processors): (u32, u32), lacked: f64) -> bool {
    (processors == 0 || threads <= processors) && lacked <= NEARLY_ALWAYS
}

/// The title of a column of gains: upper bounds, or only what was lost.
#[must_use]
pub fn gain_title(summary: &Summary) -> &'static str {
    if bounds_hold(summary) { "gain ≤" } else { "lost" }
}

/// The part of the threads' time in which they lacked a processor.
fn disturbed(summary: &Summary) -> f64 {
    let budget = &summary.budget;
    share(budget.class_ns(Class::Scheduler), budget.recorded_ns())
}

/// The part of the run in which threads lacked a processor, ns of wall time.
fn lacking(summary: &Summary) -> u64 {
    (disturbed(summary).min(1.0) * summary.header.recorded_ns as f64) as u64
}

/// The standard error of the time of all executions of `region`, ns.
fn spread_ns(region: &Region) -> f64 {
    let calls = region.calls.max(1) as f64;
    region.spread.unwrap_or(OF_ONE / calls.sqrt()) * region.wall_ns as f64
}

/// Why the order of `advices`, the largest gain first, says little; `None` if it says enough.
///
/// If each of two gains may be wrong by the time N for which threads lacked a processor, they are
/// in the wrong order only if they differ by less than √2·N; the wrong order costs at most that.
pub(super) fn doubt(summary: &Summary, advices: &[Advice]) -> Option<String> {
    let first = advices.first()?.gain_ns as f64;
    let least = AT_STAKE * summary.header.recorded_ns as f64;
    let wrong = std::f64::consts::SQRT_2 * lacking(summary) as f64;
    (wrong > least.max(WRONG_ORDER * first)).then(|| {
        format!(
            "threads lacked a processor for {:.0} % of the time: these gains are not firm",
            disturbed(summary) * 100.0
        )
    })
}
