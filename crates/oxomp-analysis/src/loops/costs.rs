//! The costs of the iterations of loops, as far as a recording has them; a replay needs them.

use std::collections::BTreeMap;

use oxomp_trace::costs::BINS;
use oxomp_trace::fold::{chunks, share};
use oxomp_trace::{FoldKind, Profile};

use crate::constructs::Constructs;
use crate::summary::{SiteId, Summary, WorkKind, work_kind};

/// The costs of one loop of [`Summary::loops`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoopCosts {
    /// Iterations of an execution; 0 if the recording has no costs.
    pub count: u64,
    /// Executions in which the number of iterations was another one than the time before, or in
    /// which a thread had other iterations than at first.
    pub changes: u64,
    /// How often the team executed the loop.
    pub rounds: u64,
    /// What each thread knows.
    pub threads: Vec<ThreadCosts>,
}

/// The costs of a loop as one thread measured them.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadCosts {
    /// The number of the thread's stream.
    pub thread: u32,
    /// Time, ns, and iterations of the chunks that were timed, in equal parts of the iteration
    /// space; empty if no chunk was timed.
    pub bins: Vec<(f64, u64)>,
    /// Its own part of a loop of static schedule.
    pub share: Option<Share>,
}

/// A thread's part of a loop of static schedule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Executions that are summed up.
    pub executions: u64,
    /// The first iteration of its first chunk.
    pub start: u64,
    /// Its iterations in one execution.
    pub iterations: u64,
    /// Its chunks in one execution.
    pub chunks: u64,
    /// Mean time of an execution, ns.
    pub mean_ns: f64,
    /// The shortest execution, ns.
    pub shortest_ns: u64,
    /// The longest execution, ns.
    pub longest_ns: u64,
}

/// The costs of each of `summary`'s loops, in their order.
pub(crate) fn costs(
    profile: &Profile,
    constructs: &Constructs,
    summary: &Summary,
) -> Vec<LoopCosts> {
    let clock = profile.clock();
    let nanoseconds = clock.span(1 << 40) as f64 / (1_u64 << 40) as f64;
    let finder = Finder { summary, constructs };
    let mut loops = vec![LoopCosts::default(); summary.loops.len()];
    for (thread, curve) in &profile.costs {
        let Some(index) = finder.find(curve.sub, curve.key) else { continue };
        let one = &mut loops[index];
        one.count = one.count.max(curve.count);
        one.changes += curve.changes;
        let bins = &mut one.of(*thread).bins;
        bins.resize(BINS, (0.0, 0));
        for (sum, [ticks, iterations]) in bins.iter_mut().zip(curve.bins) {
            sum.0 += ticks as f64 * nanoseconds;
            sum.1 = sum.1.saturating_add(iterations);
        }
    }
    let mut executions = BTreeMap::<(usize, u32), u64>::new();
    for events in &profile.threads {
        for entry in &events.folded {
            let kind = entry.fold_kind();
            if !matches!(kind, Some(FoldKind::Share | FoldKind::Chunks)) {
                continue;
            }
            let Some(index) = finder.find(entry.sub, [entry.key[0], entry.key[1]]) else {
                continue;
            };
            let values = &entry.values;
            if kind == Some(FoldKind::Chunks) {
                *executions.entry((index, events.number)).or_default() +=
                    values[chunks::EXECUTIONS];
                continue;
            }
            let one = &mut loops[index];
            one.count = one.count.max(values[share::COUNT]);
            one.changes += values[share::OTHERS];
            let number = values[share::EXECUTIONS].max(1);
            one.of(events.number).share = Some(Share {
                executions: number,
                start: values[share::START],
                iterations: values[share::ITERATIONS],
                chunks: values[share::CHUNKS],
                mean_ns: values[share::TIME] as f64 * nanoseconds / number as f64,
                shortest_ns: clock.span(values[share::SHORTEST]),
                longest_ns: clock.span(values[share::LONGEST]),
            });
        }
    }
    for ((index, _), number) in executions {
        loops[index].rounds = loops[index].rounds.max(number);
    }
    loops
}

impl LoopCosts {
    fn of(&mut self, thread: u32) -> &mut ThreadCosts {
        let found = self.threads.iter().position(|one| one.thread == thread);
        let index = found.unwrap_or_else(|| {
            self.threads.push(ThreadCosts { thread, bins: Vec::new(), share: None });
            self.threads.len() - 1
        });
        &mut self.threads[index]
    }
}

/// Finds loops of a summary by what threads recorded of them.
struct Finder<'a> {
    summary: &'a Summary,
    constructs: &'a Constructs,
}

impl Finder<'_> {
    /// The loop of OMPT's work type `kind` at the addresses of a region and a construct. Some
    /// runtimes report a combined construct at two addresses, which are one loop of the summary.
    fn find(&self, kind: u32, key: [u64; 2]) -> Option<usize> {
        let kind = work_kind(u8::try_from(kind).ok()?)?;
        let (region, site) = (self.site(key[0]), self.site(key[1]));
        let alike = |same: &dyn Fn(Option<SiteId>) -> bool, kind: WorkKind| {
            let mut loops = self.summary.loops.iter();
            loops.position(|one| one.kind == kind && one.region == region && same(one.site))
        };
        alike(&|other| other == site, kind).or_else(|| alike(&|other| other == region, kind))
    }

    fn site(&self, code: u64) -> Option<SiteId> {
        let code = self.constructs.name(code);
        let found = self.summary.sites.iter().position(|site| site.codeptr == code);
        found.and_then(|index| u32::try_from(index).ok()).map(SiteId)
    }
}
