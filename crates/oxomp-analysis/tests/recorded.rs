//! Known answers of recordings that are made by hand, to the nanosecond: what the programs of
//! tests/profiler plant, without a machine that has to be quiet.

use oxomp_analysis::summarize;
use oxomp_analysis::summary::{Class, Summary};
use oxomp_trace::fold::{Extremes, chunks, span, tasks};
use oxomp_trace::{
    EventKind, FileHeader, FoldEntry, FoldKind, Info, Profile, Record, ThreadEvents,
};

const JOIN: u8 = 9;
const EXPLICIT: u8 = 3;
const TASKWAIT: u8 = 5;
const CRITICAL: u8 = 5;
const REGION: u64 = 0x10;

/// The records of a thread, one tick a nanosecond.
struct Thread(Vec<Record>);

impl Thread {
    /// A thread that begins at 0: the program's first one, or a worker.
    fn new(number: u64) -> Self {
        let kind = if number == 0 { 1 } else { 2 };
        Self(Vec::new()).event(0, EventKind::ThreadBegin, kind, number + 1, 0)
    }

    fn event(mut self, tick: u64, kind: EventKind, sub: u8, value: u64, code: u64) -> Self {
        self.0.push(Record { tick, kind: kind as u8, sub, value, code, ..Record::default() });
        self
    }

    /// The implicit task of thread `number` of two begins.
    fn implicit(self, tick: u64, region: u64, number: u64) -> Self {
        let mut thread = self.event(tick, EventKind::ImplicitBegin, 0, region, number);
        thread.0.last_mut().expect("it was added").aux = 2;
        thread
    }

    /// A wait of a kind at a place.
    fn wait(self, from: u64, until: u64, kind: u8, code: u64) -> Self {
        let thread = self.event(from, EventKind::WaitBegin, kind, 1, code);
        thread.event(until, EventKind::WaitEnd, kind, 1, code)
    }

    /// The last wait of a region, and the end of the implicit task.
    fn join(self, from: u64, until: u64, region: u64) -> Self {
        let thread = self.wait(from, until, JOIN, REGION);
        thread.event(until, EventKind::ImplicitEnd, 0, region, 0)
    }

    /// A critical at `code`: asked for, had, released.
    fn critical(self, asked: u64, had: u64, released: u64, code: u64) -> Self {
        let thread = self.event(asked, EventKind::MutexAcquire, CRITICAL, 77, code);
        let thread = thread.event(had, EventKind::MutexAcquired, CRITICAL, 77, code);
        thread.event(released, EventKind::MutexReleased, CRITICAL, 77, code)
    }

    fn fork(self, tick: u64, region: u64) -> Self {
        self.event(tick, EventKind::ParallelBegin, 0, region, REGION)
    }

    fn joined(self, tick: u64, region: u64) -> Self {
        self.event(tick, EventKind::ParallelEnd, 0, region, REGION)
    }

    fn end(self, tick: u64) -> Vec<Record> {
        self.event(tick, EventKind::ThreadEnd, 0, 0, 0).0
    }
}

fn summary_with(threads: [Vec<Record>; 2], folded: Vec<FoldEntry>) -> Summary {
    let end = threads.iter().flatten().map(|record| record.tick).max();
    let summary = ended(end, threads, folded);
    assert_eq!(summary.quality.anomalies, []);
    summary
}

/// The summary of a recording that ended at a tick.
fn ended_at(end: u64, threads: [Vec<Record>; 2]) -> Summary {
    ended(Some(end), threads, Vec::new())
}

fn ended(end: Option<u64>, threads: [Vec<Record>; 2], folded: Vec<FoldEntry>) -> Summary {
    let mut sums = vec![folded];
    let threads = threads.into_iter().zip(0..).map(|(records, number)| ThreadEvents {
        number,
        records,
        folded: sums.pop().unwrap_or_default(),
    });
    let summary = summarize(&Profile {
        header: FileHeader { ticks_per_second: 1_000_000_000, ..FileHeader::default() },
        info: Info { end_tick: end, ..Info::default() },
        threads: threads.collect(),
        ..Profile::default()
    });
    assert_eq!(summary.budget.accounted.to_bits(), 1.0_f64.to_bits());
    summary
}

fn summary(threads: [Vec<Record>; 2]) -> Summary {
    summary_with(threads, Vec::new())
}

/// imbalance.c: three regions whose threads work 1000 and 100, then 5000 of serial code.
#[test]
fn imbalance_and_serial_time() {
    let (mut primary, mut worker) = (Thread::new(0), Thread::new(1));
    for round in 0..3 {
        let (begin, region) = (1000 + round * 6000, round + 1);
        primary = primary.fork(begin, region).implicit(begin, region, 0);
        primary = primary.join(begin + 1000, begin + 1000, region).joined(begin + 1000, region);
        worker = worker.implicit(begin, region, 1).join(begin + 100, begin + 1000, region);
    }
    let summary = summary([primary.end(19_000), worker.end(19_000)]);
    let [region] = &summary.regions[..] else { panic!("{:?}", summary.regions) };
    assert_eq!((region.calls, region.wall_ns, region.useful_ns), (3, 3000, 3300));
    assert_eq!(region.load_balance, Some(0.55));
    assert_eq!((summary.budget.class_ns(Class::Imbalance), region.gain.imbalance_ns), (2700, 1350));
    let between = summary.serial.iter().find(|it| it.after.is_some() && it.before.is_some());
    assert_eq!(between.map(|it| (it.total_ns, it.gain_ns)), Some((10_000, 5000)));
}

/// critical.c: a thread waits 2000 for the other one, whose place is to blame.
#[test]
fn a_criticals_wait_is_blamed_on_its_holder() {
    let (holds, waits) = (0x100, 0x200);
    let primary = Thread::new(0).fork(1000, 1).implicit(1000, 1, 0);
    let primary = primary.critical(1100, 1100, 3400, holds).join(3400, 3900, 1).joined(3900, 1);
    let worker = Thread::new(1).implicit(1000, 1, 1).critical(1400, 3410, 3900, waits);
    let worker = worker.join(3900, 3900, 1);
    let summary = summary([primary.end(4000), worker.end(4000)]);
    let [waiting, holding] = &summary.mutexes[..] else { panic!("{:?}", summary.mutexes) };
    assert_eq!((waiting.acquisitions, waiting.contended, waiting.wait_ns), (1, 1, 2010));
    assert_eq!((waiting.hold_ns, holding.hold_ns), (490, 2300));
    let [holder] = &waiting.holders[..] else { panic!("{:?}", waiting.holders) };
    assert_eq!((holder.site, holder.blame_ns), (holding.site, 2000));
    assert_eq!((waiting.handoff_ns, waiting.unattributed_ns), (10, 0));
    assert_eq!(summary.budget.class_ns(Class::Mutex), 2010);
}

/// barriers.c: explicit barriers. The two threads take turns to reach one 500 ns early.
#[test]
fn waits_at_explicit_barriers() {
    let (mut primary, mut worker) = (Thread::new(0).fork(0, 1), Thread::new(1));
    (primary, worker) = (primary.implicit(0, 1, 0), worker.implicit(0, 1, 1));
    for round in 0..4 {
        let (early, late) = (round * 600 + 100, round * 600 + 600);
        let (first, second) = if round % 2 == 0 { (early, late) } else { (late, early) };
        primary = primary.wait(first, late, EXPLICIT, 0x300);
        worker = worker.wait(second, late, EXPLICIT, 0x300);
    }
    primary = primary.join(2400, 2400, 1).joined(2400, 1);
    let summary = summary([primary.end(2400), worker.join(2400, 2400, 1).end(2400)]);
    let [barrier] = &summary.barriers[..] else { panic!("{:?}", summary.barriers) };
    assert_eq!((barrier.passes, barrier.imbalance_ns), (8, 2000));
    assert_eq!(summary.budget.class_ns(Class::Imbalance), 2000);
}

/// A thread that ends in a region never reaches its barriers: the other one waits, at an explicit
/// barrier or at the region's end, until the process ends.
#[test]
fn a_barrier_that_a_thread_never_reaches_is_waiting() {
    for at_end in [false, true] {
        let primary = Thread::new(0).fork(0, 1).implicit(0, 1, 0);
        let (kind, code) = if at_end { (JOIN, REGION) } else { (EXPLICIT, 0x300) };
        let primary = primary.event(100, EventKind::WaitBegin, kind, 1, code).0;
        let worker = Thread::new(1).implicit(0, 1, 1).end(200);
        let summary = ended_at(1000, [primary, worker]);
        let class = |class| summary.budget.class_ns(class);
        assert_eq!((class(Class::Useful), class(Class::Imbalance)), (300, 900), "{at_end}");
        let [one] = &summary.unreached[..] else { panic!("{:?}", summary.unreached) };
        assert_eq!((one.site.is_none(), one.region), (at_end, summary.regions[0].site));
        assert_eq!((one.waiting, one.time_ns, one.ended), (1, 900, 1));
    }
}

/// A thread that asks for a chunk of a dynamic loop and gets none does not make chunks of no
/// iteration.
#[test]
fn a_thread_without_a_chunk_has_no_chunk_of_nothing() {
    let primary = Thread::new(0).fork(0, 1).implicit(0, 1, 0).join(1000, 1000, 1);
    let worker = Thread::new(1).implicit(0, 1, 1).join(1000, 1000, 1).end(1000);
    let entry = |values: &[(usize, u64)]| {
        let (kind, key) = (FoldKind::Chunks as u32, [REGION, 0x600, 0]);
        let mut entry = FoldEntry { kind, sub: 11, key, ..FoldEntry::default() };
        for &(at, value) in values {
            entry.values[at] = value;
        }
        entry
    };
    let sizes = Extremes { least: 34, most: 60 }.packed();
    let chunks = [
        (chunks::EXECUTIONS, 1),
        (chunks::ITERATIONS, 334),
        (chunks::CHUNKS, 6),
        (chunks::TIME, 1000),
        (chunks::SIZES, sizes),
    ];
    let folded = vec![entry(&[]), entry(&chunks)];
    let summary = summary_with([primary.joined(1000, 1).end(1000), worker], folded);
    let [one] = &summary.loops[..] else { panic!("{:?}", summary.loops) };
    assert_eq!((one.sizes, one.threads, one.chunks), ((34, 60), 1, 6));
}

/// starved_taskwait.c: a thread waits in a taskwait for a task of the other one.
#[test]
fn a_wait_for_one_long_task() {
    let task = |thread: Thread, from: u64, until: u64| {
        let mut thread = thread.event(from, EventKind::TaskSwitch, 7, 0, 0x400);
        thread.0.last_mut().expect("it was added").aux = 1;
        thread.event(until, EventKind::TaskSwitch, 1, 0, 0)
    };
    let primary = Thread::new(0).fork(0, 1).implicit(0, 1, 0).wait(100, 3000, TASKWAIT, 0x500);
    let primary = primary.join(3000, 3000, 1).joined(3000, 1);
    let worker = Thread::new(1).implicit(0, 1, 1).event(0, EventKind::WaitBegin, JOIN, 1, REGION);
    let worker = task(worker, 50, 2950).event(3000, EventKind::WaitEnd, JOIN, 1, REGION);
    let worker = worker.event(3000, EventKind::ImplicitEnd, 0, 1, 0);
    let summary = summary([primary.end(3000), worker.end(3000)]);
    let class = |class| summary.budget.class_ns(class);
    assert_eq!(class(Class::Useful), 100 + 2900);
    assert_eq!(class(Class::Taskwait) + class(Class::Starved), 2900);
}

/// tasks_chain.c and tasks_tree.c: the longest chain and the work of a region's tasks, from the
/// sums of both threads.
#[test]
fn the_longest_chain_of_tasks() {
    let sums = |kind: FoldKind, key: [u64; 3], values: &[(usize, u64)]| {
        let mut entry = FoldEntry { kind: kind as u32, key, ..FoldEntry::default() };
        for &(at, value) in values {
            entry.values[at] = value;
        }
        entry
    };
    let primary = Thread::new(0).fork(0, 1).implicit(0, 1, 0).join(20_000, 20_000, 1);
    let primary = primary.joined(20_000, 1).end(20_000);
    let worker = Thread::new(1).implicit(0, 1, 1).join(0, 20_000, 1).end(20_000);
    let folded = vec![
        sums(FoldKind::Tasks, [0x400, REGION, 0], &[(tasks::COUNT, 20), (tasks::TIME, 18_000)]),
        sums(
            FoldKind::Span,
            [REGION, 0, 0],
            &[(span::REGIONS, 1), (span::SPAN, 18_000), (span::WALL, 20_000)],
        ),
    ];
    let summary = summary_with([primary, worker], folded);
    let [chain] = &summary.chains[..] else { panic!("{:?}", summary.chains) };
    assert_eq!(chain.span_ns, 18_000);
    let [one] = &summary.tasks[..] else { panic!("{:?}", summary.tasks) };
    assert_eq!((one.count, one.time_ns), (20, 18_000));
}
