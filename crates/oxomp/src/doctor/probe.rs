//! The probe: a program of ours that makes one check in a process of its own.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use signal_hook::low_level::signal_name;

use crate::failure::Failure;
use crate::locate::Installation;
use crate::messages::reason;

/// How long a check may take. The longest waits in a check are ten seconds each, for events that a
/// runtime delivers late or not at all.
const LIMIT: Duration = Duration::from_secs(60);

/// The beginnings of the names of variables that runtimes read.
const RUNTIME_VARIABLES: [&str; 6] = ["OMP_", "KMP_", "GOMP_", "LIBOMP", "OXOMP_", "LD_PRELOAD"];

/// The installed probe.
#[derive(Debug)]
pub(crate) struct Probe {
    program: PathBuf,
    limit: Duration,
}

/// How a process of the probe ended, and what it said on standard output.
#[derive(Debug)]
pub(crate) enum Outcome {
    Exited(ExitStatus, String),
    /// The process was ended after this time.
    TookTooLong(Duration),
}

impl Probe {
    pub(crate) fn find(installation: &Installation) -> Result<Self, Failure> {
        Ok(Self { program: installation.probe()?, limit: LIMIT })
    }

    /// Sets how long a run may take.
    pub(crate) fn limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Runs it. A runtime's own search for its libraries begins in `folder`.
    pub(crate) fn run(&self, words: &[&OsStr], folder: Option<&Path>) -> Result<Outcome, Failure> {
        let failure = |error: std::io::Error| {
            Failure::own(format!("{}: cannot be run: {}", self.program.display(), reason(&error)))
        };
        let mut command = Command::new(&self.program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let is_of_runtimes = |name: &OsStr| {
            let name = name.to_string_lossy();
            RUNTIME_VARIABLES.iter().any(|prefix| name.starts_with(prefix))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| is_of_runtimes(name)) {
            command.env_remove(name);
        }
        if let Some(folder) = folder {
            let mut path = folder.as_os_str().to_owned();
            if let Some(present) = env::var_os("LD_LIBRARY_PATH").filter(|it| !it.is_empty()) {
                path.push(":");
                path.push(present);
            }
            command.env("LD_LIBRARY_PATH", path);
        }
        let mut child = command.spawn().map_err(failure)?;
        let mut output = child.stdout.take();
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(output) = &mut output {
                // After an error, the bytes read before it count.
                output.read_to_end(&mut bytes).ok();
            }
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(failure)? {
                return Ok(Outcome::Exited(status, reader.join().unwrap_or_default()));
            }
            if start.elapsed() > self.limit {
                // The process may end by itself at this moment.
                child.kill().ok();
                child.wait().map_err(failure)?;
                return Ok(Outcome::TookTooLong(self.limit));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Outcome {
    /// The words in the place of an answer that did not come: "dies by SIGSEGV".
    pub(crate) fn end(&self) -> String {
        match self {
            Self::TookTooLong(limit) => format!("hangs: no end within {} s", limit.as_secs()),
            Self::Exited(status, _) => match status.signal() {
                Some(signal) => match signal_name(signal) {
                    Some(name) => format!("dies by {name}"),
                    None => format!("dies by signal {signal}"),
                },
                None => format!("ends by itself, with status {}", status.code().unwrap_or(-1)),
            },
        }
    }

    /// The lines that the process printed; empty if it took too long.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::TookTooLong(_) => "",
            Self::Exited(_, text) => text.as_str(),
        }
        .lines()
    }
}
