//! `oxomp top` and `oxomp profile --live` on programs with known answers, with the command, the
//! runtime and the collector as `cargo xtask dist` puts them.

use std::fs;
use std::process::{Command, Stdio};

use rustix::process::Signal;

mod running;

use running::{Place, Service, interrupted, text, variable};

fn top(service: &Service, words: &[&str]) -> Command {
    let mut command = Command::new(variable("OXOMP_BIN"));
    command.arg("top").args(words).arg(service.pid().to_string()).env_remove("OXOMP_HOME");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn regions_waits_and_threads_are_shown_again_and_again() {
    let place = Place::new();
    let mut service = place.start("");
    let output = service.is_ready();
    let scratch = tempfile::tempdir().expect("a folder");
    let mut command = top(&service, &["--interval", "0.5", "-n", "3"]);
    let shown = command.env("TMPDIR", scratch.path()).output().expect("the command");
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown));
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0, "nothing is left");
    let views = String::from_utf8_lossy(&shown.stdout).into_owned();
    let heading = format!("service ({}) · 2 threads on ", service.pid());
    let views: Vec<&str> = views.split(&heading).skip(1).collect();
    assert_eq!(views.len(), 3, "{views:#?}");
    for view in views {
        for words in ["CPU", "the last", "Where ", "useful work", "request  service.c:", "Threads"]
        {
            assert!(view.contains(words), "{words}: {view}");
        }
        assert!(view.contains(&format!("\n  {} ", service.pid())), "its main thread: {view}");
    }
    service.signal(Signal::TERM);
    service.ends_well(output);
}

/// A region that lasts longer than a view is named while it runs: one thread computes in it, and
/// the other one waits at its end.
#[test]
fn a_long_region_is_named_before_it_ends() {
    let place = Place::new();
    let mut service = place.start("long-regions");
    let _output = service.is_ready();
    let command = top(&service, &["--interval", "0.5", "-n", "12"]).output().expect("the command");
    let views = String::from_utf8_lossy(&command.stdout).into_owned();
    let has_line =
        |words: [&str; 2]| views.lines().any(|line| words.iter().all(|words| line.contains(words)));
    assert!(has_line(["computes in service.c:", " s"]), "{views}");
    assert!(has_line(["waits in service.c:", " s"]), "{views}");
    assert!(has_line(["load imbalance", "%"]), "{views}");
    // Every view accounts for all of its time: no class has more than the threads had.
    for line in views.lines().filter(|line| line.contains("useful work")) {
        let percent = line.split_whitespace().nth(2).and_then(|share| share.parse::<f64>().ok());
        assert!(percent.is_some_and(|share| share <= 100.0), "{line}");
    }
}

#[test]
fn it_ends_with_the_process_and_by_an_interrupt() {
    let place = Place::new();
    let mut service = place.start("short");
    let output = service.is_ready();
    let shown = top(&service, &["--interval", "0.2"]).output().expect("the command");
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown));
    let said = text(&shown);
    assert!(said.contains(&format!("process {} (service) has ended", service.pid())), "{said}");
    service.ends_well(output);

    let mut service = place.start("");
    let output = service.is_ready();
    let scratch = tempfile::tempdir().expect("a folder");
    let mut command = top(&service, &["--interval", "0.2"]);
    let mut command = command.env("TMPDIR", scratch.path()).spawn().expect("the command");
    place.await_recording(scratch.path().join(format!("oxomp-top-{}", command.id())), &mut command);
    let shown = interrupted(command);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown));
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0, "nothing is left");
    // The process is free again.
    let shown = top(&service, &["--interval", "0.2", "-n", "1"]).output().expect("the command");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("Where "), "{}", text(&shown));
    service.signal(Signal::TERM);
    service.ends_well(output);
}

#[test]
fn a_profile_shows_meanwhile_what_the_threads_do() {
    let place = Place::new();
    let mut command = Command::new(variable("OXOMP_BIN"));
    command.args(["profile", "--live=0.5", "-o"]).arg(place.path("data")).arg("--");
    command.arg(place.path("service")).arg("short").env_remove("OXOMP_HOME");
    let shown = command.output().expect("the command");
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown));
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "ready\nwrong 0\n");
    let said = text(&shown);
    let (views, summary) = said.split_at(said.rfind("oxomp 0").expect("the summary"));
    assert!(views.matches(" · the last ").count() >= 2, "{said}");
    assert!(views.contains("Threads") && summary.contains("Hot code"), "{said}");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let place = Place::new();
    let mut other = place.start_with("", &[]);
    let _output = other.is_ready();
    let shown = top(&other, &["-n", "1"]).output().expect("the command");
    assert_eq!(shown.status.code(), Some(125));
    assert!(text(&shown).contains("runs on "), "{}", text(&shown));
}
