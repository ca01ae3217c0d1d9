//! Archives of several processes.

use std::fs;

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{Brief, Job, JobEvents, JobTimeline, RankEvents};
use oxomp_export::{Extent, otf2};
use oxomp_trace::{MpiEvent, MpiRole, MpiWorld, Rank};

use super::can_read;
use super::printed::{Archive, Event};
use crate::PRODUCER;
use crate::recordings::Recording;

/// A process begins so long after the first one.
const LATER_NS: u64 = 5_000_000;

/// The analysis of the recording as that of a rank of two, which began `LATER_NS` after the one
/// before it.
fn rank(recording: &Recording, number: u32) -> Analysis {
    let mut analysis = recording.analysis();
    let rank = Rank { number, size: Some(2), job: "a".to_owned() };
    analysis.profile.info.rank = Some(rank);
    analysis.profile.info.age_ns = 0;
    analysis.profile.header.start_monotonic_ns = 1_000_000_000 + u64::from(number) * LATER_NS;
    analysis
}

/// What the ranks exchange: a message from rank 0 to rank 1, and a broadcast. Times are those of
/// the job.
fn events(number: u32) -> RankEvents {
    let event = |role, instance, span: (u64, u64), function, peer| MpiEvent {
        begin_ns: 1_000_000_000 + span.0,
        end_ns: 1_000_000_000 + span.1,
        instance,
        code: 0,
        peer,
        members: 2,
        function,
        role,
        thinning: 0,
        blocking: true,
        on_main_thread: number == 0,
    };
    // Long before the regions of the programs.
    let message = match number {
        0 => event(MpiRole::Send, 1 << 8, (5_010_000, 5_020_000), 1, 1),
        _ => event(MpiRole::Receive, 1 << 8, (5_005_000, 5_030_000), 2, 0),
    };
    let broadcast = event(MpiRole::FromRoot, 2 << 8, (5_040_000, 5_050_000), 3, 0);
    let alone = event(MpiRole::Send, 3 << 8, (5_060_000, 5_070_000), 1, 1 - number);
    let names = [(1, "MPI_Send"), (2, "MPI_Recv"), (3, "MPI_Bcast")];
    RankEvents {
        world: MpiWorld { rank: number, size: 2, left_out: 0 },
        hostname: "node".to_owned(),
        since_1970_ns: 0,
        events: vec![message, broadcast, alone],
        functions: names.map(|(number, name)| (number, name.to_owned())).into(),
        regions: [].into(),
    }
}

/// The archive of two ranks of the program, as it is read.
fn archive(recording: &Recording, extent: Extent) -> (Archive, [Analysis; 2]) {
    let analyses = [rank(recording, 0), rank(recording, 1)];
    let mut all = JobEvents::default();
    let briefs = analyses.iter().zip(0..).map(|(analysis, number)| {
        let hostname = "node".to_owned();
        Brief { events: Some(all.add(events(number))), hostname, ..Brief::new(analysis) }
    });
    let job = Job::new(briefs.collect());
    let timeline = JobTimeline::of(&job, &all.together(), extent.window);
    assert_eq!(timeline.starts_ns, [0, LATER_NS]);
    let folder = recording.folder.path().join("job");
    fs::create_dir_all(folder.join(otf2::LOCATIONS)).unwrap();
    let mut make = |name: &str, content: &mut otf2::Content<'_>| {
        content(&mut fs::File::create(folder.join(name))?)
    };
    let mut archive = otf2::JobArchive::new(&timeline, extent, &mut make);
    for analysis in &analyses {
        archive.add(analysis).unwrap();
    }
    archive.finish(PRODUCER, "the job").unwrap();
    let archive = Archive::read(&folder.join(otf2::ANCHOR));
    archive.check_events();
    (archive, analyses)
}

#[test]
fn the_processes_of_a_job_are_groups_on_one_line_of_time() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let (archive, analyses) = archive(&recording, Extent::default());
    let pid = analyses[0].summary.header.pid;
    let groups = [0, 1].map(|rank| format!("rank {rank} (process {pid})"));
    assert_eq!(archive.groups, groups);
    let threads = analyses[0].model.threads.len() as u64;
    // The calls of the second rank were not on its main thread.
    assert_eq!(archive.locations.len() as u64, 2 * threads + 1);
    for (number, location) in &archive.locations {
        assert_eq!(location.group, u64::from(*number >= threads), "{number}");
    }
    let wall = analyses[0].summary.header.wall_ns;
    assert_eq!(archive.clock, (1_000_000_000, 0, wall + LATER_NS));
    // What the ranks did, they did at the same times, one later than the other.
    let forks = |location: u64| -> Vec<u64> {
        let events = archive.events.iter();
        let own =
            events.filter(|event| (event.location, &*event.kind) == (location, "THREAD_FORK"));
        own.map(|event| event.time).collect()
    };
    let later: Vec<u64> = forks(0).iter().map(|time| time + LATER_NS).collect();
    assert!(!later.is_empty());
    assert_eq!(forks(threads), later);
    // Regions of one place are one, teams of different processes are different ones.
    let count =
        |name: &str| archive.regions.values().filter(|it| it.name.starts_with(name)).count();
    assert_eq!(count("parallel"), analyses[0].summary.regions.len());
    let teams = archive.communicators.iter().filter(|name| name.starts_with("team of"));
    let teams = teams.count();
    assert_eq!((teams % 2, teams + 1), (0, archive.communicators.len()));
}

#[test]
fn messages_and_collective_operations_name_their_ranks() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let (archive, analyses) = archive(&recording, Extent::default());
    let threads = analyses[0].model.threads.len() as u64;
    let last = 2 * threads;
    let of = |kind: &'static str| -> Vec<&Event> {
        archive.events.iter().filter(|event| event.kind == kind).collect()
    };
    assert_eq!(archive.communicators[0], "MPI_COMM_WORLD");
    // That without its other end is not there.
    let ([sent], [received]) = (&of("MPI_SEND")[..], &of("MPI_RECV")[..]) else {
        panic!("{:?}", archive.events)
    };
    assert_eq!((sent.location, sent.time), (0, 5_010_000));
    assert_eq!((received.location, received.time), (last, 5_030_000));
    assert!(sent.values.starts_with("Receiver: 1 "), "{sent:?}");
    assert!(received.values.starts_with("Sender: 0 "), "{received:?}");
    assert_eq!(sent.value("Tag"), received.value("Tag"));
    let ends = of("MPI_COLLECTIVE_END");
    let places: Vec<_> = ends.iter().map(|end| (end.location, end.time)).collect();
    assert_eq!(places, [(0, 5_050_000), (last, 5_050_000)]);
    for end in ends {
        assert!(end.values.starts_with("Operation: BCAST, Communicator: \"MPI_COMM_WORLD\""));
        assert!(end.values.contains("Root: 0 "), "{end:?}");
    }
    let roles = ["MPI_Send", "MPI_Recv", "MPI_Bcast"].map(|name| {
        let region = archive.regions.values().find(|region| region.name == name);
        region.map(|region| region.role.as_str())
    });
    assert_eq!(roles, ["POINT2POINT", "POINT2POINT", "COLL_ONE2ALL"].map(Some));
}

#[test]
fn a_window_of_a_job_has_what_all_processes_did_then() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/imbalance.c") else { return };
    let window = (5_035_000, 6_000_000);
    let (archive, _) = archive(&recording, Extent { window, ..Extent::default() });
    assert_eq!(archive.clock, (1_000_000_000, window.0, window.1 - window.0));
    assert!(archive.events.iter().all(|event| (window.0..=window.1).contains(&event.time)));
    let of = |kind: &str| archive.events.iter().filter(|event| event.kind == kind).count();
    assert_eq!((of("MPI_SEND"), of("MPI_RECV"), of("MPI_COLLECTIVE_END")), (0, 0, 2));
}
