//! The runner's settings: folders and switches from the environment.

use std::env;
use std::path::{Path, PathBuf};

use crate::jitter::Jitter;
use crate::trace::interface::Interface;

/// The folder in which the tests of `tests/c` and `tests/fortran` keep what they make, within the
/// one that Cargo has for the tests of this package, or of any other in the same `target`.
pub const CACHE: &str = "oxomp-testing";

/// The folder of the programs' executables, within [`CACHE`].
pub const PROGRAMS: &str = "programs";

/// The folders and switches of one run of the tests.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The root of the workspace.
    pub workspace: PathBuf,
    /// `tests/`: the programs, their headers, and the shared expectations.
    pub tests: PathBuf,
    /// The runtime under test: a folder with `libomp.so.5` and `libgomp.so.1`.
    pub runtime: PathBuf,
    /// The recorder, an OMPT tool.
    pub recorder: PathBuf,
    /// Compiled programs and reference outputs, kept between runs.
    pub cache: PathBuf,
    /// The runtime that the programs run on.
    pub subject: Subject,
    /// The jitter that every program runs with, if any.
    pub jitter: Option<Jitter>,
    /// The tool that runs the recorder beside the collector, if it does not listen alone.
    pub multiplexer: Option<PathBuf>,
    /// The interface by which the recorder listens to programs whose events no expectation lists.
    pub interface: Interface,
}

/// The runtime that the programs run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The runtime under test.
    Runtime,
    /// The reference runtimes only: to write new tests against.
    Reference,
}

impl Settings {
    /// Reads `OXOMP_LIB`, `OXOMP_RECORDER`, `OXOMP_TEST_ON`, `OXOMP_TEST_JITTER`,
    /// `OXOMP_TEST_MULTIPLEX` and `OXOMP_TEST_INTERFACE`; `cache` is a writable folder.
    ///
    /// # Errors
    ///
    /// Names the variable with a bad value, or the folder that is missing.
    pub fn from_environment(workspace: PathBuf, cache: PathBuf) -> Result<Self, String> {
        // The programs may be told another folder to run in.
        let path = |name: &str| {
            let given = env::var_os(name).map(PathBuf::from);
            given.map(|path| std::path::absolute(&path).unwrap_or(path))
        };
        let runtime = path("OXOMP_LIB").unwrap_or_else(|| workspace.join("dist/lib"));
        let recorder = path("OXOMP_RECORDER").unwrap_or_else(|| default_recorder(&runtime));
        let subject = match env::var("OXOMP_TEST_ON").ok().as_deref() {
            None | Some("" | "oxomp") => Subject::Runtime,
            Some("reference") => Subject::Reference,
            Some(other) => {
                return Err(format!("OXOMP_TEST_ON={other}: give `oxomp` or `reference`"));
            }
        };
        let jitter = match env::var("OXOMP_TEST_JITTER").ok().as_deref() {
            None | Some("") => None,
            Some(text) => {
                let said = |reason| format!("OXOMP_TEST_JITTER={reason}");
                Some(Jitter::parse(text).map_err(said)?)
            }
        };
        let multiplexer = match env::var("OXOMP_TEST_MULTIPLEX").ok().as_deref() {
            None | Some("") => None,
            Some("on") => Some(multiplexer(&runtime)),
            Some(other) => return Err(format!("OXOMP_TEST_MULTIPLEX={other}: give `on`")),
        };
        let interface = env::var("OXOMP_TEST_INTERFACE").unwrap_or_default();
        let interface = Interface::parse(&interface)
            .map_err(|reason| format!("OXOMP_TEST_INTERFACE={reason}"))?;
        let settings = Self {
            tests: workspace.join("tests"),
            workspace,
            runtime,
            recorder,
            cache,
            subject,
            jitter,
            multiplexer,
            interface,
        };
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        if !self.tests.is_dir() {
            return Err(format!("{} is missing", self.tests.display()));
        }
        if self.subject == Subject::Runtime {
            for name in ["libomp.so.5", "libgomp.so.1"] {
                if !self.runtime.join(name).exists() {
                    return Err(format!(
                        "{} has no {name}: run `cargo xtask dist`, or name a folder in OXOMP_LIB",
                        self.runtime.display()
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The multiplexer that `dist` puts beside the runtime.
#[must_use]
pub fn multiplexer(runtime: &Path) -> PathBuf {
    runtime.join("liboxomp_multiplex.so")
}

/// `dist` puts it into `lib-dev`, beside `lib`; a build tree has both in one folder.
fn default_recorder(runtime: &Path) -> PathBuf {
    const NAME: &str = "liboxomp_recorder.so";
    let beside = runtime.join(NAME);
    match runtime.parent() {
        Some(parent) if !beside.exists() => parent.join("lib-dev").join(NAME),
        _ => beside,
    }
}
