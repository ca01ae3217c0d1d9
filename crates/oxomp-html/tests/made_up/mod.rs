//! Made-up recordings.

#![allow(dead_code, reason = "each test program uses some of them")]

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::{CallNode, CallTree};
use oxomp_analysis::model::{Doing, Member, Model, Region, Segment, Thread, Work};
use oxomp_analysis::resolve::resolve;
use oxomp_analysis::summary::{
    AtomicUpdate, Class, CountedActivity, CountedPlace, CounterTotal, Counters, LineSharing,
    MemoryObject, MpiCalls, MpiKind, PlaceCount, SharedLines, SharedPlace, SpinLoop, Unreached,
};
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_trace::{
    Damage, DamageKind, EventKind, FileHeader, Info, MpiClass, Profile, Record, ThreadEvents,
};

const MS: u64 = 1_000_000;
/// The site of the first region; the sites of the other regions follow at a distance.
const CODE: u64 = 0x1000;
/// OMPT's number of an initial thread and of a worker, of the barrier that ends a region, of a
/// critical, and of a loop of dynamic schedule.
const INITIAL: u8 = 1;
const WORKER: u8 = 2;
const JOIN: u8 = 9;
const CRITICAL: u8 = 5;
const LOOP_DYNAMIC: u8 = 11;

fn event(tick: u64, kind: EventKind, sub: u8, value: u64, code: u64) -> Record {
    Record { tick, kind: kind as u8, sub, value, code, ..Record::default() }
}

fn analysed(info: Info, threads: Vec<Vec<Record>>, change: impl FnOnce(&mut Profile)) -> Analysis {
    let threads = (0..).zip(threads).map(|(number, records)| ThreadEvents {
        number,
        records,
        folded: Vec::new(),
    });
    let mut profile = Profile {
        header: FileHeader { ticks_per_second: 1_000_000_000, ..FileHeader::default() },
        info,
        threads: threads.collect(),
        ..Profile::default()
    };
    change(&mut profile);
    Analysis::new(profile, &mut Symbols::new())
}

/// Two threads in `count` regions of 10 ms each, 10 ms apart; the second thread has half the work,
/// and waits for a critical.
fn two_threads(count: u64, step: u64) -> Vec<Vec<Record>> {
    in_regions(count, step, 2)
}

/// As [`two_threads`], in calls of as many different `constructs`.
fn in_regions(count: u64, step: u64, constructs: u64) -> Vec<Vec<Record>> {
    let mut primary = vec![event(0, EventKind::ThreadBegin, INITIAL, 100, 0)];
    let mut worker = vec![event(step / 2, EventKind::ThreadBegin, WORKER, 101, 0)];
    for number in 1..=count {
        let (begin, code) = (number * 2 * step, CODE + 16 * (number % constructs));
        let end = begin + step;
        for (thread, events) in [&mut primary, &mut worker].into_iter().enumerate() {
            let arrival = if thread == 0 { end - step / 10 } else { begin + step / 2 };
            if thread == 0 {
                let forked = event(begin, EventKind::ParallelBegin, 0, number, code);
                events.push(Record { aux: 2, ..forked });
            }
            let task =
                event(begin + step / 100, EventKind::ImplicitBegin, 0, number, thread as u64);
            events.push(Record { aux: 2, ..task });
            if thread == 1 {
                events.push(event(
                    begin + step / 5,
                    EventKind::MutexAcquire,
                    CRITICAL,
                    77,
                    CODE + 1,
                ));
                events.push(event(
                    begin + step / 4,
                    EventKind::MutexAcquired,
                    CRITICAL,
                    77,
                    CODE + 1,
                ));
                events.push(event(
                    begin + step / 3,
                    EventKind::MutexReleased,
                    CRITICAL,
                    77,
                    CODE + 1,
                ));
            }
            events.push(event(arrival, EventKind::WaitBegin, JOIN, number, code));
            events.push(event(end - step / 20, EventKind::WaitEnd, JOIN, number, code));
            events.push(event(end - step / 20, EventKind::ImplicitEnd, 0, number, 0));
            if thread == 0 {
                events.push(event(end, EventKind::ParallelEnd, 0, number, code));
            }
        }
    }
    let end = (count + 1) * 2 * step;
    primary.push(event(end, EventKind::ThreadEnd, 0, 0, 0));
    worker.push(event(end, EventKind::ThreadEnd, 0, 0, 0));
    vec![primary, worker]
}

fn facts(end_tick: u64) -> Info {
    Info {
        arguments: vec!["./solver".to_owned(), "-n".to_owned(), "1000".to_owned()],
        executable: "/home/user/solver".to_owned(),
        hostname: "node7".to_owned(),
        runtime_version: "a runtime".to_owned(),
        allowed_cpus: 2,
        end_tick: Some(end_tick),
        ..Info::default()
    }
}

/// A file in which a process left nothing.
pub(crate) fn empty() -> Analysis {
    analysed(Info::default(), Vec::new(), |_| {})
}

/// Ten regions with a loop each, and samples.
pub(crate) fn busy() -> Analysis {
    let mut analysis = analysed(facts(220 * MS), two_threads(10, 10 * MS), |_| {});
    analysis.calls = samples();
    let loops = analysis.model.regions.iter().map(|region| Work {
        kind: LOOP_DYNAMIC,
        code: region.code,
        thread: 0,
        begin: region.begin.expect("it began") + MS,
        end: region.end.map(|end| end - 2 * MS),
        member: region.primary,
        iterations: 100,
        chunks: None,
    });
    analysis.model.works = loops.collect();
    analysis
}

fn samples() -> CallTree {
    let node = |caller, function: &str, own, total| CallNode {
        caller,
        function: function.to_owned(),
        line: Some(("/src/solver.c".to_owned(), 10)),
        module: Some("solver".to_owned()),
        region: function == "relax",
        library: false,
        python: false,
        own,
        total,
    };
    let nodes = vec![
        node(None, "main", 5, 100),
        node(Some(0), "relax", 60, 80),
        node(Some(0), "read_input", 15, 15),
        node(Some(1), "sqrt", 20, 20),
    ];
    CallTree { period_ns: MS, nodes, ..CallTree::default() }
}

/// A recording that was damaged, and stopped, and whose program was killed.
pub(crate) fn damaged() -> Analysis {
    let info = Info {
        end_tick: None,
        stopped: Some((100 * MS, "the disk is full".to_owned())),
        ..facts(0)
    };
    analysed(info, two_threads(10, 10 * MS), |profile| {
        profile.damage = vec![Damage { chunk: 7, what: DamageKind::Checksum }];
        profile.open_chunks = 2;
    })
}

/// Names that would act if they could.
pub(crate) fn hostile() -> Analysis {
    let attack = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    let quoted = "\" onmouseover=\"alert(1)' <b>\u{202e}gpj.exe\0\x1b[31m\u{fffd}".to_owned();
    let mut info = facts(220 * MS);
    info.arguments = vec![attack.to_owned(), quoted.clone()];
    info.environment = vec![(format!("OMP_{attack}"), quoted.clone())];
    info.hostname = attack.to_owned();
    info.processor = Some(attack.to_owned());
    info.runtime_version = quoted.clone();
    let mut analysis = analysed(info, two_threads(10, 10 * MS), |_| {});
    for place in &mut analysis.places {
        *place = Place {
            function: Some(attack.to_owned()),
            line: Some((format!("/src/{quoted}{attack}"), 7)),
            module: Some(attack.to_owned()),
            offset: place.offset,
            behind: None,
            body: None,
        };
    }
    analysis.calls = samples();
    analysis.calls.nodes[1].function = attack.to_owned();
    analysis
}

/// As many regions of 3 µs, 3 µs apart, on one thread.
pub(crate) fn long(regions: u32) -> Analysis {
    const STEP: u64 = 3_000;
    let mut analysis = busy();
    let mut model = Model { end: u64::from(regions) * 2 * STEP, ..Model::default() };
    let mut segments = Vec::new();
    for number in 0..regions {
        let begin = u64::from(number) * 2 * STEP;
        let (fork, join) = (begin + STEP, begin + 2 * STEP);
        segments.push(Segment { begin, end: fork, doing: Doing::Serial });
        segments.push(Segment { begin: fork, end: join, doing: Doing::Useful(Some(number)) });
        let member =
            Member { region: number, begin: fork, arrival: Some(join), release: None, nested: 0 };
        model.members.push(member);
        model.regions.push(Region {
            code: CODE,
            begin: Some(fork),
            end: Some(join),
            size: 1,
            primary: Some(number),
            members: vec![number],
            ..Region::default()
        });
    }
    model.threads.push(Thread {
        number: 0,
        tid: 100,
        initial: true,
        begin: 0,
        end: model.end,
        folded_from: None,
        segments,
        gaps: Vec::new(),
    });
    analysis.resolved = resolve(&model);
    analysis.model = model;
    analysis.summary.threads.truncate(1);
    analysis.summary.threads[0].by_class = analysis.resolved.threads[0];
    analysis
}

/// As many constructs, each called twice.
pub(crate) fn many(constructs: u64) -> Analysis {
    let calls = 2 * constructs;
    analysed(facts((calls + 1) * 2 * MS), in_regions(calls, MS, constructs), |_| {})
}

/// As [`busy`], but of the middle of the run only sums are known; and of a part of the first
/// thread's useful time it is only known that the thread waited for a lock.
pub(crate) fn with_sums() -> Analysis {
    let mut analysis = busy();
    let (from, to) = (90 * MS, 150 * MS);
    for thread in &mut analysis.model.threads {
        let parts = thread.segments.iter().flat_map(|segment| {
            let before = Segment { end: segment.end.min(from), ..*segment };
            let after = Segment { begin: segment.begin.max(to), ..*segment };
            [before, after]
        });
        thread.segments = parts.filter(|segment| segment.begin < segment.end).collect();
    }
    analysis.resolved = resolve(&analysis.model);
    let by_class = &mut analysis.summary.threads[0].by_class;
    by_class[Class::Useful as usize] -= 40 * MS;
    by_class[Class::Mutex as usize] += 40 * MS;
    analysis.summary.quality.folded = 4_711;
    analysis
}

/// A rank of MPI, with calls in the first region and outside of regions.
pub(crate) fn with_mpi() -> Analysis {
    let mut analysis = busy();
    let row = |function: &str, region, time_ns| MpiCalls {
        function: function.to_owned(),
        kind: MpiKind(Some(MpiClass::Collective)),
        region,
        calls: 12,
        time_ns,
        first_thread_ns: time_ns,
        longest_ns: 2 * MS,
        bytes: 4_096,
    };
    let region = analysis.summary.regions[0].site;
    analysis.summary.mpi = vec![row("MPI_Alltoallw", region, 9 * MS), row("MPI_<Bcast>", None, MS)];
    analysis
}

/// A function that calls itself.
pub(crate) fn recursive() -> Analysis {
    let mut analysis = busy();
    let node = |caller, function: &str, own, total| CallNode {
        caller,
        function: function.to_owned(),
        line: Some(("/src/fib.c".to_owned(), 10)),
        module: Some("fib".to_owned()),
        region: false,
        library: false,
        python: false,
        own,
        total,
    };
    let mut nodes = vec![node(None, "main", 0, 60)];
    nodes.extend((0..30_u32).map(|depth| node(Some(depth), "fib", 2, 60 - 2 * u64::from(depth))));
    analysis.calls = CallTree { period_ns: MS, nodes, ..CallTree::default() };
    analysis
}

/// As many threads, each in a region of its own, and names of `length` characters.
pub(crate) fn wide(threads: u64, length: usize) -> Analysis {
    let mut all = Vec::new();
    for thread in 0..threads {
        let (begin, code) = (thread * 1_000, CODE + thread);
        let forked = event(begin + 100, EventKind::ParallelBegin, 0, thread + 1, code);
        let task = event(begin + 200, EventKind::ImplicitBegin, 0, thread + 1, 0);
        all.push(vec![
            event(begin, EventKind::ThreadBegin, INITIAL, 100 + thread, 0),
            Record { aux: 1, ..forked },
            Record { aux: 1, ..task },
            event(begin + 900 * MS, EventKind::ImplicitEnd, 0, thread + 1, 0),
            event(begin + 901 * MS, EventKind::ParallelEnd, 0, thread + 1, code),
        ]);
    }
    let mut info = facts(2_000 * MS);
    info.arguments = vec!["<".repeat(length); 10];
    info.environment = vec![("OMP_X".to_owned(), "&".repeat(length)); 500];
    let mut analysis = analysed(info, all, |_| {});
    for place in &mut analysis.places {
        place.function = Some("<".repeat(length.min(5_000)));
    }
    analysis
}

/// As [`busy`], with memory that threads share, and a barrier that one thread never reaches.
pub(crate) fn sharing() -> Analysis {
    let mut analysis = busy();
    let region = analysis.summary.regions[0].site;
    let line = |number| Some(("/src/histogram_of_everything.c".to_owned(), number));
    let place = |number, writes| SharedPlace {
        function: "count<unsigned long>".to_owned(),
        line: line(number),
        writes,
    };
    let lines = |sharing, object| SharedLines {
        region,
        sharing,
        places: vec![place(23, true), place(31, false)],
        object,
        threads: 2,
        lines: 3,
        samples: 440,
        taken: 44,
        of: 1_000,
    };
    let summary = &mut analysis.summary;
    summary.shared_lines = vec![
        lines(LineSharing::Neighbours(8), MemoryObject::Variable("counts+16".to_owned())),
        lines(LineSharing::Variable, MemoryObject::Stack(1)),
    ];
    summary.atomics = vec![AtomicUpdate {
        region,
        function: "add".to_owned(),
        line: line(40),
        instruction: "lock xadd".to_owned(),
        samples: 250,
        of: 1_000,
    }];
    summary.spins = vec![SpinLoop {
        region,
        function: "wait_for".to_owned(),
        line: line(50),
        samples: 125,
        of: 1_000,
    }];
    summary.unreached = vec![Unreached {
        region,
        waiting: 3,
        time_ns: 7_250_000,
        ended: 1,
        ..Unreached::default()
    }];
    analysis
}

/// As [`busy`], of threads that lacked a processor for most of their time.
pub(crate) fn in_doubt() -> Analysis {
    let mut analysis = busy();
    let budget = &mut analysis.summary.budget;
    let useful = std::mem::take(&mut budget.by_class[Class::Useful as usize]);
    let idle = std::mem::take(&mut budget.by_class[Class::SerialIdle as usize]);
    budget.by_class[Class::Scheduler as usize] += useful + idle;
    analysis
}

/// As [`busy`], with counters of the processor and of the kernel.
pub(crate) fn counting() -> Analysis {
    let mut analysis = busy();
    let region = analysis.summary.regions[0].site;
    let total = |name: &str, refused: Option<&str>| CounterTotal {
        name: name.to_owned(),
        count: refused.is_none().then_some(7),
        refused: refused.map(str::to_owned),
    };
    let count = |counter: &str, count| PlaceCount {
        counter: counter.to_owned(),
        count,
        certain: count / 2,
    };
    let place = CountedPlace {
        region,
        activity: CountedActivity::Useful,
        time_ns: 500_000_000,
        readings: 75,
        mixed: 0.25,
        counts: vec![count("instructions", 4_000_000), count("<page-faults>", 1_234)],
        instructions_per_cycle: Some(0.4),
        cache_miss_rate: None,
        remote_part: None,
        bytes: Some(1 << 30),
        bytes_per_second: Some(18_000_000_000),
        bandwidth_part: Some(0.9),
        bandwidth_bound: true,
    };
    analysis.summary.counters = Some(Counters {
        totals: vec![
            total("instructions", None),
            total("<page-faults>", None),
            total("hitm", Some("no event of this processor is known for it")),
        ],
        running: Some(1.0),
        bandwidth: Some(20_000_000_000),
        bandwidth_threads: Some(4),
        places: vec![place],
        threads: Vec::new(),
    });
    analysis
}
