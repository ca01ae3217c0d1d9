//! `oxomp debug`: which process or file is meant, and how a program fares that it runs. What the
//! text says of programs is tested with the real runtime (`oxomp-testing`).

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::{may_attach, skip};

use crate::place::{Place, stderr, stdout};
use crate::running::{Running, pseudo_terminal};

fn debug(place: &Place, words: &[&str]) -> Output {
    place.oxomp(["debug"].iter().chain(words)).output().unwrap()
}

fn assert_refused(output: &Output, status: i32, parts: &[&str]) {
    assert_eq!(output.status.code(), Some(status), "{output:#?}");
    assert_eq!(stdout(output), "");
    for part in parts {
        assert!(stderr(output).contains(part), "`{part}` in {output:#?}");
    }
}

/// A process that waits until its input ends.
struct Waiting(Child);

impl Waiting {
    fn start() -> Self {
        let mut shell = Program::Sh.command();
        shell.args(["-c", "read line"]).stdin(Stdio::piped());
        let waiting = Self(shell.spawn().expect("a shell"));
        let call = format!("/proc/{}/syscall", waiting.number());
        // Until it is in read(2), the system call 0, as far as the system tells.
        while fs::read_to_string(&call).is_ok_and(|call| !call.starts_with("0 0x0 ")) {
            thread::sleep(Duration::from_millis(1));
        }
        waiting
    }

    fn number(&self) -> String {
        self.0.id().to_string()
    }

    fn end(mut self) {
        drop(self.0.stdin.take());
        // The shell's `read` fails at the end of its input.
        assert_eq!(self.0.wait().expect("an end").code(), Some(1));
    }
}

#[test]
fn a_program_is_no_core_file() {
    let place = Place::new();
    place.app();
    let output = debug(&place, &["./app", "one"]);
    assert_refused(&output, 125, &["./app is a program", "`oxomp debug -- ./app one`"]);
}

#[test]
fn files_that_are_no_core_files_are_refused() {
    let place = Place::new();
    place.script("script", "#!/bin/sh\n");
    assert_refused(&debug(&place, &["script"]), 125, &["script: neither a core file"]);
    assert_refused(&debug(&place, &["/nowhere"]), 125, &["/nowhere: no such file"]);
    assert_refused(&debug(&place, &["."]), 125, &["no core file"]);
}

#[test]
fn a_core_file_that_ends_early_is_refused() {
    let place = Place::new();
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    bytes.extend([4, 0, 62, 0, 1, 0, 0, 0]); // ET_CORE, machine 62
    bytes.resize(64, 0);
    bytes[32] = 64; // e_phoff
    bytes[41] = 64; // e_shoff: gdb writes section headers behind everything else
    bytes[52] = 64; // e_ehsize
    bytes[54] = 56; // e_phentsize
    bytes[56] = 9; // e_phnum
    bytes[58] = 64; // e_shentsize
    bytes[60] = 1; // e_shnum
    fs::write(place.path("core.9"), bytes).unwrap();
    assert_refused(&debug(&place, &["core.9"]), 125, &["core.9", "it holds no thread"]);
}

#[test]
fn a_number_is_a_process_unless_a_file_has_that_name() {
    if !may_attach() {
        return;
    }
    let place = Place::new();
    let process = Waiting::start();
    let number = process.number();
    let seen = debug(&place, &[&number]);
    assert_eq!(seen.status.code(), Some(0), "{seen:#?}");
    assert!(stdout(&seen).contains(&number), "{seen:#?}");
    assert_refused(&debug(&place, &[&number, "./app"]), 125, &["nothing may follow"]);

    place.script(&number, "#!/bin/sh\n");
    let expected = format!("{number}: neither a core file");
    assert_refused(&debug(&place, &[&number]), 125, &[&expected]);
    let forced = debug(&place, &["-p", &number]);
    assert_eq!(forced.status.code(), Some(0), "{forced:#?}");
    process.end();
}

#[test]
fn a_process_that_is_not_there_is_said() {
    let place = Place::new();
    assert_refused(&debug(&place, &["999999999"]), 125, &["999999999", "no such process"]);
    assert_refused(&debug(&place, &["-p", "app"]), 125, &["app: not the number of a process"]);
}

#[test]
fn the_text_goes_into_a_file() {
    if !may_attach() {
        return;
    }
    let place = Place::new();
    let process = Waiting::start();
    let number = process.number();
    let output = debug(&place, &["-o", "state.txt", &number]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()), "{output:#?}");
    let text = fs::read_to_string(place.path("state.txt")).unwrap();
    assert_eq!(text, stdout(&debug(&place, &[&number])));
    let full = debug(&place, &["-o", "/dev/full", &number]);
    assert_refused(&full, 125, &["/dev/full"]);
    process.end();
}

#[test]
fn one_subject_and_options_that_belong_to_it() {
    let place = Place::new();
    for words in [
        &[][..],
        &["--"],
        &["-p", "1", "2"],
        &["1", "--", "./app"],
        &["--after", "5", "1"],
        &["--end-on-deadlock", "1"],
        &["--after", "0", "--", "./app"],
        &["--after", "soon", "--", "./app"],
    ] {
        let output = debug(&place, words);
        assert_eq!(output.status.code(), Some(125), "{words:?} {output:#?}");
    }
}

#[test]
fn a_program_keeps_its_output_its_status_and_its_signal() {
    let place = Place::new();
    for (script, code, signal) in
        [("echo out; exit 7", Some(7), None), ("echo out; kill -TERM $$", None, Some(15))]
    {
        let output = debug(&place, &["--", "/bin/sh", "-c", script]);
        assert_eq!((output.status.code(), output.status.signal()), (code, signal), "{output:#?}");
        assert_eq!((stdout(&output), stderr(&output)), ("out\n".to_owned(), String::new()));
    }
}

#[test]
fn a_state_that_cannot_be_written_does_not_cost_the_program() {
    let place = Place::new();
    let script = "kill -QUIT $$; echo out; exit 7";
    let output = debug(&place, &["-o", "/dev/full", "--", "/bin/sh", "-c", script]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(7), "out\n".to_owned()));
    for part in ["oxomp: /dev/full: ", "which goes on:"] {
        assert_eq!(stderr(&output).matches(part).count(), 1, "`{part}` in {output:#?}");
    }

    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command =
        place.oxomp(["debug", "-v", "-o", "/dev/full", "--", "/bin/sh", "-c", script]);
    let output = command.stderr(full).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(7), "out\n".to_owned()));
}

#[test]
fn a_handled_crash_is_the_programs_own_affair() {
    let place = Place::new();
    let script = "trap 'echo handled' ABRT; kill -ABRT $$; exit 3";
    let output = debug(&place, &["--", "/bin/sh", "-c", script]);
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    assert_eq!((stdout(&output), stderr(&output)), ("handled\n".to_owned(), String::new()));
}

#[test]
fn a_program_that_cannot_be_run_has_the_statuses_of_run() {
    let place = Place::new();
    assert_refused(&debug(&place, &["--", "./nothing"]), 127, &["./nothing: no such file"]);
    fs::write(place.path("text"), "text").unwrap();
    assert_refused(&debug(&place, &["--", "./text"]), 126, &["not executable"]);
}

#[test]
fn the_runtime_keeps_data_for_debuggers_unless_the_user_decides() {
    let place = Place::new();
    let words = ["debug", "--", Program::Env.text()];
    let ours = place.oxomp(words).env_remove("OMP_DEBUG").output().unwrap();
    assert!(stdout(&ours).contains("\nOMP_DEBUG=enabled\n"), "{ours:#?}");
    let theirs = place.oxomp(words).env("OMP_DEBUG", "disabled").output().unwrap();
    assert!(stdout(&theirs).contains("OMP_DEBUG=disabled\n"), "{theirs:#?}");
    assert!(!stdout(&theirs).contains("OMP_DEBUG=enabled"), "{theirs:#?}");
}

#[test]
fn help_teaches_with_examples() {
    let place = Place::new();
    let help = stdout(&debug(&place, &["--help"]));
    for part in ["oxomp debug 4711", "oxomp debug core.4711", "oxomp debug -- ./solver", "Ctrl-\\ "]
    {
        assert!(help.contains(part), "`{part}` in {help}");
    }
}

#[test]
fn keys_show_the_state_and_only_ctrl_c_reaches_the_program() {
    let place = Place::new();
    let app = place.app();
    let (keyboard, terminal) = pseudo_terminal();
    let mut command = Program::Setsid.command();
    command.args(["--ctty", "--wait", env!("CARGO_BIN_EXE_oxomp"), "debug", "--"]).arg(&app);
    place.prepare(&mut command);
    command.env("DO", "wait:2").stdin(Stdio::from(terminal));
    let mut running = Running::start(&mut command);
    running.wait_until_ready();
    // Ctrl-\ would end the program, which has no handler for it.
    File::from(keyboard.try_clone().unwrap()).write_all(b"\x1c\x03").unwrap();
    let output = running.finish();
    assert!(stdout(&output).ends_with("signals 1\n"), "{output:#?}");
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    for heading in ["which goes on:", "at the interrupt:"] {
        assert_eq!(stderr(&output).matches(heading).count(), 1, "{output:#?}");
    }
}

#[test]
fn a_process_of_another_user_is_refused_with_advice() {
    if !rustix::process::getuid().is_root() {
        return skip("a process of another user: only root can be two users");
    }
    let place = Place::new();
    let oxomp = place.path("oxomp");
    fs::copy(env!("CARGO_BIN_EXE_oxomp"), &oxomp).unwrap();
    let open = || fs::Permissions::from_mode(0o755);
    for path in [place.path("."), oxomp.clone()] {
        fs::set_permissions(path, open()).unwrap();
    }
    let process = Waiting::start();
    let mut command = Command::new(&oxomp);
    command.args(["debug", &process.number()]).current_dir(place.path(".")).uid(65_534).gid(65_534);
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return skip("a process of another user: temporary files are closed to other users");
        }
        output => output.unwrap(),
    };
    assert_refused(&output, 125, &[&process.number(), "as root"]);
    process.end();
}
