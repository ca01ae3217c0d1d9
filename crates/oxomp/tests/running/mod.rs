//! A program that runs already, for the tests of commands that look into it.

#![allow(dead_code, reason = "each test file uses a part")]

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use oxomp_prerequisites::Program;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// The longest that a step of a test may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with the program.
pub(crate) struct Place(TempDir);

/// The program, which is ended with the test.
pub(crate) struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

pub(crate) fn variable(name: &str) -> PathBuf {
    std::env::var_os(name).unwrap_or_else(|| panic!("{name}: run `cargo xtask test`")).into()
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with(Program::Gcc, "service.c")
    }

    /// A folder with another program in the place of the service.
    pub(crate) fn with(compiler: Program, source: &str) -> Self {
        let place = Self(TempDir::new().expect("a temporary folder"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let mut compile = compiler.command();
        compile.args(["-O2", "-g", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-o"]);
        let output = compile.arg(place.path("service")).arg(source).output().expect("the compiler");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles a library of the program's.
    pub(crate) fn library(&self, name: &str) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
        let library = self.path("library.so");
        let mut compile = Program::Gcc.command();
        compile.args(["-O2", "-g", "-fopenmp", "-fPIC", "-shared", "-o"]).arg(&library).arg(source);
        let output = compile.output().expect("gcc");
        assert!(output.status.success(), "{output:#?}");
        library
    }

    /// Starts the program on the runtime under test.
    pub(crate) fn start(&self, way: &str) -> Service {
        self.start_with(way, &[("LD_LIBRARY_PATH", &variable("OXOMP_LIB"))])
    }

    pub(crate) fn start_with(&self, way: &str, variables: &[(&str, &Path)]) -> Service {
        let mut command = Command::new(self.path("service"));
        command.args(way.split(' ')).stdout(Stdio::piped()).current_dir(self.0.path());
        for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES"] {
            command.env_remove(name);
        }
        let service = command.envs(variables.iter().copied()).spawn().expect("the program");
        Service(service)
    }

    /// Starts the program as another user, who can read the runtime.
    pub(crate) fn start_as(&self, way: &str, user: u32) -> Service {
        let mut command = Command::new(self.path("service"));
        command.args(way.split(' ')).stdout(Stdio::piped()).current_dir("/").uid(user).gid(user);
        command.env("LD_LIBRARY_PATH", variable("OXOMP_LIB"));
        Service(command.spawn().expect("the program"))
    }

    pub(crate) fn profile(&self, pid: u32, words: &[&str]) -> Command {
        let mut command = Command::new(variable("OXOMP_BIN"));
        command.args(["profile", "--pid", &pid.to_string()]).args(words);
        command.current_dir(self.0.path()).env_remove("OXOMP_HOME");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Waits until `command` has begun a recording in the folder.
    pub(crate) fn await_recording(&self, folder: impl AsRef<Path>, command: &mut Child) {
        let begin = Instant::now();
        let folder = self.0.path().join(folder);
        while !folder.read_dir().is_ok_and(|mut names| names.next().is_some()) {
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
    pub(crate) fn await_folder(&self, folder: &str) {
        let begin = Instant::now();
        while !self.path(folder).exists() {
            assert!(begin.elapsed() < PATIENCE, "no folder is made");
            sleep(Duration::from_millis(5));
        }
    }

    /// The numbers of a recording.
    pub(crate) fn document(&self, folder: &str) -> serde_json::Value {
        let mut command = Command::new(variable("OXOMP_BIN"));
        command.args(["report", folder, "--json=-"]).current_dir(self.0.path());
        let output = command.output().expect("the command");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

impl Service {
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).expect("our own process");
    }

    /// Waits for the program's first line.
    pub(crate) fn is_ready(&mut self) -> BufReader<std::process::ChildStdout> {
        let mut output = BufReader::new(self.0.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("text");
        assert_eq!(line, "ready\n");
        output
    }

    /// Waits for the program's end, which was asked for.
    pub(crate) fn ends_well(&mut self, mut output: impl Read) {
        let mut text = String::new();
        output.read_to_string(&mut text).expect("text");
        let status = ended(&mut self.0);
        assert_eq!((text.as_str(), status.code()), ("wrong 0\n", Some(0)));
    }
}

pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        match child.try_wait().expect("our own process") {
            Some(status) => return status,
            None if begin.elapsed() < PATIENCE => sleep(Duration::from_millis(5)),
            None => panic!("no end within {PATIENCE:?}"),
        }
    }
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Ends a command that waits, as Ctrl-C does.
pub(crate) fn interrupted(mut child: Child) -> Output {
    kill_process(Pid::from_child(&child), Signal::INT).expect("our own process");
    ended(&mut child);
    child.wait_with_output().expect("its output")
}
