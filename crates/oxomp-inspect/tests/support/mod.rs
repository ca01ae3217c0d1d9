//! Programs in C that tests look at.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

use oxomp_inspect::{Child as Traced, Error};
use oxomp_prerequisites::Program as Tool;
use oxomp_prerequisites::skipped::skip;
use tempfile::TempDir;

/// A folder with compiled programs.
pub(crate) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles `source` to the file `name`.
    pub(crate) fn compile(&self, name: &str, source: &str, flags: &[&str]) -> PathBuf {
        let (text, path) = (self.path(&format!("{name}.c")), self.path(name));
        std::fs::write(&text, source).expect("the source is written");
        let output = Tool::Gcc
            .command()
            .arg(&text)
            .arg("-o")
            .arg(&path)
            .args(flags)
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }
}

/// A program that runs, and ends with the test.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    pub(crate) input: Option<ChildStdin>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take();
        Self { child, output, input }
    }

    /// Starts the program and waits for its first line, which says that it is where it should be.
    pub(crate) fn ready(path: &Path) -> Self {
        let mut running = Self::start(&mut Command::new(path));
        running.line();
        running
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("a process number")
    }

    /// The next line of its output.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "the program ended early: {:?}", self.child.try_wait());
        line.trim_end().to_owned()
    }

    /// Ends its input and waits for its end.
    pub(crate) fn finish(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().expect("the program ends")
    }

    /// The letter of its state in `/proc`.
    pub(crate) fn state(&self) -> char {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).expect("its stat");
        stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()).expect("a state")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether processes can be traced here; if not, skips the test: emulators that run programs for
/// another processor do not have ptrace(2).
pub(crate) fn may_trace() -> bool {
    let mut command = Tool::Sh.command();
    command.args(["-c", "exit 0"]);
    let may = match Traced::spawn(command) {
        Ok(mut traced) => traced.wait(None).is_ok(),
        Err(Error::Start { error, .. }) => error.kind() != ErrorKind::Unsupported,
        Err(_) => true,
    };
    if !may {
        skip("no process can be traced: the system has no ptrace(2)");
    }
    may
}

/// Waits until `ready` holds: a machine under load may take long.
pub(crate) fn until(what: &str, ready: impl Fn() -> bool) {
    for _ in 0..6000 {
        if ready() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{what} did not come about");
}

/// Sends a signal by its name without `SIG`.
pub(crate) fn send(pid: i32, signal: &str) {
    let status = Tool::Sh.command().args(["-c", &format!("kill -{signal} {pid}")]).status();
    assert!(status.expect("the shell runs").success());
}
