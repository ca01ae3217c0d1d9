//! Whatever events come, in whatever order: no panic, time partitioned, blame conserved.

use std::collections::BTreeMap;

use oxomp_analysis::blame::blame;
use oxomp_analysis::model::{Model, Thread};
use oxomp_analysis::normalise::normalise;
use oxomp_analysis::resolve::{Piece, Resolved, resolve, resolve_pieces};
use oxomp_analysis::summarize;
use oxomp_analysis::summary::{Class, Summary};
use oxomp_trace::{
    Clock, EventKind, FileHeader, FoldEntry, FoldKind, Info, Profile, Record, ThreadEvents,
};
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;

const JOIN: u8 = 9;
const EXPLICIT: u8 = 3;
const CRITICAL: u8 = 5;

/// A clock of one tick per nanosecond.
fn clock() -> Clock {
    Clock::new((0, 0), 1_000_000_000, &[])
}

fn thread(number: u32, records: Vec<Record>) -> ThreadEvents {
    ThreadEvents { number, records, folded: Vec::new() }
}

fn event(tick: u64, kind: EventKind, sub: u8, value: u64, code: u64) -> Record {
    Record { tick, kind: kind as u8, sub, value, code, ..Record::default() }
}

fn summary_of(threads: Vec<ThreadEvents>) -> Summary {
    summary_at(1_000_000_000, threads)
}

fn summary_at(ticks_per_second: u64, threads: Vec<ThreadEvents>) -> Summary {
    let header = FileHeader { ticks_per_second, ..FileHeader::default() };
    let info = Info::default();
    summarize(&Profile { header, info, threads, ..Profile::default() })
}

/// How often the runtime reported barrier ends too late.
fn overdue(summary: &Summary) -> u64 {
    let repaired: BTreeMap<_, _> = summary.quality.repaired.iter().copied().collect();
    repaired.get("barrier ends reported after the region").copied().unwrap_or(0)
}

/// The invariants of every model.
fn check_laws(threads: &[ThreadEvents]) -> Result<(Model, Resolved), TestCaseError> {
    let model = normalise(threads, &clock(), None, None);
    let resolved = resolve(&model);
    for (thread, classes) in model.threads.iter().zip(&resolved.threads) {
        let (mut from, mut length) = (thread.begin, 0);
        for segment in &thread.segments {
            follows(thread, from, segment.begin)?;
            prop_assert!(segment.begin < segment.end);
            length += segment.end - segment.begin;
            from = segment.end;
        }
        follows(thread, from, thread.end)?;
        prop_assert_eq!(classes.iter().sum::<u64>(), length);
    }
    check_pieces(&model, &resolved)?;
    for target in &model.targets {
        prop_assert!(target.begin <= target.end && target.end <= model.threads[target.thread].end);
    }
    for operation in &model.operations {
        let thread = &model.threads[operation.thread];
        prop_assert!(operation.begin <= operation.end && operation.end <= thread.end);
    }
    let mut waits = 0;
    for site in blame(&model).values() {
        let blamed: u64 = site.holders.values().sum();
        prop_assert_eq!(blamed + site.handoff, site.wait);
        prop_assert!(site.contended <= site.acquisitions + model.mutex_waits.len() as u64);
        waits += site.wait;
    }
    prop_assert_eq!(waits, model.mutex_waits.iter().map(|wait| wait.end - wait.begin).sum::<u64>());
    Ok((model, resolved))
}

/// What begins at `begin` follows what ended at `end`, unless the thread recorded no events in
/// between.
fn follows(thread: &Thread, end: u64, begin: u64) -> Result<(), TestCaseError> {
    let may_be_apart = thread.folded_from.is_some_and(|from| from <= end);
    prop_assert!(begin == end || begin > end && may_be_apart, "a gap or an overlap");
    Ok(())
}

/// The pieces of a thread's time follow one another, and have the classes of the sums.
fn check_pieces(model: &Model, resolved: &Resolved) -> Result<(), TestCaseError> {
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); model.threads.len()];
    let again = resolve_pieces(model, &mut |thread, piece| pieces[thread].push(piece));
    prop_assert_eq!(&again, resolved);
    for ((thread, pieces), sums) in model.threads.iter().zip(pieces).zip(&resolved.threads) {
        let (mut from, mut classes) = (thread.begin, [0; Class::COUNT]);
        for piece in pieces {
            follows(thread, from, piece.begin)?;
            prop_assert!(piece.begin < piece.end);
            classes[piece.class as usize] += piece.end - piece.begin;
            from = piece.end;
        }
        follows(thread, from, thread.end)?;
        if model.inner.is_empty() {
            prop_assert_eq!(&classes, sums);
        }
    }
    Ok(())
}

/// The bounds of every summary.
fn check_bounds(summary: &Summary) -> Result<(), TestCaseError> {
    let header = &summary.header;
    prop_assert!(header.recorded_ns <= header.wall_ns);
    prop_assert!(header.threads >= header.max_team);
    prop_assert!(summary.budget.parallel_efficiency <= 1.0 + 1e-9);
    let regions = summary.regions.iter().map(|region| region.gain.total_ns());
    let mutexes = summary.mutexes.iter().map(|mutex| mutex.gain_ns);
    let serial = summary.serial.iter().map(|stretch| stretch.gain_ns);
    if let Some(overlap) = summary.offload.overlap {
        prop_assert!(overlap.both_ns <= overlap.constructs_ns);
        prop_assert!(overlap.constructs_ns + overlap.host_ns <= header.wall_ns);
    }
    for gain in regions.chain(mutexes).chain(serial) {
        prop_assert!(gain <= header.wall_ns, "{gain} ns of {}", header.wall_ns);
    }
    Ok(())
}

/// Events with small numbers, so that they refer to each other.
fn any_event() -> impl Strategy<Value = Record> {
    let aux = prop_oneof![9 => 0u32..5, 1 => Just(u32::MAX)];
    (0u64..200, any_kind(), 0u8..12, 0u64..4, 0u64..4, aux, 0u16..3).prop_map(
        |(tick, kind, sub, value, code, aux, window)| Record {
            tick,
            kind,
            sub,
            value,
            code,
            aux,
            window,
        },
    )
}

/// A number of each kind of event, and the ones below and above them.
fn any_kind() -> impl Strategy<Value = u8> {
    0..=EventKind::ALL.len() as u8 + 1
}

/// Kinds of sums, valid and invalid.
fn any_fold_kind() -> impl Strategy<Value = u32> {
    0..=FoldKind::ALL.len() as u32 + 1
}

/// A number of a program run: teams of `size` threads, `instances` regions with a barrier and a
/// critical each, by durations drawn from `work`. Workers report the region's last ends as
/// libomp does: when the next region begins.
fn program(size: usize, work: &[(u64, u64, u64)], late: bool) -> Vec<ThreadEvents> {
    let mut streams: Vec<Vec<Record>> = (0..size).map(|_| Vec::new()).collect();
    let mut now = 10;
    for (number, stream) in streams.iter_mut().enumerate() {
        let kind = if number == 0 { 1 } else { 2 };
        stream.push(event(number as u64, EventKind::ThreadBegin, kind, number as u64 + 1, 0));
    }
    let mut pending: Vec<Option<u64>> = vec![None; size];
    for (region, &(before, middle, held)) in work.iter().enumerate() {
        let id = region as u64 + 1;
        streams[0].push(event(now, EventKind::ParallelBegin, 0, id, 0x100));
        let mut arrivals = Vec::new();
        let mut free = 0;
        for number in 0..size {
            let stream = &mut streams[number];
            let begin = now + 3 + number as u64;
            if pending[number].take().is_some() {
                stream.push(event(begin - 1, EventKind::WaitEnd, JOIN, 0, 0));
                stream.push(event(begin - 1, EventKind::ImplicitEnd, 0, 0, 0));
            }
            let mut implicit = event(begin, EventKind::ImplicitBegin, 0, id, number as u64);
            implicit.aux = size as u32;
            stream.push(implicit);
            let asked = begin + before + number as u64 * 7;
            let acquired = asked.max(free);
            free = acquired + held;
            stream.push(event(asked, EventKind::MutexAcquire, CRITICAL, 77, 0x200));
            stream.push(event(acquired, EventKind::MutexAcquired, CRITICAL, 77, 0x200));
            stream.push(event(free, EventKind::MutexReleased, CRITICAL, 77, 0x200));
            arrivals.push(free + middle);
        }
        let met = arrivals.iter().max().copied().unwrap_or(now) + 2;
        for (number, &arrival) in arrivals.iter().enumerate() {
            let stream = &mut streams[number];
            stream.push(event(arrival, EventKind::WaitBegin, EXPLICIT, 0, 0x300));
            stream.push(event(met, EventKind::WaitEnd, EXPLICIT, 0, 0x300));
            stream.push(event(met + before + number as u64, EventKind::WaitBegin, JOIN, 0, 0));
        }
        let release = met + before + size as u64 + 4;
        for number in 0..size {
            if number > 0 && late {
                pending[number] = Some(id);
            } else {
                streams[number].push(event(release, EventKind::WaitEnd, JOIN, 0, 0));
                streams[number].push(event(release, EventKind::ImplicitEnd, 0, 0, 0));
            }
        }
        streams[0].push(event(release + 1, EventKind::ParallelEnd, 0, id, 0x100));
        now = release + 1 + before + middle;
    }
    let ends = streams.into_iter().enumerate().map(|(number, mut stream)| {
        if pending[number].is_some() {
            stream.push(event(now, EventKind::WaitEnd, JOIN, 0, 0));
            stream.push(event(now, EventKind::ImplicitEnd, 0, 0, 0));
        }
        stream.push(event(now, EventKind::ThreadEnd, 0, 0, 0));
        thread(number as u32, stream)
    });
    ends.collect()
}

proptest! {
    #[test]
    fn any_events_in_any_order_obey_the_laws(
        streams in proptest::collection::vec(proptest::collection::vec(any_event(), 0..60), 0..4)
    ) {
        let threads: Vec<ThreadEvents> =
            streams.into_iter().enumerate().map(|(n, records)| thread(n as u32, records)).collect();
        let (model, _) = check_laws(&threads)?;
        // Recordings with windows of events have sums of all time, which these lack.
        let has_gaps = model.threads.iter().any(|thread| !thread.gaps.is_empty());
        let summary = summary_of(threads);
        if !has_gaps {
            check_bounds(&summary)?;
            prop_assert_eq!(summary.budget.accounted.to_bits(), 1.0f64.to_bits());
        }
    }

    #[test]
    fn wild_numbers_do_no_harm(
        records in proptest::collection::vec(
            (any::<[u64; 3]>(), any::<u32>(), any_kind(), any::<u8>(), 0u16..3), 0..40)
    ) {
        let records = records.into_iter().map(|([tick, code, value], aux, kind, sub, window)| {
            Record { tick, code, value, aux, kind, sub, window }
        });
        summary_of(vec![thread(0, records.collect())]);
    }

    #[test]
    fn wild_sums_do_no_harm(
        entries in proptest::collection::vec(
            (any_fold_kind(), any::<u32>(), any::<[u64; 3]>(), any::<[u64; 12]>()), 0..20),
        records in proptest::collection::vec(any_event(), 0..40),
    ) {
        let folded = entries.into_iter().map(|(kind, sub, key, values)| {
            FoldEntry { kind, sub, key, values }
        });
        summary_of(vec![ThreadEvents { number: 0, records, folded: folded.collect() }]);
    }

    #[test]
    fn a_program_cut_anywhere_and_shuffled_obeys_the_laws(
        work in proptest::collection::vec((1u64..50, 1u64..50, 1u64..20), 1..5),
        size in 1usize..4,
        late in any::<bool>(),
        cuts in proptest::collection::vec(0usize..80, 3),
        swaps in proptest::collection::vec((0usize..3, 0usize..80, 0usize..80), 0..10),
    ) {
        let mut threads = program(size, &work, late);
        for (thread, cut) in threads.iter_mut().zip(&cuts) {
            thread.records.truncate((*cut).max(1));
        }
        check_laws(&threads)?;
        for (number, a, b) in swaps {
            let records = &mut threads[number % size].records;
            let length = records.len();
            records.swap(a % length, b % length);
        }
        check_laws(&threads)?;
    }

    #[test]
    fn late_ends_change_nothing(
        work in proptest::collection::vec((1u64..50, 1u64..50, 1u64..20), 1..5),
        size in 1usize..5,
    ) {
        // Ticks of 0.1 s: an end that comes with the next region is much too late.
        let prompt = summary_at(10, program(size, &work, false));
        let late = summary_at(10, program(size, &work, true));
        prop_assert_eq!(overdue(&prompt), 0);
        prop_assert_eq!(overdue(&late), (size as u64 - 1) * work.len() as u64);
        // Ticks of a nanosecond: as prompt as the specification asks.
        prop_assert_eq!(overdue(&summary_of(program(size, &work, true))), 0);
        // Every thread is in every team: a thread that waits while a region runs waits for that
        // region's fork.
        prop_assert_eq!(late.budget.class_ns(Class::SpareIdle), 0);
        prop_assert_eq!(prompt.budget, late.budget);
        prop_assert_eq!(prompt.threads, late.threads);
        prop_assert_eq!(prompt.regions, late.regions);
        prop_assert_eq!(prompt.barriers, late.barriers);
        prop_assert_eq!(prompt.mutexes, late.mutexes);
        prop_assert_eq!(prompt.serial, late.serial);
        prop_assert_eq!(prompt.quality.anomalies, vec![]);
    }

    #[test]
    fn the_parts_of_a_region_sum_to_its_wall_time(
        work in proptest::collection::vec((1u64..50, 1u64..50, 1u64..20), 1..5),
        size in 1usize..5,
        late in any::<bool>(),
    ) {
        let (_, resolved) = check_laws(&program(size, &work, late))?;
        for region in &resolved.regions {
            let parts: u64 = region.by_class.iter().sum();
            prop_assert_eq!(parts, (region.end - region.begin) * u64::from(region.size));
        }
    }

    #[test]
    fn the_order_of_threads_does_not_matter(
        work in proptest::collection::vec((1u64..50, 1u64..50, 1u64..20), 1..4),
        size in 2usize..5,
    ) {
        let threads = program(size, &work, true);
        let mut reversed = threads.clone();
        reversed.reverse();
        let (forward, backward) = (summary_of(threads), summary_of(reversed));
        prop_assert_eq!(forward.budget, backward.budget);
        prop_assert_eq!(forward.regions, backward.regions);
        prop_assert_eq!(forward.mutexes, backward.mutexes);
    }
}

/// 1000 and 100 units of work, then 5000 of serial code, by hand.
#[test]
fn the_example_of_the_design_comes_out() {
    let primary = vec![
        event(0, EventKind::ThreadBegin, 1, 1, 0),
        event(1000, EventKind::ParallelBegin, 0, 1, 0x10),
        Record { aux: 2, ..event(1010, EventKind::ImplicitBegin, 0, 1, 0) },
        event(2010, EventKind::WaitBegin, JOIN, 0, 0x10),
        event(2015, EventKind::WaitEnd, JOIN, 0, 0x10),
        event(2020, EventKind::ImplicitEnd, 0, 0, 0),
        event(2025, EventKind::ParallelEnd, 0, 1, 0x10),
        event(7025, EventKind::ThreadEnd, 0, 0, 0),
    ];
    let worker = vec![
        event(1005, EventKind::ThreadBegin, 2, 2, 0),
        Record { aux: 2, ..event(1010, EventKind::ImplicitBegin, 0, 1, 1) },
        event(1110, EventKind::WaitBegin, JOIN, 0, 0),
        event(7025, EventKind::WaitEnd, JOIN, 0, 0),
        event(7025, EventKind::ImplicitEnd, 0, 0, 0),
        event(7025, EventKind::ThreadEnd, 0, 0, 0),
    ];
    let summary = summary_of(vec![thread(0, primary), thread(1, worker)]);
    let class = |class| summary.budget.class_ns(class);
    assert_eq!(class(Class::Useful), 1100);
    assert_eq!(class(Class::Serial), 6000);
    assert_eq!(class(Class::Imbalance), 900);
    assert_eq!(class(Class::Barrier), 10);
    assert_eq!(class(Class::SerialIdle), 5000);
    assert_eq!(summary.regions[0].load_balance, Some(0.55));
    assert_eq!(summary.regions[0].gain.imbalance_ns, 450);
    assert_eq!(summary.serial[0].total_ns, 5000);
    assert_eq!(summary.serial[0].gain_ns, 2500);
    assert_eq!(summary.header.max_team, 2);
}

/// A task that runs inside a barrier is work, not waiting.
#[test]
fn tasks_inside_a_wait_are_subtracted() {
    let records = vec![
        event(0, EventKind::ThreadBegin, 1, 1, 0),
        event(10, EventKind::ParallelBegin, 0, 1, 0x10),
        Record { aux: 1, ..event(20, EventKind::ImplicitBegin, 0, 1, 0) },
        event(30, EventKind::WaitBegin, JOIN, 0, 0x10),
        Record { aux: 1, ..event(40, EventKind::TaskSwitch, 7, 0, 0) },
        event(90, EventKind::TaskSwitch, 1, 0, 0),
        event(100, EventKind::WaitEnd, JOIN, 0, 0x10),
        event(100, EventKind::ImplicitEnd, 0, 0, 0),
        event(110, EventKind::ParallelEnd, 0, 1, 0x10),
        event(110, EventKind::ThreadEnd, 0, 0, 0),
    ];
    let summary = summary_of(vec![thread(0, records)]);
    assert_eq!(summary.budget.class_ns(Class::Useful), 60);
    assert_eq!(summary.budget.class_ns(Class::Barrier), 20);
    assert_eq!(summary.quality.anomalies, []);
}

/// A worker that once lost its processor does not make the runtime deviate.
#[test]
fn one_late_end_among_prompt_ones_is_no_deviation() {
    let work = [(20, 20, 1); 4];
    let mut threads = program(2, &work, false);
    let late = program(2, &work, true);
    assert_eq!(overdue(&summary_at(10, late)), 4);
    let worker = &mut threads[1].records;
    let end = |record: &Record| record.event() == Some(EventKind::WaitEnd) && record.sub == JOIN;
    let first = worker.iter().position(end).expect("an end");
    let next = worker[first + 2].tick;
    worker[first].tick = next - 1;
    worker[first + 1].tick = next - 1;
    assert_eq!(overdue(&summary_at(10, threads)), 0);
}
