//! Advice on waits for locks, criticals, ordered and atomic.

use crate::report::certainty::{Advice, Cause};
use crate::report::directives::named;
use crate::report::names::Names;
use crate::report::recording::{half, lock_ns};
use crate::report::units::{plural, share, time};
use crate::summary::{Directive, Loop, Mutex, MutexKind, Region, Summary};

/// A critical or lock that is held for less is held very shortly.
const SHORT_HOLD_NS: u64 = 1_000;

pub(super) fn advice(mutex: &Mutex, summary: &Summary, names: Names<'_>) -> Advice {
    let place = named(mutex.site, summary, names, is_of_mutex);
    let text = format!("{place}  {}", text(mutex, summary, names));
    let mean_hold_ns = mutex.hold_ns / mutex.acquisitions.max(1);
    let cause = if is_reduction(mutex, summary) {
        of_combining(mutex, summary)
    } else if (1..SHORT_HOLD_NS).contains(&mean_hold_ns) {
        of_short_holds(mutex, mean_hold_ns, summary)
    } else {
        // Threads that come late to a lock come late to the barriers behind it.
        let meets = |region: &&Region| region.gain.mutex_ns > 0;
        Cause { lost_ns: mutex.gain_ns, beside_ns: meeting_ns(summary, meets), ..Cause::default() }
    };
    cause.estimated_with(estimate_ns(mutex)).advice(None, summary, text)
}

/// What threads lose to a reduction whose parts they put together under `mutex`. What they do under
/// the lock is work that fewer reductions do not have. Fewer regions with one start and end less
/// often, and their threads wait less often for the one that adds its part last.
fn of_combining(mutex: &Mutex, summary: &Summary) -> Cause {
    let work_ns = mutex.hold_ns / u64::from(summary.header.max_team.max(1));
    let lost_ns = mutex.gain_ns.saturating_add(work_ns / 2);
    let is_of_it = |region: &&Region| of_reduction(region, summary) == Some(mutex);
    let last_ns = summary.regions.iter().filter(is_of_it).map(|region| region.gain.imbalance_ns);
    let beside_ns = last_ns.fold(meeting_ns(summary, is_of_it), u64::saturating_add);
    Cause { beside_ns, ..Cause::work(lost_ns, mutex.gain_ns / 2 + work_ns / 2) }
}

/// What threads lose to `mutex`, which they hold for `mean_hold_ns` at a time. A hold this short is
/// above all the moving of the lock's and the data's cache lines from the thread that held it
/// before, which copies of the data save too.
///
/// Recording an acquisition makes the hold longer, so threads that took the lock by turns meet: of
/// the waits, the part that recording is of the hold may be the collector's.
fn of_short_holds(mutex: &Mutex, mean_hold_ns: u64, summary: &Summary) -> Cause {
    let team = summary.header.max_team;
    let held_ns = mutex.hold_ns / u64::from(team.max(1));
    let cause = Cause::work(mutex.gain_ns.saturating_add(held_ns / 2), held_ns / 2);
    let each_ns = lock_ns(summary);
    let met_ns = share(each_ns, mean_hold_ns) * mutex.gain_ns as f64;
    cause.recorded_with(half(mutex.acquisitions, each_ns, team).max(met_ns as u64))
}

/// What threads lose to barriers, and to the start and end, of those `regions` of the run.
fn meeting_ns(summary: &Summary, regions: impl Fn(&&Region) -> bool) -> u64 {
    let meeting = |region: &Region| region.gain.barrier_ns.saturating_add(region.gain.fork_join_ns);
    summary.regions.iter().filter(regions).map(meeting).fold(0, u64::saturating_add)
}

/// By how much the gain may be wrong because not all waits were timed.
fn estimate_ns(mutex: &Mutex) -> u64 {
    (share(mutex.wait_error_ns, mutex.wait_ns) * mutex.gain_ns as f64) as u64
}

fn is_of_mutex(directive: &Directive) -> bool {
    ["critical", "atomic", "ordered", "reduction"].iter().any(|name| directive.has(name))
}

/// Whether the lock is the one under which threads put the parts of a reduction together.
fn is_reduction(mutex: &Mutex, summary: &Summary) -> bool {
    let nearest = summary.directive(mutex.site, |_| true);
    matches!(mutex.kind, MutexKind::Atomic | MutexKind::Critical)
        && nearest.is_some_and(|one| one.has("reduction"))
}

/// The lock under which the threads of `region` put the parts of its reduction together, if they
/// do that under one.
pub(super) fn of_reduction<'a>(region: &Region, summary: &'a Summary) -> Option<&'a Mutex> {
    let reduces = |one: &Directive| one.has("reduction");
    let directive = summary.directive(region.site, reduces)?;
    summary.mutexes.iter().find(|mutex| {
        is_reduction(mutex, summary) && summary.directive(mutex.site, reduces) == Some(directive)
    })
}

/// What to do about a reduction whose lock is `mutex`.
pub(super) fn against_reduction(mutex: &Mutex) -> String {
    format!(
        "the threads add their parts of the reduction one after the other ({}): fewer and larger \
         regions or loops, or a smaller array",
        plural(mutex.acquisitions, "time")
    )
}

fn text(mutex: &Mutex, summary: &Summary, names: Names<'_>) -> String {
    let kind = mutex.kind.name();
    let times = plural(mutex.acquisitions, "time");
    if mutex.spin_ns > mutex.wait_ns {
        return format!(
            "threads spin on {} ({} failed, {} for {}): other work between two tests, {} instead, \
             or hold the lock shorter",
            mutex.kind.test(),
            plural(mutex.failed, "test"),
            time(mutex.spin_ns),
            plural(mutex.acquisitions, "acquisition"),
            mutex.kind.set(),
        );
    }
    if is_reduction(mutex, summary) {
        return against_reduction(mutex);
    }
    if mutex.kind == MutexKind::Ordered {
        let directive = summary.directive(mutex.site, Directive::is_loop);
        if directive.is_some_and(Directive::is_doacross) {
            return "an iteration waits for the ones that it depends on: source as early in it as \
                    possible, sink as late, or blocks of iterations that depend less on each other"
                .to_owned();
        }
        // The first iteration of a chunk waits for all iterations of the chunk before it.
        let may_be_ordered = |one: &&Loop| {
            let directive = summary.directive(one.site.or(one.region), Directive::is_loop);
            directive.is_none_or(|directive| directive.has("ordered"))
        };
        let mut loops = summary.loops.iter().filter(may_be_ordered);
        let smaller = match loops.any(|one| one.chunks < one.iterations) {
            true => ", chunks of one iteration",
            false => "",
        };
        return format!(
            "one iteration waits for the other's ordered part: move what need not be ordered \
             before or after it{smaller}, or doacross"
        );
    }
    if mutex.kind == MutexKind::Atomic {
        return match summary.directive(mutex.site, |one| one.has("atomic")) {
            Some(_) => format!(
                "threads wait for each other's atomic ({times}): add up in a variable of each \
                 thread, and update the shared one once, as a reduction does"
            ),
            None => format!(
                "threads wait for each other's atomic, or for the end of a reduction, which gcc \
                 protects alike ({times}): fewer updates of shared data, or fewer and larger \
                 regions with the reduction"
            ),
        };
    }
    // Where no thread held the mutex for most of the wait, the hand-off costs the time.
    if mutex.handoff_ns > mutex.wait_ns / 2 {
        return format!(
            "enter the {kind} less often ({times}): a copy for each thread, a reduction"
        );
    }
    let holder = mutex.holders.first().and_then(|holder| holder.site).or(mutex.site);
    format!(
        "hold the {kind} shorter (taken at {}), or give each thread its own copy",
        names.compact(holder)
    )
}
