//! `oxomp run`: which runtime programs get, and that nothing else changes for them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use oxomp_prerequisites::{File, Program};
use rustix::process::Signal;

use crate::place::{OURS, Place, stderr, stdout, succeed};
use crate::running::Running;

fn run(place: &Place, program: &Path) -> Output {
    place.oxomp([OsStr::new("run"), OsStr::new("--"), program.as_os_str()]).output().unwrap()
}

fn assert_ours(output: &Output) {
    assert!(stdout(output).starts_with(OURS), "{output:#?}");
}

#[test]
fn a_program_of_gcc_gets_our_runtime() {
    let place = Place::new();
    assert_ours(&run(&place, &place.app()));
}

#[test]
fn a_program_of_clang_gets_our_runtime() {
    let place = Place::new();
    let app = place.compile(Program::Clang, "app.c", "app", &["-fopenmp"]);
    assert_ours(&run(&place, &app));
}

#[test]
fn a_run_path_of_the_program_does_not_keep_us_out() {
    let place = Place::new();
    fs::create_dir(place.path("own")).unwrap();
    place.runtime("own/libgomp.so.1", "libgomp.so.1", 11);
    let run_path = format!("-Wl,--disable-new-dtags,-rpath,{}", place.path("own").display());
    let app = place.compile(Program::Gcc, "app.c", "app", &["-fopenmp", &run_path]);
    let alone = std::process::Command::new(&app).output().unwrap();
    assert!(stdout(&alone).starts_with("procs 11\n"), "the test's own premise: {alone:#?}");
    assert_ours(&run(&place, &app));
}

#[test]
fn a_runtime_linked_by_its_path_does_not_keep_us_out() {
    let place = Place::new();
    // A library without a soname is recorded by the path it was linked with.
    fs::create_dir(place.path("own")).unwrap();
    let own = place.runtime("own/libgomp.so", "libgomp.so", 11);
    let link = own.to_str().unwrap();
    place.compile(
        Program::Cc,
        "runtime.c",
        "own/libgomp.so",
        &[
            "-shared",
            "-fPIC",
            "-DPROCS=11",
            &format!(
                "-Wl,--version-script,{}/tests/programs/runtime.map",
                env!("CARGO_MANIFEST_DIR")
            ),
        ],
    );
    let include = stdout(&succeed(Program::Gcc.command().args(["-print-file-name=include"])));
    let include = format!("-I{}", include.trim());
    let app = place.compile(Program::Gcc, "app.c", "app", &[&include, link]);
    let alone = std::process::Command::new(&app).output().unwrap();
    assert!(stdout(&alone).starts_with("procs 11\n"), "the test's own premise: {alone:#?}");
    assert_ours(&run(&place, &app));
}

#[test]
fn a_bundled_copy_that_is_loaded_later_does_not_keep_us_out() {
    let place = Place::new();
    let name = "libgomp-abc123.so.1.0.0";
    let bundled = place.runtime(name, name, 11);
    let here = format!("-Wl,-rpath,{}", bundled.parent().unwrap().display());
    let plugin = place.compile(
        Program::Gcc,
        "plugin.c",
        "plugin.so",
        &["-shared", "-fPIC", bundled.to_str().unwrap(), &here],
    );
    let host = place.compile(Program::Gcc, "host.c", "host", &["-ldl"]);
    let alone = std::process::Command::new(&host).arg(&plugin).output().unwrap();
    assert_eq!(stdout(&alone), "procs 11\n", "the test's own premise");
    let output = place
        .oxomp([OsStr::new("run"), OsStr::new("--"), host.as_os_str(), plugin.as_os_str()])
        .output()
        .unwrap();
    assert_ours(&output);
}

#[test]
fn what_a_script_starts_gets_our_runtime() {
    let place = Place::new();
    place.app();
    for (name, text) in [
        ("first.sh", "#!/bin/sh\n./app\nexit $?\n"),
        ("spaced.sh", "#! /usr/bin/env sh\n./app\nexit $?\n"),
        ("bare", "./app\nexit $?\n"),
    ] {
        let output = run(&place, &place.script(name, text));
        assert_ours(&output);
        assert_eq!(output.status.code(), Some(7), "{name}");
    }
}

#[test]
fn arguments_and_exit_status_pass_through() {
    let place = Place::new();
    let app = place.app();
    let odd: Vec<OsString> =
        ["", " ", "a b", "-v", "--help", "--", "$HOME", "'\"\\", "*", "new\nline", "äöü"]
            .into_iter()
            .map(OsString::from)
            .chain([OsStr::from_bytes(b"\xff\xfe").to_owned()])
            .collect();
    let mut words: Vec<OsString> = vec!["run".into(), "--".into(), app.clone().into()];
    words.extend(odd.iter().cloned());
    let ours = place.oxomp(&words).output().unwrap();
    let alone = std::process::Command::new(&app).args(&odd).output().unwrap();
    let arguments = |output: &Output| {
        let end_of_line = output.stdout.iter().position(|byte| *byte == b'\n').unwrap();
        output.stdout[end_of_line..].to_vec()
    };
    assert_eq!(arguments(&ours), arguments(&alone));
    assert_eq!(ours.status.code(), Some(7));
}

#[test]
fn the_programs_name_is_the_one_that_was_typed() {
    let place = Place::new();
    place.app();
    let folder = place.path("");
    let output = place.oxomp(["run", "--", "app"]).env("PATH", &folder).output().unwrap();
    assert!(stdout(&output).contains("\nargument 3:app\n"), "{output:#?}");
}

#[test]
fn death_by_a_signal_passes_through() {
    let place = Place::new();
    let app = place.app();
    for verbose in [false, true] {
        for signal in [6, 9, 11, 13, 15, 31, 34] {
            let mut words = vec!["run"];
            words.extend(verbose.then_some("-v"));
            words.extend(["--", app.to_str().unwrap()]);
            let output = place.oxomp(&words).env("DO", format!("die:{signal}")).output().unwrap();
            assert_eq!(output.status.signal(), Some(signal), "{output:#?}");
        }
    }
}

#[test]
fn verbose_output_leaves_standard_output_alone_and_says_what_was_done() {
    let place = Place::new();
    let app = place.app();
    let mut running = Running::start(
        place.oxomp(["run", "-v", "--", app.to_str().unwrap()]).env("DO", "wait:10"),
    );
    running.wait_until_ready();
    // Longer than the longest pause between two looks at the program.
    std::thread::sleep(Duration::from_millis(400));
    running.signal(Signal::USR1);
    let output = running.finish();
    assert!(stdout(&output).starts_with(OURS), "{output:#?}");
    assert!(stdout(&output).ends_with("ready\nsignals 1\n"), "{output:#?}");
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    for part in [
        "by library path",
        "the program links libgomp.so.1",
        "LD_LIBRARY_PATH=",
        "libgomp.so.1 => ",
        "has mapped oxomp's runtime",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(said.lines().all(|line| line.starts_with("oxomp: ")), "{said}");
}

#[test]
fn what_the_user_has_in_the_environment_stays() {
    let place = Place::new();
    let script = place.script("show", "#!/bin/sh\necho \"$LD_LIBRARY_PATH|$LD_PRELOAD\"\n");
    let theirs = place.runtime("theirs.so", "theirs.so", 1);
    let output = place
        .oxomp([OsStr::new("run"), OsStr::new("--"), script.as_os_str()])
        .env("LD_LIBRARY_PATH", "/their/lib")
        .env("LD_PRELOAD", &theirs)
        .output()
        .unwrap();
    let lib = place.path("home/lib");
    let expected = format!("{0}:/their/lib|{0}/libomp.so:{1}\n", lib.display(), theirs.display());
    assert_eq!(stdout(&output), expected, "{output:#?}");
}

/// The status and one line on standard error that names the file.
fn assert_refused(output: &Output, status: i32, parts: &[&str]) {
    assert_eq!(output.status.code(), Some(status), "{output:#?}");
    assert_eq!(stdout(output), "");
    let said = stderr(output);
    assert!(said.starts_with("oxomp: ") && said.lines().count() == 1, "{said}");
    for part in parts {
        assert!(said.contains(part), "`{part}` in {said}");
    }
}

#[test]
fn what_is_no_program_is_refused_by_name() {
    let place = Place::new();
    assert_refused(&run(&place, Path::new("./none")), 127, &["./none", "no such file"]);
    assert_refused(&run(&place, Path::new("no-such-name")), 127, &["no-such-name", "PATH"]);
    assert_refused(&run(&place, Path::new("")), 127, &["empty"]);
    assert_refused(&run(&place, &place.path("home")), 126, &["home", "folder"]);

    let file = place.script("plain", "#!/bin/sh\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert_refused(&run(&place, &file), 126, &["plain", "not executable", "chmod"]);

    let file = place.script("data", "\0\u{1}\u{2}");
    assert_refused(&run(&place, &file), 126, &["data", "neither"]);

    let file = place.script("truncated", "\x7fELF\u{2}\u{1}\u{1}\0\0\0\0\0\0\0\0\0");
    assert_refused(&run(&place, &file), 126, &["truncated", "cannot be read"]);

    let file = place.script("orphan.py", "#!/no/such/python3\n");
    assert_refused(&run(&place, &file), 126, &["orphan.py", "/no/such/python3"]);

    let file = place.compile(Program::Gcc, "app.c", "app.o", &["-fopenmp", "-c"]);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    assert_refused(&run(&place, &file), 126, &["app.o", "object file"]);
}

#[test]
fn a_program_for_another_machine_is_refused() {
    let place = Place::new();
    let app = place.app();
    let mut bytes = fs::read(&app).unwrap();
    bytes[18..20].copy_from_slice(&243u16.to_le_bytes()); // e_machine: RISC-V
    fs::write(&app, bytes).unwrap();
    assert_refused(&run(&place, &app), 126, &["app", "Riscv"]);
}

#[test]
fn a_static_program_is_refused() {
    let place = Place::new();
    for flags in [&["-fopenmp", "-static"][..], &["-fopenmp", "-static-pie"][..]] {
        let app = place.compile(Program::Gcc, "app.c", "app", flags);
        assert_refused(&run(&place, &app), 125, &["app", "statically linked"]);
    }
}

#[test]
fn a_program_with_the_rights_of_another_user_is_refused() {
    let place = Place::new();
    let own = place.app();
    let program = if rustix::process::getuid().is_root() {
        std::os::unix::fs::chown(&own, Some(65_534), None).unwrap();
        fs::set_permissions(&own, fs::Permissions::from_mode(0o4755)).unwrap();
        own.as_path()
    } else {
        File::Su.path()
    };
    let name = program.to_str().unwrap();
    assert_refused(&run(&place, program), 125, &[name, "rights of another user"]);
}

#[test]
fn a_missing_runtime_is_an_error_that_says_where_it_was_looked_for() {
    let place = Place::new();
    let app = place.app();
    let empty = place.path("empty");
    let output = place
        .oxomp([OsStr::new("run"), OsStr::new("--"), app.as_os_str()])
        .env("OXOMP_HOME", &empty)
        .output()
        .unwrap();
    let missing = empty.join("lib/libomp.so");
    assert_refused(&output, 125, &[missing.to_str().unwrap(), "OXOMP_HOME"]);
}

#[test]
fn a_wrong_command_line_has_our_own_status() {
    let place = Place::new();
    let output = place.oxomp(["run"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    let output = place.oxomp(["--help"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("EXAMPLES:\n  oxomp run -- ./solver"), "{output:#?}");
}
