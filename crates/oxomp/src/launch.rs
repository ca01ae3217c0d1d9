//! Starts the program, waits for it, and ends as it ended.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};

use rustix::process::{Pid, Resource, Rlimit, WaitId, WaitIdOptions, getrlimit, setrlimit, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::{emulate_default_handler, raise, signal_name};

use crate::failure::Failure;
use crate::messages::reason;
use crate::program::Program;
use crate::signals::Relay;
use crate::variables::Variables;

/// A program with its arguments and environment.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a Program,
    /// The words that the user wrote, the program's name first.
    pub(crate) words: &'a [OsString],
    pub(crate) variables: &'a Variables,
}

impl Launch<'_> {
    /// Becomes the program. Comes back only if that fails.
    pub(crate) fn replace_ourselves(&self) -> Result<Infallible, Failure> {
        let error = self.command().exec();
        Err(self.failure(&error))
    }

    /// Starts the program, calls `started` with its id, and waits for its end.
    pub(crate) fn run<T>(&self, started: impl FnOnce(Pid) -> T) -> Result<(Ended, T), Failure> {
        let mut relay = Relay::prepare().map_err(|error| Failure::no_signals(&error))?;
        let mut child = self.command().spawn().map_err(|error| self.failure(&error))?;
        let pid = Pid::from_child(&child);
        relay.start(pid);
        let token = started(pid);
        // Wait without reaping: until the relay has finished, the id must stay the program's.
        while let Err(error) =
            waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {
            if error != rustix::io::Errno::INTR {
                let reason = reason(&error.into());
                return Err(Failure::own(format!("cannot wait for the program: {reason}")));
            }
        }
        relay.finish();
        let status = child.wait().map_err(|error| {
            Failure::own(format!("cannot wait for the program: {}", reason(&error)))
        })?;
        Ok((Ended(status), token))
    }

    /// The command that starts the program.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program.path);
        command
            .arg0(self.words.first().map_or(OsStr::new(""), OsString::as_os_str))
            .args(self.words.iter().skip(1))
            .envs(self.variables.as_slice().iter().map(|(name, value)| (name, value)));
        command
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::cannot_run(format!(
            "{}: cannot be started: {}",
            self.program.path.display(),
            reason(error)
        ))
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended(ExitStatus);

impl Ended {
    /// By itself, with this status.
    pub(crate) fn exited(status: i32) -> Self {
        Self(ExitStatus::from_raw((status & 0xff) << 8))
    }

    /// By this signal.
    pub(crate) fn killed(signal: i32) -> Self {
        Self(ExitStatus::from_raw(signal & 0x7f))
    }

    /// Whether the program ended by itself and said that all is well.
    pub(crate) fn is_success(self) -> bool {
        self.0.success()
    }

    /// Whether the program died of a fault of its own, or was killed at once, rather than asked to
    /// end as launchers do with all ranks of a job.
    pub(crate) fn by_fault(self) -> bool {
        const ASKED: [i32; 4] = [SIGTERM, SIGINT, SIGHUP, SIGQUIT];
        self.0.signal().is_some_and(|signal| !ASKED.contains(&signal))
    }

    /// "killed by SIGSEGV"; `None` for a program that ended by itself.
    pub(crate) fn by_signal(self) -> Option<String> {
        let signal = self.0.signal()?;
        Some(match signal_name(signal) {
            Some(name) => format!("killed by {name}"),
            None => format!("killed by signal {signal}"),
        })
    }

    /// Ends this process as the program ended: by the same signal, or with the status that is
    /// returned.
    pub(crate) fn pass_on(self) -> ExitCode {
        if let Some(signal) = self.0.signal() {
            die_by(signal);
            // The signal was blocked or had no effect: report it by exit status, as shells do.
            return ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX));
        }
        let code = self.0.code().and_then(|code| u8::try_from(code).ok());
        ExitCode::from(code.unwrap_or(u8::MAX))
    }
}

fn die_by(signal: i32) {
    // The program has left its core dump; a second one would overwrite it.
    let maximum = getrlimit(Resource::Core).maximum;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum }).ok();
    if emulate_default_handler(signal).is_err() {
        // A signal without a name: this process has no handler for it, so it has its default
        // effect.
        raise(signal).ok();
    }
}
