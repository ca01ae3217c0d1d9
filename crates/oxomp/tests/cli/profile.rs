//! `oxomp profile` around a program that may end in any way. The records are tested where the
//! collector is built.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use oxomp_prerequisites::Program;
use oxomp_trace::info::{Tag, write_item};
use oxomp_trace::{FileHeader, Writer};
use rustix::process::Signal;

use crate::place::{Place, stderr, stdout, succeed};
use crate::running::{Running, pseudo_terminal};

fn profile(place: &Place, program: &Path) -> Output {
    place.oxomp([OsStr::new("profile"), OsStr::new("--"), program.as_os_str()]).output().unwrap()
}

/// The variables a profiled program sees.
fn environment(place: &Place, options: &[&str], program: &str) -> Vec<(String, String)> {
    let mut words = vec!["profile"];
    words.extend(options);
    words.extend(["--", program]);
    let output = place.oxomp(&words).output().unwrap();
    assert!(output.status.success(), "{output:#?}");
    let pairs = stdout(&output);
    pairs
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(n, v)| (n.into(), v.into()))
        .collect()
}

fn value<'a>(environment: &'a [(String, String)], name: &str) -> Option<&'a str> {
    environment.iter().find(|(present, _)| present == name).map(|(_, value)| value.as_str())
}

/// The variables that a program sees which `oxomp profile` starts with `given`.
fn environment_with(place: &Place, given: &[(&str, &str)]) -> Vec<(String, String)> {
    place.script("show", "#!/bin/sh\nexec env\n");
    let mut command = place.oxomp(["profile", "-o", "data", "--", "./show"]);
    let output = command.envs(given.iter().copied()).output().unwrap();
    let pairs = stdout(&output).lines().map(str::to_owned).collect::<Vec<_>>();
    pairs
        .iter()
        .filter_map(|line| line.split_once('='))
        .map(|(n, v)| (n.into(), v.into()))
        .collect()
}

#[test]
fn the_collector_is_alone_unless_the_user_has_a_tool() {
    let place = Place::new();
    let collector = place.path("home/lib/liboxomp_collect.so");
    // A user who has disabled tools has none, and asks for the collector.
    for given in [&[][..], &[("OMP_TOOL", " Disabled"), ("OMP_TOOL_LIBRARIES", "/theirs.so")]] {
        let seen = environment_with(&place, given);
        assert_eq!(value(&seen, "OMP_TOOL_LIBRARIES"), collector.to_str());
        assert_eq!(value(&seen, "OXOMP_MULTIPLEX_TOOLS"), None);
        assert_eq!(value(&seen, "OMP_TOOL"), Some("enabled"));
    }
}

#[test]
fn the_multiplexer_runs_the_collector_beside_the_users_tool() {
    let place = Place::new();
    let collector = place.path("home/lib/liboxomp_collect.so").display().to_string();
    let multiplexer = place.path("home/lib/liboxomp_multiplex.so").display().to_string();
    // Of several, the first that wants to run does, as without the collector.
    let seen = environment_with(&place, &[("OMP_TOOL_LIBRARIES", "/their/tool.so::other.so")]);
    assert_eq!(value(&seen, "OMP_TOOL_LIBRARIES"), Some(&*multiplexer));
    let both = format!("/their/tool.so|other.so:{collector}");
    assert_eq!(value(&seen, "OXOMP_MULTIPLEX_TOOLS"), Some(&*both));
    // A user who multiplexes already keeps the list.
    let given = [("OMP_TOOL_LIBRARIES", &*multiplexer), ("OXOMP_MULTIPLEX_TOOLS", "a.so:b.so")];
    let seen = environment_with(&place, &given);
    assert_eq!(value(&seen, "OMP_TOOL_LIBRARIES"), Some(&*multiplexer));
    let all = format!("a.so:b.so:{collector}");
    assert_eq!(value(&seen, "OXOMP_MULTIPLEX_TOOLS"), Some(&*all));
}

#[test]
fn a_preloaded_tool_has_the_multiplexer_before_it() {
    let place = Place::new();
    let tool = place.compile(Program::Cc, "tool.c", "tool.so", &["-shared", "-fPIC"]);
    let tool = tool.to_str().unwrap();
    let collector = place.path("home/lib/liboxomp_collect.so").display().to_string();
    let multiplexer = place.path("home/lib/liboxomp_multiplex.so").display().to_string();
    let given = [("LD_PRELOAD", tool), ("OMP_TOOL_LIBRARIES", "other.so")];
    let seen = environment_with(&place, &given);
    let preloaded = value(&seen, "LD_PRELOAD").unwrap_or_default();
    let order: Vec<_> = preloaded.split(':').collect();
    assert_eq!((order.first(), order.last()), (Some(&&*multiplexer), Some(&tool)));
    let both = format!("@next|other.so:{collector}");
    assert_eq!(value(&seen, "OXOMP_MULTIPLEX_TOOLS"), Some(&*both));
}

/// A runtime that has both interfaces would run such a tool, and record nothing.
#[test]
fn a_tool_of_the_2015_report_makes_room_for_the_collector() {
    let place = Place::new();
    let tool = place.compile(Program::Cc, "old_tool.c", "old_tool.so", &["-shared", "-fPIC"]);
    let tool = tool.to_str().unwrap();
    let collector = place.path("home/lib/liboxomp_collect.so").display().to_string();
    let multiplexer = place.path("home/lib/liboxomp_multiplex.so").display().to_string();
    place.script("show", "#!/bin/sh\nexec env\n");
    let run = |given: &[(&str, &str)]| {
        let mut command = place.oxomp(["profile", "-o", "data", "--", "./show"]);
        let output = command.env("LD_PRELOAD", tool).envs(given.iter().copied()).output().unwrap();
        let seen: Vec<_> = stdout(&output)
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        (seen, stderr(&output).contains(&format!("{tool}: contains a tool of the 2015 report")))
    };
    for (given, names_it) in [(&[][..], true), (&[("OMP_TOOL", "disabled")], false)] {
        let (seen, is_named) = run(given);
        let preloaded = value(&seen, "LD_PRELOAD").unwrap_or_default();
        assert_eq!(preloaded.split(':').next(), Some(&*multiplexer));
        assert_eq!(value(&seen, "OMP_TOOL_LIBRARIES"), Some(&*multiplexer));
        assert_eq!(value(&seen, "OXOMP_MULTIPLEX_TOOLS"), Some(&*collector));
        assert_eq!(is_named, names_it, "{given:?}");
    }
}

#[test]
fn a_tool_that_cannot_be_named_is_said() {
    let place = Place::new();
    place.script("show", "#!/bin/sh\nexec env\n");
    let mut command = place.oxomp(["profile", "--", "./show"]);
    let output = command.env("OMP_TOOL_LIBRARIES", "/a|b.so").output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("/a|b.so"), "{output:#?}");
}

#[test]
fn the_data_folder_is_absolute_and_new_for_every_run() {
    let place = Place::new();
    place.script("show", "#!/bin/sh\nenv\ntouch \"$OXOMP_OUT/left\"\n");
    for number in [1, 2] {
        let folder = place.path("").canonicalize().unwrap().join(format!("oxomp-show-{number}"));
        let seen = environment(&place, &[], "./show");
        assert_eq!(value(&seen, "OXOMP_OUT"), folder.to_str());
    }
}

#[test]
fn the_rate_of_samples_is_the_users() {
    let place = Place::new();
    place.script("show", "#!/bin/sh\nenv\n");
    for (options, rate) in [
        (&[][..], None),
        (&["--hz", "2000"][..], Some("2000")),
        (&["--no-sampling"][..], Some("0")),
    ] {
        assert_eq!(value(&environment(&place, options, "./show"), "OXOMP_HZ"), rate);
    }
    for options in [&["--hz", "0"][..], &["--hz", "10", "--no-sampling"][..]] {
        let mut command = place.oxomp(["profile"].iter().chain(options).chain(&["./show"]));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
    }
}

#[test]
fn runtimes_with_ompt_are_kept_unless_ours_is_asked_for() {
    let place = Place::new();
    let theirs = place.path("theirs");
    fs::create_dir(&theirs).unwrap();
    place.runtime("theirs/libomp.so.5", "libomp.so.5", 11);
    let kmpc = place.compile(Program::Clang, "app.c", "kmpc", &["-fopenmp"]);
    let gomp = place.compile(Program::Gcc, "app.c", "gomp", &["-fopenmp"]);
    let procs = |options: &[&str], app: &Path| {
        let mut words = vec!["profile"];
        words.extend(options);
        words.extend(["--", app.to_str().unwrap()]);
        let output = place.oxomp(&words).env("LD_LIBRARY_PATH", &theirs).output().unwrap();
        stdout(&output).lines().next().map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(procs(&[], &kmpc), "procs 11");
    assert_eq!(procs(&["--runtime", "auto"], &kmpc), "procs 11");
    assert_eq!(procs(&["--runtime", "oxomp"], &kmpc), "procs 4242");
    assert_eq!(procs(&[], &gomp), "procs 4242");
    assert_ne!(procs(&["--runtime", "keep"], &gomp), "procs 4242");
}

#[test]
fn a_program_without_openmp_keeps_its_status_and_is_told_so() {
    let place = Place::new();
    let script = place.script("plain", "#!/bin/sh\necho output\nexit 9\n");
    let output = profile(&place, &script);
    assert_eq!(output.status.code(), Some(9));
    assert_eq!(stdout(&output), "output\n");
    let said = stderr(&output);
    assert!(said.contains("ran no parallel region"), "{said}");
    assert!(said.contains("-fopenmp"), "{said}");
    assert!(!said.contains("tool linked"), "nothing came first: {said}");
    assert!(!place.path("oxomp-plain-1").exists(), "an empty folder is left behind");
}

#[test]
fn an_unknown_option_is_named_and_not_taken_for_the_program() {
    let place = Place::new();
    let output = place.oxomp(["profile", "--typo", "--", "./a"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("'--typo'"), "{output:#?}");
    assert!(!stderr(&output).contains("no such program"), "{output:#?}");
}

#[test]
fn a_folder_that_cannot_be_written_suggests_another() {
    let place = Place::new();
    let script = place.script("plain", "#!/bin/sh\nexit 9\n");
    // Nobody makes folders there, not even the superuser.
    let output = place
        .oxomp([OsStr::new("profile"), OsStr::new("--"), script.as_os_str()])
        .current_dir("/proc")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("`-o DIR` names another folder"), "{output:#?}");
}

#[test]
fn variables_that_messages_name_are_in_the_help() {
    let output = Place::new().oxomp(["profile", "--help"]).output().unwrap();
    assert!(stdout(&output).contains("OXOMP_MAX_SIZE"), "{output:#?}");
}

#[test]
fn death_by_a_signal_passes_through_and_is_named() {
    let place = Place::new();
    let app = place.app();
    for (signal, name) in [(9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")] {
        let output = place
            .oxomp([OsStr::new("profile"), OsStr::new("--"), app.as_os_str()])
            .env("DO", format!("die:{signal}"))
            .output()
            .unwrap();
        assert_eq!(output.status.signal(), Some(signal), "{output:#?}");
        assert!(stderr(&output).contains(&format!("killed by {name}")), "{output:#?}");
    }
}

#[test]
fn a_signal_for_us_reaches_the_program_and_we_stay() {
    let place = Place::new();
    let app = place.app();
    for (number, signal) in [(2, Signal::INT), (15, Signal::TERM), (1, Signal::HUP)] {
        // The tests themselves may run where these are ignored: under nohup, in the background.
        let mut command = Program::Env.command();
        command.args(["--default-signal", env!("CARGO_BIN_EXE_oxomp"), "profile", "--"]).arg(&app);
        place.prepare(&mut command);
        let mut running = Running::start(command.env("DO", format!("wait:{number}")));
        running.wait_until_ready();
        running.signal(signal);
        let output = running.finish();
        assert_eq!(output.status.code(), Some(3), "{output:#?}");
        assert!(stdout(&output).ends_with("signals 1\n"), "{output:#?}");
        assert!(stderr(&output).contains("no profile"), "{output:#?}");
    }
}

#[test]
fn ctrl_c_reaches_the_program_once_and_we_stay() {
    let place = Place::new();
    let app = place.app();
    let (keyboard, terminal) = pseudo_terminal();
    let mut command = Program::Setsid.command();
    command.args(["--ctty", "--wait", env!("CARGO_BIN_EXE_oxomp"), "profile", "--"]).arg(&app);
    place.prepare(&mut command);
    command.env("DO", "wait:2").stdin(Stdio::from(terminal));
    let mut running = Running::start(&mut command);
    running.wait_until_ready();
    File::from(keyboard.try_clone().unwrap()).write_all(b"\x03").unwrap();
    let output = running.finish();
    assert!(stdout(&output).ends_with("signals 1\n"), "{output:#?}");
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    assert!(stderr(&output).contains("no profile"), "{output:#?}");
}

#[test]
fn signals_ignored_by_our_parent_stay_ignored() {
    let place = Place::new();
    let app = place.app();
    let script =
        format!("trap '' HUP; exec {} profile -- {}", env!("CARGO_BIN_EXE_oxomp"), app.display());
    let mut command = Program::Sh.command();
    command.args(["-c", &script]);
    place.prepare(&mut command);
    let mut running = Running::start(command.env("DO", "wait:10"));
    running.wait_until_ready();
    running.signal(Signal::HUP);
    std::thread::sleep(Duration::from_millis(50));
    running.signal(Signal::USR1);
    let output = running.finish();
    assert!(stdout(&output).ends_with("signals 1\n"), "{output:#?}");
}

#[test]
fn another_runs_data_is_not_mixed_with_ours() {
    let place = Place::new();
    let app = place.app();
    fs::create_dir(place.path("data")).unwrap();
    fs::write(place.path("data/run.oxp"), "").unwrap();
    let output =
        place.oxomp(["profile", "-o", "data", "--", app.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert_eq!(stdout(&output), "", "the program was run all the same");
    assert!(stderr(&output).contains("data"), "{output:#?}");
}

#[test]
fn a_report_of_what_is_no_profile_is_an_error_that_names_it() {
    let place = Place::new();
    fs::write(place.path("text.oxp"), "no profile").unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    for name in ["text.oxp", "empty", "none.oxp"] {
        let output = place.oxomp(["report", name]).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output).starts_with("oxomp: ") && stderr(&output).contains(name),
            "{output:#?}"
        );
    }
}

#[test]
fn a_report_of_what_is_no_file_does_not_wait_for_it() {
    let place = Place::new();
    succeed(Program::Mkfifo.command().arg(place.path("pipe.oxp")));
    for name in ["pipe.oxp", "/dev/zero"] {
        let output = place.oxomp(["report", name]).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        assert!(stderr(&output).contains(name), "{output:#?}");
        assert!(stderr(&output).contains("neither a file"), "{output:#?}");
    }
}

/// A profile of a run in which nothing happened.
pub(crate) fn write_profile(path: &Path) {
    let mut writer = Writer::new(File::create(path).unwrap(), &FileHeader::default()).unwrap();
    let mut item = [0; 64];
    let length = write_item(&mut item, Tag::RuntimeVersion, &[b"some runtime"]).unwrap();
    writer.info(&item[..length]).unwrap();
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let place = Place::new();
    write_profile(&place.path("run.oxp"));
    let whole = place.oxomp(["report", "run.oxp"]).output().unwrap();
    assert_eq!(whole.status.code(), Some(0), "{whole:#?}");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = place.oxomp(["report", "run.oxp"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("standard output"), "{output:#?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = Place::new();
    write_profile(&place.path("run.oxp"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = place.oxomp(["report", "run.oxp"]).stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
}

#[test]
fn a_recording_that_could_not_begin_is_not_blamed_on_the_program() {
    let place = Place::new();
    // What a collector leaves that finds no room for a single byte.
    let program = place.script("full", "#!/bin/sh\n: > \"$OXOMP_OUT/12.oxp\"\n");
    let output = profile(&place, &program);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert!(stderr(&output).contains("could not begin"), "{output:#?}");
    assert!(!stderr(&output).contains("no parallel region"), "{output:#?}");
    assert!(!place.path("oxomp-full-1").exists(), "an empty folder is left behind");
}

#[test]
fn a_program_of_a_long_name_has_its_folder() {
    let place = Place::new();
    let program = place.script(&"ä".repeat(125), "#!/bin/sh\nexit 9\n");
    let output = profile(&place, &program);
    assert_eq!(output.status.code(), Some(9), "{output:#?}");
}
