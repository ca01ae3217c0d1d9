//! What samples of call paths tell: the lines of code, the waits, and the gains with their errors.

use oxomp_analysis::report::{Style, render};
use oxomp_analysis::summary::{
    AtomicUpdate, Blocked, Cause, Class, Distance, Gain, HotCode, HotStretch, LineSharing, Loop,
    MemoryObject, Sampled, SharedLines, SharedPlace, SiteId, SpinLoop, Summary, WorkKind,
};

use super::advice::{first_advice, of_region};
use super::{MS, S, assert_expected, notes, places, solver};

/// A wait of all threads for other iterations, in the first region.
fn waiting_for_iterations(time_ns: u64, error_ns: u64) -> Summary {
    let mut summary = solver();
    summary.regions[0].gain =
        Gain { mutex_ns: time_ns / 4, imbalance_ns: 2 * S, ..Gain::default() };
    summary.mutexes.clear();
    summary.budget.by_class[Class::Mutex as usize] = time_ns;
    summary.blocked = vec![Blocked {
        region: summary.regions[0].site,
        cause: Cause::Doacross,
        function: "ordered depend(sink: i - 1)".to_owned(),
        path: vec!["sweep".to_owned()],
        line: Some(("/src/sweep.c".to_owned(), 18)),
        samples: 1000,
        time_ns,
        error_ns,
        distances: vec![Distance { steps: vec![-1], count: 2988 }],
    }];
    summary
}

#[test]
fn a_wait_for_other_iterations_is_named_as_the_source_has_it() {
    let text = render(&waiting_for_iterations(30 * S, S / 10), &places(), &notes(), Style::plain());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Blocked, or waiting for other iterations (ordered with sink)",
        "ordered depend(sink: i - 1) iteration 1 before: 2 988 sweep sweep.c:18",
        "wait for the iterations before theirs at line 18 of sweep.c (ordered depend(sink: i - 1))",
        "its iterations wait for each other (ordered with depend)",
        "they wait in ordered depend(sink: i - 1) at sweep.c:18, for iteration 1 before (2 988 \
         times)",
    ] {
        assert!(words.contains(part), "{part} is not in:\n{text}");
    }
}

/// Neither is a wait of a few samples advised against, nor does one that is short stand for what
/// threads lose at the region's end.
#[test]
fn a_short_wait_for_iterations_hides_no_imbalance() {
    for (time, error) in [(S / 100, 0), (8 * S, 8 * S)] {
        let summary = waiting_for_iterations(time, error);
        let text = render(&summary, &places(), &notes(), Style::plain());
        assert!(!text.contains("its iterations wait for each other"), "{text}");
        let advice = text.split("Try first").nth(1).unwrap_or_default();
        assert!(advice.contains("solver.c:118"), "{text}");
    }
}

#[test]
fn where_threads_block_and_meet_in_memory_is_named_with_a_remedy() {
    let mut summary = solver();
    let region = summary.regions[0].site;
    let line = |number| Some(("/src/bins.c".to_owned(), number));
    summary.regions[0].gain = Gain { blocked_ns: 2 * S, ..Gain::default() };
    summary.regions[0].useful_ns = 8 * S;
    summary.blocked = vec![Blocked {
        region,
        cause: Cause::Mutex,
        function: "pthread_mutex_lock".to_owned(),
        path: ["main", "fill", "insert"].map(str::to_owned).to_vec(),
        line: line(12),
        samples: 800,
        time_ns: 8 * S,
        ..Blocked::default()
    }];
    summary.atomics = vec![AtomicUpdate {
        region,
        function: "fill".to_owned(),
        line: line(23),
        instruction: "lock xadd".to_owned(),
        samples: 38,
        of: 100,
    }];
    summary.spins = vec![SpinLoop {
        region,
        function: "wait_for".to_owned(),
        line: line(31),
        samples: 25,
        of: 100,
    }];
    let place =
        |number, writes| SharedPlace { function: "count".to_owned(), line: line(number), writes };
    let neighbours = SharedLines {
        region,
        sharing: LineSharing::Neighbours(8),
        places: vec![place(41, true), place(43, false)],
        object: MemoryObject::Variable("counts+16".to_owned()),
        threads: 4,
        lines: 1,
        samples: 20,
        taken: 20,
        of: 100,
    };
    let variable = SharedLines {
        sharing: LineSharing::Variable,
        places: vec![place(47, true)],
        object: MemoryObject::Unknown,
        lines: 2,
        samples: 6,
        taken: 6,
        ..neighbours.clone()
    };
    summary.shared_lines = vec![neighbours, variable];
    let text = render(&summary, &places(), &notes(), Style::plain());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Blocked: threads that neither computed nor lacked a processor",
        "pthread_mutex_lock mutex (not OpenMP's) main > fill > insert bins.c:12",
        "its threads wait in pthread_mutex_lock called at bins.c:12 (mutex (not OpenMP's), 100.0 %",
        "38.0 % of the samples of the region at solver.c:118: bins.c:23 (lock xadd)",
        "25.0 % of the samples of the region at solver.c:118: bins.c:31 in wait_for",
        "20.0 % of the samples of the region at solver.c:118: bins.c:41 in count and \
         bins.c:43 in count, where 4 threads use different data, 8 bytes apart in one cache line \
         (counts+16), and at least one of them writes",
        "6.0 % of the samples of the region at solver.c:118: bins.c:47 in count, where 4 \
         threads use the same variables in 2 lines (not in a named variable), and at least",
    ] {
        assert!(words.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn sampled_code_is_named_where_the_time_goes() {
    let code = |function: &str, line, samples, serial| HotCode {
        function: function.to_owned(),
        module: Some("solver".to_owned()),
        line: Some(("/src/solver.c".to_owned(), line)),
        samples,
        serial,
        ..HotCode::default()
    };
    let mut summary = solver();
    let (after, before) = (summary.serial[0].after, summary.serial[0].before);
    let library = HotCode {
        module: Some("libm.so.6".to_owned()),
        line: None,
        ..code("__sin_fma", 0, 900, 0)
    };
    summary.sampled = Some(Sampled {
        taken: 8300,
        incomplete: 25,
        lost: 3,
        period_ns: 4 * MS,
        code: vec![code("relax", 120, 5000, 0), code("assemble", 77, 2000, 2000), library],
        stretches: vec![HotStretch {
            after,
            before,
            samples: 2100,
            code: vec![code("assemble", 77, 2000, 2000), code("output", 9, 100, 100)],
            ..HotStretch::default()
        }],
    });
    let text = render(&summary, &places(), &notes(), Style::plain());
    assert_expected("sampled.txt", &text);
}

#[test]
fn no_samples_have_a_reason() {
    let mut summary = solver();
    summary.quality.unsampled = Some("the program handles SIGURG itself".to_owned());
    let text = render(&summary, &places(), &notes(), Style::plain());
    assert!(
        text.contains("no call paths were sampled: the program handles SIGURG itself"),
        "{text}"
    );
}

#[test]
fn atomic_updates_and_loops_that_wait_have_gains_with_an_error() {
    let mut summary = of_region(Gain::default(), &[]);
    summary.regions[0].useful_ns = 16 * S;
    let region = summary.regions[0].site;
    let line = Some(("/src/solver.c".to_owned(), 120));
    let update = AtomicUpdate {
        region,
        function: "add".to_owned(),
        line: line.clone(),
        instruction: "lock xadd".to_owned(),
        samples: 100,
        of: 200,
    };
    summary.atomics = vec![update];
    // Of two seconds a thread, a plain update takes half at most; a hundred samples tell of them,
    // and another run may take a fifth more or less.
    let advice = first_advice(&summary);
    let part = "50.0 % of the samples are at the atomic update at solver.c:120 (lock xadd)";
    assert!(advice.contains(part), "{advice}");
    assert!(advice.contains("gain about 1.50 s ± 764.6 ms"), "{advice}");
    summary.atomics[0].instruction = "xchg".to_owned();
    let advice = first_advice(&summary);
    assert!(advice.contains("(xchg): it exchanges a value, as a lock"), "{advice}");
    summary.atomics.clear();
    let spin = SpinLoop { region, function: "wait".to_owned(), line, samples: 100, of: 200 };
    summary.spins = vec![spin];
    let advice = first_advice(&summary);
    assert!(advice.contains("in a loop at solver.c:120 in wait"), "{advice}");
    assert!(advice.contains("gain about 2.00 s ± 417.9 ms"), "{advice}");
}

#[test]
fn samples_of_handing_out_chunks_give_its_gain_a_small_error() {
    let mut summary = of_region(Gain::default(), &[]);
    summary.regions[0].useful_ns = S;
    let chunks = 10_000_000;
    summary.loops = vec![Loop {
        region: summary.regions[0].site,
        site: Some(SiteId(1)),
        kind: WorkKind::LoopDynamic,
        threads: 4,
        executions: 40,
        iterations: chunks,
        count: 1_000_000,
        chunks,
        sizes: (1, 1),
        time_ns: 10 * S,
        dispatch_ns: 8 * S,
        longest_ns: MS,
        parts_ns: [5 * S / 2; 4],
        ..Loop::default()
    }];
    // It is any part of 2 s of each thread, and of each chunk about 20 ns are the collector's.
    let bound = first_advice(&summary);
    assert!(bound.contains("hands out") && bound.contains("about 950.0 ms ± 1.05 s"), "{bound}");
    // It is 2.25 s ± 20 ms, and a fifth more or less in another run; with what the loop's own code
    // takes for each chunk, 50 ns at most of the other 100 ns.
    let one = &mut summary.loops[0];
    (one.dispatch_ns, one.dispatch_error_ns) = (9 * S, Some(40 * MS));
    let sampled = first_advice(&summary);
    assert!(sampled.contains("gain about 2.26 s ± 505.0 ms"), "{sampled}");
}

#[test]
fn each_object_in_shared_cache_lines_has_a_gain_of_its_own() {
    let mut summary = of_region(Gain::default(), &[]);
    summary.regions[0].useful_ns = 16 * S;
    let region = summary.regions[0].site;
    let lines = |variable: &str, samples| SharedLines {
        region,
        sharing: LineSharing::Neighbours(8),
        object: MemoryObject::Variable(variable.to_owned()),
        threads: 4,
        lines: 1,
        samples,
        taken: samples,
        of: 200,
        ..SharedLines::default()
    };
    summary.shared_lines = vec![lines("counts", 40), lines("sums", 20)];
    let advice = first_advice(&summary);
    // Of 4 s of each thread a fifth and a tenth: half of that may be won, or all, or nothing.
    let (counts, sums) = advice.split_once("10.0 % of the samples").expect("two objects");
    assert!(counts.contains("(counts)") && counts.contains("gain about 400.0 ms"), "{advice}");
    assert!(sums.contains("(sums)") && sums.contains("gain about 200.0 ms"), "{advice}");
}
