//! Barriers inside regions: which of them could be left out, and which end a `single`.

use crate::report::certainty::Cause;
use crate::report::directives::is_of_work;
use crate::report::recording::{BARRIER_NS, half};
use crate::summary::{Barrier, BarrierKind, Directive, Region, Summary, WorkKind};

/// Threads wait this long for the thread in a `single` only if it works there.
const LONG_SINGLE_NS: u64 = 10_000;
/// After a barrier's last arrival, threads with a processor leave it sooner.
const LATE_NS: u64 = 200_000;
const AGAINST_COPIES: &str = "single copyprivate makes the threads wait twice, which nowait \
                              cannot change: one such construct for several values, or one \
                              thread determines them before the region";

pub(super) const AGAINST_COPYING: &str = "one thread works in a single copyprivate while the others wait, which nowait cannot change: \
     determine the values before the region, or several of them at once";

/// The barriers inside a region, without the one at its end.
#[derive(Default)]
pub(super) struct Within {
    pub(super) passes: u64,
    /// Time in the barriers after the last arrival, per thread, ns.
    pub(super) cost_ns: u64,
    /// The barriers that the program could do without, as far as the directives' rules go.
    free: Passes,
    /// Whether some of these end a loop.
    loops: bool,
    /// Whether some of these end a worksharing construct.
    workshare: bool,
    /// The barriers that end a `single`, or a `workshare`.
    single: Passes,
    /// The barriers in `single` that the program could do without.
    free_single: Passes,
    /// The barriers of `single copyprivate`, which the program needs.
    copies: Passes,
}

/// Some of the barriers inside a region.
#[derive(Default, Clone, Copy)]
pub(super) struct Passes {
    passes: u64,
    /// Waiting in them for the last thread, per thread, ns.
    imbalance_ns: u64,
    /// Time in them after the last arrival, per thread, ns.
    pub(super) cost_ns: u64,
}

impl Within {
    /// Whether most barriers that end a `single` belong to `single copyprivate`.
    pub(super) fn are_copies(&self) -> bool {
        self.copies.passes > self.single.passes / 2
    }

    /// Whether most of the waits of a region, `imbalance_ns`, are at the barriers of
    /// `single copyprivate`.
    pub(super) fn wait_for_copies(&self, imbalance_ns: u64) -> bool {
        self.copies.passes > 0 && self.copies.imbalance_ns >= imbalance_ns / 2
    }
}

impl Passes {
    fn add(&mut self, barrier: &Barrier, threads: u64) {
        self.passes += barrier.passes;
        self.imbalance_ns += barrier.imbalance_ns / threads;
        self.cost_ns += barrier.cost_ns / threads;
    }
}

pub(super) fn barriers_within(region: &Region, summary: &Summary) -> Within {
    let only_singles = has_only_singles(region, summary);
    let threads = u64::from(region.team.1.max(1));
    let mut within = Within::default();
    for barrier in own(region, summary) {
        within.passes += barrier.passes;
        within.cost_ns += barrier.cost_ns / threads;
        let copies = is_of_copies(barrier, region, summary);
        let is_free = !copies && !is_own(barrier, summary);
        let alone = [Some(WorkKind::Single), Some(WorkKind::Workshare)].contains(&barrier.ends);
        let is_single = alone || only_singles || copies;
        let kinds = [
            (&mut within.free, is_free),
            (&mut within.single, is_single),
            (&mut within.free_single, is_single && is_free),
            (&mut within.copies, copies),
        ];
        for (passes, _) in kinds.into_iter().filter(|(_, is_one)| *is_one) {
            passes.add(barrier, threads);
        }
        if is_free {
            within.workshare |= barrier.kind == BarrierKind::Workshare;
            within.loops |= barrier.ends.is_some_and(WorkKind::is_loop);
        }
    }
    within
}

fn own<'a>(region: &Region, summary: &'a Summary) -> impl Iterator<Item = &'a Barrier> {
    let site = region.site;
    summary.barriers.iter().filter(move |barrier| barrier.region == site)
}

/// Whether a barrier of `region` is one of the two of a `single copyprivate`: until the values are
/// there, and at the end. Runtimes call the first one their own. For clang's code the second one
/// ends a worksharing construct, at the same place; gcc's code calls it like any other barrier.
fn is_of_copies(barrier: &Barrier, region: &Region, summary: &Summary) -> bool {
    match directive_of(barrier, summary) {
        Some(directive) if directive.has("copyprivate") => return true,
        // In Fortran the clause stands at the end of the construct.
        Some(directive) if !directive.has("single") => return false,
        _ => {}
    }
    let passes = |is_first: bool| -> u64 {
        let of_kind = own(region, summary).filter(|one| is_own(one, summary) == is_first);
        of_kind.map(|one| one.passes).sum()
    };
    if has_only_singles(region, summary) {
        return passes(true) > 0 && passes(true) >= passes(false);
    }
    let mut together = own(region, summary).filter(|one| one.site == barrier.site);
    let is_own = |one: &Barrier| is_own(one, summary);
    let is_either = is_own(barrier) || barrier.ends == Some(WorkKind::Single);
    let is_other = |one: &Barrier| is_own(one) != is_own(barrier);
    is_either
        && together.any(|one| is_other(one) && (is_own(one) || one.ends == Some(WorkKind::Single)))
}

/// The directive in the source that makes the barrier.
fn directive_of<'a>(barrier: &Barrier, summary: &'a Summary) -> Option<&'a Directive> {
    summary.directive(barrier.site, |one| one.has("barrier") || is_of_work(one))
}

/// Whether the runtime or the compiler has added the barrier. LLVM's runtimes say so of every
/// barrier in gcc's code: one in whose line the program has a `barrier` is the program's.
fn is_own(barrier: &Barrier, summary: &Summary) -> bool {
    let is_written = || directive_of(barrier, summary).is_some_and(|one| one.has("barrier"));
    barrier.kind == BarrierKind::Implementation && !is_written()
}

/// What to do about the barriers inside `region` that make threads wait although no thread is late:
/// what is known of the gain, and the advice. If `single`, another advice is on the waits at the
/// barriers of a `single`; `imbalance_ns` are all waits of the region.
pub(super) fn against(
    within: &Within,
    single: bool,
    imbalance_ns: u64,
    region: &Region,
) -> Vec<(Cause, &'static str)> {
    let barrier_ns = region.gain.barrier_ns;
    let mut found = Vec::new();
    let mut add = |passes: u64, cost_ns: u64, waits_ns: u64, what| {
        // Threads that do not meet do not wait for each other either.
        let (lost_ns, beside_ns) = (cost_ns.min(barrier_ns), waits_ns.min(imbalance_ns));
        let cause = Cause { lost_ns, beside_ns, ..Cause::default() };
        let cause = cause.recorded_with(half(passes, BARRIER_NS, region.team.1));
        if passes > 0 {
            found.push((cause, what));
        }
    };
    let what = if within.loops {
        "fewer barriers: nowait where loops do not depend on each other"
    } else if within.workshare {
        "fewer barriers: nowait where nothing after the construct needs its result"
    } else {
        "fewer barriers: not every step needs one"
    };
    let Within { free, free_single, copies, .. } = within;
    let told = if single { *free_single } else { Passes::default() };
    add(free.passes - told.passes, free.cost_ns - told.cost_ns, free.imbalance_ns, what);
    if !single {
        add(copies.passes, copies.cost_ns, copies.imbalance_ns, AGAINST_COPIES);
    }
    found
}

/// Whether the region's only worksharing is `single`, and it has no more barriers than the ends of
/// these, besides the runtime's own: code of gcc does not tell what a barrier ends. LLVM's runtimes
/// do not tell of worksharing in gcc's code: of a region without any, nothing is known.
fn has_only_singles(region: &Region, summary: &Summary) -> bool {
    let barriers = own(region, summary).filter(|barrier| !is_own(barrier, summary));
    let passes: u64 = barriers.fold(0_u64, |sum, barrier| sum.saturating_add(barrier.passes));
    let works = &region.worksharing;
    !works.is_empty()
        && works.iter().all(|work| work.kind == WorkKind::Single)
        && works
            .iter()
            .fold(0_u64, |sum, work| sum.saturating_add(work.executions))
            .saturating_mul(region.team.1.into())
            >= passes
}

/// The barriers that end a `single`, if the threads of `region` wait above all in these for one of
/// them. Tasks that are created in a `single` have an advice of their own.
pub(super) fn waits_in_single<'a>(
    region: &Region,
    within: &'a Within,
    summary: &Summary,
) -> Option<&'a Passes> {
    let Passes { passes, imbalance_ns, cost_ns } = within.single;
    let times = (passes / u64::from(region.team.1.max(1))).max(1);
    let waits = imbalance_ns.saturating_add(cost_ns);
    // A barrier itself never takes this long: the thread that left it last had no processor.
    let late = waits / times >= LATE_NS;
    let much = (imbalance_ns / times >= LONG_SINGLE_NS || late)
        && waits >= region.gain.imbalance_ns.saturating_add(within.cost_ns) / 2;
    (much && !summary.has_tasks(region)).then_some(&within.single)
}
