//! Programs that offload, through LLVM's libomptarget and through ours.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, HOST_DEVICE, Program};

use crate::place;
use crate::session::{Served, Session, finished};

/// What the program prints.
const ANSWERS: &str = "devices: 4, the host is 4\non the host: 0\nsum: 2.04797e+09\n\
    copied: 1, the last is 999\n";

/// The library that the program offloads through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    Llvm,
    Ours,
}

/// Compiles the program into `folder`; `None`, with a message, if a prerequisite is missing.
fn compiled(folder: &Path, library: Library) -> Option<PathBuf> {
    let needed = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
    if !has_all(&needed.map(Into::into)) {
        return None;
    }
    let program = folder.join("offload");
    let mut compiler = Program::Clang.command();
    if library == Library::Llvm {
        // A folder that the loader searches before all others, the one with our library included.
        let only = folder.join("llvm");
        fs::create_dir(&only).expect("a new folder");
        symlink(File::Libomptarget.path(), only.join("libomptarget.so.22.1")).expect("a link");
        compiler.arg(format!("-Wl,--disable-new-dtags,-rpath,{}", only.display()));
    }
    finished(
        compiler
            .args(["-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp"])
            .arg(format!("-fopenmp-targets={HOST_DEVICE}"))
            .arg("-o")
            .arg(&program)
            .arg(place::workspace().join("tests/real/offload.c")),
    );
    Some(program)
}

/// LLVM's own runtime cannot be the reference: every third time it ends in an assertion of its own.
#[test]
fn work_on_the_host_device_is_done_and_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for library in [Library::Llvm, Library::Ours] {
        let folder = folder.path().join(format!("{library:?}"));
        fs::create_dir(&folder).expect("a new folder");
        let Some(program) = compiled(&folder, library) else { return };
        let outcome = Session::new(program, Served::Library).on_ours(&[]);
        assert_eq!(outcome.stdout, ANSWERS, "{library:?}");
    }
}

/// libomptarget reports the events of its devices itself: it gets the callbacks from the runtime,
/// and the tasks to which the events belong.
#[test]
fn the_events_of_libomptarget_reach_a_tool() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(program) = compiled(folder.path(), Library::Llvm) else { return };
    let log = folder.path().join("log");
    let outcome = Session::new(program, Served::Library).recorded(&log).on_ours(&[]);
    assert_eq!(outcome.stdout, ANSWERS);
    let log = fs::read_to_string(&log).expect("the recorder has written its log");
    let events = |start: &str| -> Vec<&str> {
        let events = log.lines().filter_map(|line| line.split_once(" thread=")?.1.split_once(' '));
        events.map(|(_, event)| event).filter(|event| event.starts_with(start)).collect()
    };
    for event in ["device_initialize", "device_finalize"] {
        assert_eq!(events(event).len(), 4, "{event}");
    }
    assert!(!events("device_load").is_empty());
    for event in ["target_emi", "target_data_op_emi", "target_submit_emi"] {
        let of = |endpoint: &str| {
            let key = format!("endpoint={endpoint} ");
            events(event).iter().filter(|event| event.contains(&key)).count()
        };
        // One for each construct: 64 chains of five, six times, and those outside.
        assert!(of("begin") > 64 * 6, "{event}");
        assert_eq!(of("begin"), of("end"), "{event}");
    }
    let constructs = events("target_emi");
    let is_unknown = |event: &&str| event.contains("task=zero") || event.contains("task=bad");
    assert_eq!(constructs.iter().copied().find(is_unknown), None);
    let in_tasks = constructs.iter().filter(|event| !event.contains("target_task=null"));
    assert!(in_tasks.count() > 64 * 6, "constructs with nowait belong to target tasks");
}
