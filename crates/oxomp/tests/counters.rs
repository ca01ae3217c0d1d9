//! `oxomp profile --counters`: the kernel's own counters, which each machine has, and fake ones,
//! whose values are known.

mod measured;

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::{CountedActivity, CountedPlace, Counters};
use oxomp_prerequisites::Program;

use measured::Bench;

/// The pages that each of two threads touches.
const PAGES: u64 = 4000;

/// The recorded program.
struct Run {
    analysis: Analysis,
    /// What the command wrote on standard error.
    text: String,
}

impl Run {
    fn of(counters: &str, settings: &[(&str, &str)]) -> Self {
        let bench = Bench::new();
        let program = bench.compile(Program::Gcc, "counted.c", "counted", &[]);
        let (analysis, text) = bench.record(&[counters], &program, &[&PAGES.to_string()], settings);
        assert_eq!(analysis.profile.damage, []);
        Self { analysis, text }
    }

    fn counters(&self) -> &Counters {
        self.analysis.summary.counters.as_ref().expect("counters were asked for")
    }

    /// The useful work of the region that begins in this line of the program.
    fn work_at(&self, line: u32) -> &CountedPlace {
        let is_there = |place: &&CountedPlace| {
            let site = place.region.map(|site| &self.analysis.places[site.0 as usize]);
            let found = site
                .and_then(|place| place.line.as_ref())
                .is_some_and(|it| (line..line + 2).contains(&it.1));
            found && place.activity == CountedActivity::Useful
        };
        let places = &self.counters().places;
        places.iter().find(is_there).unwrap_or_else(|| panic!("line {line}: {places:#?}"))
    }
}

/// The first lines of the regions: that of pages, of work alone, and of short executions. Compilers
/// name the next line where a region has no loop.
const LINES: [u32; 3] = [25, 30, 33];

#[test]
fn page_faults_belong_to_the_region_that_touches_the_pages() {
    let run = Run::of("--counters=page-faults,task-clock", &[]);
    let counters = run.counters();
    let total = |number: usize| counters.totals[number].count.expect("it is counted");
    // Each page is touched once, and both threads read their counters at their end, or, if they
    // live on, with their last sample.
    assert!(total(0) >= 2 * PAGES, "{counters:#?}");
    // They take no turns, but are read one after the other.
    assert!(counters.running.is_some_and(|part| part > 0.99), "{counters:#?}");
    let [pages, work, _] = LINES.map(|line| run.work_at(line));
    let faults = |place: &CountedPlace| place.count("page-faults").expect("it is counted");
    // Only the intervals at its begin and at its end lie in other places, too.
    assert!(faults(pages) >= 2 * PAGES * 8 / 10, "{pages:#?}");
    assert!(pages.counts[0].certain >= 2 * PAGES / 2, "{pages:#?}");
    assert!(faults(work) <= 2 * PAGES / 10, "{work:#?}");
    let clocks: u64 = counters.threads.iter().map(|thread| thread.counts[1]).sum();
    let times: u64 = counters.threads.iter().map(|thread| thread.time_ns).sum();
    assert!(clocks.abs_diff(times) <= times / 10, "{clocks} {times}: {counters:#?}");
    assert!(run.text.contains("Other counters, by place"), "{}", run.text);
}

#[test]
fn computed_counters_come_back_exactly() {
    let fake = [("OXOMP_FAKE_COUNTERS", "steady"), ("OXOMP_BANDWIDTH", "1000000000/2")];
    let run = Run::of("--counters=default,r1", &fake);
    let counters = run.counters();
    let names: Vec<&str> = counters.totals.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[..2], ["cycles", "instructions"]);
    let at = |name: &str| {
        let counted = counters.totals.iter().filter(|it| it.count.is_some());
        counted.map(|it| it.name.as_str()).position(|own| own == name)
    };
    let (cycles, instructions) = (at("cycles").unwrap(), at("instructions").unwrap());
    assert!(counters.threads.len() >= 2, "{counters:#?}");
    for thread in &counters.threads {
        assert_eq!(thread.counts[cycles], 3 * thread.time_ns, "{thread:?}");
        assert_eq!(thread.counts[instructions], 6 * thread.time_ns, "{thread:?}");
    }
    for place in &counters.places {
        assert_eq!(place.count("cycles"), Some(3 * place.time_ns), "{place:#?}");
        assert_eq!(place.instructions_per_cycle, Some(2.0), "{place:#?}");
        assert_eq!(place.cache_miss_rate, Some(0.5), "{place:#?}");
        let certain = place.counts[cycles].certain;
        let mixed = 3.0 * place.mixed * place.time_ns as f64;
        let all = (3 * place.time_ns) as f64;
        assert!((certain as f64 + mixed - all).abs() < 1.0, "{place:#?}");
    }
    let in_places: u64 = counters.places.iter().map(|place| place.time_ns).sum();
    let of_threads: u64 = counters.threads.iter().map(|thread| thread.time_ns).sum();
    assert!(in_places <= of_threads, "{in_places} {of_threads}");
    assert!(in_places >= of_threads * 8 / 10, "{in_places} {of_threads}");
    let [_, work, short] = LINES.map(|line| run.work_at(line));
    assert!(work.mixed < 0.3, "one long execution: {work:#?}");
    assert!(short.mixed > 0.9, "many short ones: {short:#?}");
    assert!(work.readings > 20, "{work:#?}");
    if at("memory-lines").is_some() {
        // 4 bytes for each ns of each of two threads, beside 1 GB/s.
        assert_eq!(work.bytes, Some(4 * work.time_ns));
        assert!(work.bandwidth_bound, "{work:#?}");
        assert!(run.text.contains("is bound by the bandwidth of memory"), "{}", run.text);
    }
    assert_eq!((counters.bandwidth, counters.bandwidth_threads), (Some(1_000_000_000), Some(2)));
}

#[test]
fn counters_that_take_turns_are_scaled_up_and_the_summary_says_so() {
    let run = Run::of("--counters=cycles,instructions", &[("OXOMP_FAKE_COUNTERS", "turns")]);
    let counters = run.counters();
    assert_eq!(counters.running, Some(0.5));
    for thread in &counters.threads {
        assert_eq!(thread.counts, [3 * thread.time_ns, 6 * thread.time_ns], "{thread:?}");
    }
    assert!(run.text.contains("on the processor for 50.0 % of the time"), "{}", run.text);
    assert_eq!(counters.bandwidth, None, "no counter of memory");
}

#[test]
fn a_refusal_is_told_and_the_program_is_profiled_all_the_same() {
    for (error, help) in [
        ("ENOENT", "no performance monitoring unit"),
        ("EACCES", "perf_event_open: Permission denied"),
        ("EMFILE", "`ulimit -n` raises it"),
    ] {
        let run = Run::of("--counters=cycles,instructions", &[("OXOMP_FAKE_COUNTERS", error)]);
        let words: String = run.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("not counted: cycles, instructions ("), "{error}: {}", run.text);
        assert!(words.contains(help), "{error}: {}", run.text);
        assert!(run.counters().places.is_empty() && run.counters().running.is_none());
        assert_eq!(run.analysis.summary.regions.len(), 3, "{}", run.text);
    }
}

#[test]
fn counters_of_the_processor_are_counted_or_the_reason_is_told() {
    let run = Run::of("--counters=cycles,instructions", &[]);
    let counters = run.counters();
    let [cycles, instructions] = counters.totals.as_slice() else { panic!("{counters:#?}") };
    match (cycles.count, instructions.count) {
        (Some(cycles), Some(instructions)) => {
            // The work is four instructions a step, none of which takes a thousand cycles.
            assert!(instructions > 2 * PAGES * 20_000, "{counters:#?}");
            assert!(cycles < instructions * 1000 && cycles > instructions / 16, "{counters:#?}");
        }
        (None, None) => {
            let why = cycles.refused.as_deref().unwrap_or_default();
            assert!(why.starts_with("perf_event_open: "), "{counters:#?}");
            assert!(run.text.contains("not counted: cycles, instructions"), "{}", run.text);
        }
        _ => panic!("one without the other: {counters:#?}"),
    }
}
