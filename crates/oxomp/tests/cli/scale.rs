//! `oxomp scale` around programs that leave recordings written by hand. A real program is run in
//! tests/scale.rs.

use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

use oxomp_trace::info::{Tag, write_item};
use oxomp_trace::{EventKind, FileHeader, Record, Writer};
use rustix::process::Signal;

use crate::place::{Place, stderr, stdout};
use crate::running::Running;

/// Milliseconds outside of the region, before and after it.
const SERIAL: u64 = 20;

/// A recording of a team of `threads` threads that is in a region for `region` ms.
fn record(path: &Path, threads: u32, region: u64) {
    record_with(path, threads, region, &[]);
}

/// The same with more items about the process.
fn record_with(path: &Path, threads: u32, region: u64, more: &[(Tag, &[u8])]) {
    let header = FileHeader { pid: 7, ticks_per_second: 1_000, ..FileHeader::default() };
    let mut writer = Writer::new(File::create(path).unwrap(), &header).unwrap();
    let mut items = [0; 256];
    let mut used = 0;
    let wall = region + SERIAL;
    let (end, cpu) = (wall.to_le_bytes(), (wall * 1_000_000).to_le_bytes());
    let items_of_all = [
        (Tag::Argument, &b"./solver"[..]),
        (Tag::RuntimeVersion, b"some runtime"),
        (Tag::End, &end),
        (Tag::CpuTime, &cpu),
    ];
    for &(tag, content) in items_of_all.iter().chain(more) {
        used += write_item(&mut items[used..], tag, &[content]).unwrap();
    }
    writer.info(&items[..used]).unwrap();
    let event = |tick, kind: EventKind, value, aux, code| Record {
        tick,
        kind: kind as u8,
        value,
        aux,
        code,
        ..Record::default()
    };
    let (begin, end) = (SERIAL / 2, SERIAL / 2 + region);
    for thread in 0..threads {
        let number = u64::from(thread);
        let first = Record {
            sub: if thread == 0 { 1 } else { 2 },
            ..event(if thread == 0 { 0 } else { begin }, EventKind::ThreadBegin, 7 + number, 0, 0)
        };
        let mut records = vec![first];
        if thread == 0 {
            records.push(event(begin, EventKind::ParallelBegin, 1, threads, 0x1000));
        }
        records.push(event(begin, EventKind::ImplicitBegin, 1, threads, number));
        records.push(event(end, EventKind::ImplicitEnd, 1, 0, 0));
        if thread == 0 {
            records.push(event(end, EventKind::ParallelEnd, 1, 0, 0x1000));
        }
        records.push(event(wall, EventKind::ThreadEnd, 0, 0, 0));
        writer.thread(thread, &records).unwrap();
    }
}

/// A program whose region takes 800 ms divided by the number of its threads, up to four. Then it
/// executes `then`; `$run` counts its executions.
fn program(place: &Place, then: &str) -> String {
    for threads in [1, 2, 3, 4, 8] {
        let region = 800 / u64::from(threads.min(4));
        record(&place.path(&format!("recording-{threads}")), threads, region);
    }
    let script = format!(
        "#!/bin/sh\necho x >> {here}/calls\nrun=$(wc -l < {here}/calls)\n\
         cp \"{here}/recording-${{OMP_NUM_THREADS%%,*}}\" \"$OXOMP_OUT/7.oxp\"\n\
         echo \"ran with $OMP_NUM_THREADS\"\n{then}\n",
        here = place.path("").display()
    );
    place.script("program", &script).to_str().unwrap().to_owned()
}

fn scale(place: &Place, options: &[&str], program: &str) -> Output {
    let mut words = vec!["scale", "-o", "all"];
    words.extend(options);
    words.extend(["--", program]);
    place.oxomp(&words).env_remove("OMP_NUM_THREADS").output().unwrap()
}

#[test]
fn the_numbers_of_threads_take_turns() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    let output = scale(&place, &["--threads", "2,1", "--repeat", "2"], &program);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert_eq!(stdout(&output), "ran with 1\nran with 2\nran with 1\nran with 2\n");
    let said = stderr(&output);
    for part in [
        "oxomp: run 1 of 4: 1 thread\n",
        "oxomp: run 4 of 4: 2 threads (the last took",
        "Threads",
        "Region",
        "runs: all; `oxomp scale all --html FILE` makes a page",
    ] {
        assert!(said.contains(part), "`{part}` in:\n{said}");
    }
    for run in ["threads-1/run-1", "threads-1/run-2", "threads-2/run-1", "threads-2/run-2"] {
        assert!(place.path(&format!("all/{run}/run.oxp")).is_file(), "{run}: {output:#?}");
    }
}

#[test]
fn inner_levels_keep_their_number_of_threads() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    let words = ["scale", "-o", "all", "--threads=2", "--repeat=1", "--", &program];
    let output = place.oxomp(words).env("OMP_NUM_THREADS", "8,3").output().unwrap();
    assert_eq!(stdout(&output), "ran with 2,3\n", "{output:#?}");
}

#[test]
fn the_runs_of_a_folder_are_shown_again() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    let options = ["--threads", "1,4,8", "--repeat", "1", "--json", "s.json", "--html", "s.html"];
    let output = scale(&place, &options, &program);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    // The machine of the test has its own number of processors.
    fs::write(place.path("all/processors"), "8\n").unwrap();
    let again = place.oxomp(["scale", "all"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{again:#?}");
    let text = stdout(&again);
    for part in [
        "8 threads are 3.73 times as fast as 1, not 8",
        "Serial is 20.00 ms of 820.0 ms with 1 thread (2.4 %)",
        "it gains nothing from 4 to 8 threads",
    ] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
    let json = place.oxomp(["scale", "all", "--json=-"]).output().unwrap();
    let json = stdout(&json);
    assert!(json.contains("\"document\": \"scale\"") && json.contains("\"judged\": 2"), "{json}");
    let written = fs::read_to_string(place.path("s.json")).unwrap();
    assert!(written.contains("\"document\": \"scale\""), "{written}");
    let page = fs::read_to_string(place.path("s.html")).unwrap();
    assert!(page.contains("<svg class=\"curve\""), "{page}");
    let report = place.oxomp(["report", "all"]).output().unwrap();
    assert!(stderr(&report).contains("`oxomp scale all` shows them"), "{report:#?}");
    let schema = place.oxomp(["report", "--json-schema=scale"]).output().unwrap();
    assert!(stdout(&schema).contains("urn:oxomp:scale:"), "{schema:#?}");
}

#[test]
fn two_folders_are_compared_number_by_number() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    scale(&place, &["--threads", "1,2", "--repeat", "1"], &program);
    fs::rename(place.path("all"), place.path("before")).unwrap();
    record(&place.path("recording-2"), 2, 100);
    scale(&place, &["--threads", "1,2,3", "--repeat", "1"], &program);
    let diff = |words: &[&str]| place.oxomp([&["diff"], words].concat()).output().unwrap();
    let faster = diff(&["before", "all"]);
    assert_eq!(faster.status.code(), Some(0), "{faster:#?}");
    let text = stdout(&faster);
    for part in ["-71.4 %", "Only one side has runs with 3 threads", "With 2 threads", "Faster"] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
    assert_eq!(diff(&["all", "before"]).status.code(), Some(1));
    let json = stdout(&diff(&["--json", "before", "all"]));
    assert!(json.contains("\"format\": \"oxomp-scale-diff\""), "{json}");
    let one = diff(&["before", "all/threads-1"]);
    assert_eq!(one.status.code(), Some(125), "{one:#?}");
    assert!(stderr(&one).contains("name one number of threads, such as before/threads-1"));
    let numbers = diff(&["all/threads-1", "all/threads-2", "--fail-on=none"]);
    assert!(stdout(&numbers).contains("Faster: 820.0 ms -> 120.0 ms"), "{numbers:#?}");
}

#[test]
fn a_program_that_fails_ends_the_series_and_what_ran_is_shown() {
    let place = Place::new();
    let program = program(&place, "[ \"$run\" -lt 3 ] || exit 7");
    let output = scale(&place, &["--threads", "1,2", "--repeat", "2"], &program);
    assert_eq!(output.status.code(), Some(7), "{output:#?}");
    let said = stderr(&output);
    assert!(said.contains("run 3 of 4: 1 thread: failed after"), "{said}");
    assert!(said.contains("Threads") && !said.contains("run 4 of 4"), "{said}");
    assert!(place.path("all/threads-1/unfinished-2").is_dir(), "{output:#?}");
    let first = scale(&place, &["--threads", "1,2"], &program);
    assert_eq!(first.status.code(), Some(125), "{first:#?}");
    assert!(stderr(&first).contains("all: holds the runs of another scale"), "{first:#?}");
}

#[test]
fn a_program_that_fails_at_once_leaves_its_run_only() {
    let place = Place::new();
    let program = program(&place, "exit 3");
    let output = scale(&place, &["--threads", "1,2"], &program);
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    assert!(stderr(&output).contains("run 1 of 6: 1 thread: failed"), "{output:#?}");
    let again = place.oxomp(["scale", "all"]).output().unwrap();
    assert_eq!(again.status.code(), Some(125), "{again:#?}");
    assert!(stderr(&again).contains("all: there are no runs of `oxomp scale` in it"), "{again:#?}");
}

#[test]
fn an_interrupt_keeps_and_shows_what_ran() {
    let place = Place::new();
    let program = program(&place, "[ \"$run\" -lt 3 ] || { echo ready; exec sleep 100; }");
    let words = ["scale", "-o", "all", "--threads", "1,2", "--", &program];
    let mut running = Running::start(place.oxomp(words).env_remove("OMP_NUM_THREADS"));
    running.wait_until_ready();
    running.signal(Signal::INT);
    let output = running.finish();
    let said = stderr(&output);
    assert!(said.contains("run 3 of 6: 1 thread: killed by SIGINT after"), "{said}");
    assert!(said.contains("Threads") && said.contains("runs: all"), "{said}");
    assert!(place.path("all/threads-2/run-1/run.oxp").is_file(), "{output:#?}");
}

#[test]
fn ranks_are_refused() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    let inside = place
        .oxomp(["scale", "--", &program])
        .envs([("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")])
        .output()
        .unwrap();
    assert_eq!(inside.status.code(), Some(125), "{inside:#?}");
    assert!(stderr(&inside).contains("this is rank 1 of a parallel job"), "{inside:#?}");
    assert_eq!(stdout(&inside), "", "nothing was run");
    // A launcher behind the command: the first recording tells.
    let rank = [&0_u64.to_le_bytes()[..], &2_u64.to_le_bytes(), b"job"].concat();
    record_with(&place.path("recording-1"), 1, 800, &[(Tag::Rank, &rank)]);
    let behind = scale(&place, &["--threads", "1,2"], &program);
    assert_eq!(behind.status.code(), Some(125), "{behind:#?}");
    assert!(stderr(&behind).contains("the program is a parallel job"), "{behind:#?}");
    assert_eq!(stdout(&behind), "ran with 1\n", "{behind:#?}");
}

#[test]
fn values_that_cannot_be_are_named() {
    let place = Place::new();
    let program = program(&place, "exit 0");
    for (options, part) in [
        (&["--threads", "0"][..], "--threads"),
        (&["--threads", "1,x"], "--threads"),
        (&["--repeat", "0"], "--repeat"),
        (&["--json", "none/s.json"], "--json none/s.json: its folder does not exist"),
        (&["--html", "."], "--html .: is a folder"),
        (&["--json=-"], "--json -: standard output is the program's"),
    ] {
        let output = scale(&place, options, &program);
        assert_eq!(output.status.code(), Some(125), "{options:?}: {output:#?}");
        assert!(stderr(&output).contains(part), "{options:?}: {output:#?}");
        assert_eq!(stdout(&output), "", "{options:?}: nothing was run");
    }
    let none = scale(&place, &[], "./nosuch");
    assert_eq!(none.status.code(), Some(127), "{none:#?}");
    assert!(!place.path("all").exists(), "{none:#?}");
    let beyond = scale(&place, &["--threads", "1,4000", "--repeat", "1"], &program);
    assert!(stderr(&beyond).contains("--threads 4000: more than the processors"), "{beyond:#?}");
}
