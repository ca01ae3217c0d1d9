//! Advice on regions: one piece for each cause that costs a region time.

use super::barriers::{Passes, barriers_within, waits_in_single};
use super::many::{Calls, of_calls};
use super::{barriers, mutexes};
use crate::report::certainty::{Advice, Cause};
use crate::report::directives::{is_of_region, is_of_work, named};
use crate::report::names::Names;
use crate::report::tasks::{self, late_chain, starvation};
use crate::report::units::{plural, time};
use crate::report::{atomics, blocked, loops, memory, shared_lines, spins};
use crate::summary::{
    Barrier, Directive, Loop, Region, SerialStretch, SiteId, Summary, Unreached, WorkKind,
};

/// A region this short that runs often is dominated by its own start and end.
const SHORT_REGION_NS: u64 = 20_000;
/// In a region this long, starting and ending costs much only where threads are late.
const LONG_REGION_NS: u64 = 1_000_000;
const OFTEN: u64 = 1_000;
/// From this load balance on, shares are equal.
const EQUAL: f64 = 0.95;
const AGAINST_SINGLE: &str = "one thread works in a single while the others wait: tasks, or a loop";
const AGAINST_WORKSHARE: &str = "the compiler has one thread do a part of the workshare while the \
                                 others wait: a loop with `do` for each of its array statements";

/// One piece of advice for each cause that costs the region time, except waits for locks: the
/// advice on those names the places where they happen. What starting and ending the region takes,
/// and what its threads wait, is added to `calls`.
pub(super) fn advices(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
    calls: &mut Calls,
) -> Vec<Advice> {
    let place = named(region.site, summary, names, is_of_region);
    let mut advices = Vec::new();
    let gain = region.gain;
    let within = barriers_within(region, summary);
    let single = waits_in_single(region, &within, summary);
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
    let for_blocked_ns = waits_for_blocked(region).min(imbalance_ns);
    let little = region.useful_ns / u64::from(region.team.1.max(1)) < call_ns;
    if whole && (little || region.worksharing.is_empty()) {
        // With little work to balance, imbalance only means that threads start one after the other.
        call_ns += imbalance_ns;
        imbalance_ns = 0;
    } else if !tasks::are_small(region, summary) && region.team.1 > 1 {
        imbalance_ns -= for_blocked_ns;
        let of_work_ns = of_unequal_work(region).min(imbalance_ns);
        // Threads with equal shares that wait for longer than they work come late for the barriers
        // themselves.
        let are_late = of_work_ns < imbalance_ns && region.load_balance > Some(EQUAL);
        // The waits of `single copyprivate` are beside what its barriers cost.
        let are_copies = single.is_none() && within.wait_for_copies(imbalance_ns);
        if let Some(unreached) = unreached(region, summary, imbalance_ns) {
            advices.extend(against_absence(region, unreached, summary, names));
        } else if single.is_some() || !are_late && !are_copies {
            let text = match within.are_copies() {
                true => barriers::AGAINST_COPYING,
                false if is_workshare(region, summary) => AGAINST_WORKSHARE,
                false => AGAINST_SINGLE,
            };
            let single = single.map(|single| (single, text));
            advices.extend(against_waiting(region, summary, names, of_work_ns, single));
        }
    }
    advices.extend(against_waiting_for_tasks(region, summary, names));
    let shared = [atomics::against(region, summary), spins::against(region, summary)];
    let lines = shared_lines::against(region, summary);
    let mut at_memory: Vec<_> = shared.into_iter().flatten().chain(lines).collect();
    // Threads that meet at a place wait there for each other, and not for memory.
    if at_memory.is_empty() {
        at_memory.extend(memory::against(region, summary));
    }
    for (cause, text) in at_memory {
        advices.push(cause.advice(Some(region), summary, format!("{place}  {text}")));
    }
    let late_ns = if single.is_none() { imbalance_ns } else { 0 };
    advices.extend(against_iterations(region, summary, names, late_ns));
    if let Some((lost_ns, turn)) = blocked::for_turns(region, summary) {
        let text = format!(
            "{place}  its threads combine their parts of the {turn} one after the other: a \
             cheaper combiner, or fewer and larger regions or loops with the reduction"
        );
        // Fewer turns are less work, too. If n threads come together, and combine for the time c
        // each, they wait for c·n(n − 1)/2, and combine for c·n, which is 2/(n − 1) of the waits.
        // Half of that is counted, and is in the error.
        let combining_half_ns = lost_ns / u64::from(region.team.1.max(2) - 1);
        let mut cause = Cause::work(lost_ns + combining_half_ns, lost_ns / 2 + combining_half_ns);
        // The last one to combine comes last to the barrier.
        cause.beside_ns = late_ns;
        advices.push(cause.advice(Some(region), summary, text));
    }
    if let Some(text) = blocked::against(region, summary) {
        // A thread that is blocked is waited for, too.
        let mut cause = Cause::waiting(gain.blocked_ns + for_blocked_ns / 2, region);
        cause.error_ns = for_blocked_ns / 2;
        advices.push(cause.advice(Some(region), summary, format!("{place}  {text}")));
    }
    if !whole {
        let single = single.is_some();
        for (cause, what) in barriers::against(&within, single, imbalance_ns, region) {
            advices.push(cause.advice(Some(region), summary, format!("{place}  {what}")));
        }
    }
    calls.add(region, call_ns, imbalance_ns);
    if short || (region.calls > 1 && call_ns > gain.total_ns() / 2) {
        let remedy = if mean < LONG_REGION_NS {
            "join it with its neighbours, or if(...) for small sizes".to_owned()
        } else {
            let late = time(call_ns / region.calls.max(1));
            format!("threads begin or leave {late} late: no processor was free, or they slept")
        };
        let number = plural(region.calls, "call");
        let text = format!("{place}  {number} of {} each: {remedy}", time(mean));
        let advice = of_calls(call_ns, region.calls).advice(Some(region), summary, text);
        calls.tell(&advice);
        advices.push(advice);
    }
    advices
}

/// The most that threads of `region` can wait because others have more to do, ns as in [`Gain`]:
/// at each barrier a thread waits at most as long as the last one takes, and all those times
/// together are what the threads take elsewhere than at barriers.
fn of_unequal_work(region: &Region) -> u64 {
    let threads = u64::from(region.team.1.max(1));
    let gain = &region.gain;
    // The sum over all threads: the parts of a gain are divided by the number of threads.
    let at_barriers = gain.imbalance_ns + gain.barrier_ns + gain.starved_ns + gain.fork_join_ns;
    let others = gain.total_ns() - at_barriers;
    let all = region.useful_ns.saturating_add(others.saturating_mul(threads));
    all / threads * (threads - 1)
}

/// What threads of `region` wait for the last one at its barriers: `imbalance_ns`, and more in
/// those that end a `single`, which has a text of its own.
fn against_waiting(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
    imbalance_ns: u64,
    single: Option<(&Passes, &str)>,
) -> Option<Advice> {
    // The barriers that end a single are left when it is.
    let lost_ns = imbalance_ns + single.map_or(0, |(single, _)| single.cost_ns);
    // Waits for iterations, or turns in reductions, have an advice of their own, with this
    // imbalance.
    let turns_ns = blocked::for_turns(region, summary).map_or(0, |(turns_ns, _)| turns_ns);
    let has_iterations = single.is_none()
        && (blocked::for_iterations(region, summary).is_some()
            || turns_ns > 0 && turns_ns >= imbalance_ns / 2);
    if lost_ns == 0 || has_iterations {
        return None;
    }
    let mut cause = Cause::waiting(lost_ns, region);
    let cost_ns = single.map_or(0, |(single, _)| single.cost_ns);
    cause.beside_ns = cause.beside_ns.saturating_sub(cost_ns);
    let place = |site: Option<SiteId>| named(site, summary, names, is_of_region);
    if let Some((_, text)) = single {
        let text = format!("{}  {text}", place(region.site));
        return Some(cause.advice(Some(region), summary, text));
    }
    let own = loops::uneven(region, summary);
    if let Some(own) = own {
        let of_work = |one: &Directive| is_of_work(one) || is_of_region(one);
        let site = own.one.site.filter(|_| own.has_others);
        let place = match site {
            Some(site) => named(Some(site), summary, names, is_of_work),
            None => named(region.site, summary, names, is_of_region),
        };
        if summary
            .directive(own.one.site.or(region.site), of_work)
            .is_some_and(Directive::is_doacross)
        {
            let text = format!("{place}  {}", loops::against_doacross(own.one));
            return Some(cause.advice(Some(region), summary, text));
        }
        let expected = loops::expected(own.index, lost_ns, summary);
        let text = loops::against_imbalance(region, own.one, expected);
        let text = format!("{place}  {text}");
        return Some(match expected {
            Some(expected) => Advice::expected(expected, text),
            None => cause.advice(Some(region), summary, text),
        });
    }
    let tasks = tasks::against_imbalance(region, summary, names);
    let text = tasks.unwrap_or_else(|| against_imbalance(region, summary));
    Some(cause.advice(Some(region), summary, format!("{}  {text}", place(region.site))))
}

/// The barrier that not all threads of `region` reached, if most of its imbalance is there.
fn unreached<'a>(
    region: &Region,
    summary: &'a Summary,
    imbalance_ns: u64,
) -> Option<&'a Unreached> {
    let barrier = summary.unreached.iter().find(|one| one.region == region.site)?;
    let time_ns = barrier.time_ns / u64::from(region.team.1.max(1));
    (time_ns > imbalance_ns / 2).then_some(barrier)
}

/// What to do about a barrier that threads of `region` never reached. If they had not ended,
/// whether they would have come is not known.
fn against_absence(
    region: &Region,
    unreached: &Unreached,
    summary: &Summary,
    names: Names<'_>,
) -> Option<Advice> {
    let threads = plural(unreached.ended.into(), "thread");
    let text = format!(
        "{}  {threads} of the team ended in the region, and the others wait for ever: each thread \
         of a team has to reach its barriers, the last one of which is the region's end",
        names.compact(unreached.site.or(region.site))
    );
    let lost_ns = unreached.time_ns / u64::from(region.team.1.max(1));
    let cause = Cause::waiting(lost_ns, region);
    (unreached.ended > 0).then(|| cause.advice(Some(region), summary, text))
}

/// What threads of `region` wait for tasks, or without one.
fn against_waiting_for_tasks(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<Advice> {
    let most_ns = region.gain.starved_ns + region.gain.taskwait_ns;
    let told = tasks::against_late_events(region, summary, names)
        .or_else(|| tasks::against_undeferred(region, summary, names))
        .map(|text| (most_ns, text));
    let (gain_ns, text) = match told {
        Some(told) => told,
        None if summary.has_tasks(region) && !tasks::are_small(region, summary) => {
            late_chain::against(region, most_ns, summary, names).unwrap_or_else(|| {
                let text = tasks::against_chain(region, summary, names)
                    .unwrap_or_else(|| starvation::against(region, summary, names));
                (most_ns, text)
            })
        }
        None => return None,
    };
    let place = named(region.site, summary, names, is_of_region);
    let cause = Cause::waiting(gain_ns, region);
    Some(cause.advice(Some(region), summary, format!("{place}  {text}")))
}

/// What iterations of a doacross loop nest in `region` wait for others. Threads that come late from
/// such a wait are those for which the others wait at the end: `imbalance_ns` goes with it.
fn against_iterations(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
    imbalance_ns: u64,
) -> Option<Advice> {
    let (lost_ns, error_ns, sink) = blocked::for_iterations(region, summary)?;
    let place = named(region.site, summary, names, is_of_region);
    let is_nest = |one: &&Loop| {
        let of_work = |one: &Directive| is_of_work(one) || is_of_region(one);
        let directive = summary.directive(one.site.or(one.region), of_work);
        one.region == region.site && directive.is_some_and(Directive::is_doacross)
    };
    let nest = summary.loops.iter().find(is_nest);
    let remedy = nest.map_or_else(|| loops::AGAINST_DOACROSS.to_owned(), loops::against_doacross);
    let mut cause = Cause::waiting(lost_ns, region).sampled_with(error_ns);
    cause.beside_ns = cause.beside_ns.saturating_add(imbalance_ns);
    Some(cause.advice(Some(region), summary, format!("{place}  {remedy}; they wait in {sink}")))
}

/// What is known of threads of `region` that wait for each other, where no chunks were seen.
fn against_imbalance(region: &Region, summary: &Summary) -> String {
    let has = |kind: WorkKind| region.worksharing.iter().any(|work| work.kind == kind);
    let directive = summary.directive(region.site, is_of_region);
    let sees_loop = region.worksharing.iter().any(|work| work.kind.is_loop());
    if directive.is_some_and(Directive::is_doacross) {
        return loops::AGAINST_DOACROSS.to_owned();
    }
    if has(WorkKind::Distribute) || directive.is_some_and(|one| one.has("distribute")) {
        return format!(
            "distribute gives each of {} one part of the iterations, and some take longer: \
             dist_schedule(static,1), or more iterations with collapse",
            plural(u64::from(region.team.1), "team")
        );
    }
    if sees_loop {
        return "balance the loop: schedule(dynamic,n) or a smaller static chunk".to_owned();
    }
    if has(WorkKind::Single) {
        return AGAINST_SINGLE.to_owned();
    }
    if let Some(mutex) = mutexes::of_reduction(region, summary) {
        return mutexes::against_reduction(mutex);
    }
    let known = unequal(region);
    match directive {
        Some(one) if one.is_loop() => format!(
            "{known} its loop has no call of the runtime (gcc divides schedule(static) itself), so \
             its iterations are hidden: schedule(runtime) and OMP_SCHEDULE=static show them, or \
             clang does; if there are many, schedule(dynamic,n) balances them, if few, collapse"
        ),
        Some(_) => format!(
            "{known} no worksharing construct was seen in it: give the threads equal shares, or \
             tasks of them (a loop of static schedule that gcc divides itself is hidden: \
             schedule(runtime) and OMP_SCHEDULE=static show it)"
        ),
        None => format!(
            "{known} what they do is not known: a loop of static schedule that gcc divides itself \
             is hidden (schedule(runtime) and OMP_SCHEDULE=static show it, or clang does; then \
             schedule(dynamic,n) may balance it)"
        ),
    }
}

/// How unequally long the threads of `region` work, as far as it is known.
fn unequal(region: &Region) -> String {
    let mean = region.useful_ns as f64 / f64::from(region.team.1.max(1));
    let calls = region.calls.max(1);
    match region.load_balance.filter(|balance| *balance > 0.0) {
        Some(balance) => format!(
            "the busiest thread works {}, the mean {}:",
            time((mean / balance) as u64 / calls),
            time(mean as u64 / calls)
        ),
        None => "its threads work unequally long:".to_owned(),
    }
}

fn own_barriers<'a>(region: &Region, summary: &'a Summary) -> impl Iterator<Item = &'a Barrier> {
    let site = region.site;
    summary.barriers.iter().filter(move |barrier| barrier.region == site)
}

/// Whether what the runtime calls a `single` of `region` is a part of a `workshare` of Fortran.
fn is_workshare(region: &Region, summary: &Summary) -> bool {
    let is = |one: &Directive| one.has("workshare");
    let works = || region.worksharing.iter();
    works().any(|work| work.kind == WorkKind::Workshare)
        || summary.directive(region.site, is).is_some()
        || works().any(|work| summary.directive(work.site, is).is_some())
        || own_barriers(region, summary).any(|one| summary.directive(one.site, is).is_some())
}

/// The part of a region's imbalance that the work of its threads does not explain: they begin one
/// after the other, ns.
fn started_late(region: &Region) -> u64 {
    let Some(balance) = region.load_balance.filter(|balance| *balance > 0.0) else { return 0 };
    let mean = region.useful_ns as f64 / f64::from(region.team.1.max(1));
    region.gain.imbalance_ns.saturating_sub((mean / balance - mean) as u64)
}

/// The part of a region's imbalance in which its threads wait for others that are blocked, as far
/// as work does not explain it, ns: while one thread is blocked, all others wait at most.
fn waits_for_blocked(region: &Region) -> u64 {
    let others = u64::from(region.team.1.max(1)) - 1;
    started_late(region).min(region.gain.blocked_ns.saturating_mul(others))
}

/// The time between one call of a region and the next, if it is short, ns: it is what the calls
/// themselves take outside the region.
fn between_calls(region: &Region, summary: &Summary) -> u64 {
    let mut stretches = summary.serial.iter();
    stretches
        .find(|stretch| is_between_calls(stretch, region))
        .map_or(0, |stretch| stretch.total_ns)
}

/// Whether a stretch is what calls of a short region take outside of it.
pub(super) fn is_between_calls(stretch: &SerialStretch, region: &Region) -> bool {
    let mean = region.wall_ns / region.calls.max(1);
    mean < SHORT_REGION_NS
        && region.calls >= OFTEN
        && stretch.after == region.site
        && stretch.before == region.site
        && stretch.total_ns / stretch.count.max(1) < mean / 2
}
