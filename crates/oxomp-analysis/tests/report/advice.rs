//! What the first advice says, which gains it names, and how certain these are.

use oxomp_analysis::report::{Style, render};
use oxomp_analysis::summary::{
    BANDWIDTH_BOUND, BarrierKind, Blocked, Cause, Class, CountedActivity, CountedPlace, Counters,
    ExpectedGain, Gain, HotStretch, Loop, MutexKind, PlaceCount, Sampled, SiteId, Summary,
    Unreached, WorkKind, in_source,
};

use super::{MS, S, notes, places, region, solver};

/// The list of advice on `summary`, on one line, from its heading on.
pub(crate) fn first_advice(summary: &Summary) -> String {
    let text = render(summary, &places(), &notes(), Style::plain());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.split_once("Try first").expect("advice").1.to_owned()
}

/// A summary of one region, `solver.c:118`, with nothing else to say.
pub(crate) fn of_region(gain: Gain, kinds: &[WorkKind]) -> Summary {
    let mut summary = solver();
    summary.regions = vec![region(0, 100, 5 * S, gain, kinds)];
    summary.barriers.clear();
    summary.mutexes.clear();
    summary.serial.clear();
    summary
}

/// Gives `site` the directive `text`, at the site's line.
fn with_directive(summary: &mut Summary, site: u32, text: &str) {
    with_directive_above(summary, site, text, 0);
}

/// Gives `site` the directive `text`, `above` lines above the site's line.
fn with_directive_above(summary: &mut Summary, site: u32, text: &str, above: u32) {
    let line = places()[site as usize].line.as_ref().expect("a line").1 - above;
    let source = format!("{}#pragma omp {text}\n", "\n".repeat(line as usize - 1));
    summary.directives.insert(SiteId(site), in_source(&source, line));
}

#[test]
fn a_directive_above_its_code_has_its_line() {
    let mut summary = of_region(imbalance(S), &[]);
    with_directive_above(&mut summary, 0, "parallel num_threads(2)", 2);
    let advice = first_advice(&summary);
    assert!(advice.contains("solver.c:118 (line 116: omp parallel num_threads(2))"), "{advice}");
}

/// A region of five seconds, in which four threads fetch 0.8 of what memory gives, or a line each
/// 100 ns.
#[test]
fn what_counters_tell_of_memory_is_an_advice() {
    let mut summary = of_region(imbalance(100 * MS), &[WorkKind::LoopStatic]);
    let counted = |ipc, lines: u64, of_limit: f64| CountedPlace {
        region: summary.regions[0].site,
        activity: CountedActivity::Useful,
        time_ns: 20 * S,
        readings: 2_000,
        mixed: 0.0,
        counts: vec![PlaceCount { counter: "memory-lines".to_owned(), count: lines, certain: 0 }],
        instructions_per_cycle: Some(ipc),
        cache_miss_rate: Some(0.9),
        remote_part: Some(0.25),
        bytes: Some(lines * 64),
        bytes_per_second: Some(lines * 64 / 5),
        bandwidth_part: Some(of_limit),
        bandwidth_bound: of_limit >= BANDWIDTH_BOUND,
    };
    let (near, far) = (counted(0.6, 1_250_000_000, 0.8), counted(0.1, 200_000_000, 0.13));
    summary.counters = Some(Counters { places: vec![near], ..Counters::default() });
    let advice = first_advice(&summary);
    // 4.9 s of work, 0.8 of which is what memory takes, and half of that.
    assert!(advice.contains("gain about 1.96 s ± 1.97 s (19.6 %)"), "{advice}");
    let told = "solver.c:118 its threads fetch 80.0 % of what memory gives at most: at 16.0 GB/s, \
                half as much data take half the time";
    assert!(advice.contains(told), "{advice}");
    assert!(advice.contains("25.0 % of the lines come from another NUMA node"), "{advice}");
    let places = vec![far];
    summary.counters = Some(Counters { places, ..Counters::default() });
    let advice = first_advice(&summary);
    let told = "wait for single cache lines of memory (0.10 instructions per cycle, 13.0 % of what \
                memory gives at most)";
    assert!(advice.contains(told), "{advice}");
}

fn imbalance(ns: u64) -> Gain {
    Gain { imbalance_ns: ns, ..Gain::default() }
}

#[test]
fn a_gain_is_a_bound_only_if_every_thread_had_a_processor() {
    let gain = Gain { imbalance_ns: S, fork_join_ns: 100 * MS, ..Gain::default() };
    let mut summary = of_region(gain, &[WorkKind::LoopStatic]);
    // What the threads pay for meeting may go with their waits: the bound has it.
    let advice = first_advice(&summary);
    assert!(
        advice.contains("(gains are upper bounds)") && advice.contains("gain ≤ 1.10 s"),
        "{advice}"
    );
    let text = render(&summary, &places(), &notes(), Style::plain());
    assert!(text.contains("gain ≤"), "{text}");
    // 3 % of the threads' time: an estimate, whose error includes the lack of processors in the
    // region.
    summary.budget.by_class[Class::Scheduler as usize] = 1200 * MS;
    summary.regions[0].gain.scheduler_ns = 300 * MS;
    let advice = first_advice(&summary);
    assert!(advice.starts_with(" (gains are estimates)"), "{advice}");
    assert!(
        advice.contains("1 solver.c:118") && advice.contains("gain about 1.05 s ± 3"),
        "{advice}"
    );
    let text = render(&summary, &places(), &notes(), Style::plain());
    assert!(!text.contains('≤') && text.contains("lost"), "{text}");
    // More threads than processors: some lacked one, whatever the system says.
    summary.budget.by_class[Class::Scheduler as usize] = 0;
    summary.header.allowed_cpus = 2;
    assert!(first_advice(&summary).contains("gain about"), "{}", first_advice(&summary));
}

#[test]
fn gains_in_a_run_that_lacked_processors_have_no_order() {
    let mut summary = solver();
    summary.budget.by_class[Class::Scheduler as usize] = 12_400 * MS;
    let advice = first_advice(&summary);
    let doubt = " (threads lacked a processor for 31 % of the time: these gains are not firm)";
    assert!(advice.starts_with(doubt), "{advice}");
    assert!(advice.contains("- solver.c:118 ") && !advice.contains(" 1 solver.c:118"), "{advice}");
    // A gain of most of the run is beyond doubt in a run that lacked one for 4 %.
    let mut summary = of_region(imbalance(4 * S), &[WorkKind::LoopStatic]);
    summary.budget.by_class[Class::Scheduler as usize] = 1600 * MS;
    assert!(first_advice(&summary).starts_with(" (gains are estimates)"));
}

#[test]
fn loops_that_gcc_hides_are_said_to_be_hidden() {
    let mut summary = of_region(imbalance(S), &[]);
    with_directive(&mut summary, 0, "parallel for");
    let advice = first_advice(&summary);
    assert!(advice.contains("solver.c:118 (omp parallel for)"), "{advice}");
    for part in ["are hidden", "OMP_SCHEDULE=static", "collapse", "schedule(dynamic,n)"] {
        assert!(advice.contains(part), "`{part}` in {advice}");
    }
    // Whether there is a loop at all is not known without a source.
    summary.directives.clear();
    let advice = first_advice(&summary);
    assert!(advice.contains("what they do is not known"), "{advice}");
    // One thread cannot share with another.
    summary.regions[0].team = (1, 1);
    assert!(!first_advice(&summary).contains("what they do is not known"));
}

#[test]
fn what_no_schedule_balances_is_not_told_of_schedules() {
    let mut summary = of_region(imbalance(S), &[WorkKind::Distribute]);
    let advice = first_advice(&summary);
    assert!(advice.contains("dist_schedule(static,1)"), "{advice}");
    assert!(!advice.contains(" schedule("), "{advice}");
    summary = of_region(imbalance(S), &[WorkKind::LoopStatic]);
    let mut chunks = few_chunks(&summary);
    chunks.kind = WorkKind::LoopStatic;
    (chunks.iterations, chunks.count, chunks.chunks, chunks.sizes) = (40_000, 400, 400, (100, 100));
    summary.loops = vec![chunks];
    with_directive(&mut summary, 0, "parallel for ordered(1)");
    let advice = first_advice(&summary);
    assert!(advice.contains("wait for each other") && advice.contains("source"), "{advice}");
    assert!(!advice.contains("dynamic"), "{advice}");
}

/// Three iterations in each execution of the region's loop.
fn few_chunks(summary: &Summary) -> Loop {
    let site = summary.regions[0].site;
    Loop {
        region: site,
        site,
        kind: WorkKind::LoopDynamic,
        threads: 4,
        executions: 400,
        iterations: 1200,
        count: 12,
        chunks: 1200,
        sizes: (1, 1),
        time_ns: 12 * S,
        longest_ns: 10 * MS,
        parts_ns: [3 * S; 4],
        ..Loop::default()
    }
}

#[test]
fn few_iterations_are_to_be_collapsed_whatever_a_replay_says() {
    let mut summary = of_region(imbalance(S), &[WorkKind::LoopDynamic]);
    summary.loops = vec![few_chunks(&summary)];
    let (change, gain_ns) = ("schedule(static,2)".to_owned(), 900 * MS);
    summary.expected = vec![ExpectedGain { loop_index: 0, change, gain_ns, error_ns: 10 * MS }];
    let advice = first_advice(&summary);
    assert!(advice.contains("12 iterations for 4 threads: collapse it"), "{advice}");
    assert!(advice.contains("; or schedule(static,2): gain about 900.0 ms"), "{advice}");
}

#[test]
fn one_costly_iteration_is_to_be_split() {
    let mut summary = of_region(imbalance(S), &[WorkKind::LoopDynamic]);
    let mut one = few_chunks(&summary);
    (one.count, one.iterations, one.sizes, one.chunks) = (400, 40_000, (8, 8), 5000);
    (one.parts_ns, one.longest_ns) = ([2 * S, 2 * S, 2 * S, 6 * S], 40 * MS);
    summary.loops = vec![one];
    let advice = first_advice(&summary);
    let part = "the longest chunk takes 40.00 ms, 2.40 ms on average: if one iteration of it takes \
                most, split that";
    assert!(advice.contains(part), "{advice}");
    // Where all chunks of the last quarter cost alike, smaller ones are right.
    summary.loops[0].longest_ns = 5 * MS;
    assert!(!first_advice(&summary).contains("split that"), "{}", first_advice(&summary));
}

#[test]
fn a_reduction_is_not_told_to_hold_the_atomic_shorter() {
    let mut summary = solver();
    summary.regions.truncate(1);
    summary.serial.clear();
    summary.mutexes.truncate(1);
    summary.mutexes[0].kind = MutexKind::Atomic;
    let advice = first_advice(&summary);
    assert!(advice.contains("atomic, or for the end of a reduction"), "{advice}");
    with_directive(&mut summary, 2, "parallel for reduction(+ : bins[:64])");
    let advice = first_advice(&summary);
    assert!(advice.contains("their parts of the reduction one after the other"), "{advice}");
    assert!(advice.contains("hist.c:41 (omp parallel for reduction(+ : bins[:64]))"), "{advice}");
    // Threads that wait for the others' parts at the region's end wait for the same.
    let mut alone = summary.clone();
    alone.regions = vec![region(2, 100, 5 * S, imbalance(S), &[])];
    let both = first_advice(&alone);
    assert!(
        both.matches("their parts of the reduction one after the other").count() == 2,
        "{both}"
    );
    with_directive(&mut summary, 2, "atomic");
    let advice = first_advice(&summary);
    assert!(advice.contains("add up in a variable of each thread"), "{advice}");
    assert!(!advice.contains("shorter"), "{advice}");
}

#[test]
fn serial_input_output_and_python_are_not_to_be_run_in_parallel() {
    let mut summary = solver();
    summary.regions.clear();
    summary.mutexes.clear();
    let (after, before) = (summary.serial[0].after, summary.serial[0].before);
    let stretch = |in_files, in_python| {
        let stretch = HotStretch { after, before, samples: 100, ..HotStretch::default() };
        HotStretch { in_files, in_python, ..stretch }
    };
    let sampled = Sampled {
        taken: 100,
        period_ns: 4 * MS,
        stretches: vec![stretch(70, 0)],
        ..Sampled::default()
    };
    summary.sampled = Some(sampled);
    let advice = first_advice(&summary);
    assert!(advice.contains("reads and writes between solver.c:118 and solver.c:140"), "{advice}");
    assert!(advice.contains("gain about 750.0 ms ± 750.0 ms"), "{advice}");
    let mut advice_with = |stretch| {
        summary.sampled.as_mut().expect("samples").stretches = vec![stretch];
        first_advice(&summary)
    };
    let advice = advice_with(stretch(0, 70));
    assert!(advice.contains("runs Python between solver.c:118 and solver.c:140"), "{advice}");
    assert!(advice.contains("gain about 750.0 ms ± 750.0 ms"), "{advice}");
    let advice = advice_with(stretch(30, 30));
    assert!(advice.contains("run in parallel what lies between solver.c:118"), "{advice}");
}

#[test]
fn a_workshare_is_not_called_a_single() {
    let gain = Gain { imbalance_ns: 400 * MS, barrier_ns: 600 * MS, ..Gain::default() };
    let mut summary = solver();
    summary.regions = vec![region(0, 1, 5 * S, gain, &[WorkKind::Single])];
    summary.regions[0].worksharing[0].executions = 20;
    let barrier = &mut summary.barriers[0];
    (barrier.passes, barrier.ends) = (80, Some(WorkKind::Single));
    (barrier.imbalance_ns, barrier.cost_ns) = (1600 * MS, 2400 * MS);
    summary.mutexes.clear();
    summary.serial.clear();
    assert!(first_advice(&summary).contains("works in a single"));
    with_directive(&mut summary, 0, "parallel workshare");
    let advice = first_advice(&summary);
    assert!(advice.contains("a part of the workshare") && !advice.contains("single"), "{advice}");
}

#[test]
fn what_many_regions_cost_together_has_advice() {
    let mut summary = solver();
    let gain = Gain { fork_join_ns: 4 * MS, barrier_ns: MS, ..Gain::default() };
    summary.regions = (0..320).map(|_| region(3, 900, 20 * MS, gain, &[])).collect();
    summary.barriers.clear();
    summary.mutexes.clear();
    summary.serial.clear();
    let advice = first_advice(&summary);
    let part = "starting and ending 320 regions takes 1.60 s (16.0 %): 288 000 calls of 22.22 µs";
    assert!(advice.contains(part), "{advice}");
    // So does waiting at the regions' ends.
    for region in &mut summary.regions {
        region.gain = imbalance(4 * MS);
    }
    let advice = first_advice(&summary);
    assert!(advice.contains("in 320 regions threads wait 1.28 s for their last one"), "{advice}");
}

#[test]
fn threads_with_equal_shares_wait_for_the_barriers_themselves() {
    let gain = Gain { imbalance_ns: 3 * S, barrier_ns: S, ..Gain::default() };
    let mut summary = solver();
    summary.regions = vec![region(0, 10, 5 * S, gain, &[])];
    // Each waits for seven times as long as it works, and all work for as long.
    summary.regions[0].useful_ns = 1600 * MS;
    summary.regions[0].load_balance = Some(0.99);
    summary.barriers[0].kind = BarrierKind::Explicit;
    (summary.barriers[0].imbalance_ns, summary.barriers[0].cost_ns) = (12 * S, 4 * S);
    let advice = first_advice(&summary);
    assert!(advice.contains("1 solver.c:118 fewer barriers"), "{advice}");
    assert!(!advice.contains("equal shares"), "{advice}");
    // Unequal shares cost 1.2 s, which is at most the time that the threads work, and the barriers
    // half a second.
    summary.regions[0].load_balance = Some(0.7);
    let advice = first_advice(&summary);
    assert!(advice.contains("the busiest thread works 57.14 ms"), "{advice}");
    assert!(advice.contains("gain about 1.70 s"), "{advice}");
}

#[test]
fn the_time_of_a_share_is_not_called_that_of_a_chunk() {
    let mut summary = of_region(imbalance(S), &[WorkKind::LoopStatic]);
    let mut one = few_chunks(&summary);
    (one.kind, one.longest_ns) = (WorkKind::LoopStatic, 30 * MS);
    summary.loops = vec![one];
    let shown = |summary: &Summary| render(summary, &places(), &notes(), Style::plain());
    let text = shown(&summary);
    assert!(
        text.contains("(30.00 ms)") && text.contains("the longest share of a thread"),
        "{text}"
    );
    // One chunk for each thread has its time.
    (summary.loops[0].chunks, summary.loops[0].sizes) = (400, (3, 3));
    let text = shown(&summary);
    assert!(text.contains("30.00 ms") && !text.contains("share of a thread"), "{text}");
}

#[test]
fn barriers_of_copyprivate_are_not_to_have_nowait() {
    let gain = Gain { barrier_ns: S, ..Gain::default() };
    let mut summary = solver();
    summary.regions = vec![region(0, 10, 5 * S, gain, &[WorkKind::Single])];
    summary.regions[0].worksharing[0].executions = 100_000;
    summary.mutexes.clear();
    summary.serial.clear();
    // Each construct has a barrier of the runtime and one at its end, of the same place.
    let end = &mut summary.barriers[0];
    (end.passes, end.ends) = (400_000, Some(WorkKind::Single));
    (end.imbalance_ns, end.cost_ns) = (0, 2 * S);
    let mut first = end.clone();
    (first.kind, first.ends) = (BarrierKind::Implementation, None);
    summary.barriers.push(first);
    let advice = first_advice(&summary);
    assert!(advice.contains("single copyprivate makes the threads wait twice"), "{advice}");
    assert!(!advice.contains("fewer barriers"), "{advice}");
    // Code of gcc has an explicit barrier in place of the second one, at another address.
    (summary.barriers[0].kind, summary.barriers[0].ends) = (BarrierKind::Explicit, None);
    summary.barriers[0].site = None;
    assert_eq!(first_advice(&summary), advice);
    // The source tells it, whatever else the region has.
    summary.regions[0].worksharing[0].kind = WorkKind::LoopStatic;
    summary.barriers[0].site = summary.barriers[1].site;
    let site = summary.barriers[0].site.expect("a place").0;
    with_directive(&mut summary, site, "single copyprivate(x)");
    assert!(first_advice(&summary).contains("wait twice"), "{}", first_advice(&summary));
    with_directive(&mut summary, site, "for");
    let advice = first_advice(&summary);
    // What the compiler adds for a loop is not for the program to leave out.
    assert!(advice.contains("fewer barriers") && !advice.contains("copyprivate"), "{advice}");
    assert!(advice.contains("gain about 480.0 ms"), "{advice}");
}

/// LLVM's runtimes call every barrier in gcc's code their own, and tell of no worksharing in it.
#[test]
fn barriers_of_code_that_tells_nothing_are_what_the_source_says() {
    let gain = Gain { barrier_ns: S, ..Gain::default() };
    let mut summary = solver();
    summary.regions = vec![region(0, 10, 5 * S, gain, &[])];
    summary.mutexes.clear();
    summary.serial.clear();
    let barrier = &mut summary.barriers[0];
    (barrier.kind, barrier.ends, barrier.passes) = (BarrierKind::Implementation, None, 400_000);
    (barrier.imbalance_ns, barrier.cost_ns) = (0, 2 * S);
    let site = barrier.site.expect("a place").0;
    with_directive(&mut summary, site, "barrier");
    let advice = first_advice(&summary);
    assert!(advice.contains("fewer barriers: not every step needs one"), "{advice}");
    // Without a word of the source nobody knows of a `single`.
    summary.directives.clear();
    summary.regions[0].gain = imbalance(S);
    (summary.barriers[0].imbalance_ns, summary.barriers[0].cost_ns) = (4 * S, 0);
    let advice = first_advice(&summary);
    assert!(advice.contains("what they do is not known"), "{advice}");
    assert!(!advice.contains("single"), "{advice}");
}

#[test]
fn a_team_smaller_than_the_programs_largest_has_advice() {
    let mut summary = of_region(Gain::default(), &[]);
    summary.regions[0].team = (2, 2);
    let advice = first_advice(&summary);
    let part = "1 solver.c:118 a team of 2 threads, beside which the other 2 of the program idle: \
                a larger one if its work can be divided further: gain ≤ 2.50 s (25.0 %)";
    assert!(advice.contains(part), "{advice}");
    with_directive(&mut summary, 0, "parallel for num_threads(2)");
    let advice = first_advice(&summary);
    assert!(advice.contains("a team of 2 threads (num_threads(2)), beside"), "{advice}");
    let says = |summary: &Summary| {
        render(summary, &places(), &notes(), Style::plain()).contains("a team of")
    };
    // More threads than processors do not help, and the threads of a nested team may all be busy.
    let mut crowded = summary.clone();
    crowded.header.allowed_cpus = 2;
    assert!(!says(&crowded));
    summary.regions[0].nested = summary.regions[0].calls;
    assert!(!says(&summary));
}

#[test]
fn a_barrier_never_reached_is_told_however_equal_the_work_was() {
    let mut summary = of_region(imbalance(S), &[]);
    (summary.regions[0].useful_ns, summary.regions[0].load_balance) = (1000, Some(0.99));
    summary.unreached = vec![Unreached {
        site: Some(SiteId(1)),
        region: summary.regions[0].site,
        waiting: 3,
        time_ns: 4 * S,
        ended: 1,
    }];
    let advice = first_advice(&summary);
    let part =
        "solver.c:140 1 thread of the team ended in the region, and the others wait for ever";
    assert!(advice.contains(part), "{advice}");
}

#[test]
fn what_threads_wait_for_one_that_is_blocked_goes_with_it() {
    // One of four threads sleeps for two seconds of each four.
    let gain = Gain { blocked_ns: S / 2, imbalance_ns: 1500 * MS, ..Gain::default() };
    let mut summary = of_region(gain, &[]);
    (summary.regions[0].useful_ns, summary.regions[0].load_balance) = (8 * S, Some(1.0));
    summary.blocked = vec![Blocked {
        region: summary.regions[0].site,
        cause: Cause::Unknown,
        time_ns: 2 * S,
        ..Blocked::default()
    }];
    let advice = first_advice(&summary);
    let part = "its threads do not compute but wait in the system: move the waits out of the \
                region: gain about 1.25 s ± 752.5 ms";
    assert!(advice.contains(part), "{advice}");
    assert!(!advice.contains("what they do is not known"), "{advice}");
    // Unequal work explains the waits.
    summary.regions[0].load_balance = Some(0.5);
    let advice = first_advice(&summary);
    assert!(advice.contains("what they do is not known"), "{advice}");
    assert!(advice.contains("move the waits out of the region: gain ≤ 500.0 ms"), "{advice}");
}

#[test]
fn tests_of_a_lock_in_a_row_are_not_told_to_be_waits() {
    let mut summary = solver();
    summary.regions.truncate(1);
    summary.serial.clear();
    summary.mutexes.truncate(1);
    let lock = &mut summary.mutexes[0];
    (lock.kind, lock.failed) = (MutexKind::Lock, 5_000_000);
    (lock.tested_ns, lock.wait_ns) = (4 * S, S);
    let shown = |summary: &Summary| {
        let text = render(summary, &places(), &notes(), Style::plain());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = shown(&summary);
    let line =
        "omp_test_lock failed 5 000 000 times, 800 ns apart: what is between is taken for work";
    assert!(text.contains(line), "{text}");
    assert!(!text.contains("threads spin"), "{text}");
    summary.mutexes[0].spin_ns = 4 * S;
    assert!(shown(&summary).contains("threads spun for 4.00 s"), "{}", shown(&summary));
    let advice = first_advice(&summary);
    assert!(advice.contains("threads spin on omp_test_lock (5 000 000 tests failed"), "{advice}");
    assert!(advice.contains("omp_set_lock instead"), "{advice}");
}

#[test]
fn fewer_turns_in_a_reduction_are_less_combining_too() {
    // Two threads wait for a second each, and combine for twice as long as one of them waits.
    let mut summary = of_region(Gain { mutex_ns: S, ..Gain::default() }, &[]);
    summary.regions[0].team = (2, 2);
    summary.blocked = vec![Blocked {
        region: summary.regions[0].site,
        cause: Cause::Reduction,
        function: "reduction".to_owned(),
        time_ns: 2 * S,
        ..Blocked::default()
    }];
    let advice = first_advice(&summary);
    assert!(
        advice.contains("combine their parts of the reduction one after the other"),
        "{advice}"
    );
    assert!(advice.contains("gain about 2.00 s ± 1.5"), "{advice}");
    // Four threads combine for less of the time for which they wait.
    summary.regions[0].team = (4, 4);
    summary.blocked[0].time_ns = 4 * S;
    let advice = first_advice(&summary);
    assert!(advice.contains("gain about 1.33 s ± 8"), "{advice}");
}
