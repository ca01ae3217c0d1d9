//! `oxomp profile --last` on a program with known answers, with the command, the runtime and the
//! collector as `cargo xtask dist` puts them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use oxomp_prerequisites::Program;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

mod running;

use running::{PATIENCE, Place, ended, text, variable};

/// What is kept, in seconds; looks at the sums lie up to a tenth of a second apart, and a loaded
/// machine delays them.
const LAST: f64 = 1.0;

/// The command on the program, which does what `ways` says.
fn profile(place: &Place, options: &[&str], ways: &[&str]) -> Command {
    let mut command = Command::new(variable("OXOMP_BIN"));
    command.args(["profile", "--last", "1s", "-o", "data"]).args(options).arg("--");
    command.arg(place.path("service")).args(ways).current_dir(place.path(""));
    for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OXOMP_HOME"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn place(compiler: Program) -> Place {
    Place::with(compiler, "last_seconds.c")
}

/// Waits until `is_so`.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// The first folder of an excerpt whose name ends with `what`: a busy machine may delay the end of
/// a slow region until it triggers anew.
fn excerpt(place: &Place, what: &str) -> Option<String> {
    let entries = fs::read_dir(place.path("data")).ok()?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let first = names.filter(|name| name.ends_with(what)).min();
    first.map(|name| format!("data/{name}"))
}

/// The calls and the seconds of a region.
fn region(document: &Value, function: &str) -> Option<(u64, f64)> {
    let regions = document["regions"].as_array().expect("regions");
    let found = regions.iter().find(|region| region["place"]["function"] == function)?;
    let ns = found["wall_ns"].as_f64().expect("a time");
    Some((found["calls"].as_u64().expect("a number"), ns / 1e9))
}

/// A document of the last seconds: its time is that, and each thread's times add up to it.
fn check(document: &Value, why: &str) {
    assert_eq!(document["run"]["excerpt"], why, "{document:#}");
    let wall = document["run"]["wall_ns"].as_f64().expect("a time") / 1e9;
    assert!((LAST..LAST * 2.5).contains(&wall), "{wall} s");
    for thread in document["threads"].as_array().expect("threads") {
        let classes = thread["classes"].as_object().expect("classes").values();
        let all: f64 = classes.map(|time| time.as_f64().expect("a time") / 1e9).sum();
        assert!((all / wall - 1.0).abs() < 0.02, "{all} of {wall}: {document:#}");
    }
    for (function, (_, seconds)) in
        ["early", "late", "relax"].iter().filter_map(|name| Some((name, region(document, name)?)))
    {
        assert!(seconds < wall * 1.02, "{function}: {seconds} of {wall}");
    }
}

/// The text of an excerpt has nothing odd.
fn is_in_order(place: &Place, path: &str) -> String {
    let mut command = Command::new(variable("OXOMP_BIN"));
    let output = command.args(["report", path]).current_dir(place.path("")).output();
    let output = output.expect("the command");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for odd in ["WARNING", "fitted nowhere", "truncated", "damaged", "missing"] {
        assert!(!shown.contains(odd), "{odd}: {shown}");
    }
    assert!(shown.contains("the last 1."), "{shown}");
    shown
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("our own process");
}

/// The program that the command has started, by the name of its recording.
fn program_of(place: &Place) -> Pid {
    let ring = place.path("data/.ring");
    let name = || {
        let entry = fs::read_dir(&ring).ok()?.flatten().next()?;
        entry.path().file_stem()?.to_str()?.parse().ok()
    };
    wait_until("a recording begins", || name().is_some());
    Pid::from_raw(name().expect("a recording")).expect("a number of a process")
}

#[test]
fn a_signal_writes_what_has_just_happened() {
    let place = place(Program::Gcc);
    let command = profile(&place, &[], &["stay"]).spawn().expect("the command");
    let program = program_of(&place);
    sleep(Duration::from_millis(4500));
    signal(&command, Signal::USR1);
    wait_until("an excerpt", || excerpt(&place, "-asked").is_some());
    sleep(Duration::from_millis(500));
    kill_process(program, Signal::TERM).expect("the program");
    let output = command.wait_with_output().expect("the command");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ready\nwrong 0\n");
    let path = excerpt(&place, "-asked").expect("a folder");
    assert!(said.contains("asked for by SIGUSR1: the last 1."), "{said}");
    assert!(said.contains(&path), "{said}");
    let document = place.document(&path);
    check(&document, "asked for by SIGUSR1");
    let (calls, seconds) = region(&document, "late").expect("the last region");
    assert!(calls > 50 && seconds > 0.6, "{calls} calls, {seconds} s");
    assert_eq!(region(&document, "early"), None, "it is past");
    is_in_order(&place, &path);

    // The end of the program is in the folder itself, and nothing else is left.
    check(&place.document("data"), "the program ended");
    assert!(!place.path("data/.ring").exists(), "{said}");
}

#[test]
fn a_slow_region_and_a_request_of_the_program_are_reasons() {
    let place = place(Program::Clang);
    let options = ["--trigger", "region=relax>300ms", "--trigger", "region=late>9s"];
    let output = profile(&place, &options, &["slow", "flush"]).output().expect("the command");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let path = excerpt(&place, "-relax").unwrap_or_else(|| panic!("{said}"));
    assert!(said.contains("region relax (last_seconds.c:"), "{said}");
    let document = place.document(&path);
    let why = document["run"]["excerpt"].as_str().expect("why").to_owned();
    check(&document, &why);
    let (calls, seconds) = region(&document, "relax").expect("the slow region");
    assert!(calls == 1 && seconds > 0.3, "{calls} calls, {seconds} s");
    assert!(region(&document, "early").is_some(), "it was before");
    is_in_order(&place, &path);
    let path = excerpt(&place, "-flush").unwrap_or_else(|| panic!("{said}"));
    check(&place.document(&path), "asked for by the program");
    is_in_order(&place, &path);
}

#[test]
fn a_crash_has_its_last_seconds() {
    let place = place(Program::Gcc);
    let output = profile(&place, &[], &["crash"]).output().expect("the command");
    let said = text(&output);
    assert_ne!(output.status.code(), Some(0), "{said}");
    let document = place.document("data");
    check(&document, "the program was killed by SIGSEGV");
    assert!(region(&document, "late").expect("the last region").0 > 50, "{document:#}");
    is_in_order(&place, "data");
}

/// Nothing but serial code is left of the program, in which no region is slow.
#[test]
fn the_last_seconds_may_have_no_region() {
    let place = place(Program::Gcc);
    let output = profile(&place, &["--trigger", "region>500ms"], &["serial"]).output();
    let output = output.expect("the command");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(excerpt(&place, "-late").is_none(), "{said}");
    let document = place.document("data");
    check(&document, "the program ended");
    assert_eq!(region(&document, "late"), None, "{document:#}");
    let wall = document["run"]["wall_ns"].as_u64().expect("a time");
    for stretch in document["serial"].as_array().expect("serial code") {
        assert!(stretch["total_ns"].as_u64().expect("a time") <= wall, "{document:#}");
    }
}

/// A region that has been under way for longer than what is kept is named, with all the time of its
/// threads.
#[test]
fn a_hang_is_named_while_it_lasts() {
    let place = place(Program::Gcc);
    let mut command =
        profile(&place, &["--trigger", "region>2s"], &["hang"]).spawn().expect("the command");
    let program = program_of(&place);
    wait_until("an excerpt", || excerpt(&place, "-relax").is_some());
    kill_process(program, Signal::KILL).expect("the program");
    ended(&mut command);
    let said = text(&command.wait_with_output().expect("its output"));
    assert!(said.contains(" has been without an event for 2."), "{said}");
    let path = excerpt(&place, "-relax").expect("a folder");
    for path in [path.as_str(), "data"] {
        let document = place.document(path);
        let why = document["run"]["excerpt"].as_str().expect("why").to_owned();
        check(&document, &why);
        let (calls, seconds) = region(&document, "relax").expect("the region");
        let wall = document["run"]["wall_ns"].as_f64().expect("a time") / 1e9;
        assert!(calls == 1 && seconds > 0.95 * wall, "{calls} calls, {seconds} of {wall}");
        is_in_order(&place, path);
    }
}

#[test]
fn a_process_that_runs_already_has_its_last_seconds() {
    let place = place(Program::Gcc);
    let mut program = place.start("stay");
    let output = program.is_ready();
    sleep(Duration::from_millis(1800));
    let words = ["--last", "1s", "--duration", "2.5", "-o", "data"];
    let recorded = place.profile(program.pid(), &words).output().expect("the command");
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    let document = place.document("data");
    check(&document, "the recording ended");
    assert!(region(&document, "late").expect("the region").0 > 50, "{document:#}");
    is_in_order(&place, "data");
    program.signal(Signal::TERM);
    program.ends_well(output);
}

/// As many events as there are go through a file that has room for a part of a second of them: it
/// stays as small, and what is written is in order.
#[test]
fn the_past_is_overwritten() {
    let place = Place::with(Program::Gcc, "many_events.c");
    let mut command = profile(&place, &[], &["4"]);
    command.env("OXOMP_EVENTS", "all").env("OXOMP_MAX_SIZE", "4M");
    let mut command = command.spawn().expect("the command");
    let largest = largest_while(&place.path("data/.ring"), &mut command);
    let output = command.wait_with_output().expect("its output");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains("stopped"), "{said}");
    assert!((1 << 20..=4 << 20).contains(&largest), "{largest} bytes: {said}");
    is_in_order(&place, "data");
    let document = place.document("data");
    let events = document["quality"]["events"].as_u64().expect("a number");
    assert!(events > 1000, "{document:#}");
}

/// The size of the largest file in a folder, until a command ends.
fn largest_while(folder: &Path, command: &mut Child) -> u64 {
    let mut largest = 0;
    let begin = Instant::now();
    while command.try_wait().expect("our own process").is_none() && begin.elapsed() < PATIENCE {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let sizes = files.filter_map(|file| Some(file.metadata().ok()?.len()));
        largest = sizes.max().unwrap_or(0).max(largest);
        sleep(Duration::from_millis(20));
    }
    largest
}

#[test]
fn what_cannot_be_is_said() {
    for (words, why) in [
        (&["--last", "0.5"][..], "less than one second"),
        (&["--last", "ten"], "ten is no unit"),
        (&["--last", "10s", "--trigger", "relax>2s"], "region=NAME>2s"),
        (&["--last", "10s", "--trigger", "region=relax>soon"], "unit"),
        (&["--trigger", "region>2s"], "--last"),
        (&["--last", "10s", "--repeat", "2"], "--repeat"),
    ] {
        let mut command = Command::new(variable("OXOMP_BIN"));
        let output = command.arg("profile").args(words).args(["--", "true"]).output();
        let output = output.expect("the command");
        assert_eq!(output.status.code(), Some(125), "{words:?}");
        assert!(text(&output).contains(why), "{words:?}: {}", text(&output));
    }
}
