//! Where the outputs of `oxomp report` go, and what becomes of them when they cannot. Their content
//! is tested where it is made.

use std::fs::{self, File};

use oxomp_prerequisites::Program;

use crate::place::{Place, stderr, stdout, succeed};
use crate::profile::write_profile;

/// The names in a folder of the place, in order.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(folder)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn with_recording() -> Place {
    let place = Place::new();
    fs::create_dir(place.path("data")).unwrap();
    write_profile(&place.path("data/run.oxp"));
    place
}

#[test]
fn outputs_lie_beside_the_recording_and_are_told() {
    let place = with_recording();
    let words = ["report", "data", "--json", "--csv", "--perfetto", "--firefox"];
    let timelines = ["--chrome", "--otf2"];
    let samples = ["--collapsed", "--speedscope", "--pprof"];
    let output = place.oxomp([&words[..], &timelines, &samples].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert_eq!(stdout(&output), "");
    let outputs = [
        "csv",
        "otf2",
        "run.chrome.json",
        "run.collapsed",
        "run.firefox.json",
        "run.json",
        "run.oxp",
        "run.pb.gz",
        "run.pftrace",
        "run.speedscope.json",
    ];
    assert_eq!(names(&place, "data"), outputs);
    assert_eq!(names(&place, "data/csv").len(), 20);
    assert_eq!(names(&place, "data/otf2"), ["traces", "traces.def", "traces.otf2"]);
    for name in outputs.iter().filter(|name| **name != "run.oxp") {
        assert!(stderr(&output).contains(&format!("wrote data/{name} (")), "{output:#?}");
    }
    // The recording has no samples, and the outputs of samples alone say so.
    let empty = stderr(&output).matches("no call path was sampled").count();
    assert_eq!(empty, 3, "{output:#?}");
}

#[test]
fn an_output_goes_where_the_user_says() {
    let place = with_recording();
    fs::write(place.path("old.json"), "old").unwrap();
    let words = ["report", "data/run.oxp", "--json=old.json", "--csv=a/b"];
    let output = place.oxomp(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert!(fs::read_to_string(place.path("old.json")).unwrap().starts_with("{\n"));
    assert_eq!(names(&place, "a/b").len(), 20);
    assert_eq!(names(&place, "data"), ["run.oxp"]);
}

#[test]
fn standard_output_takes_one_document_and_nothing_else() {
    let place = with_recording();
    let output = place.oxomp(["report", "data", "--json=-"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert!(stdout(&output).starts_with("{\n") && stdout(&output).ends_with("}\n"));
    for words in [&["--json=-", "--firefox=-"][..], &["--csv=-"], &["--otf2=-"]] {
        let output = place.oxomp([&["report", "data"], words].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        assert_eq!(stdout(&output), "");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = place.oxomp(["report", "data", "--json=-"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = place.oxomp(["report", "data", "--json=-"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let place = with_recording();
    fs::write(place.path("file"), "").unwrap();
    for word in [
        "--json=none/x.json",
        "--perfetto=/dev/full",
        "--firefox=/proc/x.json",
        "--json=data",
        "--csv=file",
        "--otf2=file",
    ] {
        let output = place.oxomp(["report", "data", word]).output().unwrap();
        let path = word.split_once('=').unwrap().1;
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        let start = format!("oxomp: {path}: cannot be written: ");
        assert!(stderr(&output).starts_with(&start), "{output:#?}");
        assert!(!stderr(&output).contains("os error"), "{output:#?}");
    }
    assert_eq!(names(&place, "data"), ["run.oxp"]);
}

#[test]
fn a_recording_that_is_not_there_is_told_with_what_makes_one() {
    let place = with_recording();
    let lines: [&[&str]; 3] =
        [&["report", "nosuch"], &["advise", "nosuch"], &["diff", "nosuch", "data"]];
    for words in lines {
        let output = place.oxomp(words).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        let said = "oxomp: nosuch: there is no such file or folder; `oxomp profile -- ./app`";
        assert!(stderr(&output).starts_with(said), "{output:#?}");
        assert!(!stderr(&output).contains("os error"), "{output:#?}");
    }
}

#[test]
fn a_file_is_whole_or_as_it_was() {
    let place = with_recording();
    fs::write(place.path("data/run.json"), "old").unwrap();
    // No file may be longer than a block, and the signal that says so is ignored.
    let oxomp = place.oxomp([""]).get_program().to_owned();
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" report data --json";
    let mut command = Program::Sh.command();
    let output = command.args(["-c", script]).arg(oxomp).current_dir(place.path("")).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("run.json: cannot be written: file too large"), "{output:#?}");
    assert_eq!(fs::read_to_string(place.path("data/run.json")).unwrap(), "old");
    assert_eq!(names(&place, "data"), ["run.json", "run.oxp"]);
}

#[test]
fn an_archive_is_overwritten_and_without_its_anchor_while_it_is_not_whole() {
    let place = with_recording();
    fs::create_dir(place.path("archive")).unwrap();
    fs::write(place.path("archive/other"), "").unwrap();
    for _ in 0..2 {
        succeed(&mut place.oxomp(["report", "data", "--otf2=archive"]));
        let expected = ["other", "traces", "traces.def", "traces.otf2"];
        assert_eq!(names(&place, "archive"), expected);
    }
    fs::remove_file(place.path("archive/traces.def")).unwrap();
    fs::create_dir(place.path("archive/traces.def")).unwrap();
    let output = place.oxomp(["report", "data", "--otf2=archive"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    let said = "oxomp: archive/traces.def: cannot be written: ";
    assert!(stderr(&output).starts_with(said), "{output:#?}");
    assert_eq!(names(&place, "archive"), ["other", "traces", "traces.def"]);
}

#[test]
fn a_full_disk_is_told_with_the_archives_file() {
    let place = with_recording();
    fs::create_dir(place.path("archive")).unwrap();
    std::os::unix::fs::symlink("/dev/full", place.path("archive/traces.def")).unwrap();
    let output = place.oxomp(["report", "data", "--otf2=archive"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    let said = "oxomp: archive/traces.def: cannot be written: no space left on device";
    assert!(stderr(&output).to_lowercase().starts_with(said), "{output:#?}");
    assert_eq!(names(&place, "archive"), ["traces", "traces.def"]);
}

#[test]
fn a_link_stays_one() {
    let place = with_recording();
    fs::write(place.path("target.json"), "").unwrap();
    std::os::unix::fs::symlink("target.json", place.path("link.json")).unwrap();
    succeed(&mut place.oxomp(["report", "data", "--json=link.json"]));
    assert!(place.path("link.json").is_symlink());
    assert!(fs::metadata(place.path("target.json")).unwrap().len() > 100);
}

#[test]
fn what_is_no_recording_has_no_output() {
    let place = Place::new();
    fs::write(place.path("text.oxp"), "no profile").unwrap();
    for name in ["text.oxp", "/dev/zero", "none.oxp"] {
        let output = place.oxomp(["report", name, "--json=x.json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        assert!(stderr(&output).contains(name), "{output:#?}");
    }
    assert!(!place.path("x.json").exists());
}

#[test]
fn a_window_is_two_numbers() {
    let place = with_recording();
    for window in ["1", "2,1", "a,b", "-1,2"] {
        let words = ["report", "data", "--perfetto", "--window", window];
        let output = place.oxomp(words).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
    }
    succeed(&mut place.oxomp(["report", "data", "--perfetto", "--window", "0.5,1"]));
}

#[test]
fn the_schema_is_printed() {
    let output = Place::new().oxomp(["report", "--json-schema"]).output().unwrap();
    assert!(stdout(&output).contains("\"$id\": \"urn:oxomp:report:1."), "{output:#?}");
}
