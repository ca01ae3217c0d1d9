//! Waits for other ranks, from events whose times are known.

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{
    Brief, Job, JobEvents, MpiShare, MpiSums, MpiTimes, MpiWaits, RankEvents, WaitCause,
};
use oxomp_analysis::report::{JobNotes, Style, render_job};
use oxomp_analysis::summary::MpiKind;
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_trace::{MpiClass, MpiEvent, MpiRole, MpiWorld, Profile, Rank};

const MS: u64 = 1_000_000;
/// Numbers of functions.
const RECEIVE: u8 = 1;
const SEND: u8 = 2;
const COLLECTIVE: u8 = 3;

/// A call from `begin` to `end` ms.
fn event(role: MpiRole, instance: u64, [begin, end]: [u64; 2]) -> MpiEvent {
    MpiEvent {
        begin_ns: begin * MS,
        end_ns: end * MS,
        instance: instance << 8,
        code: 0,
        peer: 0,
        members: 2,
        function: match role {
            MpiRole::Send => SEND,
            MpiRole::Receive => RECEIVE,
            _ => COLLECTIVE,
        },
        role,
        thinning: 0,
        blocking: true,
        on_main_thread: true,
    }
}

/// What each rank did, on the machine of that name.
fn rank(number: u32, size: u32, hostname: &str, events: Vec<MpiEvent>) -> RankEvents {
    let names = [(RECEIVE, "MPI_Recv"), (SEND, "MPI_Send"), (COLLECTIVE, "MPI_Reduce")];
    let place = Place {
        function: Some("exchange".to_owned()),
        line: Some(("/src/job.c".to_owned(), 7)),
        module: Some("job".to_owned()),
        offset: 0x1000 + u64::from(number),
        behind: None,
        body: None,
    };
    RankEvents {
        world: MpiWorld { rank: number, size, left_out: 0 },
        hostname: hostname.to_owned(),
        since_1970_ns: 0,
        events,
        functions: names.map(|(number, name)| (number, name.to_owned())).into(),
        regions: [(0x4000, place)].into(),
    }
}

/// A second's recording of a rank, of which `mpi_ms` are in MPI's calls on the first thread.
fn brief(number: u32, size: u32, mpi_ms: u64, events: u32) -> Brief {
    let analysis = Analysis::new(Profile::default(), &mut Symbols::default());
    let sums = MpiSums {
        kind: MpiKind(Some(MpiClass::Collective)),
        calls: 1,
        time_ns: mpi_ms * MS,
        first_thread_ns: mpi_ms * MS,
        longest_ns: mpi_ms * MS,
        bytes: 0,
    };
    let by_function = [("MPI_Recv".to_owned(), sums)].into();
    let times = MpiTimes { outside_ns: mpi_ms * MS, inside_ns: 0, by_function };
    let mut brief = Brief::new(&analysis);
    brief.rank = Some(Rank { number, size: Some(size), job: "a".to_owned() });
    (brief.wall_ns, brief.recorded_ns) = (1000 * MS, 1000 * MS);
    brief.mpi = Some(MpiShare { ns: mpi_ms * MS, timed: Some(times), ..MpiShare::default() });
    brief.mpi_is_timed = true;
    (brief.useful.sum_ns, brief.useful.max_ns) = (500 * MS, 500 * MS);
    brief.events = Some(events);
    brief
}

/// The job of these ranks, which were read in the opposite order.
fn job(ranks: Vec<RankEvents>, mpi_ms: &[u64]) -> Job {
    let size = ranks.len() as u32;
    let mut events = JobEvents::default();
    let mut briefs = Vec::new();
    for rank in ranks.into_iter().rev() {
        let number = rank.world.rank;
        let added = events.add(rank);
        briefs.push(brief(number, size, mpi_ms.get(number as usize).copied().unwrap_or(0), added));
    }
    let mut job = Job::new(briefs);
    job.find_waits(&events.together());
    job
}

/// A row: function, cause, calls, wait of all and the longest one in ms, who waits, who is late.
type Row = (String, WaitCause, u64, u64, u64, usize, usize);

/// The waits of ranks on one machine.
fn waits(ranks: Vec<Vec<MpiEvent>>) -> (Vec<Row>, MpiWaits) {
    let size = ranks.len() as u32;
    let ranks = ranks.into_iter().zip(0..);
    let ranks = ranks.map(|(events, number)| rank(number, size, "node", events)).collect();
    let waits = job(ranks, &[]).waits.expect("events");
    let rows = waits.rows.iter().map(|row| {
        let (all, longest) = (row.wait_ns / MS, row.longest_ns / MS);
        (row.function.clone(), row.cause, row.calls, all, longest, row.waiting, row.late)
    });
    (rows.collect(), waits.clone())
}

#[test]
fn a_receiver_waits_until_the_message_is_sent() {
    let sends = vec![event(MpiRole::Send, 1, [50, 60]), event(MpiRole::Send, 2, [100, 101])];
    let receives =
        vec![event(MpiRole::Receive, 1, [10, 65]), event(MpiRole::Receive, 2, [150, 151])];
    let (rows, all) = waits(vec![sends, receives]);
    assert_eq!(rows, [("MPI_Recv".to_owned(), WaitCause::LateSender, 1, 40, 40, 1, 0)]);
    assert_eq!((all.matched, all.unmatched), (2, 0));
    assert_eq!(all.by_process_ns, [0, 40 * MS]);
}

#[test]
fn a_sender_waits_only_if_its_message_cannot_go() {
    let long = event(MpiRole::Send, 1, [10, 60]);
    let short = event(MpiRole::Send, 2, [70, 71]);
    // One that another call waits for.
    let begun = MpiEvent { blocking: false, ..event(MpiRole::Send, 3, [80, 99]) };
    let receives = [(1, [50, 61]), (2, [90, 91]), (3, [95, 96])];
    let receives = receives.map(|(instance, times)| event(MpiRole::Receive, instance, times));
    let (rows, _) = waits(vec![vec![long, short, begun], receives.to_vec()]);
    assert_eq!(rows, [("MPI_Send".to_owned(), WaitCause::LateReceiver, 1, 40, 40, 0, 1)]);
}

#[test]
fn a_call_for_several_messages_waits_for_the_last() {
    let waitall =
        |instance| MpiEvent { blocking: false, ..event(MpiRole::Receive, instance, [10, 90]) };
    let sends = |instance, begin| vec![event(MpiRole::Send, instance, [begin, begin + 1])];
    let (rows, _) = waits(vec![sends(1, 30), vec![waitall(1), waitall(2)], sends(2, 70)]);
    assert_eq!(rows, [("MPI_Recv".to_owned(), WaitCause::LateSender, 1, 60, 60, 1, 2)]);
}

#[test]
fn collective_calls_wait_for_whom_they_need() {
    // The root is rank 1; rank 2 is the last.
    let begins = [10, 40, 100];
    let all = |role| {
        let one = |begin| vec![MpiEvent { peer: 1, members: 3, ..event(role, 5, [begin, 120]) }];
        waits(begins.map(one).to_vec()).0
    };
    let row = |cause, calls, all, longest, waiting, late| {
        vec![("MPI_Reduce".to_owned(), cause, calls, all, longest, waiting, late)]
    };
    assert_eq!(all(MpiRole::AllToAll), row(WaitCause::LateMember, 2, 90 + 60, 90, 0, 2));
    assert_eq!(all(MpiRole::FromRoot), row(WaitCause::LateRoot, 1, 30, 30, 0, 1));
    assert_eq!(all(MpiRole::ToRoot), row(WaitCause::LateMember, 1, 60, 60, 1, 2));
}

#[test]
fn nothing_is_said_where_a_part_is_missing_or_impossible() {
    let member = |begin| MpiEvent { members: 3, ..event(MpiRole::AllToAll, 5, [begin, 90]) };
    // A receive that had ended before the send began is of another message.
    let sent = event(MpiRole::Send, 6, [50, 51]);
    let received = event(MpiRole::Receive, 6, [10, 20]);
    let lone = event(MpiRole::Receive, 7, [10, 20]);
    // Nobody waited for this one.
    let unreceived = event(MpiRole::Send, 8, [10, 20]);
    let zero = vec![member(10), sent, unreceived];
    let (rows, all) = waits(vec![zero, vec![member(80), received, lone], vec![]]);
    assert_eq!((rows, all.matched, all.unmatched), (vec![], 0, 3));
    assert!(!all.are_most_known());
}

#[test]
fn events_stand_for_those_that_were_left_out() {
    let thinned = |one: MpiEvent, thinning| MpiEvent { thinning, ..one };
    let sent = thinned(event(MpiRole::Send, 1, [50, 51]), 1);
    let received = thinned(event(MpiRole::Receive, 1, [10, 52]), 3);
    // With an odd level the other end has left it out.
    let lone = thinned(event(MpiRole::Receive, 1, [10, 52]), 0);
    let lone = MpiEvent { instance: 5, ..lone };
    let (rows, all) = waits(vec![vec![sent], vec![received, lone]]);
    assert_eq!(rows, [("MPI_Recv".to_owned(), WaitCause::LateSender, 8, 320, 40, 1, 0)]);
    assert_eq!((all.estimated, all.unmatched), (true, 0));
}

#[test]
fn clocks_of_machines_are_bounded_by_what_cannot_be() {
    // The second machine's clock is 5 s ahead. Of two barriers the first bounds it by 1 ms.
    let ahead = 5000;
    let barriers = |begins: [u64; 2], ends: [u64; 2], ahead: u64| {
        let one = |at: usize| {
            let times = [begins[at] + ahead, ends[at] + ahead];
            event(MpiRole::AllToAll, at as u64 + 1, times)
        };
        vec![one(0), one(1)]
    };
    let zero = rank(0, 2, "a", barriers([10, 100], [41, 141], 0));
    let one = rank(1, 2, "b", barriers([40, 140], [41, 150], ahead));
    let waits = job(vec![zero, one], &[]).waits.expect("events");
    assert_eq!(waits.machines, 2);
    // Rank 1 is 5 s ahead by at least 4999 and at most 5031 ms by the first barrier: its end there
    // is not before rank 0's begin, and the other way round; the second one bounds no better.
    let error = waits.clock_error_ns.expect("barriers");
    assert_eq!(error, 16 * MS);
    let said = format!("{:?}", waits.rows);
    assert_eq!(waits.rows.len(), 1, "{said}");
    // 30 + 40 ms, and the error of both at most.
    assert!((70 * MS).abs_diff(waits.rows[0].wait_ns) <= 2 * error, "{said}");
}

#[test]
fn without_a_bound_the_time_of_day_serves() {
    let mut zero = rank(0, 2, "a", vec![event(MpiRole::Send, 1, [50, 51])]);
    let mut one = rank(1, 2, "b", vec![event(MpiRole::Receive, 1, [1010, 1052])]);
    (zero.since_1970_ns, one.since_1970_ns) = (i128::from(7000 * MS), i128::from(6000 * MS));
    let waits = job(vec![zero, one], &[]).waits.expect("events");
    assert_eq!(waits.clock_error_ns, None);
    assert_eq!(waits.rows[0].wait_ns, 40 * MS);
}

#[test]
fn communication_is_split_by_the_waits() {
    // Outside MPI 700 and 500 ms of a second; rank 1 waits for 100 of its 500 ms in MPI.
    let sends = vec![event(MpiRole::Send, 1, [150, 151])];
    let receive = MpiEvent { code: 0x4000, ..event(MpiRole::Receive, 1, [50, 400]) };
    let ranks = vec![rank(0, 2, "node", sends), rank(1, 2, "node", vec![receive])];
    let first = job(ranks.clone(), &[300, 500]);
    let split = first.pop.and_then(|pop| pop.mpi_split).expect("all is known");
    assert!((split.serialisation - 1.0).abs() < 1e-9, "rank 0 is the longest with its waits");
    assert!((split.transfer - 0.7).abs() < 1e-9, "{split:?}");
    // With 600 ms outside in both, rank 1 is.
    let split = job(ranks.clone(), &[400, 400]).pop.and_then(|pop| pop.mpi_split).expect("known");
    assert!((split.serialisation - 600.0 / 700.0).abs() < 1e-9, "{split:?}");
    assert!((split.transfer - 0.7).abs() < 1e-9, "{split:?}");
    assert_eq!(first.mpi[0].wait_ns, Some(100 * MS));

    let text = render_job(&first, &JobNotes::default(), Style::plain());
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    for expected in [
        "MPI_Recv job.c:7 late sender 1 100.0 ms 100.0 ms rank 1 rank 0 100.0 %",
        "serialisation 1.00 (waits for other ranks) × transfer 0.70",
    ] {
        assert!(words.contains(expected), "{expected} in\n{text}");
    }
    // A rank without events.
    let mut events = JobEvents::default();
    let number = events.add(ranks[0].clone());
    let without = Brief { events: None, ..brief(1, 2, 500, 0) };
    let mut job = Job::new(vec![brief(0, 2, 300, number), without]);
    job.find_waits(&events.together());
    assert!(job.pop.is_some_and(|pop| pop.mpi_split.is_none()));
}
