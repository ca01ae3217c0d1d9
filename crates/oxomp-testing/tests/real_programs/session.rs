//! One program on several runtimes: runs bounded in time, with nothing from outside that would
//! change what it does.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use oxomp_prerequisites::Application;
use oxomp_testing::directives::Ending;
use oxomp_testing::process::{self, Outcome, clear_environment, shown};

use crate::answers::compare;
use crate::{bindings, place};

/// A run that takes longer hangs: on a quiet machine it takes seconds.
const LIMIT: Duration = Duration::from_secs(100);

/// More threads than small machines have processors.
const THREADS: &str = "4";

/// How the program gets our runtime.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Served {
    /// `LD_PRELOAD`, for programs that bring a runtime under another name.
    Preload,
    /// `LD_LIBRARY_PATH`, for programs that ask for `libgomp.so.1`.
    Library,
}

/// The processes of a run that use OpenMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Users {
    /// The program itself.
    Program,
    /// Some that a script started.
    Children,
    /// This number of processes of Open MPI.
    Ranks(usize),
}

/// A program and how it is run.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    program: PathBuf,
    arguments: Vec<OsString>,
    libraries: Option<PathBuf>,
    folder: Option<PathBuf>,
    log: Option<PathBuf>,
    threads: String,
    processes: Users,
    served: Served,
}

impl Session {
    pub(crate) fn new(program: impl Into<PathBuf>, served: Served) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            libraries: None,
            folder: None,
            log: None,
            threads: THREADS.to_owned(),
            processes: Users::Program,
            served,
        }
    }

    pub(crate) fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// A folder in which the program's other libraries are looked for first.
    pub(crate) fn libraries(mut self, folder: &Path) -> Self {
        self.libraries = Some(folder.to_owned());
        self
    }

    /// The folder in which the program runs and may leave files.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Runs with the recorder, whose log goes to `file`.
    pub(crate) fn recorded(mut self, file: &Path) -> Self {
        self.log = Some(file.to_owned());
        self
    }

    /// `OMP_NUM_THREADS` of each process.
    pub(crate) fn threads(mut self, threads: u32) -> Self {
        self.threads = threads.to_string();
        self
    }

    /// The program runs as `ranks` processes of Open MPI, which share the processors of this
    /// machine.
    pub(crate) fn ranks(mut self, ranks: usize) -> Self {
        self.processes = Users::Ranks(ranks);
        self
    }

    /// A script, whose children use OpenMP.
    pub(crate) fn script(mut self) -> Self {
        self.processes = Users::Children;
        self
    }

    /// Runs on the runtime that the program came with.
    pub(crate) fn alone(&self) -> Outcome {
        let mut command = self.command(None);
        if let Some(folder) = &self.libraries {
            command.env("LD_LIBRARY_PATH", folder);
        }
        if matches!(self.processes, Users::Ranks(_)) {
            // The threads of several processes would spin for each other's processors for minutes.
            command.env("GOMP_SPINCOUNT", "0");
        }
        finished(&mut command)
    }

    /// Runs on ours; each of `users`, parts of paths, must have its `GOMP_parallel`, in every rank.
    pub(crate) fn on_ours(&self, users: &[&str]) -> Outcome {
        let runtime = place::runtime();
        let mut command = self.command(None);
        let mut folders: Vec<&Path> = self.libraries.as_deref().into_iter().collect();
        match self.served {
            Served::Preload => {
                command.env("LD_PRELOAD", runtime.join("libomp.so"));
            }
            Served::Library => folders.insert(0, &runtime),
        }
        if !folders.is_empty() {
            command.env("LD_LIBRARY_PATH", std::env::join_paths(folders).expect("no colon"));
        }
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let report = scratch.path().join("ld");
        command.env("LD_DEBUG", "bindings").env("LD_DEBUG_OUTPUT", &report);
        let outcome = finished(&mut command);
        let count = || bindings::check_all(scratch.path(), &runtime, users);
        let checked = match self.processes {
            Users::Program => {
                let report = report.with_extension(outcome.pid.to_string());
                let report = fs::read_to_string(&report).expect("the loader reports on it");
                bindings::check(&report, &runtime, users)
            }
            Users::Children => count().and_then(|found| match found {
                0 => Err(format!("no process bound GOMP_parallel for {users:?}")),
                _ => Ok(()),
            }),
            Users::Ranks(ranks) => count().and_then(|found| match found == ranks {
                true => Ok(()),
                false => Err(format!("{found} ranks of {ranks} bound GOMP_parallel for {users:?}")),
            }),
        };
        if let Err(reason) = checked {
            panic!("{reason}\nto repeat it: {}", shown(&command));
        }
        outcome
    }

    /// Equal standard output on both runtimes, except for the last digits of numbers.
    pub(crate) fn has_the_same_answers(&self, users: &[&str]) {
        let theirs = self.alone();
        let ours = self.on_ours(users);
        if let Err(reason) = compare(&theirs.stdout, &ours.stdout) {
            panic!("{}: {reason}", self.program.display());
        }
    }

    /// Runs under `oxomp profile`; the data is left nowhere.
    pub(crate) fn profiled(&self) -> Outcome {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        finished(self.command(Some(&place::command())).current_dir(scratch.path()))
    }

    fn command(&self, profiler: Option<&Path>) -> Command {
        let mut command = match (profiler, self.processes) {
            (Some(profiler), _) => {
                let mut command = Command::new(profiler);
                command.args(["profile", "--"]).arg(&self.program);
                command
            }
            (None, Users::Ranks(ranks)) => several(ranks, &self.program),
            (None, _) => Command::new(&self.program),
        };
        clear_environment(&mut command);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Some(log) = &self.log {
            command.env("OMP_TOOL_LIBRARIES", place::recorder()).env("OXOMP_RECORD", log);
        }
        command.args(&self.arguments).env("OMP_NUM_THREADS", &self.threads);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// `mpirun` of `ranks` processes of `program`.
fn several(ranks: usize, program: &Path) -> Command {
    let mut command = Application::Mpirun.command();
    command.args(["-n", &ranks.to_string(), "--oversubscribe", "--bind-to", "none"]).arg(program);
    // Containers have no other user.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
}

/// Runs `command` to its end, which must come in time and with status 0.
pub(crate) fn finished(command: &mut Command) -> Outcome {
    let line = shown(command);
    let outcome = match process::run(command, LIMIT) {
        Ok(outcome) => outcome,
        Err(error) => panic!("{line}: {error}"),
    };
    if let Some(stacks) = &outcome.stacks {
        panic!("still running after {} s, killed: {line}\n{stacks}", LIMIT.as_secs());
    }
    assert_eq!(outcome.ending, Ending::Status(0), "{line}\n{}{}", outcome.stdout, outcome.stderr);
    outcome
}
