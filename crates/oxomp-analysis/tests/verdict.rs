//! The verdict on made-up summaries: the cause in a sentence, and as much of its place as is known.

use oxomp_analysis::report::Names;
use oxomp_analysis::summarize;
use oxomp_analysis::summary::{
    AtomicUpdate, Barrier, BarrierKind, Blocked, Cause, Class, CountedActivity, CountedPlace,
    Counters, Gain, HotCode, HotStretch, LineSharing, MemoryObject, Mutex, MutexKind, PlaceCount,
    Region, Sampled, SerialStretch, SharedLines, SiteId, SpinLoop, Summary, TaskConstruct, Tasking,
    Unreached, WorkKind,
};
use oxomp_analysis::symbols::Place;
use oxomp_analysis::verdict::{Verdict, verdict};
use oxomp_trace::Profile;

/// Two threads on two processors, whose time has `classes`, in parts of a thousand.
fn summary(classes: &[(Class, u64)]) -> Summary {
    let profile = Profile::default();
    let mut summary = summarize(&profile);
    for (class, part) in classes {
        summary.budget.by_class[*class as usize] = part * 2;
    }
    summary.budget.total_ns = summary.budget.by_class.iter().sum();
    summary.header.recorded_ns = 1000;
    (summary.header.threads, summary.header.max_team) = (2, 2);
    summary.header.allowed_cpus = 2;
    summary
}

/// Lines 10 to 19 of `bins.c`, and code without a line.
fn places() -> Vec<Place> {
    let place = |line: Option<u32>, function: Option<&str>| Place {
        function: function.map(str::to_owned),
        line: line.map(|line| ("/src/bins.c".to_owned(), line)),
        module: Some("bins".to_owned()),
        offset: 0x12,
        behind: None,
        body: None,
    };
    let mut places: Vec<Place> = (10..20).map(|line| place(Some(line), Some("count"))).collect();
    places.extend([place(None, Some("count")), place(None, None)]);
    places
}

fn at(line: u32) -> Option<SiteId> {
    Some(SiteId(line - 10))
}

fn of(summary: &Summary) -> Verdict {
    let places = places();
    verdict(summary, Names { places: &places })
}

fn mutex(site: Option<SiteId>, kind: MutexKind, wait_ns: u64) -> Mutex {
    Mutex {
        kind,
        site,
        locks: 1,
        acquisitions: 10,
        contended: 5,
        wait_ns,
        max_wait_ns: wait_ns,
        hold_ns: 10,
        max_hold_ns: 1,
        gain_ns: wait_ns / 2,
        ..Mutex::default()
    }
}

fn region(line: u32, gain: Gain) -> Region {
    Region {
        site: at(line),
        calls: 4_200,
        wall_ns: 900,
        team: (2, 2),
        useful_ns: 100,
        gain,
        ..Region::default()
    }
}

#[test]
fn waits_for_a_critical_are_told_of_it() {
    let mut summary = summary(&[(Class::Useful, 490), (Class::Mutex, 500), (Class::Barrier, 10)]);
    summary.mutexes =
        vec![mutex(at(15), MutexKind::Lock, 100), mutex(at(12), MutexKind::Critical, 900)];
    let found = of(&summary);
    assert_eq!(
        found.text,
        "For half of their time the threads wait for the critical at line 12 of bins.c."
    );
    assert_eq!((found.class, found.site, found.share), (Some(Class::Mutex), at(12), 0.5));
    summary.mutexes = vec![
        mutex(at(15), MutexKind::Lock, 340),
        mutex(at(12), MutexKind::Critical, 330),
        mutex(at(13), MutexKind::Critical, 330),
    ];
    assert_eq!(
        of(&summary).text,
        "For half of their time the threads wait for locks and criticals at 3 places, above all \
         for the lock that is taken at line 15 of bins.c."
    );
}

#[test]
fn a_place_without_a_line_is_named_as_far_as_it_is_known() {
    let mut summary = summary(&[(Class::Useful, 580), (Class::Mutex, 420)]);
    let begin = "For 42 % of their time the threads wait for";
    for (site, words) in [
        (Some(SiteId(10)), " the critical in count."),
        (Some(SiteId(11)), " the critical at bins+0x12."),
        (None, " the critical."),
    ] {
        summary.mutexes = vec![mutex(site, MutexKind::Critical, 900)];
        assert_eq!(of(&summary).text, format!("{begin}{words}"));
    }
    summary.mutexes.clear();
    assert_eq!(of(&summary).text, format!("{begin} locks and criticals."));
}

#[test]
fn imbalance_is_told_of_the_barrier_or_the_region() {
    let mut summary = summary(&[(Class::Useful, 660), (Class::Imbalance, 340)]);
    let gain = Gain { imbalance_ns: 340, ..Gain::default() };
    summary.regions = vec![region(11, gain)];
    assert_eq!(
        of(&summary).text,
        "For a third of their time the threads wait for the last one to be done in the region at \
         line 11 of bins.c."
    );
    summary.barriers = vec![Barrier {
        site: at(14),
        kind: BarrierKind::Workshare,
        region: at(11),
        passes: 10,
        ends: Some(WorkKind::LoopStatic),
        wait_ns: 600,
        imbalance_ns: 600,
        ..Barrier::default()
    }];
    let found = of(&summary);
    assert_eq!(
        found.text,
        "For a third of their time the threads wait for the last one at the end of the loop at \
         line 14 of bins.c."
    );
    assert_eq!(found.site, at(14));
}

#[test]
fn a_loss_in_many_regions_names_the_first_of_them() {
    let mut summary = summary(&[(Class::Useful, 750), (Class::ForkJoin, 250)]);
    let gain = Gain { fork_join_ns: 80, ..Gain::default() };
    summary.regions = (10..13).map(|line| region(line, gain)).collect();
    summary.regions[1].gain.fork_join_ns = 90;
    assert_eq!(
        of(&summary).text,
        "For a quarter of their time the threads start and end 3 regions, above all that at line 11 \
         of bins.c."
    );
    summary.regions[1].gain.fork_join_ns = 900;
    assert_eq!(
        of(&summary).text,
        "For a quarter of their time the threads start and end the region at line 11 of bins.c: \
         4 200 calls."
    );
}

#[test]
fn serial_code_is_named_by_its_surroundings_and_its_function() {
    let mut summary =
        summary(&[(Class::Useful, 100), (Class::Serial, 450), (Class::SerialIdle, 450)]);
    summary.serial = vec![SerialStretch {
        after: at(10),
        before: at(17),
        count: 3,
        total_ns: 900,
        max_ns: 300,
        gain_ns: 450,
        ..SerialStretch::default()
    }];
    let between = "For nine tenths of the run only one thread works between the regions at \
                   line 10 of bins.c and line 17 of bins.c";
    assert_eq!(of(&summary).text, format!("{between}."));
    let code = HotCode {
        function: "read_input".to_owned(),
        line: Some(("/src/read.c".to_owned(), 42)),
        samples: 80,
        serial: 80,
        ..HotCode::default()
    };
    summary.sampled = Some(Sampled {
        taken: 100,
        period_ns: 1,
        code: vec![code.clone()],
        stretches: vec![HotStretch {
            after: at(10),
            before: at(17),
            samples: 100,
            code: vec![code],
            ..HotStretch::default()
        }],
        ..Sampled::default()
    });
    let found = of(&summary);
    assert_eq!(found.text, format!("{between}, most of it in read_input (read.c:42)."));
    assert_eq!((found.class, found.site), (Some(Class::SerialIdle), at(10)));
}

#[test]
fn threads_that_share_processors_are_told_so() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::Scheduler, 500)]);
    let others = "other programs, or other threads of this one, run on them.";
    let begin = "For half of their time the threads lack a processor:";
    assert_eq!(of(&summary).text, format!("{begin} {others}"));
    assert_eq!(of(&summary).beside, None);
    summary.budget.by_class[Class::Useful as usize] = 400;
    summary.budget.by_class[Class::Mutex as usize] = 600;
    summary.mutexes = vec![mutex(at(12), MutexKind::Critical, 600)];
    let beside = "For 30 % of their time they wait for the critical at line 12 of bins.c.";
    assert_eq!(of(&summary).beside.as_deref(), Some(beside));
    assert_eq!(of(&summary).sentences(), format!("{begin} {others} {beside}"));
    (summary.header.threads, summary.header.max_team) = (8, 8);
    assert_eq!(of(&summary).text, format!("{begin} 8 threads share 2 CPUs."));
}

#[test]
fn without_a_loss_the_work_is_named() {
    let mut summary = summary(&[(Class::Useful, 980), (Class::Imbalance, 20)]);
    summary.regions = vec![region(10, Gain::default())];
    let found = of(&summary);
    assert_eq!(found.text, "The threads work for almost all of their time.");
    assert_eq!((found.class, found.share), (None, 0.98));
    summary.regions[0].useful_ns = 2 * 980;
    summary.shared_lines = vec![SharedLines {
        region: at(10),
        sharing: LineSharing::Variable,
        object: MemoryObject::Unknown,
        threads: 2,
        lines: 1,
        samples: 40,
        taken: 40,
        of: 100,
        ..SharedLines::default()
    }];
    let shared = "The threads work for almost all of their time, and 40 % of it at cache \
                  lines that they share.";
    assert_eq!(of(&summary).text, shared);
    summary.shared_lines.clear();
    summary.regions.clear();
    assert!(of(&summary).text.starts_with("No parallel region was recorded"));
    let nothing = self::summary(&[]);
    assert_eq!(of(&nothing).text, "Nothing was recorded.");
}

/// What was counted in a second of two threads in the region at line 10.
fn counted(ipc: f64, lines: u64, of_limit: f64) -> Counters {
    let place = CountedPlace {
        region: at(10),
        activity: CountedActivity::Useful,
        time_ns: 2_000_000_000,
        readings: 100,
        mixed: 0.0,
        counts: vec![PlaceCount { counter: "memory-lines".to_owned(), count: lines, certain: 0 }],
        instructions_per_cycle: Some(ipc),
        cache_miss_rate: None,
        remote_part: None,
        bytes: Some(lines * 64),
        bytes_per_second: Some(lines * 64),
        bandwidth_part: Some(of_limit),
        bandwidth_bound: of_limit >= 0.7,
    };
    Counters { places: vec![place], ..Counters::default() }
}

#[test]
fn work_that_waits_for_memory_is_told_so() {
    let mut summary = summary(&[(Class::Useful, 980), (Class::Imbalance, 20)]);
    summary.regions = vec![region(10, Gain::default())];
    summary.regions[0].useful_ns = 2 * 980;
    let begin = "The threads work for almost all of their time, and almost all of it";
    summary.counters = Some(counted(0.5, 100_000_000, 0.9));
    let found = of(&summary);
    let limit = "at the limit of memory's bandwidth at line 10 of bins.c.";
    assert_eq!((found.text, found.site), (format!("{begin} {limit}"), at(10)));
    summary.counters = Some(counted(0.1, 20_000_000, 0.1));
    let lines = "waiting for single cache lines of memory at line 10 of bins.c.";
    assert_eq!(of(&summary).text, format!("{begin} {lines}"));
    summary.counters = Some(counted(2.0, 20_000_000, 0.1));
    assert_eq!(of(&summary).text, "The threads work for almost all of their time.");
}

#[test]
fn threads_that_meet_in_memory_are_told_so_before_smaller_losses() {
    let mut summary = summary(&[(Class::Useful, 800), (Class::Mutex, 200)]);
    summary.mutexes = vec![mutex(at(12), MutexKind::Critical, 200)];
    summary.regions = vec![region(10, Gain { mutex_ns: 200, ..Gain::default() })];
    summary.regions[0].useful_ns = 2 * 800;
    let line = Some(("/src/flag.c".to_owned(), 23));
    let function = "wait".to_owned();
    let mut spin = SpinLoop { region: at(10), function, line, samples: 50, of: 80 };
    summary.spins = vec![spin.clone()];
    let critical = "For a fifth of their time they wait for the critical at line 12 of bins.c.";
    let found = of(&summary);
    let text = "For half of their time the threads wait in a loop at line 23 of flag.c for \
                another thread to change a variable.";
    assert_eq!((found.text.as_str(), found.beside.as_deref()), (text, Some(critical)));
    assert_eq!((found.class, found.site), (None, at(10)));
    summary.atomics = vec![AtomicUpdate {
        region: at(10),
        function: "add".to_owned(),
        line: spin.line.clone(),
        instruction: "lock xadd".to_owned(),
        samples: 80,
        of: 80,
    }];
    let text = "The threads work for 80 % of their time, and almost all of it at the atomic \
                update at line 23 of flag.c.";
    assert_eq!(of(&summary).text, text);
    // A larger loss comes first.
    summary.atomics.clear();
    spin.samples = 10;
    summary.spins = vec![spin];
    assert_eq!(of(&summary).class, Some(Class::Mutex));
}

#[test]
fn threads_that_no_team_has_are_told_beside_which_they_idle() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::SpareIdle, 500)]);
    let begin = "For half of their time the threads have nothing to do beside";
    assert_eq!(of(&summary).text, format!("{begin} a team that is smaller."));
    summary.regions = vec![region(12, Gain::default()), region(13, Gain::default())];
    summary.regions[1].team = (1, 1);
    let found = of(&summary);
    assert_eq!(found.text, format!("{begin} the smaller team of 1 thread at line 13 of bins.c."));
    assert_eq!(found.site, at(13));
}

#[test]
fn what_threads_wait_for_in_the_system_is_named() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::Blocked, 500)]);
    summary.regions = vec![region(11, Gain { blocked_ns: 500, ..Gain::default() })];
    let begin = "For half of their time the threads wait in";
    let text = format!("{begin} the system in the region at line 11 of bins.c.");
    assert_eq!(of(&summary).text, text);
    summary.blocked = vec![Blocked {
        region: at(11),
        cause: Cause::Sleep,
        function: "usleep".to_owned(),
        line: Some(("/src/bins.c".to_owned(), 13)),
        samples: 9,
        time_ns: 1000,
        ..Blocked::default()
    }];
    assert_eq!(of(&summary).text, format!("{begin} usleep at line 13 of bins.c (sleep)."));
    // Turns in a reduction are the runtime's waits.
    summary.budget.by_class[Class::Blocked as usize] = 0;
    summary.budget.by_class[Class::Mutex as usize] = 1000;
    summary.blocked[0].cause = Cause::Reduction;
    let begin = "For half of their time the threads wait for";
    let text = format!("{begin} their turns to combine the reduction at line 13 of bins.c.");
    assert_eq!(of(&summary).text, text);
}

#[test]
fn a_barrier_that_not_all_reach_is_told_as_such() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::Imbalance, 500)]);
    let mut one = Unreached { site: at(14), region: at(11), waiting: 1, time_ns: 1000, ended: 1 };
    summary.unreached = vec![one.clone()];
    let begin = "For half of their time the threads wait at";
    assert_eq!(
        of(&summary).text,
        format!(
            "{begin} the barrier at line 14 of bins.c, which 1 thread of the team never reached, \
             having ended before."
        )
    );
    (one.site, one.ended) = (None, 0);
    summary.unreached = vec![one];
    assert_eq!(
        of(&summary).text,
        format!(
            "{begin} the end of the region at line 11 of bins.c, which others of the team had not \
             reached when the program ended."
        )
    );
}

#[test]
fn events_of_detached_tasks_are_told_as_such() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::Starved, 500)]);
    summary.regions = vec![region(11, Gain { starved_ns: 500, ..Gain::default() })];
    let begin = "For half of their time the threads";
    let text = format!("{begin} find no task that is ready in the region at line 11 of bins.c.");
    assert_eq!(of(&summary).text, text);
    summary.tasks = vec![TaskConstruct {
        site: at(12),
        region: at(11),
        count: 3,
        by_thread: vec![(0, 3)],
        time_ns: 30,
        longest_ns: 10,
        depth: 1,
        waits_ns: 100,
        detached: 2,
        ..TaskConstruct::default()
    }];
    let text = "wait for the events of 2 tasks at line 12 of bins.c, whose code is over (detach).";
    assert_eq!(of(&summary).text, format!("{begin} {text}"));
    // They wait for tasks that run.
    summary.regions[0].tasking = Some(Tasking {
        instances: 1,
        tasks: 3,
        work_ns: 30,
        span_ns: 500,
        longest_ns: 10,
        waits_ns: 1000,
        parallelism: [0.1; 10],
        ..Tasking::default()
    });
    assert_eq!(of(&summary).text, format!("{begin} {text}"));
    summary.tasks[0].waits_ns = 900;
    assert!(of(&summary).text.contains("find no task"), "{}", of(&summary).text);
}

#[test]
fn tests_of_a_lock_that_fail_are_told_as_spinning() {
    let mut summary = summary(&[(Class::Useful, 500), (Class::Mutex, 500)]);
    let lock =
        Mutex { failed: 9, tested_ns: 900, spin_ns: 900, ..mutex(at(15), MutexKind::Lock, 100) };
    summary.mutexes = vec![lock];
    let begin = "For half of their time the threads";
    let text = format!("{begin} spin on omp_test_lock at line 15 of bins.c.");
    assert_eq!(of(&summary).text, text);
}
