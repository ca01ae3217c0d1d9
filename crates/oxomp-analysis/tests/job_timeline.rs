//! The processes of a job on one line of time.

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{Brief, Exchange, Job, JobEvents, JobTimeline, RankEvents};
use oxomp_analysis::symbols::Symbols;
use oxomp_trace::{MpiEvent, MpiRole, MpiWorld, Profile, Rank};

const MS: u64 = 1_000_000;
const ALL: (u64, u64) = (0, u64::MAX);

/// A process: its rank, its machine, and when it began, ms on that machine's clock.
#[derive(Clone, Copy)]
struct Process(Option<u32>, &'static str, u64);

/// A call from `begin` to `end` ms of the machine's clock.
fn event(role: MpiRole, instance: u64, [begin, end]: [u64; 2], peer: u32) -> MpiEvent {
    MpiEvent {
        begin_ns: begin * MS,
        end_ns: end * MS,
        instance: instance << 8,
        code: 0,
        peer,
        members: 2,
        function: 1,
        role,
        thinning: 0,
        blocking: true,
        on_main_thread: true,
    }
}

/// The timeline of processes that ran for a second each, and the events of those with a rank.
fn timeline(processes: &[(Process, Vec<MpiEvent>)], window: (u64, u64)) -> JobTimeline {
    let mut events = JobEvents::default();
    let analysis = Analysis::new(Profile::default(), &mut Symbols::default());
    let size = processes.iter().filter(|(process, _)| process.0.is_some()).count() as u32;
    let mut briefs = Vec::new();
    for (Process(rank, hostname, begin), own) in processes {
        let mut brief = Brief::new(&analysis);
        brief.hostname = (*hostname).to_owned();
        brief.wall_ns = 1000 * MS;
        brief.started_monotonic_ns = begin * MS;
        // The second machine has run for 500 ms less.
        let since_1970 = if *hostname == "b" { 7500 } else { 7000 };
        brief.started_unix_ns = (since_1970 + begin) * MS;
        let job = "a".to_owned();
        brief.rank = rank.map(|number| Rank { number, size: Some(size), job });
        brief.events = rank.map(|rank| {
            events.add(RankEvents {
                world: MpiWorld { rank, size, left_out: 0 },
                hostname: (*hostname).to_owned(),
                since_1970_ns: i128::from(since_1970 * MS),
                events: own.clone(),
                functions: [(1, "MPI_Any".to_owned())].into(),
                regions: [].into(),
            })
        });
        briefs.push(brief);
    }
    JobTimeline::of(&Job::new(briefs), &events.together(), window)
}

#[test]
fn processes_of_one_machine_are_told_by_their_common_clock() {
    let children = [(Process(None, "a", 300), vec![]), (Process(None, "a", 100), vec![])];
    let found = timeline(&children, ALL);
    // They are in the order of their starts.
    assert_eq!(found.starts_ns, [0, 200 * MS]);
    assert_eq!((found.started_unix_ns, found.wall_ns), (7100 * MS, 1200 * MS));
    assert_eq!((found.clock_error_ns, found.communicators.len()), (Some(0), 0));
    assert_eq!(found.parts(0).count(), 0);
}

#[test]
fn machines_are_put_together_by_operations_or_else_by_the_time_of_day() {
    let barrier = |span| event(MpiRole::AllToAll, 1, span, 0);
    // Rank 1's clock is behind by 480 to 520 ms.
    let ranks = |events: [Vec<MpiEvent>; 2]| {
        let [first, second] = events;
        [(Process(Some(0), "a", 1000), first), (Process(Some(1), "b", 550), second)]
    };
    let told = ranks([vec![barrier([1100, 1120])], vec![barrier([600, 620])]]);
    let found = timeline(&told, ALL);
    assert_eq!((&found.starts_ns[..], found.clock_error_ns), (&[0, 50 * MS][..], Some(20 * MS)));
    let part = found.parts(1).next().expect("the barrier");
    assert_eq!((part.begin_ns, part.end_ns), (50 * MS, 70 * MS), "since the process began");
    let found = timeline(&ranks([vec![], vec![]]), ALL);
    assert_eq!((&found.starts_ns[..], found.clock_error_ns), (&[0, 50 * MS][..], None));
}

#[test]
fn messages_have_both_ends_and_operations_all_members() {
    let (send, receive) = (MpiRole::Send, MpiRole::Receive);
    let first = vec![
        event(send, 1, [1010, 1020], 1),
        event(send, 2, [1030, 1040], 1),
        event(MpiRole::FromRoot, 3, [1050, 1060], 2),
        event(MpiRole::FromRoot, 4, [1070, 1080], 0),
    ];
    // The message is waited for by one call and received by the next.
    let second = vec![event(receive, 1, [1000, 1015], 0), event(receive, 1, [1016, 1021], 0)];
    let third = vec![event(MpiRole::FromRoot, 3, [1055, 1065], 2)];
    let ranks = [
        (Process(Some(0), "a", 1000), first),
        (Process(Some(1), "a", 1000), second),
        (Process(Some(2), "a", 1000), third),
        (Process(None, "a", 1000), vec![]),
    ];
    let found = timeline(&ranks, ALL);
    // The process without a rank comes first.
    assert_eq!(found.communicators, [vec![1, 2, 3], vec![1, 3]]);
    let of = |process| found.parts(process).map(|part| part.what).collect::<Vec<_>>();
    let broadcast = Exchange::Collective { communicator: 1, root: Some(1) };
    assert_eq!(of(0), []);
    assert_eq!(of(1), [Exchange::Send { message: 0, to: 1 }, broadcast]);
    assert_eq!(of(2), [Exchange::Receive { message: 0, from: 0 }]);
    assert_eq!(of(3), [broadcast]);
    assert_eq!(found.parts(2).next().map(|part| part.end_ns), Some(21 * MS));
    // What is in the window in part has an end outside of it.
    let found = timeline(&ranks, (18 * MS, 70 * MS));
    let of = |process| found.parts(process).map(|part| part.what).collect::<Vec<_>>();
    assert_eq!((of(1), of(2).len()), (vec![broadcast], 0));
}
