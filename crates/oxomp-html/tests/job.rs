//! Pages of several processes: what must be in them, and what must not.

use oxomp_analysis::ranks::{
    Brief, BriefRegion, Job, JobEvents, JobTarget, MpiShare, RankEvents, Useful,
};
use oxomp_analysis::report::JobNotes;
use oxomp_analysis::summary::{Class, TargetKind};
use oxomp_analysis::symbols::Place;
use oxomp_html::{JobPage, PAGE_BYTES, job_page};
use oxomp_trace::{MpiEvent, MpiRole, MpiWorld, Rank};

const MS: u64 = 1_000_000;

/// A rank of 2 threads that is in a region for `in_regions` of 1000 ms, and in MPI for half of the
/// rest.
fn rank(number: u32, in_regions: u64, function: &str) -> Brief {
    let outside = 1000 - in_regions;
    let mut by_class = [0; Class::COUNT];
    by_class[Class::Useful as usize] = 2 * in_regions * MS;
    by_class[Class::Serial as usize] = outside * MS;
    by_class[Class::SerialIdle as usize] = outside * MS;
    let place = Place {
        function: Some(function.to_owned()),
        line: Some(("/src/job.c".to_owned(), 7)),
        module: Some("job".to_owned()),
        offset: 0x1000,
        behind: None,
        body: None,
    };
    let region = BriefRegion {
        place: Some(place),
        calls: 10,
        wall_ns: in_regions * MS,
        gain_ns: MS,
        nested: false,
    };
    Brief {
        rank: Some(Rank { number, size: None, job: "a".to_owned() }),
        hostname: "node".to_owned(),
        pid: 1000 + number,
        command: vec!["./job".to_owned(), function.to_owned()],
        runtime: "oxomp".to_owned(),
        started_unix_ns: u64::from(number),
        started_monotonic_ns: 0,
        wall_ns: 1000 * MS,
        recorded_ns: 1000 * MS,
        cpu_ns: Some(1500 * MS),
        threads: 2,
        max_team: 2,
        allowed_cpus: 2,
        total_ns: 2000 * MS,
        by_class,
        in_regions_ns: in_regions * MS,
        outside_ns: outside * MS,
        waited_ns: 0,
        recording_ns: Some(20 * MS),
        truncated: number == 1,
        damaged: false,
        disagrees: false,
        first: None,
        active: true,
        mpi: Some(MpiShare {
            ns: outside * MS / 2,
            outside_in_mpi: 50,
            inside_in_mpi: 0,
            timed: None,
            by_call: [("MPI_Waitall".to_owned(), 50)].into(),
        }),
        mpi_is_timed: false,
        useful: Useful::default(),
        events: None,
        regions: vec![region],
        targets: Vec::new(),
    }
}

fn page(processes: Vec<Brief>, pages: &[String]) -> String {
    let notes = JobNotes { version: "9.9.9".to_owned(), ..JobNotes::default() };
    job_page(&JobPage { job: &Job::new(processes), notes: &notes, pages })
}

#[test]
fn processes_stand_side_by_side() {
    let pages = ["report.rank-0.html", "", "50 %.html"].map(ToOwned::to_owned);
    let page =
        page(vec![rank(0, 100, "relax"), rank(1, 900, "relax"), rank(2, 200, "relax")], &pages);
    for part in [
        "Balance between ranks 0.74: rank 1 computes longest, 950.0 ms",
        "Attention",
        "rank 1: the recording ends before",
        "rank 0: 32.5 % of work",
        "MPI_Waitall",
        "3 ranks on node",
        "9.9.9",
        "the others wait for it in MPI",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
    assert!(page.contains("href=\"./report.rank-0.html\"") && page.contains("./50%20%25.html"));
    assert_eq!(page.matches("href=\"./").count(), 2, "rank 1 has no page");
    for (id, rows) in [("processes", 3), ("regions", 1), ("mpi", 1)] {
        let section = &page[page.find(&format!("<section id=\"{id}\"")).expect(id)..];
        let body =
            &section[section.find("<tbody>").expect(id)..section.find("</tbody>").expect(id)];
        assert_eq!(body.matches("<tr").count(), rows, "{id}");
    }
}

/// What a rank did in a message from rank 0 to rank 1.
fn message(rank: u32) -> RankEvents {
    let (role, times) = match rank {
        0 => (MpiRole::Send, [50, 51]),
        _ => (MpiRole::Receive, [10, 52]),
    };
    let event = MpiEvent {
        begin_ns: times[0] * MS,
        end_ns: times[1] * MS,
        instance: 7,
        code: 0,
        peer: 1 - rank,
        members: 2,
        function: 1,
        role,
        thinning: 0,
        blocking: true,
        on_main_thread: true,
    };
    RankEvents {
        world: MpiWorld { rank, size: 2, left_out: 3 },
        hostname: "node".to_owned(),
        since_1970_ns: 0,
        events: vec![event],
        functions: [(1, "MPI_<Recv>".to_owned())].into(),
        regions: [].into(),
    }
}

#[test]
fn waits_for_other_ranks_name_the_late_one() {
    let mut events = JobEvents::default();
    let numbers = [0, 1].map(|number| events.add(message(number)));
    let ranks = numbers.map(|number| Brief { events: Some(number), ..rank(number, 100, "relax") });
    let mut job = Job::new(ranks.to_vec());
    let without = job_page(&JobPage { job: &job, notes: &JobNotes::default(), pages: &[] });
    assert!(!without.contains("Waits for other ranks"));
    job.find_waits(&events.together());
    let page = job_page(&JobPage { job: &job, notes: &JobNotes::default(), pages: &[] });
    let part = &page[page.find("Waits for other ranks").expect("the table")..];
    for word in ["MPI_&lt;Recv&gt;", "late sender", "40.00 ms", "rank 1", "rank 0 100.0 %"] {
        assert!(part.contains(word), "`{word}` is missing");
    }
    assert!(part.contains("waits in 6 operations of MPI: there was no room"));
}

/// What the button copies.
fn markdown(page: &str) -> String {
    let data = &page[page.find("{\"markdown\"").expect("the data")..];
    let data = &data[..data.find("</script>").expect("its end")];
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    data["markdown"].as_str().expect("a text").to_owned()
}

#[test]
fn gains_are_numbered_only_where_they_are_bounds() {
    let ranks = |scheduler: u64| {
        let mut ranks = vec![rank(0, 100, "relax"), rank(1, 900, "relax")];
        ranks[0].by_class[Class::Scheduler as usize] = scheduler * MS;
        page(ranks, &[])
    };
    let firm = ranks(0);
    assert!(firm.contains("<ol class=\"advice\"") && !firm.contains("<ul class=\"advice\""));
    assert!(markdown(&firm).contains("\n1. ") && firm.contains("gain ≤"));
    let doubtful = ranks(400);
    assert!(
        doubtful.contains("<ul class=\"advice\"") && !doubtful.contains("<ol class=\"advice\"")
    );
    let verdict = &doubtful[..doubtful.find("<section id=\"processes\"").expect("the processes")];
    assert!(verdict.contains("gain about") && !verdict.contains("gain ≤"));
    let markdown = markdown(&doubtful);
    let doubt = "- threads lacked a processor for 10.0 % of the time: these gains are not firm\n- ";
    assert!(markdown.contains(doubt) && !markdown.contains("\n1. "), "{markdown}");
}

#[test]
fn the_headline_says_which_work_it_means() {
    let known = page(vec![rank(0, 100, "relax")], &[]);
    assert!(
        known.contains("32.5 % of the time of all ranks' threads was work, in regions or serial.")
    );
    let unknown = page(vec![Brief { mpi: None, ..rank(0, 100, "relax") }], &[]);
    assert!(unknown.contains("10.0 % of the time of all ranks' threads was work in regions; how"));
    assert!(known.contains("About 1.0 % of the threads' time went to recording (20.00 ms)"));
}

/// Ranks with a target construct; `times` has its milliseconds by rank.
fn offloading(times: &[u64]) -> Vec<Brief> {
    let target = |time_ms: u64| JobTarget {
        place: None,
        kind: TargetKind::TargetNowait,
        processes: 1,
        calls: 4,
        unfinished: 2,
        time_ns: time_ms * MS,
        max_ns: time_ms * MS,
        slowest: 0,
        kernels: 4,
        kernel_ns: Some(MS),
        to_bytes: 7_000_000,
        from_bytes: 0,
    };
    let rank = |(number, time_ms): (u32, &u64)| {
        let targets = vec![target(*time_ms)];
        Brief { targets, ..rank(number, 100, "relax") }
    };
    (0..).zip(times).map(rank).collect()
}

#[test]
fn target_constructs_have_a_section_where_there_are_some() {
    let without = page(vec![rank(0, 100, "relax")], &[]);
    assert!(!without.contains("offload") && !without.contains("d-target-time"));
    let page = page(offloading(&[30, 50]), &[]);
    for part in [
        "href=\"#offload\"",
        "Target constructs of all processes",
        "target nowait, 4 not finished",
        "80.00 ms",
        "50.00 ms",
        "14.0 MB",
        "id=\"d-target-time\"",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
}

#[test]
fn links_to_definitions_lead_somewhere() {
    let page = page(offloading(&[30, 50]), &[]);
    for (position, _) in page.match_indices("href=\"#") {
        let link = &page[position + 7..];
        let id = &link[..link.find('"').expect("the attribute's end")];
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "#{id} leads nowhere");
    }
    assert!(!page.contains(" style=\"") && !page.contains("://"), "the policy forbids it");
}

#[test]
fn names_do_not_act() {
    let hostile = "</script><script>alert(1)</script><b title=\"\u{202e}";
    let page = page(vec![rank(0, 100, hostile), rank(1, 900, hostile)], &[]);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(!page.contains("<b title") && !page.contains('\u{202e}'));
}

#[test]
fn thousands_of_ranks_make_a_page_of_bounded_size() {
    let page = page(
        (0..5000).map(|number| rank(number, 100 + u64::from(number % 800), "relax")).collect(),
        &[],
    );
    assert!(page.len() < PAGE_BYTES / 10, "{} bytes", page.len());
    assert!(
        page.contains("Of 5 000 recordings, those that compute longest and shortest have rows")
    );
}
