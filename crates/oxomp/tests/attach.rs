//! `oxomp profile --pid`: the collector attached to a program that runs already, with the command,
//! the runtime and the collector as `cargo xtask dist` puts them.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use oxomp_prerequisites::Program;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// The longest that a step of a test may take.
const PATIENCE: Duration = Duration::from_secs(60);

struct Place(TempDir);

/// The program, which is ended with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn variable(name: &str) -> PathBuf {
    std::env::var_os(name).unwrap_or_else(|| panic!("{name}: run `cargo xtask test`")).into()
}

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::new().expect("a temporary folder"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/service.c");
        let mut compile = Program::Gcc.command();
        compile.args(["-O2", "-g", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-o"]);
        let output = compile.arg(place.path("service")).arg(source).output().expect("gcc");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Starts the program on the runtime under test.
    fn start(&self, way: &str) -> Service {
        self.start_with(way, &[("LD_LIBRARY_PATH", &variable("OXOMP_LIB"))])
    }

    fn start_with(&self, way: &str, variables: &[(&str, &Path)]) -> Service {
        let mut command = Command::new(self.path("service"));
        command.arg(way).stdout(Stdio::piped()).current_dir(self.0.path());
        for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES"] {
            command.env_remove(name);
        }
        let service = command.envs(variables.iter().copied()).spawn().expect("the program");
        Service(service)
    }

    fn profile(&self, pid: u32, words: &[&str]) -> Command {
        let mut command = Command::new(variable("OXOMP_BIN"));
        command.args(["profile", "--pid", &pid.to_string()]).args(words);
        command.current_dir(self.0.path()).env_remove("OXOMP_HOME");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Waits until `command` has begun a recording in the folder.
    fn await_recording(&self, folder: &str, command: &mut Child) {
        let begin = Instant::now();
        while !self.path(folder).read_dir().is_ok_and(|mut names| names.next().is_some()) {
            if begin.elapsed() > PATIENCE || command.try_wait().expect("our own").is_some() {
                command.kill().ok();
                let mut said = String::new();
                command.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
                panic!("no recording begins after {:?}: {said}", begin.elapsed());
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Waits until a command has made the folder, before which it takes over signals.
    fn await_folder(&self, folder: &str) {
        let begin = Instant::now();
        while !self.path(folder).exists() {
            assert!(begin.elapsed() < PATIENCE, "no folder is made");
            sleep(Duration::from_millis(5));
        }
    }

    /// The numbers of a recording.
    fn document(&self, folder: &str) -> serde_json::Value {
        let mut command = Command::new(variable("OXOMP_BIN"));
        command.args(["report", folder, "--json=-"]).current_dir(self.0.path());
        let output = command.output().expect("the command");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

impl Service {
    fn pid(&self) -> u32 {
        self.0.id()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).expect("our own process");
    }

    /// Waits for the program's first line.
    fn is_ready(&mut self) -> BufReader<std::process::ChildStdout> {
        let mut output = BufReader::new(self.0.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("text");
        assert_eq!(line, "ready\n");
        output
    }

    /// Waits for the program's end, which was asked for.
    fn ends_well(&mut self, mut output: impl Read) {
        let mut text = String::new();
        output.read_to_string(&mut text).expect("text");
        let status = ended(&mut self.0);
        assert_eq!((text.as_str(), status.code()), ("wrong 0\n", Some(0)));
    }
}

fn ended(child: &mut Child) -> std::process::ExitStatus {
    let begin = Instant::now();
    loop {
        match child.try_wait().expect("our own process") {
            Some(status) => return status,
            None if begin.elapsed() < PATIENCE => sleep(Duration::from_millis(5)),
            None => panic!("no end within {PATIENCE:?}"),
        }
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Ends a command that waits, as Ctrl-C does.
fn interrupted(mut child: Child) -> Output {
    kill_process(Pid::from_child(&child), Signal::INT).expect("our own process");
    ended(&mut child);
    child.wait_with_output().expect("its output")
}

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
