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
    // A hold this short is above all the moving of the lock's and the data's cache lines from the
    // thread that held it before, which copies of the data save too.
    let held = match mutex.hold_ns / mutex.acquisitions.max(1) {
        mean if mean < SHORT_HOLD_NS => mutex.hold_ns / u64::from(summary.header.max_team.max(1)),
        _ => 0,
    };
    let team = summary.header.max_team;
    let cause = if is_reduction(mutex, summary) {
        // What threads do under the lock is work that fewer reductions do not have.
        let work = mutex.hold_ns / u64::from(team.max(1));
        Cause::work(mutex.gain_ns.saturating_add(work / 2), mutex.gain_ns / 2 + work / 2)
    } else if held > 0 {
        let cause = Cause::work(mutex.gain_ns.saturating_add(held / 2), held / 2);
        cause.recorded_with(half(mutex.acquisitions, lock_ns(summary), team))
    } else {
        // Threads that come late to a lock come late to the barriers behind it.
        let meets = |region: &&Region| region.gain.mutex_ns > 0;
        let meeting =
            |region: &Region| region.gain.barrier_ns.saturating_add(region.gain.fork_join_ns);
        let beside_ns =
            summary.regions.iter().filter(meets).map(meeting).fold(0, u64::saturating_add);
        Cause { lost_ns: mutex.gain_ns, beside_ns, ..Cause::default() }
    };
    cause.estimated_with(estimate_ns(mutex)).advice(None, summary, text)
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
