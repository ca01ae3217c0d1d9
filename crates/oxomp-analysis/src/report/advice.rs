//! Advice on what to try first: only changes that the numbers support, each with a predicted gain
//! or an upper bound of it.

use super::Names;
use super::units::{percent, plural, share, time};
use super::{calls, late_chain, loops, offload, resend, scheduler, serial, starvation, tasks};
use crate::summary::{
    BarrierKind, ExpectedGain, Mutex, MutexKind, Region, SerialStretch, Summary, WorkKind,
};
use oxomp_text::{Page, glued};

/// The most pieces of advice.
const SHOWN: usize = 3;
/// Share of the recorded time that must be at stake.
const AT_STAKE: f64 = 0.02;
/// A region this short that runs often is dominated by its own start and end.
const SHORT_REGION_NS: u64 = 20_000;
/// In a region this long, starting and ending it costs so much only where threads are late.
const LONG_REGION_NS: u64 = 1_000_000;
const OFTEN: u64 = 1_000;
/// Threads wait so long for the one in a `single` only if it works there.
const LONG_SINGLE_NS: u64 = 10_000;
/// After a barrier's last arrival, threads with a processor leave it sooner.
const LATE_NS: u64 = 200_000;
/// A critical or lock that is held for less is held very shortly.
const SHORT_HOLD_NS: u64 = 1_000;
const AGAINST_SINGLE: &str = "one thread works in a single while the others wait: tasks, or a loop";

/// A change to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What it could win, ns of wall time: an upper bound, or a prediction if there is an error.
    pub gain_ns: u64,
    /// By how much a predicted gain may be wrong, either way, ns; `None` for an upper bound.
    pub error_ns: Option<u64>,
    /// The place and the change, in words.
    pub text: String,
}

impl Advice {
    /// A change of which only an upper bound of the gain is known.
    fn bounded(gain_ns: u64, text: String) -> Self {
        Self { gain_ns, error_ns: None, text }
    }

    /// A change, still without words, whose gain is the `expected` one, or else at most `gain_ns`.
    fn of(gain_ns: u64, expected: Option<&ExpectedGain>) -> Self {
        match expected {
            Some(one) => {
                Self { gain_ns: one.gain_ns, error_ns: Some(one.error_ns), text: String::new() }
            }
            None => Self::bounded(gain_ns, String::new()),
        }
    }

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
}

/// The changes to try first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TryFirst {
    /// A remark on the number of threads and processors, which comes before all others.
    pub processors: Option<String>,
    /// By gain, largest first.
    pub advices: Vec<Advice>,
}

/// The changes to try first in the program of `summary`.
#[must_use]
pub fn try_first(summary: &Summary, names: Names<'_>) -> TryFirst {
    let wall = summary.header.recorded_ns;
    let mut advices: Vec<Advice> =
        summary.regions.iter().flat_map(|region| for_region(region, summary, names)).collect();
    advices.extend(summary.loops.iter().enumerate().filter_map(|(index, one)| {
        let gain_ns = one.dispatch_ns / u64::from(one.threads.max(1));
        let expected = loops::expected(index, gain_ns, summary);
        let text = loops::against_dispatch(one, expected, names)?;
        Some(Advice { text, ..Advice::of(gain_ns, expected) })
    }));
    advices.extend(summary.tasks.iter().filter_map(|one| {
        let (gain_ns, text) = tasks::against_small(one, summary)?;
        let place = names.compact(tasks::site(one, summary));
        Some(Advice::bounded(gain_ns, format!("{place}  {text}")))
    }));
    let devices = resend::advices(summary, names).into_iter();
    let devices = devices.chain(offload::advices(summary, names));
    advices.extend(devices.map(|(gain_ns, text)| Advice::bounded(gain_ns, text)));
    advices.extend(summary.mutexes.iter().map(|mutex| for_mutex(mutex, summary, names)));
    let counted = |stretch: &&SerialStretch| {
        summary.regions.iter().any(|region| is_between_calls(stretch, region))
    };
    advices.extend(summary.serial.iter().filter(|stretch| !counted(stretch)).map(|stretch| {
        let (from, to) = serial::ends(stretch, names);
        let mut text = format!("run in parallel what lies between {from} and {to}");
        if let Some(hot) = calls::of_stretch(summary, stretch) {
            text.push_str(&format!(", above all {hot}"));
        }
        Advice::bounded(stretch.gain_ns, text)
    }));
    advices.retain(|advice| share(advice.gain_ns, wall) >= AT_STAKE);
    advices.sort_by_key(|advice| std::cmp::Reverse(advice.gain_ns));
    // One prediction may answer two causes, imbalance and handing out: it is one change.
    advices.dedup_by(|other, one| {
        one.error_ns.is_some() && (one.gain_ns, one.error_ns) == (other.gain_ns, other.error_ns)
    });
    advices.truncate(SHOWN);

    let processors = oversubscription(summary)
        .map(|text| match scheduler::among_themselves(summary) {
            Some(loss) => format!("{text}; {loss}"),
            None => text,
        })
        .or_else(|| scheduler::others_ran(summary));
    TryFirst { processors, advices }
}

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let wall = summary.header.recorded_ns;
    let TryFirst { processors, advices } = try_first(summary, names);
    if advices.is_empty() && processors.is_none() {
        return;
    }
    page.heading(if advices.iter().any(|advice| advice.error_ns.is_some()) {
        "Try first (a gain with ± is predicted, the others are upper bounds)"
    } else {
        "Try first (gains are upper bounds)"
    });
    if let Some(text) = processors {
        page.paragraph(&format!("  - {text}"), 4);
    }
    for (number, advice) in advices.iter().enumerate() {
        let gain = glued(&advice.gain(wall));
        page.paragraph(&format!("  {} {}: {gain}", number + 1, advice.text), 4);
    }
}

/// One piece of advice for each cause that costs the region time, except waits for locks: the
/// advice on those names the places where they happen.
fn for_region(region: &Region, summary: &Summary, names: Names<'_>) -> Vec<Advice> {
    let place = names.compact(region.site);
    let mut advices = Vec::new();
    let gain = region.gain;
    let within = barriers_within(region, summary);
    let single = waits_in_single(region, &within);
    let mean = region.wall_ns / region.calls.max(1);
    let short = mean < SHORT_REGION_NS && region.calls >= OFTEN;
    // Each call pays for the fork, the join, and the barrier at the region's end.
    let mut call_ns = gain.fork_join_ns + gain.barrier_ns.saturating_sub(within.cost_ns);
    // flang ends the loop of a combined construct with a barrier of its own.
    let whole = short && within.passes <= region.calls.saturating_mul(region.team.1.into());
    if whole {
        call_ns = gain.fork_join_ns + gain.barrier_ns;
    }
    let mut imbalance_ns = gain.imbalance_ns;
    if whole {
        let late = started_late(region);
        imbalance_ns -= late;
        call_ns += late + between_calls(region, summary);
    }
    let little = region.useful_ns / u64::from(region.team.1.max(1)) < call_ns;
    if whole && (little || region.worksharing.is_empty()) {
        // With little work to balance, imbalance only means that threads start one after the other.
        call_ns += imbalance_ns;
    } else if !tasks::are_small(region, summary) {
        // The barriers that end a single are left when it is.
        let gain_ns = imbalance_ns + single.map_or(0, |single| single.cost_ns);
        let own = single.is_none().then(|| loops::uneven(region, summary)).flatten();
        let expected = own.and_then(|own| loops::expected(own.index, gain_ns, summary));
        let site = own.filter(|own| own.has_others).and_then(|own| own.one.site);
        let place = names.compact(site.or(region.site));
        advices.push(Advice {
            text: format!(
                "{place}  {}",
                single
                    .map(|_| AGAINST_SINGLE.to_owned())
                    .or_else(|| Some(loops::against_imbalance(region, own?.one, expected)))
                    .or_else(|| match region.tasking {
                        Some(_) => None,
                        None => tasks::against_imbalance(region, summary, names),
                    })
                    .unwrap_or_else(|| against_imbalance(region).to_owned())
            ),
            ..Advice::of(gain_ns, expected)
        });
    }
    if let Some(tasking) = &region.tasking
        && !tasks::are_small(region, summary)
    {
        let most_ns = gain.starved_ns + gain.taskwait_ns;
        let late = late_chain::against(region, most_ns, summary, names);
        let (gain_ns, text) = late.unwrap_or_else(|| {
            let text = tasks::against_chain(region, summary, names)
                .unwrap_or_else(|| starvation::against(region, tasking, summary, names));
            (most_ns, text)
        });
        advices.push(Advice::bounded(gain_ns, format!("{place}  {text}")));
    }
    let single = single.copied().unwrap_or_default();
    if within.passes > single.passes && !whole {
        let what = if within.loops {
            "fewer barriers: nowait where loops do not depend on each other"
        } else if within.workshare {
            "fewer barriers: nowait where nothing after the construct needs its result"
        } else {
            "fewer barriers: not every step needs one"
        };
        let gain_ns = (within.cost_ns - single.cost_ns).min(gain.barrier_ns);
        advices.push(Advice::bounded(gain_ns, format!("{place}  {what}")));
    }
    if short || (region.calls > 1 && call_ns > gain.total_ns() / 2) {
        let remedy = if mean < LONG_REGION_NS {
            "join it with its neighbours, or if(...) for small sizes".to_owned()
        } else {
            let late = time(call_ns / region.calls.max(1));
            format!("threads begin or leave {late} late: no processor was free, or they slept")
        };
        let calls = plural(region.calls, "call");
        let text = format!("{place}  {calls} of {} each: {remedy}", time(mean));
        advices.push(Advice::bounded(call_ns, text));
    }
    advices
}

/// The part of a region's imbalance that the work of its threads does not explain: they begin one
/// after the other, ns.
fn started_late(region: &Region) -> u64 {
    let Some(balance) = region.load_balance.filter(|balance| *balance > 0.0) else { return 0 };
    let mean = region.useful_ns as f64 / f64::from(region.team.1.max(1));
    region.gain.imbalance_ns.saturating_sub((mean / balance - mean) as u64)
}

/// The time between one call of a region and the next, where that is short: what the calls
/// themselves take outside, ns.
fn between_calls(region: &Region, summary: &Summary) -> u64 {
    let mut stretches = summary.serial.iter();
    stretches
        .find(|stretch| is_between_calls(stretch, region))
        .map_or(0, |stretch| stretch.total_ns)
}

/// Whether a stretch is what calls of a short region take outside of it.
fn is_between_calls(stretch: &SerialStretch, region: &Region) -> bool {
    let mean = region.wall_ns / region.calls.max(1);
    mean < SHORT_REGION_NS
        && region.calls >= OFTEN
        && stretch.after == region.site
        && stretch.before == region.site
        && stretch.total_ns / stretch.count.max(1) < mean / 2
}

/// The barriers inside a region, without the one at its end.
#[derive(Default)]
struct Within {
    passes: u64,
    /// Time in the barriers after the last arrival, per thread, ns.
    cost_ns: u64,
    /// Whether some of them end a loop.
    loops: bool,
    /// Whether some of them end a worksharing construct.
    workshare: bool,
    /// Those that end a `single`.
    single: Passes,
}

/// Some of the barriers inside a region.
#[derive(Default, Clone, Copy)]
struct Passes {
    passes: u64,
    /// Waiting in them for the last thread, per thread, ns.
    imbalance_ns: u64,
    /// Time in them after the last arrival, per thread, ns.
    cost_ns: u64,
}

fn barriers_within(region: &Region, summary: &Summary) -> Within {
    let only_singles = has_only_singles(region, summary);
    let mut within = Within::default();
    for barrier in summary.barriers.iter().filter(|barrier| barrier.region == region.site) {
        let threads = u64::from(region.team.1.max(1));
        within.passes += barrier.passes;
        within.cost_ns += barrier.cost_ns / threads;
        within.workshare |= barrier.kind == BarrierKind::Workshare;
        within.loops |= barrier.ends.is_some_and(WorkKind::is_loop);
        if barrier.ends == Some(WorkKind::Single) || only_singles {
            within.single.passes += barrier.passes;
            within.single.imbalance_ns += barrier.imbalance_ns / threads;
            within.single.cost_ns += barrier.cost_ns / threads;
        }
    }
    within
}

/// Whether the region has no worksharing but `single`, and no more barriers than these: code of gcc
/// does not tell what a barrier ends.
fn has_only_singles(region: &Region, summary: &Summary) -> bool {
    let barriers = summary.barriers.iter().filter(|barrier| barrier.region == region.site);
    let passes: u64 = barriers.fold(0_u64, |sum, barrier| sum.saturating_add(barrier.passes));
    let works = &region.worksharing;
    works.iter().all(|work| work.kind == WorkKind::Single)
        && works.iter().map(|work| work.executions).sum::<u64>() * u64::from(region.team.1)
            >= passes
}

/// The barriers that end a `single`, if the threads of `region` wait above all in these for one of
/// them. Tasks that are created in a `single` have an advice of their own.
fn waits_in_single<'a>(region: &Region, within: &'a Within) -> Option<&'a Passes> {
    let Passes { passes, imbalance_ns, cost_ns } = within.single;
    let times = (passes / u64::from(region.team.1.max(1))).max(1);
    let waits = imbalance_ns.saturating_add(cost_ns);
    // A barrier itself never takes so long: the thread that left it last had no processor.
    let late = waits / times >= LATE_NS;
    let much = (imbalance_ns / times >= LONG_SINGLE_NS || late)
        && waits >= region.gain.imbalance_ns.saturating_add(within.cost_ns) / 2;
    (much && region.tasking.is_none()).then_some(&within.single)
}

fn against_imbalance(region: &Region) -> &'static str {
    let has = |kind: WorkKind| region.worksharing.iter().any(|work| work.kind == kind);
    if has(WorkKind::LoopStatic) || has(WorkKind::Loop) {
        "balance the loop: schedule(dynamic) or a smaller static chunk"
    } else if has(WorkKind::LoopDynamic) || has(WorkKind::LoopGuided) {
        "the last chunks are too large: smaller chunks, or the costly iterations first"
    } else if region.tasking.is_some() {
        "tasks begin late, or only some threads have other work: create them earlier"
    } else if has(WorkKind::Single) {
        AGAINST_SINGLE
    } else {
        "give the threads equal shares of the work; if it is a loop, try schedule(dynamic)"
    }
}

fn for_mutex(mutex: &Mutex, summary: &Summary, names: Names<'_>) -> Advice {
    let (place, kind) = (names.compact(mutex.site), mutex.kind.name());
    let holder = mutex.holders.first().and_then(|holder| holder.site).or(mutex.site);
    // Where no thread held the mutex for most of the wait, the hand-off costs the time.
    let text = if mutex.kind == MutexKind::Ordered {
        // The first iteration of a chunk waits for all iterations of the chunk before it.
        let smaller = match summary.loops.iter().any(|one| one.chunks < one.iterations) {
            true => ", chunks of one iteration",
            false => "",
        };
        format!(
            "{place}  one iteration waits for the other's ordered part: move what need not be \
             ordered before or after it{smaller}, or doacross"
        )
    } else if mutex.handoff_ns > mutex.wait_ns / 2 {
        format!(
            "{place}  enter the {kind} less often ({}): a copy for each thread, a reduction",
            plural(mutex.acquisitions, "time")
        )
    } else {
        format!(
            "{place}  hold the {kind} shorter (taken at {}), or give each thread its own copy",
            names.compact(holder)
        )
    };
    // A hold this short is above all the moving of the lock's and the data's cache lines from the
    // thread that held it before, which copies of the data save too.
    let held = match mutex.hold_ns / mutex.acquisitions.max(1) {
        mean if mean < SHORT_HOLD_NS => mutex.hold_ns / u64::from(summary.header.max_team.max(1)),
        _ => 0,
    };
    Advice::bounded(mutex.gain_ns.saturating_add(held).min(summary.header.recorded_ns), text)
}

fn oversubscription(summary: &Summary) -> Option<String> {
    let header = &summary.header;
    let nested = summary.regions.iter().any(|region| region.nested > region.serialized);
    let (team, cpus) = (header.max_team, header.allowed_cpus);
    let threads = if nested { header.threads } else { team };
    if cpus == 0 || threads <= cpus {
        return None;
    }
    let remedy = if team <= cpus {
        "smaller teams, since each thread of an outer team has an inner one,".to_owned()
    } else if variable_rules(summary) {
        format!("OMP_NUM_THREADS={cpus}")
    } else {
        format!("{cpus} in num_threads or omp_set_num_threads")
    };
    let verb = if remedy.starts_with("smaller") { "keep" } else { "keeps" };
    Some(format!(
        "{} share {}: {remedy} {verb} them from waiting for each other's turn",
        plural(threads.into(), "thread"),
        plural(cpus.into(), "CPU")
    ))
}

/// Whether the largest team has the size that the environment asks for: a clause or a call in the
/// program overrides the variable.
fn variable_rules(summary: &Summary) -> bool {
    let header = &summary.header;
    let variable = header.environment.iter().find(|(name, _)| name == "OMP_NUM_THREADS");
    let sizes = variable.iter().flat_map(|(_, value)| value.split(','));
    sizes.filter_map(|size| size.trim().parse().ok()).any(|size: u32| size == header.max_team)
}
