//! Worksharing constructs: their chunks, and advice that fits how their cost is distributed.

use super::certainty::{Advice, Cause};
use super::directives::{is_of_work, named};
use super::names::Names;
use super::recording::{CHUNK_NS, half};
use super::sampled_share::MEETING;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, percent, plural, share, time};
use crate::summary::{ExpectedGain, Loop, Region, Summary, WorkKind};
use oxomp_text::Page;

/// Rows of the table.
const SHOWN: usize = 5;
/// Share of all threads' time below which a construct is not worth a line.
const WORTH_A_LINE: f64 = 0.01;
/// Share of a loop's time from which on handing out chunks is worth a word, and the one that larger
/// chunks should reach.
const MUCH_DISPATCH: f64 = 0.1;
const FAIR_DISPATCH: f64 = 0.01;
/// The most that the loop's own code takes for each chunk, ns: it enters the loop of the chunk's
/// iterations, and meets the threads with the neighbouring chunks in cache lines.
const MOST_ENTERING_NS: u64 = 50;
/// A quarter of the iterations that takes this part of the time makes the threads with the others
/// wait.
const HEAVY_QUARTER: f64 = 0.35;
/// The part of an upper bound that another schedule has to win to be the first thing to try.
const GOOD_PART: f64 = 0.5;
/// Chunks that a thread should get at least, so that the last one is short.
const CHUNKS_PER_THREAD: u64 = 8;
/// A chunk is outstanding if it takes this many times as long as the mean one.
const OUTSTANDING: u64 = 4;

/// What to do where iterations wait for each other, and no schedule can balance them.
pub(super) const AGAINST_DOACROSS: &str = "its iterations wait for each other (ordered with depend), so no schedule balances them: source \
     as early in an iteration as possible, sink as late, or blocks of iterations";

const COLUMNS: [Column; 8] = [
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "iterations", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "chunks", align: Align::Right, fit: Fit::Fixed },
    Column { title: "of", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "mean", align: Align::Right, fit: Fit::Fixed },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "handing out", align: Align::Right, fit: Fit::Fixed },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut table = Table::new(&COLUMNS);
    let worth = |one: &&Loop| share(one.time_ns, summary.budget.total_ns) >= WORTH_A_LINE;
    let mut shares = false;
    for one in summary.loops.iter().filter(worth).take(SHOWN) {
        shares |= one.has_shares();
        let dispatch = share(one.dispatch_ns, one.time_ns);
        table.row(vec![
            one.kind.name().to_owned(),
            names.compact(one.site.or(one.region)),
            count(one.iterations),
            count(one.chunks),
            sizes(one),
            time(one.time_ns / one.chunks.max(1)),
            longest(one),
            if one.dispatch_ns == 0 { String::new() } else { percent(dispatch) },
        ]);
    }
    if !table.is_empty() {
        write_table(page, "Loops and sections, by chunks (all threads)", &table);
        if shares {
            let text = "  in brackets: the longest share of a thread, of whose chunks none has a \
                        time of its own";
            page.paragraph(text, 4);
        }
    }
}

/// The longest chunk; in brackets the longest share of a thread, where no chunk has a time.
fn longest(one: &Loop) -> String {
    let longest = time(one.longest_ns);
    if one.has_shares() { format!("({longest})") } else { longest }
}

/// The sizes of chunks, in iterations.
fn sizes(one: &Loop) -> String {
    match one.sizes {
        (least, most) if least == most => count(most),
        (least, most) => format!("{}–{}", count(least), count(most)),
    }
}

/// The loop as its directive says it: "schedule(dynamic,1)".
fn schedule(one: &Loop) -> String {
    let chunk = one.sizes.1;
    match one.kind {
        WorkKind::LoopDynamic => format!("schedule(dynamic,{chunk})"),
        WorkKind::LoopGuided => "schedule(guided)".to_owned(),
        WorkKind::LoopStatic if one.chunks > one.executions => format!("schedule(static,{chunk})"),
        WorkKind::LoopStatic => "schedule(static)".to_owned(),
        kind => kind.name().to_owned(),
    }
}

/// The gain of another schedule of the loop at `index` that a replay predicts, if that is a good
/// part of the upper bound `most_ns`, and not within the prediction's error.
pub(super) fn expected(index: usize, most_ns: u64, summary: &Summary) -> Option<&ExpectedGain> {
    let one = summary.expected.iter().find(|one| one.loop_index == index)?;
    (one.gain_ns > one.error_ns && one.gain_ns as f64 >= GOOD_PART * most_ns as f64).then_some(one)
}

/// What would make handing out the chunks of the loop at `index` cheap; `None` if it is.
///
/// From one chunk to the next, events have one time: the chunk, handing out the next one, and the
/// collector. Handing out took at least nothing of it, and at most what is left without the
/// collector. Samples tell of handing out and the collector, and not of what the loop's code takes
/// for each chunk.
pub(super) fn against_dispatch(
    index: usize,
    one: &Loop,
    summary: &Summary,
    names: Names<'_>,
) -> Option<Advice> {
    let part = share(one.dispatch_ns, one.time_ns);
    if part < MUCH_DISPATCH || one.iterations == 0 {
        return None;
    }
    let site = one.site.or(one.region);
    let threads = u64::from(one.threads.max(1));
    let most_ns = one.dispatch_ns / threads;
    let expected = expected(index, most_ns, summary);
    let text = format!(
        "{}  {} hands out {} of {} ns each: {}",
        named(site, summary, names, is_of_work),
        schedule(one),
        plural(one.chunks, "chunk"),
        one.time_ns / one.chunks.max(1),
        expected.map_or_else(|| larger_chunks(one), |expected| expected.change.clone())
    );
    if let Some(expected) = expected {
        return Some(Advice::expected(expected, text));
    }
    let region = summary.regions.iter().find(|region| region.site == one.region);
    let cause = match one.dispatch_error_ns {
        None => Cause::work(most_ns / 2, most_ns / 2),
        Some(error_ns) => {
            let entering_ns = one.chunks.saturating_mul(MOST_ENTERING_NS);
            let entering_ns = entering_ns.min(one.time_ns.saturating_sub(one.dispatch_ns));
            let half_ns = entering_ns / threads / 2;
            let meeting_ns = (MEETING * most_ns as f64) as u64;
            Cause::work(most_ns.saturating_add(half_ns), half_ns)
                .sampled_with(error_ns / threads)
                .estimated_with(meeting_ns)
        }
    };
    let cause = cause.recorded_with(half(one.chunks, CHUNK_NS, one.threads));
    Some(cause.advice(region, summary, text))
}

/// A schedule whose chunks are long enough to hand out, and still many enough to balance.
fn larger_chunks(one: &Loop) -> String {
    let cost = one.dispatch_ns as f64 / one.chunks.max(1) as f64;
    let work = one.time_ns.saturating_sub(one.dispatch_ns) as f64 / one.iterations.max(1) as f64;
    let wanted = (cost / FAIR_DISPATCH / work.max(0.5)).ceil() as u64;
    let most = one.count / (u64::from(one.threads.max(1)) * CHUNKS_PER_THREAD);
    let chunk = wanted.next_power_of_two().min(most).max(one.sizes.1 + 1);
    if is_even(one) {
        format!("schedule(static), since the iterations cost alike, or schedule(dynamic,{chunk})")
    } else {
        format!("schedule(dynamic,{chunk})")
    }
}

/// Whether each quarter of the iterations takes about the same time.
fn is_even(one: &Loop) -> bool {
    let total: u64 = one.parts_ns.iter().sum();
    one.parts_ns.iter().all(|&part| (0.20..0.30).contains(&share(part, total)))
}

/// The loops and sections of a region whose chunks the recording has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own<'a> {
    /// The one whose chunks can have kept threads waiting longest, with its position among all.
    pub(super) index: usize,
    pub(super) one: &'a Loop,
    /// Whether the region has others.
    pub(super) has_others: bool,
}

/// The loop or the sections of `region` that its imbalance comes from; `None` if the recording has
/// no chunks of it.
pub(super) fn uneven<'a>(region: &Region, summary: &'a Summary) -> Option<Own<'a>> {
    let of_region = || {
        let all = summary.loops.iter().enumerate();
        all.filter(|(_, one)| one.region == region.site && one.kind != WorkKind::Distribute)
    };
    // Of loops with equal waits the first one has the most time.
    let (index, one) =
        of_region().max_by_key(|(index, one)| (most_wait(one), std::cmp::Reverse(*index)))?;
    Some(Own { index, one, has_others: of_region().count() > 1 })
}

/// How long threads can have waited for the longest chunk of `one`, all executions together, ns.
/// Where threads ask for chunks, the other threads take what is left, but the longest chunk may
/// have come last. Where each thread has its part, the longest chunk may have been all that its
/// thread did.
fn most_wait(one: &Loop) -> u64 {
    let threads = u64::from(one.threads.max(1));
    let executions = (one.executions / threads).max(1);
    let mean = one.time_ns / executions / threads;
    let asks = matches!(one.kind, WorkKind::LoopDynamic | WorkKind::LoopGuided);
    let wait = if asks {
        one.longest_ns.min(mean) / threads * (threads - 1)
    } else {
        one.longest_ns.saturating_sub(mean)
    };
    wait.saturating_mul(executions)
}

/// What to do about `one`, a loop whose iterations wait for each other.
pub(super) fn against_doacross(one: &Loop) -> String {
    let in_parts = one.sizes.1 > 1 && one.chunks <= one.executions;
    // With one part for each thread, the second thread waits for the end of the first one's.
    let turns = if in_parts { "; and schedule(static,1), so that threads take turns" } else { "" };
    format!("{AGAINST_DOACROSS}{turns}")
}

/// The advice to take smaller chunks than `one` has, or to split iterations, if its chunks have one
/// iteration each.
fn finer(one: &Loop) -> String {
    if one.sizes.1 <= 1 {
        "split the costly iterations".to_owned()
    } else {
        format!("chunks smaller than {}", sizes(one))
    }
}

/// What to add where the longest chunk is outstanding: one iteration of it may be the costly one,
/// which smaller chunks do not make shorter.
fn one_costly(one: &Loop, total_ns: u64) -> String {
    let mean = total_ns / one.chunks.max(1);
    if one.sizes.1 <= 1 || one.longest_ns < mean.saturating_mul(OUTSTANDING) {
        return String::new();
    }
    format!(
        "; the longest chunk takes {}, {} on average: if one iteration of it takes most, split that",
        time(one.longest_ns),
        time(mean)
    )
}

/// What would balance `one`, a loop or the sections of `region`: the `expected` change, if another
/// schedule can.
pub(super) fn against_imbalance(
    region: &Region,
    one: &Loop,
    expected: Option<&ExpectedGain>,
) -> String {
    let threads = u64::from(region.team.1.max(1));
    let total: u64 = one.parts_ns.iter().sum();
    let part = |index: usize| share(one.parts_ns[index], total);
    let per_execution = one.count;
    if one.kind == WorkKind::Sections {
        let sections = one.iterations * threads / one.executions.max(1);
        return format!(
            "{} for {}, the longest takes {}: split it, or make tasks of its parts",
            plural(per_execution.max(sections.min(one.iterations)), "section"),
            plural(threads, "thread"),
            time(one.longest_ns)
        );
    }
    if per_execution > 0 && per_execution <= threads {
        // Some runtimes report sections as a loop.
        return format!(
            "{} or sections for {}, the longest takes {}: split it, or collapse the loop with the \
             one inside",
            plural(per_execution, "iteration"),
            plural(threads, "thread"),
            time(one.longest_ns)
        );
    }
    if per_execution > 0 && per_execution < threads * 4 {
        // So few iterations cannot be divided evenly, whatever the schedule.
        return format!(
            "{} for {}: collapse it with the loop inside, or make that one parallel{}",
            plural(per_execution, "iteration"),
            plural(threads, "thread"),
            expected.map_or_else(String::new, |expected| format!("; or {}", expected.change))
        );
    }
    let asks = one.kind != WorkKind::LoopStatic;
    let heavy = |index: usize, name: &str| {
        format!("the {name} quarter of the iterations takes {} of the time", percent(part(index)))
    };
    let smaller = (per_execution / (threads * CHUNKS_PER_THREAD * 4)).max(1);
    let change = |otherwise: String| expected.map_or(otherwise, |one| one.change.clone());
    match (part(0) > HEAVY_QUARTER, part(3) > HEAVY_QUARTER, asks) {
        (true, false, false) | (false, true, false) => {
            let heavy = if part(0) > HEAVY_QUARTER { heavy(0, "first") } else { heavy(3, "last") };
            let other = format!("schedule(dynamic,{smaller}) or schedule(static,1)");
            format!("{heavy}: {}", change(other))
        }
        (false, true, true) => format!(
            "{}, when nothing is left to balance it: run the loop backwards, or {}{}{}",
            heavy(3, "last"),
            finer(one),
            expected.map_or_else(String::new, |expected| format!(", as {}", expected.change)),
            one_costly(one, total)
        ),
        (true, false, true) => format!(
            "{}, in chunks that are too large at first: {}",
            heavy(0, "first"),
            change(format!("schedule(dynamic,{smaller})"))
        ),
        (_, _, false) => format!(
            "iterations of different cost in {}: {}",
            schedule(one),
            change(format!("schedule(dynamic,{smaller})"))
        ),
        (_, _, true) => format!(
            "the longest chunk takes {}, {} on average: {}",
            time(one.longest_ns),
            time(total / one.chunks.max(1)),
            change(match one.sizes.1 {
                0 | 1 => finer(one),
                _ => format!("{}, or split the costly iterations", finer(one)),
            })
        ),
    }
}
