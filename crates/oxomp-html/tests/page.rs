//! Pages of made-up recordings: what must be in them, and what must not.

mod made_up;

use made_up::{busy, damaged, empty, hostile, long};
use oxomp_analysis::model::DeviceOperation;
use oxomp_analysis::report::Notes;
use oxomp_analysis::summary::{
    Beside, Class, Direction, HotCode, HotStretch, MutexKind, PhaseSums, RepeatedTransfer, Sampled,
    SliceSums, TargetConstruct, TargetKind, TargetParts, TaskConstruct, Tasking, Unfinished,
    Window,
};
use oxomp_html::{PAGE_BYTES, page};

/// The sections of a page of two threads in regions.
const SECTIONS: [&str; 8] =
    ["verdict", "budget", "timeline", "regions", "locks", "serial", "quality", "definitions"];

/// The page without the style sheet and the script of its own, which are the same in every page.
fn written(page: &str) -> String {
    let style = page.find("<style>").zip(page.find("</style>")).expect("a style sheet");
    let script = page.rfind("<script>").expect("a script");
    format!("{}{}", &page[..style.0], &page[style.1..script])
}

#[test]
fn a_page_has_the_sections_that_something_is_in() {
    let few: &[&str] = &["verdict", "quality", "definitions"];
    let with_flames = [&SECTIONS[..6], &["flame"], &SECTIONS[6..]].concat();
    for (analysis, sections) in
        [(empty(), few), (busy(), &with_flames), (damaged(), &SECTIONS), (hostile(), &with_flames)]
    {
        let page = page(&analysis, &Notes::default());
        let ids = |before: &str| -> Vec<String> {
            let found =
                written(&page).match_indices(before).map(|found| found.0).collect::<Vec<_>>();
            let text = written(&page);
            let id = |at: usize| text[at + before.len()..].split('"').next().unwrap().to_owned();
            found.into_iter().map(id).collect()
        };
        assert_eq!(ids("<section id=\""), sections);
        assert_eq!(ids("<li><a href=\"#"), sections, "the ways to them");
        assert!(!page.contains("class=\"empty\"") || page.contains("No single change"), "a hole");
        assert!(page.len() < 400_000, "{} bytes", page.len());
    }
}

#[test]
fn gains_are_bounds_only_where_every_thread_had_a_processor() {
    let mut analysis = busy();
    let tables = |analysis: &_| {
        let page = written(&page(analysis, &Notes::default()));
        let from = page.find("<section id=\"regions\"").expect("the regions");
        page[from..page.find("<section id=\"quality\"").expect("the last section")].to_owned()
    };
    let bounds = tables(&analysis);
    for text in [">gain ≤</a>", ">upper bounds</a>"] {
        assert!(bounds.contains(text), "{text} in {bounds}");
    }
    assert!(!bounds.contains(">lost</a>"), "{bounds}");
    analysis.summary.header.allowed_cpus = 1;
    let lost = tables(&analysis);
    for text in [">lost</a>", ">as far as lost</a>"] {
        assert!(lost.contains(text), "{text} in {lost}");
    }
    for text in ["gain ≤<", "gains ≤", ", gain ≤", "upper bounds<"] {
        assert!(!lost.contains(text), "{text} in {lost}");
    }
}

#[test]
fn links_lead_to_places_in_the_page_only() {
    let page = written(&page(&busy(), &Notes::default()));
    for (position, _) in page.match_indices("href=\"") {
        let link = &page[position + 6..];
        let link = &link[..link.find('"').expect("the attribute's end")];
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leaves the page"));
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{link} leads nowhere");
    }
    assert!(!page.contains("://"), "nothing is fetched");
    assert!(!page.contains(" style=\"") && !page.contains(" onclick"), "the policy forbids it");
}

#[test]
fn names_do_not_act() {
    let page = page(&hostile(), &Notes::default());
    let text = written(&page);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!text.contains("<img") && !text.contains("<b>"), "no element of a name's making");
    assert!(text.contains("&lt;img src=x onerror=alert(1)&gt;"), "the argument is shown");
    let html = &text[..text.find("<script id=\"data\"").expect("the data")];
    assert!(!html.contains("\" onmouseover="), "no attribute of a name's making");
    let steering = |one: char| (one.is_control() && one != '\n') || one == '\u{202e}';
    assert!(!text.contains(steering), "no character steers its reader");
}

#[test]
fn a_page_says_what_is_missing() {
    let nothing = page(&empty(), &Notes::default());
    for words in [
        "Nothing was recorded.",
        "No parallel region was recorded.",
        "The recording holds no samples",
        "No source line is known",
        "explicit tasks; locks, criticals, ordered and atomic; barriers inside regions",
        "truncated at",
    ] {
        assert!(nothing.contains(words), "{words}");
    }
    let notes = Notes { ended: Some("killed by SIGKILL".to_owned()), ..Notes::default() };
    let killed = page(&damaged(), &notes);
    for words in [
        "The program was killed by SIGKILL.",
        "Part of the data is damaged and left out: chunk 7: the checksum does not match",
        "2 chunks open when the program went away",
        "Recording stopped early: the disk is full.",
    ] {
        assert!(killed.contains(words), "{words}");
    }
    assert!(!page(&busy(), &Notes::default()).contains("class=\"warnings\""), "nothing is missing");
}

#[test]
fn the_verdict_is_the_cause() {
    let page = written(&page(&busy(), &Notes::default()));
    let headline = page.split("<h2 class=\"headline\" id=\"verdict-title\">").nth(1).unwrap();
    let headline = headline.split("</h2>").next().unwrap();
    // Half of the time is between the regions, and no thread computed in it.
    assert!(headline.starts_with("For ") && headline.contains("no region runs"), "{headline}");
    assert!(page.contains("% of the time of 2 threads was work, in regions or serial."));
    assert!(page.contains(&headline.replace('_', "\\\\_")), "not in the Markdown");
}

#[test]
fn what_is_known_as_a_sum_is_drawn_as_one() {
    let text = written(&page(&made_up::with_sums(), &Notes::default()));
    assert!(!text.contains("No event was left out"), "events were left out");
    assert!(text.contains("<strong>Hatched</strong> is what is known as a sum only, "));
    assert!(text.contains("4 711 regions, barriers and locks were added up in the program"));
    // The gap is 60 of 220 ms on both threads. A part of the rest is a wait for the lock, or is in
    // serial code, at a moment that is not known.
    let part = text.split("known as a sum only, ").nth(1).unwrap();
    let part: f64 = part.split(' ').next().unwrap().parse().unwrap();
    assert!((27.2..60.0).contains(&part), "{part} %");
    // A page of events alone has nothing hatched.
    let events = written(&page(&long(100), &Notes::default()));
    assert!(events.contains("No event was left out.") && !events.contains("Hatched"));
}

#[test]
fn terms_are_explained_below_the_tables() {
    let text = written(&page(&busy(), &Notes::default()));
    let terms = text.split("<details class=\"terms\">").nth(1).expect("a list of terms");
    let terms = terms.split("</details>").next().unwrap();
    assert!(terms.contains("<dt>load balance</dt><dd>What the threads"), "{terms}");
    assert!(text.contains("data-class=\"load imbalance\""), "rows are found by their class");
}

#[test]
fn recursion_is_in_the_page_folded_and_as_it_was() {
    let text = page(&made_up::recursive(), &Notes::default());
    // The frame of fib: called by main, own and total samples, no region, its depth.
    assert!(text.contains("\"folded\":[[null,\"main\""), "{}", &text[text.len() - 3000..]);
    assert!(text.contains("[0,\"fib\",\"fib.c:10\",60,60,false,30]"), "one frame for all");
    assert!(text.contains("[29,\"fib\",\"fib.c:10\",2,2,false,1]"), "the deepest");
    assert!(page(&busy(), &Notes::default()).contains("\"folded\":null"), "nothing recurs");
}

#[test]
fn a_million_regions_fit() {
    let analysis = long(1_000_000);
    let page = page(&analysis, &Notes::default());
    assert!(page.len() < 3_000_000 && page.len() < PAGE_BYTES, "{} bytes", page.len());
    assert!(page.contains("are gathered in cells of that length"), "it says so");
    let short = oxomp_html::page(&long(100), &Notes::default());
    assert!(short.contains("No event was left out."), "nothing is folded without need");
}

#[test]
fn many_threads_and_long_names_stay_within_the_bound() {
    let page = page(&made_up::wide(3_000, 100_000), &Notes::default());
    assert!(page.len() < PAGE_BYTES, "{} bytes", page.len());
    assert!(page.contains("more threads without a row"), "it says so");
}

#[test]
fn hot_code_and_tasks_at_a_time_are_in_the_page() {
    let mut analysis = busy();
    let stretch = analysis.summary.serial[0].clone();
    let code = HotCode {
        function: "read<input>".to_owned(),
        line: Some(("/src/read.c".to_owned(), 42)),
        samples: 30,
        serial: 30,
        ..HotCode::default()
    };
    analysis.summary.sampled = Some(Sampled {
        taken: 40,
        period_ns: 1_000,
        stretches: vec![HotStretch {
            after: stretch.after,
            before: stretch.before,
            samples: 40,
            code: vec![code],
            ..HotStretch::default()
        }],
        ..Sampled::default()
    });
    let site = analysis.summary.regions[0].site;
    analysis.summary.regions[0].tasking = Some(Tasking {
        instances: 1,
        tasks: 9,
        work_ns: 900,
        span_ns: 300,
        longest_ns: 100,
        longest: site,
        waits_ns: 6_000,
        parallelism: [2.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.25],
        ..Tasking::default()
    });
    analysis.summary.tasks = vec![TaskConstruct {
        site,
        region: site,
        count: 9,
        by_thread: vec![(0, 9)],
        time_ns: 900,
        longest_ns: 100,
        depth: 1,
        creating_ns: Some(77),
        waits_ns: 5_500,
        undeferred: 3,
        detached: 2,
        times: vec![(128, 9)],
        ..TaskConstruct::default()
    }];
    let page = written(&page(&analysis, &Notes::default()));
    for words in [
        "hot: read&lt;input&gt; read.c:42 (75.0 %)",
        "<span class=\"n\">2.5</span>",
        "took at most 77 ns on average",
        "3 <a class=\"def\" href=\"#d-undeferred\"",
        "2 <a class=\"def\" href=\"#d-detached\"",
        "5.50 µs",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn the_timeline_names_worksharing_constructs() {
    let with = page(&busy(), &Notes::default());
    assert!(with.contains("\"constructNames\":[\"\",\"for dynamic "), "no row");
    assert!(with.contains("says in which worksharing construct"), "no word of it");
    let mut analysis = busy();
    analysis.model.works.clear();
    let without = page(&analysis, &Notes::default());
    assert!(
        without.contains("\"constructNames\":null")
            && !without.contains("says in which worksharing")
    );
}

#[test]
fn only_a_page_of_a_program_with_devices_has_their_section() {
    let mut analysis = busy();
    let before = page(&analysis, &Notes::default());
    assert!(!before.contains("deviceNames\":") && !before.contains("which operation"), "no row");
    assert!(!before.contains("offload") && !before.contains("d-target-time"), "without devices");
    let site = analysis.summary.regions[0].site;
    analysis.summary.offload.constructs = vec![TargetConstruct {
        site,
        kind: TargetKind::TargetNowait,
        device: Some(3),
        calls: 20,
        time_ns: 80_000_000,
        longest_ns: 9_000_000,
        kernels: 20,
        parts: Some(TargetParts {
            kernel_ns: 30_000_000,
            longest_kernel_ns: 2_000_000,
            to_ns: 25_000_000,
            from_ns: 20_000_000,
            other_ns: 5_000_000,
        }),
        to_bytes: 160_000_000,
        from_bytes: 160_000_000,
        teams: (4, 64),
        beside: Some(Beside { recorded_ns: 40_000_000, worked_ns: 10_000_000 }),
        unfinished: Some(Unfinished { calls: 1, in_kernel: 1, longest_ns: 9_000_000 }),
    }];
    analysis.summary.offload.repeated = vec![RepeatedTransfer {
        site,
        other: site,
        direction: Direction::To,
        device: Some(3),
        address: 4096,
        variable: Some("<grid>".to_owned()),
        size: 8_000_000,
        count: 19,
        bytes: 152_000_000,
        time_ns: Some(24_000_000),
    }];
    let code = analysis.model.regions[0].code;
    analysis.model.operations = vec![DeviceOperation {
        kind: 2,
        device: 3,
        code,
        thread: 0,
        value: 8_000_000,
        begin: 1_000_000,
        end: 2_000_000,
        ended: true,
    }];
    let text = page(&analysis, &Notes::default());
    for part in [
        "\"deviceNames\":[\"\",\"to device ",
        "<section id=\"offload\"",
        "href=\"#offload\"",
        "target nowait on device 3",
        "20 kernels of 1.50 ms each, for which 4 to 64 teams were asked",
        "25.0 %",
        ", not finished",
        "it was under way for 9.00 ms when the recording ended, in a kernel",
        "&lt;grid&gt;",
        "8.00 MB",
        "if the host does not change the data in between",
        "id=\"d-again\"",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

/// The section with this id.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let begin = format!("<section id=\"{id}\"");
    let from = page.find(&begin).unwrap_or_else(|| panic!("no {id}"));
    &page[from..from + page[from..].find("</section>").expect("its end")]
}

#[test]
fn memory_that_threads_share_has_a_section() {
    let page = written(&page(&made_up::sharing(), &Notes::default()));
    let memory = section(&page, "memory");
    for words in [
        "Cache lines that threads share, by samples at what uses them",
        "histogram_of_everything.c:23 in count&lt;unsigned long&gt; and histogram",
        "2 threads use different data, 8 bytes apart in a cache line, as in 3 lines (counts+16), and at \
         least one of them writes",
        "2 threads use the same variables in 3 lines (on the stack of thread 1)",
        "44.0 %",
        "Atomic updates, by samples at them or directly behind them",
        "histogram_of_everything.c:40 (lock xadd)",
        "25.0 %",
        "Loops that wait for a variable to change, by samples in them",
        "histogram_of_everything.c:50 in wait_for",
        "12.5 %",
    ] {
        assert!(memory.contains(words), "{words} in {memory}");
    }
    assert_eq!(memory.matches("<details class=\"terms\">").count(), 3, "{memory}");
    let ways = page.matches("<a href=\"#memory\">").count();
    assert_eq!(ways, 1);
}

#[test]
fn barriers_never_reached_stand_with_the_others() {
    let mut analysis = made_up::sharing();
    analysis.summary.barriers.clear();
    analysis.summary.mutexes.clear();
    let with = written(&page(&analysis, &Notes::default()));
    let locks = section(&with, "locks");
    for words in ["Barriers never reached", "end of region", ">3</td>", "7.25 ms", ">1</td>"] {
        assert!(locks.contains(words), "{words} in {locks}");
    }
    analysis.summary.unreached.clear();
    let without = written(&page(&analysis, &Notes::default()));
    assert!(!without.contains("never reached") && !without.contains("<section id=\"locks\""));
}

#[test]
fn time_spent_on_tests_of_a_lock_is_its_wait() {
    let mut analysis = busy();
    let mutex = &mut analysis.summary.mutexes[0];
    (mutex.kind, mutex.failed) = (MutexKind::NestLock, 50);
    (mutex.wait_ns, mutex.spin_ns, mutex.tested_ns) = (1_000_000, 2_500_000, 2_500_000);
    let text = written(&page(&analysis, &Notes::default()));
    let locks = section(&text, "locks");
    assert!(locks.contains("<td class=\"n\" data-key=\"3500000\">3.50 ms</td>"), "{locks}");
    let tests = "omp_test_nest_lock failed 50 times, 50.00 µs apart: threads spun for 2.50 ms.";
    assert!(locks.contains(tests), "{locks}");
    assert!(!section(&written(&page(&busy(), &Notes::default())), "locks").contains("failed "));
}

#[test]
fn changes_have_numbers_only_where_their_order_is_known() {
    let lists = |analysis: &_| {
        let page = page(analysis, &Notes::default());
        let text = written(&page);
        let verdict = section(&text, "verdict").to_owned();
        let markdown = page.split("\"markdown\":\"").nth(1).expect("Markdown").to_owned();
        (verdict, markdown.split("| class |").next().expect("its begin").to_owned())
    };
    let (verdict, markdown) = lists(&busy());
    assert!(verdict.contains("<ol class=\"advice\">") && !verdict.contains("<ul class=\"advice"));
    assert!(markdown.contains("\\n1. ") && !markdown.contains("not firm"), "{markdown}");
    let (verdict, markdown) = lists(&made_up::in_doubt());
    assert!(verdict.contains("these gains are not firm"), "{verdict}");
    assert!(verdict.contains("<ul class=\"advice\">") && !verdict.contains("<ol"), "{verdict}");
    assert!(markdown.contains("gains are not firm:\\n\\n- "), "{markdown}");
    assert!(!markdown.contains("\\n1. "), "{markdown}");
}

#[test]
fn the_hottest_functions_are_those_of_the_user() {
    let mut analysis = busy();
    let code = |function: &str, library: Option<&str>, samples| HotCode {
        function: function.to_owned(),
        module: Some("solver".to_owned()),
        library: library.map(str::to_owned),
        samples,
        ..HotCode::default()
    };
    analysis.summary.sampled = Some(Sampled {
        taken: 100,
        period_ns: 1_000,
        code: vec![code("relax", None, 60), code("relax", Some("sqrt"), 20)],
        ..Sampled::default()
    });
    let page = written(&page(&analysis, &Notes::default()));
    let hottest = page.split("Hottest functions").nth(1).expect("the list");
    let names: Vec<&str> = hottest[..hottest.find("</section>").unwrap()]
        .split("<code>")
        .skip(1)
        .map(|rest| rest.split("</code>").next().unwrap())
        .collect();
    assert_eq!(names, ["relax", "relax: sqrt"], "{hottest}");
    assert!(hottest.contains(">60.0 %<") && hottest.contains(">20.0 %<"), "{hottest}");
}

#[test]
fn guesses_are_told() {
    let mut analysis = busy();
    assert!(!page(&analysis, &Notes::default()).contains("context switches"));
    analysis.summary.quality.guessed = 12;
    let text = written(&page(&analysis, &Notes::default()));
    assert!(section(&text, "quality").contains("in 12 intervals."), "{text}");
}

#[test]
fn phases_have_a_section_and_the_page_of_one_names_it() {
    let mut analysis = busy();
    let text = written(&page(&analysis, &Notes::default()));
    assert!(!text.contains("id=\"phases\"") && !text.contains("<dt>shown</dt>"), "{text}");
    let phase = |path: &str, count, longest_ns| PhaseSums {
        path: path.to_owned(),
        count,
        wall_ns: 5_000_000,
        longest_ns,
        by_class: [1; Class::COUNT],
    };
    analysis.summary.phases = vec![phase("<solve>", 4, Some(2_000_000)), phase("", 0, None)];
    analysis.summary.header.phase = Some("<step>".to_owned());
    let text = written(&page(&analysis, &Notes::default()));
    assert!(text.contains("<dt>shown</dt><dd>phase &lt;step&gt;</dd>"), "{text}");
    let phases = section(&text, "phases");
    for word in ["&lt;solve&gt;", "outside of phases", "5.00 ms", "2.00 ms"] {
        assert!(phases.contains(word), "`{word}` is missing in {phases}");
    }
}

#[test]
fn slices_have_a_bar_each_and_a_window_is_named() {
    let mut analysis = busy();
    let text = written(&page(&analysis, &Notes::default()));
    assert!(!text.contains("id=\"slices\""), "{text}");
    let slice = |number: u64| SliceSums {
        from_ns: number * 1_000_000,
        to_ns: (number + 1) * 1_000_000,
        by_class: [number + 1; Class::COUNT],
    };
    analysis.summary.slices = (0..90).map(slice).collect();
    analysis.summary.header.window = Some(Window { from_ns: 1_500_000, to_ns: 2_500_000 });
    let text = written(&page(&analysis, &Notes::default()));
    assert!(text.contains("<dt>shown</dt><dd>from 1.50 ms to 2.50 ms</dd>"), "{text}");
    let slices = section(&text, "slices");
    assert_eq!(slices.matches("class=\"thread\"").count(), 30, "three in one: {slices}");
    assert!(slices.contains("87.00 ms") && slices.contains("until 90.00 ms"), "{slices}");
}

#[test]
fn counters_have_a_section_that_says_what_is_bound_by_memory() {
    let with = written(&page(&made_up::counting(), &Notes::default()));
    let from = with.find("<section id=\"counters\"").expect("the counters");
    let section = &with[from..];
    let section = &section[..section.find("</section>").expect("its end")];
    for text in [
        "4 000 000",
        ">0.40<",
        "18.0 GB/s",
        "is bound by the bandwidth of memory",
        "&lt;page-faults&gt;",
        "1 234",
        "2 468",
        "not counted: hitm (no event of this processor is known for it)",
    ] {
        assert!(section.contains(text), "{text} in {section}");
    }
    assert!(with.contains("id=\"d-memory-limit\""), "its definition");
    let without = written(&page(&busy(), &Notes::default()));
    assert!(!without.contains("id=\"counters\"") && !without.contains("id=\"d-ipc\""));
}

#[test]
fn a_rank_has_the_table_of_its_calls_of_mpi() {
    let text = page(&made_up::with_mpi(), &Notes::default());
    let section = &text[text.find("<section id=\"mpi\"").expect("the section")..];
    let section = &section[..section.find("</section>").expect("its end")];
    let body = &section[section.find("<tbody>").expect("rows")..];
    assert_eq!(body.matches("<tr").count(), 2);
    for word in ["MPI_Alltoallw", "MPI_&lt;Bcast&gt;", "collective", "9.00 ms", "2.00 ms"] {
        assert!(body.contains(word), "`{word}` is missing in {body}");
    }
    assert!(!page(&made_up::busy(), &Notes::default()).contains("<section id=\"mpi\""));
}
