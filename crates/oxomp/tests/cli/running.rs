//! A command that is still running: to be waited for, signalled, and ended.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A started command whose output is read.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    read: Vec<u8>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, stdout, read: Vec::new() }
    }

    /// Reads until the program under test has said `ready`.
    pub(crate) fn wait_until_ready(&mut self) {
        while !self.read.ends_with(b"ready\n") {
            let length = self.stdout.read_until(b'\n', &mut self.read).expect("a readable pipe");
            assert!(length > 0, "ended before it was ready: {:?}", self.child.wait());
        }
    }

    /// Signals the command itself, not what it started.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the command still runs");
    }

    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Output {
        self.stdout.read_to_end(&mut self.read).expect("a readable pipe");
        let mut output = self.child.wait_with_output().expect("an end");
        output.stdout = self.read;
        output
    }
}

/// Both ends of a pseudo-terminal: the one that the keyboard writes to, and the program's terminal.
pub(crate) fn pseudo_terminal() -> (OwnedFd, OwnedFd) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let name = ptsname(keyboard.as_fd(), Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (keyboard, terminal.into())
}
