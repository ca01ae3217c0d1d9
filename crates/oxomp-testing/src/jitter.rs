//! Jitter: programs whose threads are stopped at random points, as if they had lost their
//! processor.
//!
//! A preloaded library (`tests/jitter/`) stops them, and counts in a file how often it did, so that
//! a run without jitter cannot pass for one with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use oxomp_prerequisites::Program;

use crate::compiler::kept::{Kept, compile, identity};

/// How many times longer than usual a program may take.
pub const PATIENCE: u32 = 4;

/// How often and how long threads are stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jitter {
    /// From the end of a nap to the next, in microseconds, on average.
    period: u32,
    /// The length of a nap, in microseconds, on average.
    nap: u32,
    /// The seed of the random lengths; without one each run has another.
    seed: Option<u64>,
}

impl Default for Jitter {
    /// The time between two naps is several times as long as a nap: programs make progress, and
    /// threads often find others stopped in the middle of a protocol.
    fn default() -> Self {
        Self { period: 500, nap: 100, seed: None }
    }
}

impl Jitter {
    /// Reads `PERIOD,NAP` or `PERIOD,NAP,SEED`; `on` stands for the default.
    ///
    /// # Errors
    ///
    /// Names the forms that it takes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text}: give `on` or PERIOD,NAP[,SEED], in microseconds");
        if text == "on" {
            return Ok(Self::default());
        }
        let mut words = text.split(',');
        let mut time = || words.next()?.parse().ok().filter(|time| *time > 0);
        let (period, nap) = time().zip(time()).ok_or_else(wrong)?;
        let seed = words.next().map(|seed| seed.parse().map_err(|_| wrong())).transpose()?;
        match words.next() {
            None => Ok(Self { period, nap, seed }),
            Some(_) => Err(wrong()),
        }
    }

    /// Lets the program that `command` runs load `library`.
    pub fn enable(self, command: &mut Command, library: &Path) {
        // The microseconds of the time differ from run to run.
        let now =
            || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().subsec_micros();
        let seed = self.seed.unwrap_or_else(|| u64::from(now()));
        command.env("LD_PRELOAD", library);
        command.env("TEST_JITTER", format!("{},{},{seed}", self.period, self.nap));
    }

    /// Lets the library of a command with jitter count in `file`.
    pub fn count_in(command: &mut Command, file: &Path) {
        command.env("TEST_JITTER_COUNTS", file);
    }

    /// Checks in the library's `file` that threads of the program were stopped.
    ///
    /// # Errors
    ///
    /// No thread was stopped, or the library gave up.
    pub fn check(file: &Path) -> Result<(), String> {
        match Counts::read(file) {
            None => Err("the program ran without jitter: nothing was counted".to_owned()),
            Some(Counts { given_up: 1.., .. }) => Err("the jitter library gave up".to_owned()),
            Some(Counts { naps: 0, .. }) => Err("no thread of the program was stopped".to_owned()),
            Some(_) => Ok(()),
        }
    }
}

/// The library's counts, over all processes of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// How many threads were to be stopped.
    pub threads: u64,
    /// How often a thread was stopped.
    pub naps: u64,
    /// How often the library ended the program because there could be no jitter.
    pub given_up: u64,
}

impl Counts {
    /// Reads the library's `struct counts`.
    #[must_use]
    pub fn read(file: &Path) -> Option<Self> {
        let bytes = fs::read(file).ok()?;
        let word = |index: usize| {
            let bytes = bytes.get(8 * index..8 * index + 8)?;
            Some(u64::from_ne_bytes(bytes.try_into().ok()?))
        };
        Some(Self { threads: word(0)?, naps: word(1)?, given_up: word(2)? })
    }
}

/// The library, compiled when the first program needs it.
#[derive(Debug)]
pub struct Library {
    sources: PathBuf,
    folder: PathBuf,
    made: OnceLock<Result<PathBuf, String>>,
}

impl Library {
    /// The library whose sources lie in `tests/jitter`, to be kept in `folder`.
    #[must_use]
    pub fn new(tests: &Path, folder: &Path) -> Self {
        let sources = tests.join("jitter");
        Self { sources, folder: folder.to_owned(), made: OnceLock::new() }
    }

    /// The library's file.
    ///
    /// # Errors
    ///
    /// The compiler's command and what it said.
    pub fn get(&self) -> Result<&Path, String> {
        self.made.get_or_init(|| self.make()).as_deref().map_err(Clone::clone)
    }

    fn make(&self) -> Result<PathBuf, String> {
        let mut command = Program::Gcc.command();
        command.args([
            "-std=gnu17",
            "-O2",
            "-g",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-shared",
            "-fPIC",
        ]);
        let mut kept = Kept::new(&self.folder, "jitter").of(&format!("{command:?}"));
        kept = kept.of(&identity(Program::Gcc));
        for name in ["preempt.h", "preempt.c", "interpose.c"] {
            let source = self.sources.join(name);
            kept = kept.of_file(&source)?;
            if name.ends_with(".c") {
                command.arg(source);
            }
        }
        kept.made(|library| compile(command.arg("-o").arg(library)))
    }
}
