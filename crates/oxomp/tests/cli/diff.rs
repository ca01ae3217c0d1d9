//! `oxomp diff` and `oxomp profile --repeat` on recordings that are written by hand. Real programs
//! are compared in tests/diff.rs.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use oxomp_trace::info::{Tag, write_item};
use oxomp_trace::layout::{CHUNK_SIZE, HEADER_SIZE};
use oxomp_trace::{EventKind, FileHeader, Record, Writer};
use rustix::process::Signal;

use crate::place::{Place, stderr, stdout};
use crate::running::Running;

/// How a recording ended.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Orderly,
    Killed,
}

/// A recording of one thread that spends `region` of its `wall` milliseconds in a region.
fn record(path: &Path, wall: u64, region: u64, end: End) {
    let header = FileHeader { pid: 7, ticks_per_second: 1_000, ..FileHeader::default() };
    let mut writer = Writer::new(File::create(path).unwrap(), &header).unwrap();
    let mut items = [0; 256];
    let mut used = 0;
    let mut item = |tag, content: &[u8]| {
        used += write_item(&mut items[used..], tag, &[content]).unwrap();
    };
    item(Tag::Argument, b"./solver");
    item(Tag::RuntimeVersion, b"some runtime");
    if end == End::Orderly {
        item(Tag::End, &wall.to_le_bytes());
        item(Tag::CpuTime, &(wall * 1_000_000).to_le_bytes());
    }
    writer.info(&items[..used]).unwrap();
    let event = |tick, kind: EventKind, value, aux| Record {
        tick,
        kind: kind as u8,
        value,
        aux,
        code: if kind == EventKind::ImplicitBegin { 0 } else { 0x1000 },
        sub: u8::from(kind == EventKind::ThreadBegin),
        ..Record::default()
    };
    let records = [
        event(0, EventKind::ThreadBegin, 7, 0),
        event(10, EventKind::ParallelBegin, 1, 1),
        event(10, EventKind::ImplicitBegin, 1, 1),
        event(10 + region, EventKind::ImplicitEnd, 1, 0),
        event(10 + region, EventKind::ParallelEnd, 1, 0),
        event(wall, EventKind::ThreadEnd, 0, 0),
    ];
    writer.thread(0, &records).unwrap();
}

fn diff(place: &Place, words: &[&str]) -> Output {
    let mut all = vec!["diff"];
    all.extend(words);
    place.oxomp(&all).output().unwrap()
}

/// A folder of runs; each has one of these times in its region.
fn repeated(place: &Place, name: &str, regions: &[u64]) {
    for (number, region) in (1..).zip(regions) {
        let folder = place.path(&format!("{name}/run-{number}"));
        fs::create_dir_all(&folder).unwrap();
        record(&folder.join("run.oxp"), region + 20, *region, End::Orderly);
    }
}

#[test]
fn the_status_tells_whether_the_program_became_slower() {
    let place = Place::new();
    repeated(&place, "before", &[1000, 1010, 990, 1005, 995]);
    repeated(&place, "after", &[1500, 1510, 1490, 1505, 1495]);
    let slower = diff(&place, &["before", "after"]);
    assert_eq!(slower.status.code(), Some(1), "{slower:#?}");
    let text = stdout(&slower);
    for part in ["(5 runs)", "Slower: 1.02 s -> 1.52 s (+49.0 %)", "Regression: wall time"] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
    for words in
        [&["after", "before"][..], &["before", "before"], &["before", "after", "--fail-on=none"]]
    {
        let output = diff(&place, words);
        assert_eq!(output.status.code(), Some(0), "{output:#?}");
    }
    let json = diff(&place, &["--json", "--fail-on", "wall,region", "before", "after"]);
    assert_eq!(json.status.code(), Some(1), "{json:#?}");
    let text = stdout(&json);
    assert!(text.contains("\"format\": \"oxomp-diff\"") && text.ends_with("}\n"), "{text}");
    assert!(text.contains("the region "), "{text}");
}

#[test]
fn report_shows_the_median_of_repeated_runs() {
    let place = Place::new();
    repeated(&place, "runs", &[1000, 1300, 1100]);
    let report = place.oxomp(["report", "runs"]).output().unwrap();
    assert_eq!(report.status.code(), Some(0), "{report:#?}");
    let text = stdout(&report);
    assert!(text.contains("wall 1.12 s"), "{text}");
    let page = place.oxomp(["report", "runs", "--html"]).output().unwrap();
    assert_eq!(page.status.code(), Some(125), "{page:#?}");
    let expected = "repeated runs (run-1 to run-3), and an output shows one: \
        `oxomp report runs/run-1 --html`";
    assert!(stderr(&page).contains(expected), "{page:#?}");
    assert!(text.contains("runs: runs (run-1 to run-3)\none of them: oxomp report runs/run-1\n"));
}

#[test]
fn single_runs_are_judged_by_the_threshold() {
    let place = Place::new();
    record(&place.path("a.oxp"), 1020, 1000, End::Orderly);
    record(&place.path("b.oxp"), 1120, 1100, End::Orderly);
    let output = diff(&place, &["a.oxp", "b.oxp"]);
    assert_eq!(output.status.code(), Some(1), "{output:#?}");
    assert!(stdout(&output).contains("noise is unknown"), "{output:#?}");
    let output = diff(&place, &["a.oxp", "b.oxp", "--threshold", "15%"]);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    for wrong in ["x", "-1", "1001%", "nan"] {
        let output = diff(&place, &["a.oxp", "b.oxp", &format!("--threshold={wrong}")]);
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
    }
}

#[test]
fn what_cannot_be_read_is_named_and_no_verdict() {
    let place = Place::new();
    record(&place.path("good.oxp"), 1020, 1000, End::Orderly);
    fs::write(place.path("empty.oxp"), "").unwrap();
    fs::write(place.path("text.oxp"), "no profile").unwrap();
    fs::create_dir(place.path("folder")).unwrap();
    for name in ["empty.oxp", "text.oxp", "folder", "none.oxp", "/dev/zero"] {
        for words in [["good.oxp", name], [name, "good.oxp"]] {
            let output = diff(&place, &words);
            assert_eq!(output.status.code(), Some(125), "{output:#?}");
            assert_eq!(stdout(&output), "");
            assert!(stderr(&output).contains(name), "{output:#?}");
        }
    }
}

#[test]
fn one_run_that_cannot_be_read_leaves_the_others() {
    let place = Place::new();
    repeated(&place, "before", &[1000, 1010, 990, 1005, 995]);
    repeated(&place, "after", &[1000, 1010, 990, 1005, 995]);
    fs::write(place.path("after/run-2/run.oxp"), "no profile").unwrap();
    record(&place.path("after/run-3/run.oxp"), 300, 200, End::Killed);
    let output = diff(&place, &["before", "after"]);
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stdout(&output).contains("after:  after (3 runs)"), "{output:#?}");
    let said = stderr(&output);
    assert!(said.contains("run-2") && said.contains("run-3: left out"), "{said}");
}

#[test]
fn killed_and_damaged_recordings_are_compared_with_a_warning() {
    let place = Place::new();
    record(&place.path("good.oxp"), 1020, 1000, End::Orderly);
    record(&place.path("killed.oxp"), 1020, 1000, End::Killed);
    let mut bytes = fs::read(place.path("good.oxp")).unwrap();
    // The events are in the last chunk.
    let events = HEADER_SIZE + CHUNK_SIZE;
    bytes[events + 100] ^= 0xff;
    fs::write(place.path("damaged.oxp"), bytes).unwrap();
    for (name, why) in [("killed.oxp", "went away"), ("damaged.oxp", "is damaged")] {
        let output = diff(&place, &["good.oxp", name]);
        let text = stdout(&output);
        assert!(text.contains("WARNING: after, run 1") && text.contains(why), "{name}\n{text}");
    }
}

/// A program that leaves a recording, as the collector does.
fn program(place: &Place, then: &str) -> String {
    record(&place.path("recording"), 1020, 1000, End::Orderly);
    let from = place.path("recording");
    let script = format!(
        "#!/bin/sh\ncp {} \"$OXOMP_OUT/7.oxp\"\necho out\nruns=$(ls -d \"$OXOMP_OUT\"/../run-* | wc -l)\n{then}\n",
        from.display()
    );
    place.script("program", &script).to_str().unwrap().to_owned()
}

#[test]
fn a_repeated_program_leaves_a_recording_of_each_run() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    let output = place.oxomp(["profile", "--repeat", "3", "-o", "all", "--", &program]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert_eq!(stdout(&output), "out\nout\nout\n");
    for number in 1..=3 {
        assert!(place.path(&format!("all/run-{number}/run.oxp")).is_file(), "{output:#?}");
    }
    let said = stderr(&output);
    for part in ["run 1 of 3", "run 3 of 3 (the last took", "Spread of 3 runs", "runs: all"] {
        assert!(said.contains(part), "`{part}` in:\n{said}");
    }
    // One summary, not three.
    assert_eq!(said.matches("Parallel efficiency").count(), 1, "{said}");
    let again = place.oxomp(["profile", "--repeat", "2", "-o", "all", "--", &program]).output();
    assert_eq!(again.unwrap().status.code(), Some(125), "the data of other runs is kept");
    let output = diff(&place, &["all", "all"]);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert!(stdout(&output).contains("No change of the wall time"), "{output:#?}");
}

#[test]
fn a_run_that_fails_is_the_last_one() {
    let place = Place::new();
    let program = program(&place, "[ $runs -lt 2 ] || exit 9");
    let output = place.oxomp(["profile", "--repeat", "5", "--", &program]).output().unwrap();
    assert_eq!(output.status.code(), Some(9), "{output:#?}");
    let said = stderr(&output);
    assert!(said.contains("run 2 of 5: failed") && !said.contains("run 3 of 5"), "{said}");
    assert!(place.path("oxomp-program-1/run-2/run.oxp").is_file(), "{said}");
    assert!(said.contains("Spread of 2 runs"), "{said}");
}

#[test]
fn a_program_that_records_nothing_is_not_repeated() {
    let place = Place::new();
    let program = place.script("nothing", "#!/bin/sh\nexit 0\n");
    let words = ["profile", "--repeat", "5", "--", program.to_str().unwrap()];
    let output = place.oxomp(words).output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert!(said.contains("no profile") && !said.contains("run 2 of 5"), "{said}");
    assert!(!place.path("oxomp-nothing-1").exists(), "an empty folder is left behind");
}

/// The second run counts the signal and goes on; no third run follows.
#[test]
fn a_request_to_end_ends_the_repetition() {
    let place = Place::new();
    let then = "[ $runs -lt 2 ] && exit 0\ntrap 'echo caught' TERM\necho ready\n\
                n=0; while [ $n -lt 40 ]; do n=$((n+1)); sleep 0.05; done\nexit 0";
    let program = program(&place, then);
    let mut command = place.oxomp(["profile", "--repeat", "4", "--", &program]);
    command.stdin(Stdio::null());
    let mut running = Running::start(&mut command);
    running.wait_until_ready();
    std::thread::sleep(Duration::from_millis(50));
    running.signal(Signal::TERM);
    let output = running.finish();
    assert!(stdout(&output).contains("caught"), "{output:#?}");
    let said = stderr(&output);
    assert!(said.contains("run 2 of 4: interrupted"), "{said}");
    assert!(!said.contains("run 3 of 4"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
}
