//! Predictions: what the replays of a region's loops and tasks say of its time and the run's.
//!
//! A prediction is the measured time less what the replay of another schedule wins over that of the
//! present one. Its error has parts that are added as squares: the README lists them.

use oxomp_analysis::Analysis;
use oxomp_analysis::loops::costs::LoopCosts;
use oxomp_analysis::summary::{Directive, Loop, Region, SiteId, Summary, WorkKind};

use crate::collector;
use crate::curve::{Curve, disagreement};
use crate::schedule::Schedule;
use crate::simulate::{Setting, replay};

/// Handing out a chunk of a thread's own range, and one from a counter for which other processors
/// ask too, ns: `dynamic,1` over a million iterations, measured. It takes 11 ns where iterations
/// are empty, and less beside work with which a processor overlaps it.
const DISPATCH_ALONE: f64 = 8.0;
const DISPATCH_SHARED: f64 = 60.0;
/// The part that may be wrong of what that and the collector are taken to have cost a recording.
const DISPATCH_ERROR: f64 = 0.75;
/// A chunk this short may be nothing but its being handed out, ns: where several processors ask,
/// each waits for the others' cache lines, and for those of data that neighbours write.
const MAY_BE_DISPATCH: f64 = 200.0;
/// Part of a chunk's time that handing it out may be.
const MOST_DISPATCH: f64 = 0.95;
/// Part of a prediction that it may always be wrong by.
pub(crate) const MODEL_ERROR: f64 = 0.02;
/// Part of a loop's work by which it may become dearer, or cheaper, where its iterations had the
/// same thread, and its caches, in every execution.
const CACHE_ERROR: f64 = 0.05;
/// Standard error of a mean time of which one execution is known, as a part of it.
const OF_ONE: f64 = 0.03;
/// The same for costs that are known as means over large parts of the iterations only.
const COARSE_ERROR: f64 = 0.08;
/// How much costlier than its piece a part of it may be.
const DENSE: f64 = 4.0;
/// A curve with fewer pieces for each thread is coarse.
const FINE_PIECES: u64 = 8;
/// A short chunk, ns.
const SHORT_CHUNK: u64 = 1000;
/// Schedules whose times differ by less than this part are equally good.
const TIE: f64 = 0.005;

/// A predicted time, ns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Predicted {
    /// The time.
    pub ns: f64,
    /// By how much it may be wrong, either way.
    pub error_ns: f64,
}

/// A loop under another schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The other schedule.
    pub schedule: Schedule,
    /// The time of all executions of the region.
    pub region: Predicted,
    /// What the run wins, ns; negative if it loses.
    pub gain_ns: f64,
}

/// A loop, and what its replays say.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopAdvice {
    /// Index in the summary's loops, and in [`Analysis::costs`].
    pub index: usize,
    /// The present schedule.
    pub now: Schedule,
    /// The replay of it for all executions, ns.
    pub replayed_ns: f64,
    /// The best of each kind of schedule but the present one: first the one that is fastest at
    /// worst, by its error.
    pub alternatives: Vec<Alternative>,
    /// Costs are means over large parts of the iterations.
    pub is_coarse: bool,
    /// Threads for which the same iterations cost least and most, and by which factor.
    pub disagreement: Option<(u32, u32, f64)>,
}

/// A region and the replays of its loops.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionAdvice {
    /// Index in the summary's regions.
    pub index: usize,
    /// The construct.
    pub site: Option<SiteId>,
    /// By how much the replays of the present schedules miss the measured time, ns; positive: they
    /// are too fast.
    pub miss_ns: f64,
    /// Its loops whose costs the recording has.
    pub loops: Vec<LoopAdvice>,
    /// Loops whose costs it lacks.
    pub unknown: Vec<usize>,
}

impl RegionAdvice {
    /// The most that the run wins by one change in the region, ns.
    #[must_use]
    pub fn best_gain(&self) -> f64 {
        let first = |one: &LoopAdvice| one.alternatives.first().map_or(0.0, |best| best.gain_ns);
        self.loops.iter().map(first).fold(0.0, f64::max)
    }
}

/// The machine of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) cpus: u32,
    pub(crate) is_oxomp: bool,
}

impl Machine {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let header = &analysis.summary.header;
        Self {
            cpus: header.allowed_cpus.max(1),
            is_oxomp: header.runtime.to_lowercase().contains("oxomp"),
        }
    }

    pub(crate) fn setting(self, threads: u32) -> Setting {
        let alone = threads == 1 || self.is_oxomp;
        let dispatch_ns = if alone { DISPATCH_ALONE } else { DISPATCH_SHARED };
        Setting { threads, cpus: self.cpus, dispatch_ns, steals: self.is_oxomp }
    }
}

/// A loop that can be replayed.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) index: usize,
    pub(crate) recorded: &'a Loop,
    pub(crate) costs: &'a LoopCosts,
    pub(crate) now: Schedule,
    pub(crate) curve: Curve,
    /// The error of what handing out its chunks is taken to have cost all threads, ns.
    pub(crate) handing_out_error: f64,
}

impl Known<'_> {
    /// The replayed time of all executions, ns.
    pub(crate) fn time(&self, schedule: Schedule, setting: Setting) -> f64 {
        replay(&self.curve, schedule, setting).time_ns * self.costs.rounds as f64
    }
}

/// The loops of `region` by whether they can be replayed.
pub(crate) fn loops_of<'a>(
    analysis: &'a Analysis,
    region: &Region,
) -> (Vec<Known<'a>>, Vec<usize>) {
    let machine = Machine::of(analysis);
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for (index, recorded) in analysis.summary.loops.iter().enumerate() {
        if recorded.region != region.site
            || !recorded.kind.is_loop()
            || waits_for_itself(recorded, &analysis.summary)
        {
            continue;
        }
        let took = collector::of_chunk(&analysis.summary);
        let costs = analysis.costs.get(index);
        let found = costs.and_then(|costs| of_loop(index, recorded, costs, (machine, took)));
        match found {
            Some(one) => known.push(one),
            None => unknown.push(index),
        }
    }
    (known, unknown)
}

/// Whether iterations of the loop wait for others of it, which a replay knows nothing of: it counts
/// as other work.
fn waits_for_itself(one: &Loop, summary: &Summary) -> bool {
    let directive = summary.directive(one.site.or(one.region), Directive::is_loop);
    directive.is_some_and(|one| one.has("ordered"))
}

fn of_loop<'a>(
    index: usize,
    recorded: &'a Loop,
    costs: &'a LoopCosts,
    (machine, took): (Machine, f64),
) -> Option<Known<'a>> {
    let now = Schedule::of(recorded)?;
    let rounds = costs.rounds.max(1);
    // Of varying numbers of iterations the mean stands for all.
    let count = if costs.changes > 0 { recorded.iterations / rounds } else { costs.count };
    let per_chunk = recorded.time_ns as f64 / recorded.chunks.max(1) as f64;
    let size = recorded.iterations as f64 / recorded.chunks.max(1) as f64;
    let of_chunk = match recorded.kind {
        WorkKind::LoopStatic => Predicted::default(),
        _ => {
            let dispatch = machine.setting(recorded.threads).dispatch_ns;
            let Predicted { ns, error_ns } = handed_out(dispatch + took, per_chunk);
            Predicted { ns, error_ns: error_ns.hypot(collector::beside(took, per_chunk)) }
        }
    };
    let dispatch = of_chunk.ns / size.max(1.0);
    let whole = LoopCosts { count: count.max(1), ..costs.clone() };
    let curve = Curve::of(&whole, dispatch).filter(|_| costs.count > 0 && costs.rounds > 0)?;
    // The sum of all chunks is known better than a sample of short ones says.
    let handing_out = dispatch * recorded.iterations as f64;
    let total = (recorded.time_ns as f64 - handing_out).max(0.0) / rounds as f64;
    let handing_out_error = of_chunk.error_ns * recorded.chunks as f64;
    let curve = curve.scaled_to(total);
    Some(Known { index, recorded, costs, now, curve, handing_out_error })
}

/// What handing out a chunk took in a recording, and the collector with it, where it takes at least
/// `least` and the whole chunk takes `per_chunk`, ns.
///
/// A recording has the chunk and its handing out as one time. Handing out a long chunk costs what
/// it costs where no other thread asks; of a short chunk it may be the whole time.
fn handed_out(least: f64, per_chunk: f64) -> Predicted {
    let most = (MOST_DISPATCH * per_chunk).min(MAY_BE_DISPATCH);
    let least = least.min(most);
    let doubt = (MAY_BE_DISPATCH / per_chunk.max(1.0)).min(1.0);
    let half = (most - least) / 2.0;
    let ns = least + half * doubt * doubt;
    Predicted { ns, error_ns: (DISPATCH_ERROR * ns).max(half * doubt) }
}

/// The parts of a region's measured time, ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parts {
    pub(crate) wall: f64,
    /// Starting, ending, meeting.
    pub(crate) overhead: f64,
    /// What the system's scheduler took.
    pub(crate) taken: f64,
    /// What threads waited for locks.
    pub(crate) locks: f64,
    /// User code beside the loops, whether it computes or blocks, of all threads divided by their
    /// number.
    pub(crate) other: f64,
    /// The replays of the loops' present schedules.
    pub(crate) loops: f64,
}

impl Parts {
    pub(crate) fn of(region: &Region, known: &[Known<'_>], machine: Machine) -> Self {
        let threads = region.team.1.max(1);
        let setting = machine.setting(threads);
        let blocked = region.gain.blocked_ns.saturating_mul(threads.into());
        let in_loops: u64 = known.iter().map(|one| one.recorded.time_ns).sum();
        Self {
            wall: region.wall_ns as f64,
            overhead: (region.gain.fork_join_ns + region.gain.barrier_ns) as f64,
            taken: region.gain.scheduler_ns as f64,
            locks: region.gain.mutex_ns as f64,
            other: (region.useful_ns + blocked).saturating_sub(in_loops) as f64
                / f64::from(threads),
            loops: known.iter().map(|one| one.time(one.now, setting)).sum(),
        }
    }

    /// The measured time that the replays do not explain; negative if they are too slow.
    pub(crate) fn miss(self) -> f64 {
        self.wall - self.overhead - self.taken - self.other - self.loops
    }
}

/// What the replays of `region`'s loops say; `None` if it has no loops.
pub(crate) fn advise(analysis: &Analysis, index: usize) -> Option<RegionAdvice> {
    let region = &analysis.summary.regions[index];
    let (known, unknown) = loops_of(analysis, region);
    if known.is_empty() && unknown.is_empty() {
        return None;
    }
    let machine = Machine::of(analysis);
    let parts = Parts::of(region, &known, machine);
    let spread = spread(region);
    let loops = known.iter().map(|one| of_known(one, region, machine, parts, spread)).collect();
    Some(RegionAdvice { index, site: region.site, miss_ns: parts.miss(), loops, unknown })
}

fn of_known(
    one: &Known<'_>,
    region: &Region,
    machine: Machine,
    parts: Parts,
    spread: f64,
) -> LoopAdvice {
    let setting = machine.setting(region.team.1.max(1));
    let rounds = one.costs.rounds as f64;
    let replayed = one.time(one.now, setting);
    // Nothing is known inside of a recorded chunk.
    let chunks = one.recorded.chunks.div_ceil(one.costs.rounds.max(1));
    let pieces = (one.curve.resolution() as u64).min(chunks);
    let is_coarse = pieces < FINE_PIECES * u64::from(setting.threads) && pieces < one.curve.count();
    let is_rough = !is_coarse && pieces < one.curve.count();
    let rough = if is_rough { one.curve.roughness() } else { 0.0 };
    // A replay that is too slow overstates its gains by as much.
    let shrink = (parts.wall / (parts.wall - parts.miss().min(0.0))).min(1.0);
    let disagreement = disagreement(one.costs).filter(|_| !is_short(one.recorded));
    // Another thread may find an iteration as costly as the one that disagrees most.
    let apart = disagreement.map_or(0.0, |(_, _, factor)| (factor - 1.0) / (factor + 1.0));
    // Where a thread had the same iterations in every execution, another one has no cache for them.
    let had_caches = !one.now.is_handed_out() && one.costs.rounds > 1;
    let caches = if had_caches { CACHE_ERROR } else { 0.0 };
    let of = |schedule: Schedule| {
        let other = replay(&one.curve, schedule, setting);
        let gain = (replayed - other.time_ns * rounds) * shrink;
        let ns = parts.wall - gain;
        let handed = schedule.is_handed_out();
        // Threads that ask for chunks make up for costs that differ inside of a piece, unless one
        // chunk has them all.
        let grain = match (handed, is_coarse) {
            (true, true) => {
                let longest = (DENSE * other.longest_ns).min(one.curve.largest_piece());
                (longest - other.longest_ns).max(other.tail_ns / 2.0)
            }
            // All that a piece of the curve costs may be one iteration of it.
            (true, false) if pieces < one.curve.count() => {
                let longest = (DENSE * other.longest_ns).min(one.curve.largest_piece());
                (longest - other.longest_ns).max(other.tail_ns / 2.0)
            }
            (true, false) => other.tail_ns / 2.0,
            (false, _) => rough / f64::from(setting.threads),
        };
        let dispatch = if handed { setting.dispatch_ns * other.chunks as f64 } else { 0.0 };
        let shape = if is_coarse && !handed { COARSE_ERROR } else { MODEL_ERROR };
        let errors = [
            parts.miss() * ns / parts.wall.max(1.0),
            grain * rounds,
            dispatch * rounds / f64::from(setting.threads) / 2.0,
            one.handing_out_error / f64::from(setting.threads),
            spread * ns,
            shape * ns,
            apart * other.time_ns * rounds,
            caches * other.time_ns * rounds,
            // Time that threads lacked a processor is in the costs, and so are waits for locks.
            parts.taken,
            parts.locks,
        ];
        let error_ns = errors.iter().map(|error| error * error).sum::<f64>().sqrt();
        Alternative { schedule, region: Predicted { ns, error_ns }, gain_ns: gain }
    };
    let mut alternatives: Vec<Alternative> = families(one.curve.count(), setting.threads)
        .iter()
        .filter_map(|family| {
            best(family.iter().copied().filter(|&other| other != one.now).map(of).collect())
        })
        .collect();
    // Of two that are equally fast the one that is known better.
    let at_worst = |one: &Alternative| one.region.ns + one.region.error_ns;
    alternatives.sort_by(|a, b| at_worst(a).total_cmp(&at_worst(b)));
    // Of several that differ by less than the least error of a prediction, the simplest is first.
    if let Some(limit) = alternatives.first().map(|one| at_worst(one) + MODEL_ERROR * one.region.ns)
        && let Some(simplest) = alternatives
            .iter()
            .enumerate()
            .filter(|(_, one)| at_worst(one) <= limit)
            .min_by_key(|(_, one)| one.schedule.complexity())
            .map(|(index, _)| index)
    {
        alternatives[..=simplest].rotate_right(1);
    }
    LoopAdvice {
        index: one.index,
        now: one.now,
        replayed_ns: replayed,
        alternatives,
        is_coarse,
        disagreement,
    }
}

/// Whether chunks are so short that what other threads do at the same time is a part of their
/// time.
fn is_short(recorded: &Loop) -> bool {
    recorded.time_ns < recorded.chunks.saturating_mul(SHORT_CHUNK)
}

/// The schedules to be tried, by kind.
fn families(count: u64, threads: u32) -> [Vec<Schedule>; 4] {
    let most = (count / u64::from(threads.max(1))).max(1);
    let powers = || (0..40).map(|power| 1_u64 << power).take_while(|&chunk| chunk <= most);
    [
        vec![Schedule::Static],
        powers().map(Schedule::StaticChunked).collect(),
        powers().map(Schedule::Dynamic).collect(),
        powers().map(Schedule::Guided).collect(),
    ]
}

/// The fastest; of several that are equally good the middle one, as far as possible from where
/// they become slower.
fn best(alternatives: Vec<Alternative>) -> Option<Alternative> {
    let fastest = alternatives.iter().map(|one| one.region.ns).min_by(f64::total_cmp)?;
    let mut good: Vec<Alternative> =
        alternatives.into_iter().filter(|one| one.region.ns <= fastest * (1.0 + TIE)).collect();
    let middle = good.len() / 2;
    Some(good.swap_remove(middle))
}

/// The standard error of the mean time of an execution of `region`, as a part of it.
pub(crate) fn spread(region: &Region) -> f64 {
    region.spread.unwrap_or(OF_ONE / (region.calls.max(1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::handed_out;

    #[test]
    fn a_short_chunk_may_be_nothing_but_its_being_handed_out() {
        // An iteration of a nanosecond that was seen to take sixty.
        let tiny = handed_out(28.0, 60.0);
        assert!(tiny.ns + tiny.error_ns >= 57.0 && tiny.ns - tiny.error_ns <= 28.0, "{tiny:?}");
        // One of two microseconds has little doubt.
        let long = handed_out(28.0, 2000.0);
        assert!((28.0..30.0).contains(&long.ns) && long.error_ns < 25.0, "{long:?}");
        // Never more than the chunk.
        assert!(handed_out(28.0, 10.0).ns <= 9.5);
    }
}
