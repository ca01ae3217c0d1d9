//! The rendered summary, compared with the texts in `tests/expected/`.
//!
//! `OXOMP_UPDATE_EXPECTED=1 cargo test -p oxomp-analysis --test report` writes them anew: read the
//! difference before committing it.

use std::collections::BTreeMap;
use std::path::Path;

use oxomp_analysis::report::{Notes, Style, render};
use oxomp_analysis::summary::{
    Barrier, BarrierKind, Budget, Class, Gain, Header, Holder, Mutex, MutexKind, Offload, Quality,
    RecordingCost, Region, SerialStretch, Site, SiteId, Summary, Thread, WorkKind, Worksharing,
};
use oxomp_analysis::symbols::Place;
use oxomp_arch::read::Machine;
use oxomp_prerequisites::File;
use oxomp_trace::{Counted, Disagreement};

#[path = "report/advice.rs"]
mod advice;
#[path = "report/loops.rs"]
mod loops;
#[path = "report/offload.rs"]
mod offload;
#[path = "report/samples.rs"]
mod samples;
#[path = "report/serial.rs"]
mod serial;
#[path = "report/tasks.rs"]
mod tasks;

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;

fn place(function: Option<&str>, line: Option<(&str, u32)>, module: &str, offset: u64) -> Place {
    Place {
        function: function.map(str::to_owned),
        line: line.map(|(file, line)| (file.to_owned(), line)),
        module: Some(module.to_owned()),
        offset,
        behind: None,
        body: None,
    }
}

/// The sites of [`solver`], by number.
fn places() -> Vec<Place> {
    vec![
        place(Some("relax"), Some(("/src/solver.c", 118)), "solver", 0x1234),
        place(
            Some("residual_norm_of_the_whole_grid"),
            Some(("/src/solver.c", 140)),
            "solver",
            0x1400,
        ),
        place(Some("histogram"), Some(("/src/hist.c", 41)), "solver", 0x1800),
        place(None, None, "_k_means_lloyd.so", 0x1b2c3),
        place(Some("main"), Some(("/src/a_rather_long_file_name.cpp", 2702)), "solver", 0x2000),
    ]
}

fn by_class(times: &[(Class, u64)]) -> [u64; Class::COUNT] {
    let mut by_class = [0; Class::COUNT];
    for (class, ns) in times {
        by_class[*class as usize] = *ns;
    }
    by_class
}

fn region(site: u32, calls: u64, wall_ns: u64, gain: Gain, kinds: &[WorkKind]) -> Region {
    let work = |kind: &WorkKind| Worksharing {
        kind: *kind,
        executions: calls * 4,
        iterations: calls * 100,
        ..Worksharing::default()
    };
    Region {
        site: Some(SiteId(site)),
        calls,
        wall_ns,
        team: (4, 4),
        load_balance: Some(0.74),
        useful_ns: 4 * (wall_ns - gain.total_ns()),
        gain,
        worksharing: kinds.iter().map(work).collect(),
        ..Region::default()
    }
}

/// Four threads, 10 s: every section has something to say.
fn solver() -> Summary {
    let times = by_class(&[
        (Class::Useful, 20 * S),
        (Class::Serial, 2 * S),
        (Class::Imbalance, 8 * S),
        (Class::Barrier, 100 * MS),
        (Class::Mutex, 3900 * MS),
        (Class::ForkJoin, 5 * MS),
        (Class::SerialIdle, 5995 * MS),
    ]);
    let thread = |number| Thread {
        number,
        tid: 1000 + number,
        initial: number == 0,
        end_ns: 10 * S,
        by_class: times.map(|ns| ns / 4),
        ..Thread::default()
    };
    let imbalance = |ns| Gain { imbalance_ns: ns, fork_join_ns: MS, ..Gain::default() };
    Summary {
        header: Header {
            command: ["./solver", "-n", "1000"].map(str::to_owned).to_vec(),
            executable: "/src/solver".to_owned(),
            pid: 4711,
            runtime: "LLVM OMP version: 5.0.20140926".to_owned(),
            runtime_path: Some(File::Libomp.text().to_owned()),
            omp_version: 201_611,
            environment: vec![("OMP_NUM_THREADS".to_owned(), "4".to_owned())],
            hostname: "node1".to_owned(),
            allowed_cpus: 4,
            wall_ns: 10 * S,
            cpu_ns: Some(33_200 * MS),
            recorded_ns: 10 * S,
            max_team: 4,
            threads: 4,
            ..Header::default()
        },
        budget: Budget {
            total_ns: 40 * S,
            by_class: times,
            accounted: 1.0,
            parallel_efficiency: 0.55,
            average_concurrency: 2.2,
        },
        threads: (0..4).map(thread).collect(),
        regions: vec![
            region(0, 1_932, 5 * S, imbalance(1_940 * MS), &[WorkKind::LoopStatic]),
            region(2, 42_504, 2 * S, Gain { mutex_ns: 975 * MS, ..Gain::default() }, &[]),
            region(
                1,
                1_932,
                900 * MS,
                imbalance(60 * MS),
                &[WorkKind::LoopDynamic, WorkKind::Single, WorkKind::Single],
            ),
            region(3, 12, 90 * MS, imbalance(2 * MS), &[]),
            region(4, 1, 2 * MS, imbalance(1000), &[]),
            region(4, 2, 2 * MS, imbalance(1000), &[]),
        ],
        loops: Vec::new(),
        expected: Vec::new(),
        unreached: Vec::new(),
        atomics: Vec::new(),
        spins: Vec::new(),
        shared_lines: Vec::new(),
        blocked: Vec::new(),
        offload: Offload::default(),
        tasks: Vec::new(),
        chains: Vec::new(),
        barriers: vec![Barrier {
            site: Some(SiteId(1)),
            kind: BarrierKind::Explicit,
            region: Some(SiteId(0)),
            passes: 7_728,
            wait_ns: 310 * MS,
            imbalance_ns: 300 * MS,
            cost_ns: 10 * MS,
            ..Barrier::default()
        }],
        mutexes: vec![
            Mutex {
                kind: MutexKind::Critical,
                site: Some(SiteId(2)),
                locks: 1,
                acquisitions: 170_016,
                contended: 148_000,
                wait_ns: 3_900 * MS,
                max_wait_ns: 3 * MS,
                hold_ns: 1_200 * MS,
                max_hold_ns: 2 * MS,
                holders: vec![
                    Holder { site: Some(SiteId(2)), blame_ns: 3_393 * MS },
                    Holder { site: Some(SiteId(4)), blame_ns: 195 * MS },
                ],
                handoff_ns: 312 * MS,
                gain_ns: 975 * MS,
                ..Mutex::default()
            },
            Mutex {
                kind: MutexKind::Lock,
                site: Some(SiteId(4)),
                locks: 8,
                acquisitions: 1_000,
                wait_ns: 20_000,
                max_wait_ns: 30,
                hold_ns: MS,
                max_hold_ns: 1_000,
                handoff_ns: 20_000,
                gain_ns: 5_000,
                ..Mutex::default()
            },
        ],
        serial: vec![
            SerialStretch {
                after: Some(SiteId(0)),
                before: Some(SiteId(1)),
                count: 1_932,
                total_ns: 1_500 * MS,
                max_ns: 2 * MS,
                gain_ns: 1_125 * MS,
                ..SerialStretch::default()
            },
            SerialStretch {
                before: Some(SiteId(0)),
                count: 1,
                total_ns: 500 * MS,
                max_ns: 500 * MS,
                gain_ns: 375 * MS,
                ..SerialStretch::default()
            },
        ],
        mpi: Vec::new(),
        counters: None,
        iterations: None,
        phases: Vec::new(),
        slices: Vec::new(),
        sampled: None,
        quality: Quality {
            events: 1_234_567,
            folded: 48_000,
            repaired: vec![("late worker ends", 5_796), ("no codeptr at join barriers", 5_796)],
            ..Quality::default()
        },
        sites: (0..5).map(|number| Site { codeptr: 0x1000 + number, module: None }).collect(),
        directives: BTreeMap::new(),
    }
}

/// A program killed in its first region, with data lost.
fn killed() -> Summary {
    let mut summary = solver();
    summary.header.truncated = true;
    summary.header.cpu_ns = None;
    summary.header.allowed_cpus = 2;
    summary.regions.clear();
    summary.barriers.clear();
    summary.mutexes.clear();
    summary.serial.clear();
    summary.quality = Quality {
        events: 17,
        lost_events: 5_000,
        open_chunks: 4,
        lost_chunks: 1,
        damaged: vec!["chunk 3: the checksum does not match".to_owned()],
        stopped: Some("the limit of 256 MB was reached".to_owned()),
        folded_tasks: 31_000,
        anomalies: vec![("end without begin", 2)],
        left_out: vec![("dependences that are in no longest chain of tasks", 1_234)],
        disagreements: vec![Disagreement {
            what: Counted::RegionsByPlace,
            counts: (960_000, 954_000),
        }],
        ..Quality::default()
    };
    summary
}

fn notes() -> Notes {
    Notes {
        version: "0.1.0".to_owned(),
        runtime_origin: Some("kept".to_owned()),
        ended: None,
        data: vec!["data: oxomp-solver-1/run.oxp (3.1 MB)".to_owned()],
    }
}

fn assert_expected(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("OXOMP_UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, text).expect("the expected text is written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{}:\n--- expected\n{expected}--- rendered\n{text}", path.display());
}

/// `text` without its escape sequences.
fn without_colour(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = behind.split_once('m').expect("an escape ends in m").1;
    }
    plain + rest
}

#[test]
fn a_report_states_what_recording_took() {
    let mut summary = solver();
    summary.budget.total_ns = 10_000 * MS;
    let cost = |class, cost_ns| RecordingCost { class, events: 1000, cost_ns };
    summary.quality.recording = vec![cost("locks", 200 * MS), cost("regions", 50 * MS)];
    summary.quality.counted_acquisitions = 160_000;
    let text = render(&summary, &places(), &notes(), Style::plain());
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "about 2.5 % of the threads' time went to recording (250.0 ms): locks 2.0 %, \
                regions 0.5 %";
    assert!(said.contains(line), "{text}");
    assert!(said.contains("estimated from some at random: 160 000 acquisitions"), "{text}");
}

#[test]
fn a_full_summary_fills_every_section() {
    let text = render(&solver(), &places(), &notes(), Style::plain());
    assert_expected("solver.txt", &text);
}

#[test]
fn a_processor_is_named_if_it_is_another_than_this_one() {
    let words = |processor: &str| {
        let mut summary = solver();
        summary.header.processor = processor.to_owned();
        let text = render(&summary, &places(), &notes(), Style::plain());
        text.split_whitespace().collect::<Vec<&str>>().join(" ")
    };
    let warning = "recorded on a processor that this oxomp does not know";
    let own = words(Machine::OWN.name());
    assert!(own.contains("4 threads on 4 CPUs runtime LLVM"), "{own}");
    let other = Machine::ALL.into_iter().find(|machine| *machine != Machine::OWN);
    let other = words(other.expect("there are several").name());
    assert!(other.contains("4 threads on 4 CPUs ("), "{other}");
    assert!(!own.contains(warning) && !other.contains(warning), "{own}\n{other}");
    let unknown = words("PDP-11");
    assert!(unknown.contains("4 threads on 4 CPUs (PDP-11)"), "{unknown}");
    assert!(unknown.contains(&format!("{warning}, PDP-11: system calls have no")), "{unknown}");
}

#[test]
fn a_narrow_terminal_gets_every_section_too() {
    let style = Style { width: 64, ..Style::plain() };
    let text = render(&solver(), &places(), &notes(), style);
    assert_expected("solver-64.txt", &text);
}

#[test]
fn what_makes_numbers_wrong_is_said_before_them() {
    let notes = Notes { ended: Some("killed by SIGKILL".to_owned()), ..notes() };
    let text = render(&killed(), &places(), &notes, Style::plain());
    assert_expected("killed.txt", &text);
}

#[test]
fn regions_of_no_work_are_to_be_joined() {
    let mut summary = solver();
    let gain = Gain {
        imbalance_ns: 200 * MS,
        barrier_ns: 100 * MS,
        fork_join_ns: 300 * MS,
        ..Gain::default()
    };
    summary.regions = vec![region(0, 100_000, 620 * MS, gain, &[])];
    summary.barriers.clear();
    summary.mutexes.clear();
    summary.serial.clear();
    let text = render(&summary, &places(), &notes(), Style::plain());
    let advice = &text[text.find("Try first").expect("advice")..];
    assert!(advice.contains("1 solver.c:118  100 000 calls of 6.20 µs each: join it"), "{text}");
    // A part of it stays, where a barrier takes the place of the region's end,
    // and the collector may be 90 ms of it.
    assert!(advice.contains("gain about 405.0 ms ± 195.0 ms"), "{text}");
    assert!(!advice.contains("nowait") && !advice.contains("dynamic"), "{text}");
}

#[test]
fn fewer_barriers_are_advised_where_there_are_some() {
    let mut summary = solver();
    let gain = Gain { barrier_ns: 900 * MS, fork_join_ns: 100 * MS, ..Gain::default() };
    summary.regions = vec![region(0, 10, 5 * S, gain, &[WorkKind::LoopStatic])];
    summary.barriers[0].cost_ns = 3_200 * MS;
    for (kind, words) in
        [(BarrierKind::Workshare, "nowait"), (BarrierKind::Explicit, "not every step")]
    {
        summary.barriers[0].kind = kind;
        let text = render(&summary, &places(), &notes(), Style::plain());
        assert!(text.contains(&format!("fewer barriers: {words}")), "{text}");
        // 7 728 passes may have cost the collector 773 µs of each thread.
        assert!(text.contains("gain about 799.6 ms ±"), "{text}");
    }
}

#[test]
fn lines_fit_every_usual_width() {
    for width in [60, 72, 80, 100, 140] {
        let style = Style { width, ..Style::plain() };
        for summary in [solver(), killed()] {
            for line in render(&summary, &places(), &notes(), style).lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn the_longest_words_fit_a_narrow_terminal_in_colour() {
    let mut summary = solver();
    summary.quality.repaired = vec![
        ("a deviation of a runtime whose name is longer than a narrow terminal has columns", 12),
        ("nested regions and long absences left out of folded sums", 1_234_567),
    ];
    let mut texts = Vec::new();
    for kind in [BarrierKind::Unspecified, BarrierKind::Workshare] {
        summary.barriers[0].kind = kind;
        summary.barriers[0].ends = Some(WorkKind::LoopOther);
        summary.barriers[0].starved_ns = 10 * MS;
        let style = Style { width: 60, colour: true, ..Style::plain() };
        texts.push(without_colour(&render(&summary, &places(), &notes(), style)));
    }
    for line in texts.iter().flat_map(|text| text.lines()) {
        assert!(line.chars().count() <= 60, "{line}");
    }
}

#[test]
fn regions_of_one_function_without_lines_are_told_apart() {
    let mut places = places();
    for (place, offset) in places.iter_mut().zip([0x1234, 0x1400]) {
        *place = Place { line: None, function: Some("main".to_owned()), ..place.clone() };
        place.offset = offset;
    }
    let text = render(&solver(), &places, &notes(), Style::plain());
    assert!(text.contains("from main (+0x1234)"), "{text}");
    assert!(text.contains("between main (+0x1234) and main (+0x1400)"), "{text}");
}

#[test]
fn a_variable_is_advised_only_where_it_rules() {
    let mut summary = solver();
    summary.header.allowed_cpus = 2;
    let text = |summary: &Summary| render(summary, &places(), &notes(), Style::plain());
    assert!(text(&summary).contains("OMP_NUM_THREADS=2 keeps"), "{}", text(&summary));
    for environment in [vec![], vec![("OMP_NUM_THREADS".to_owned(), "8,2".to_owned())]] {
        summary.header.environment = environment;
        assert!(!text(&summary).contains("OMP_NUM_THREADS"), "{}", text(&summary));
        assert!(text(&summary).contains("2 in num_threads or omp_set_num"), "{}", text(&summary));
    }
    summary.header.allowed_cpus = 4;
    summary.header.threads = 8;
    summary.regions[0].nested = 1;
    assert!(text(&summary).contains("8 threads share 4 CPUs: smaller teams"), "{}", text(&summary));
}

#[test]
fn sums_are_not_called_events() {
    let text = render(&solver(), &places(), &notes(), Style::plain());
    assert!(text.contains("48 000 regions, barriers and locks summed up in the program"), "{text}");
}

#[test]
fn without_unicode_the_text_is_ascii_and_has_the_same_lines() {
    let style = Style { unicode: false, ..Style::plain() };
    let ascii = render(&solver(), &places(), &notes(), style);
    let unicode = render(&solver(), &places(), &notes(), Style::plain());
    assert!(ascii.is_ascii(), "{ascii}");
    assert_eq!(ascii.lines().count(), unicode.lines().count());
}

#[test]
fn colour_changes_nothing_but_colour() {
    let coloured = render(&solver(), &places(), &notes(), Style { colour: true, ..Style::plain() });
    assert_eq!(without_colour(&coloured), render(&solver(), &places(), &notes(), Style::plain()));
}

#[test]
fn waits_at_the_end_of_a_single_are_told_of_the_single() {
    let gain = Gain { imbalance_ns: 400 * MS, barrier_ns: 600 * MS, ..Gain::default() };
    let advice = |kinds: &[WorkKind], ends, imbalance_ns, singles| {
        let mut summary = solver();
        summary.regions = vec![region(0, 1, 5 * S, Gain { imbalance_ns, ..gain }, kinds)];
        summary.regions[0].worksharing[0].executions = singles;
        let barrier = &mut summary.barriers[0];
        (barrier.passes, barrier.ends) = (4 * singles, ends);
        (barrier.imbalance_ns, barrier.cost_ns) = (4 * imbalance_ns, 2400 * MS);
        summary.mutexes.clear();
        summary.serial.clear();
        let text = render(&summary, &places(), &notes(), Style::plain());
        text[text.find("Try first").expect("advice")..].to_owned()
    };
    let single = Some(WorkKind::Single);
    for (kinds, ends) in [
        (&[WorkKind::Single] as &[_], single),
        // gcc's code does not tell which construct a barrier ends.
        (&[WorkKind::Single], None),
        (&[WorkKind::LoopStatic, WorkKind::Single], single),
    ] {
        let text = advice(kinds, ends, 400 * MS, 20);
        assert!(text.contains("1 solver.c:118  one thread works in a single"), "{text}");
        assert!(text.contains("gain ≤ 1.00 s"), "{text}");
        assert!(!text.contains("fewer barriers"), "{text}");
    }
    let others = advice(&[WorkKind::LoopStatic, WorkKind::Single], None, 400 * MS, 20);
    assert!(others.contains("1 solver.c:118  fewer barriers"), "{others}");
    // No processor for the threads that leave the barriers.
    let late = advice(&[WorkKind::Single], single, MS, 20);
    assert!(late.contains("1 solver.c:118  one thread works in a single"), "{late}");
    let short = advice(&[WorkKind::Single], single, MS, 20_000);
    assert!(short.contains("1 solver.c:118  fewer barriers"), "{short}");
}

#[test]
fn copies_save_the_time_of_holds_that_are_very_short() {
    let mut summary = solver();
    summary.regions.clear();
    summary.serial.clear();
    summary.mutexes.truncate(1);
    // A hold lasts 600 ns, of which recording takes 200: so much of the waits may be its own.
    let short = "gain about 800.0 ms ± 475.0 ms";
    for (acquisitions, gain) in [(100_000, "gain ≤ 975.0 ms"), (2_000_000, short)] {
        summary.mutexes[0].acquisitions = acquisitions;
        let text = render(&summary, &places(), &notes(), Style::plain());
        assert!(text.contains(gain), "{text}");
    }
}
