//! `oxomp profile --pid`: the collector attached to a program that runs already, with the command,
//! the runtime and the collector as `cargo xtask dist` puts them.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;

mod running;

use running::{Place, interrupted, text, variable};

#[test]
fn a_service_is_recorded_three_times_under_load() {
    let place = Place::new();
    let mut service = place.start("");
    let output = service.is_ready();
    for folder in ["first", "second", "third"] {
        let words = ["--duration", "0.5", "--hz", "1000", "-o", folder];
        let recorded = place.profile(service.pid(), &words).output().expect("the command");
        let said = text(&recorded);
        assert_eq!(recorded.status.code(), Some(0), "{said}");
        assert!(said.contains("attached while the program ran"), "{said}");
        assert!(said.contains("service.c:"), "{said}");
        assert!(said.contains("Hot code"), "{said}");
        assert!(!said.contains("WARNING"), "{said}");
        let document = place.document(folder);
        let regions = document["regions"].as_array().expect("a list");
        let calls: u64 = regions.iter().filter_map(|region| region["calls"].as_u64()).sum();
        assert!(calls > 10, "{document:#}");
        let wall = document["run"]["wall_ns"].as_u64().expect("a number");
        assert!((400_000_000..20_000_000_000).contains(&wall), "{wall}");
        assert_eq!(document["run"]["threads"], 2, "{document:#}");
    }
    service.signal(Signal::TERM);
    service.ends_well(output);
}

#[test]
fn the_recording_ends_with_the_process() {
    let place = Place::new();
    let mut service = place.start("short");
    let output = service.is_ready();
    let recorded = place.profile(service.pid(), &["-o", "data"]).output().expect("the command");
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    assert!(text(&recorded).contains("service.c:"), "{}", text(&recorded));
    assert!(!text(&recorded).contains("truncated"), "{}", text(&recorded));
    service.ends_well(output);
}

#[test]
fn a_process_that_is_killed_leaves_its_recording() {
    let place = Place::new();
    let mut service = place.start("");
    let _output = service.is_ready();
    let mut command = place.profile(service.pid(), &["-o", "data"]).spawn().expect("the command");
    place.await_recording("data", &mut command);
    sleep(Duration::from_millis(300));
    service.signal(Signal::KILL);
    let recorded = command.wait_with_output().expect("its output");
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    assert!(text(&recorded).contains("service.c:"), "{}", text(&recorded));
}

#[test]
fn a_service_that_forks_goes_on() {
    let place = Place::new();
    let mut service = place.start("forks");
    let output = service.is_ready();
    let words = ["--duration", "1", "-o", "data"];
    let recorded = place.profile(service.pid(), &words).output().expect("the command");
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    service.signal(Signal::TERM);
    service.ends_well(output);
    // Nobody asked to record the children.
    let names = place.path("data").read_dir().expect("the folder");
    let mut names: Vec<_> = names.map(|name| name.expect("a name").file_name()).collect();
    names.sort();
    assert_eq!(names, ["run.names", "run.oxp"]);
}

/// The command may come before the first construct, by however long.
#[test]
fn a_program_that_uses_openmp_late_is_waited_for() {
    let place = Place::new();
    let mut service = place.start("late");
    let output = service.is_ready();
    let words = ["--duration", "0.5", "-o", "data"];
    let recorded = place.profile(service.pid(), &words).output().expect("the command");
    let said = text(&recorded);
    assert_eq!(recorded.status.code(), Some(0), "{said}");
    assert!(said.contains("service has not used OpenMP yet"), "{said}");
    assert!(said.contains("service.c:"), "{said}");
    service.signal(Signal::TERM);
    service.ends_well(output);

    let mut service = place.start("late");
    let _output = service.is_ready();
    let command = place.profile(service.pid(), &["-o", "none"]).spawn().expect("the command");
    place.await_folder("none");
    let recorded = interrupted(command);
    assert_eq!(recorded.status.code(), Some(125), "{}", text(&recorded));
    assert!(!place.path("none").exists(), "the folder is empty and new");
}

/// A request that no thread has taken is withdrawn, and takes no effect later.
#[test]
fn a_program_that_begins_nothing_is_let_alone_after_an_interrupt() {
    let place = Place::new();
    let service = place.start("one-region");
    sleep(Duration::from_millis(500));
    let command = place.profile(service.pid(), &["-o", "data"]).spawn().expect("the command");
    place.await_folder("data");
    sleep(Duration::from_millis(1500));
    let recorded = interrupted(command);
    let said = text(&recorded);
    assert_eq!(recorded.status.code(), Some(125), "{said}");
    assert!(said.contains("has begun no construct of OpenMP"), "{said}");
    assert!(said.contains("nothing was recorded"), "{said}");
    assert!(!place.path("data").exists(), "the folder is empty and new");
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", service.pid())).expect("maps");
    assert!(!maps.contains("liboxomp_collect"), "{maps}");
}

#[test]
fn what_cannot_be_recorded_is_said() {
    let place = Place::new();
    let said = |pid: u32| {
        let output = place.profile(pid, &["--duration", "1"]).output().expect("the command");
        assert_eq!(output.status.code(), Some(125), "{}", text(&output));
        text(&output)
    };
    assert!(said(4_000_000).contains("there is no process 4000000"));
    let own = said(std::process::id());
    assert!(own.contains("has loaded no OpenMP runtime"), "{own}");

    let mut other = place.start_with("", &[]);
    let _output = other.is_ready();
    let gcc = said(other.pid());
    assert!(gcc.contains("runs on ") && gcc.contains("libgomp.so.1"), "{gcc}");
    assert!(gcc.contains("oxomp run"), "{gcc}");

    let (lib, recorder) = (variable("OXOMP_LIB"), variable("OXOMP_RECORDER"));
    let log = place.path("log");
    let variables: [(&str, &Path); 3] = [
        ("LD_LIBRARY_PATH", &lib),
        ("OMP_TOOL_LIBRARIES", &recorder),
        ("OXOMP_RECORDER_OUT", &log),
    ];
    let mut watched = place.start_with("", &variables);
    let _output = watched.is_ready();
    let taken = said(watched.pid());
    assert!(taken.contains("it has an OMPT tool already"), "{taken}");
}

/// A second command says so, and the first one is not disturbed.
#[test]
fn two_commands_do_not_share_a_process() {
    let place = Place::new();
    let mut service = place.start("");
    let output = service.is_ready();
    let mut first =
        place.profile(service.pid(), &["-o", "data", "-v"]).spawn().expect("the command");
    place.await_recording("data", &mut first);
    let words = ["--duration", "1", "-o", "other"];
    let second = place.profile(service.pid(), &words).output().expect("the command");
    assert!(text(&second).contains("another command records it"), "{}", text(&second));
    let recorded = interrupted(first);
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    assert!(text(&recorded).contains("service.c:"), "{}", text(&recorded));
    service.signal(Signal::TERM);
    service.ends_well(output);
}

/// A command that dies leaves a collector that records for nobody: the next command ends that.
#[test]
fn a_command_that_is_killed_leaves_the_process_to_the_next() {
    let place = Place::new();
    let mut service = place.start("");
    let output = service.is_ready();
    let mut killed = place.profile(service.pid(), &["-o", "data"]).spawn().expect("the command");
    place.await_recording("data", &mut killed);
    sleep(Duration::from_millis(500));
    killed.kill().expect("our own");
    killed.wait().expect("our own");
    let words = ["--duration", "0.5", "-o", "other"];
    let recorded = place.profile(service.pid(), &words).output().expect("the command");
    let said = text(&recorded);
    assert_eq!(recorded.status.code(), Some(0), "{said}");
    assert!(said.contains("the command that recorded service before has not ended that"), "{said}");
    assert!(said.contains("service.c:"), "{said}");
    let documents = ["data", "other"].map(|folder| place.document(folder));
    for document in documents {
        assert_eq!(document["run"]["truncated"], false, "{document:#}");
    }
    service.signal(Signal::TERM);
    service.ends_well(output);
}

#[test]
fn a_recording_that_the_program_ends_is_not_the_last() {
    let place = Place::new();
    let mut service = place.start("ends-recording");
    let output = service.is_ready();
    for folder in ["first", "second"] {
        let recorded = place.profile(service.pid(), &["-o", folder]).output().expect("the command");
        assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
        assert!(text(&recorded).contains("service.c:"), "{}", text(&recorded));
    }
    service.signal(Signal::TERM);
    service.ends_well(output);
}

/// The descriptors of the last recording may stay with the threads; those of earlier ones do not.
#[test]
fn recordings_leave_no_more_and_more_behind() {
    let place = Place::new();
    let mut service = place.start("");
    let output = service.is_ready();
    let mut open = Vec::new();
    for number in 0..6 {
        let folder = format!("data-{number}");
        let words = ["--duration", "0.2", "-o", &folder];
        let recorded = place.profile(service.pid(), &words).output().expect("the command");
        assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
        let names = std::fs::read_dir(format!("/proc/{}/fd", service.pid())).expect("a list");
        open.push(names.count());
    }
    // Not each thread has looked at its use of processors by the first one's end.
    assert!(open[5] <= open[0] + 2, "{open:?}");
    service.signal(Signal::TERM);
    service.ends_well(output);
}

/// The thread that raises the event may hold the loader's lock, and may have little stack.
#[test]
fn events_at_inconvenient_moments_attach_too() {
    let place = Place::new();
    let library = place.library("constructor.c");
    let way = format!("constructor {}", library.display());
    for way in [way.as_str(), "small-stack"] {
        let mut service = place.start(way);
        let output = service.is_ready();
        let words = ["--duration", "4", "--hz", "1000", "-o", &way[..5]];
        let recorded = place.profile(service.pid(), &words).output().expect("the command");
        assert_eq!(recorded.status.code(), Some(0), "{way}: {}", text(&recorded));
        assert!(text(&recorded).contains("service.c:"), "{way}: {}", text(&recorded));
        service.signal(Signal::TERM);
        service.ends_well(output);
    }
}

/// What a command of root writes into another user's folder, that user might lead elsewhere by a
/// link; and a folder that was there is not given away. The test is of root's command only.
#[test]
fn a_command_of_root_works_as_the_user_of_the_process() {
    const NOBODY: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        println!("not root: there is nothing to test");
        return;
    }
    let place = Place::new();
    std::fs::set_permissions(place.path("."), Permissions::from_mode(0o777)).expect("our own");
    let mut service = place.start_as("", NOBODY);
    let output = service.is_ready();
    let words = ["--duration", "0.5", "-o", "data"];
    let recorded = place.profile(service.pid(), &words).output().expect("the command");
    assert_eq!(recorded.status.code(), Some(0), "{}", text(&recorded));
    let owner = |name: &str| std::fs::metadata(place.path(name)).expect("it is there").uid();
    assert_eq!([owner("data"), owner("data/run.oxp"), owner("data/run.names")], [NOBODY; 3]);

    std::fs::create_dir(place.path("ours")).expect("a new folder");
    let words = ["--duration", "0.5", "-o", "ours"];
    let refused = place.profile(service.pid(), &words).output().expect("the command");
    assert_eq!(refused.status.code(), Some(125), "{}", text(&refused));
    assert!(text(&refused).contains("permission denied"), "{}", text(&refused));
    assert_eq!(owner("ours"), 0);
    service.signal(Signal::TERM);
    service.ends_well(output);
}
