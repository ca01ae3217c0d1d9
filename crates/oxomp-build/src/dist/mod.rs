//! `cargo xtask dist`: the folder that users and tests run from.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use oxomp_prerequisites::Program;

use crate::workspace::{Workspace, cargo, packages_of};

pub use contents::{Contents, Install, Kind, OFFLOAD_LINKS, RUNTIME_LINKS};
pub use made::Made;
pub use stub::{Stub, StubTools};

mod contents;
mod gomp_stub;
mod install;
mod made;
mod stub;

/// Shown under `cargo xtask dist --help`.
pub const EXAMPLES: &str = "\
What lies there afterwards:
  bin/oxomp                  the command line
  lib/libomp.so              the runtime; libomp.so.5, libiomp5.so, libgomp.so.1 are links to it
  lib/libomptarget.so        the offload library; libomptarget.so.19.1 and .22.1 are links to it
  lib/libompd.so             what a debugger loads to read programs on the runtime
  lib/libgomp.so             what `gcc -fopenmp -Ldist/lib` links with (soname libgomp.so.1)
  lib/liboxomp_collect.so    the tool that `oxomp profile` loads
  lib/liboxomp_mpi.so        what stands before MPI's functions while a program is profiled
  lib/liboxomp_multiplex.so  the tool that runs several tools beside each other
  lib/oxomp-probe            makes the checks of `oxomp doctor`, with lib/liboxomp_probe.so
  include/                   omp.h, omp-tools.h, ompt.h, oxomp.h, oxomp.f90
  lib-dev/                   testing only: the recorder that the event tests load

Examples:
  cargo xtask dist
  dist/bin/oxomp profile -- ./app
  LD_LIBRARY_PATH=dist/lib ./app
  cargo xtask dist --profile testing --out /tmp/oxomp";

/// The crate whose cdylib records events for tests; users do not get it.
const RECORDER: &str = "oxomp-recorder";

/// A build profile of the workspace's Cargo.toml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// For users: libraries are optimised at link time.
    Release,
    /// Optimised with assertions, for the tests.
    Testing,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Testing => "testing",
        }
    }

    /// Installs `from` as `to`. A debugger finds the lines of a loaded library among the program's,
    /// so a release has none.
    fn install(self, kind: Kind, from: &Path, to: &Path) -> Result<()> {
        match (self, kind) {
            (Self::Release, Kind::Loaded) => install::copy_without_lines(from, to),
            _ => install::copy(from, to),
        }
    }
}

/// What to build and where to put it.
#[derive(Debug)]
pub struct DistRequest {
    /// The Cargo profile.
    pub profile: Profile,
    /// The folder; a default by profile when absent.
    pub out: Option<PathBuf>,
}

/// A finished folder.
#[derive(Debug)]
pub struct Dist {
    /// The folder itself.
    pub root: PathBuf,
}

impl Dist {
    /// The folder of the shared objects.
    pub fn lib(&self) -> PathBuf {
        self.root.join("lib")
    }

    pub fn runtime(&self) -> PathBuf {
        self.lib().join("libomp.so")
    }

    /// The command line.
    pub fn command(&self) -> PathBuf {
        self.root.join("bin/oxomp")
    }

    /// The tool that records for `oxomp profile`.
    pub fn collector(&self) -> PathBuf {
        self.lib().join("liboxomp_collect.so")
    }

    /// The recorder of the event tests; there in testing folders only.
    pub fn recorder(&self) -> PathBuf {
        self.root.join("lib-dev/liboxomp_recorder.so")
    }
}

/// Builds what is out of date and fills the folder.
pub fn build(workspace: &Workspace, request: &DistRequest) -> Result<Dist> {
    let root = match (&request.out, request.profile) {
        (Some(out), _) => std::path::absolute(out)?,
        (None, Profile::Release) => workspace.root.join("dist"),
        (None, Profile::Testing) => workspace.built().join("testing-dist"),
    };
    let dist = Dist { root };
    let with_recorder = request.profile == Profile::Testing && workspace.has_member(RECORDER);
    let mut packages = [&LOADED[..], &OWN[..]].concat();
    if with_recorder {
        packages.push(RECORDER);
    }
    let made = make(workspace, request.profile, &packages)?;
    let contents = Contents {
        made: &made,
        install: &|kind, from, to| request.profile.install(kind, from, to),
    };
    contents.fill(&dist.root, &workspace.root, &stub_tools())?;
    if with_recorder {
        install::copy(made.file("liboxomp_recorder.so")?, &dist.recorder())?;
    }
    Ok(dist)
}

/// Builds the command as the tests have it, without the libraries, and says where it is.
pub fn command_of_tests(workspace: &Workspace) -> Result<PathBuf> {
    let made = Made::by(workspace, &mut command_build(workspace, Profile::Testing))?;
    made.file(COMMAND.0).map(Path::to_owned)
}

/// Builds only what `oxomp profile` needs, in release, and puts it into the folder `root`: the
/// command, the runtime and the tool that records.
pub fn build_for_profiles(workspace: &Workspace, root: PathBuf) -> Result<Dist> {
    let made = make(workspace, Profile::Release, &RECORDED_BY)?;
    let contents = Contents {
        made: &made,
        install: &|kind, from, to| Profile::Release.install(kind, from, to),
    };
    contents.fill_for_profiles(&root)?;
    Ok(Dist { root })
}

/// The C compiler of this machine, the one that `CC` names, makes stubs.
fn stub_tools() -> StubTools {
    StubTools::of_compiler(vec![env::var_os("CC").unwrap_or_else(|| Program::Cc.text().into())])
}

/// The libraries that programs of users load.
const LOADED: [&str; 5] =
    ["libomp", "libomptarget", "oxomp-collect", "oxomp-mpi", "oxomp-multiplex"];

/// The library that debuggers load, and the program that the doctor starts with its library.
const OWN: [&str; 2] = ["libompd", "oxomp-probe"];

/// The libraries that a program loads under `oxomp profile`.
const RECORDED_BY: [&str; 3] = ["libomp", "oxomp-collect", "oxomp-mpi"];

/// The crate of the command, and one of its tests.
const COMMAND: (&str, &str) = ("oxomp", "cli");

/// The crates whose programs and libraries packages hold.
pub fn packaged() -> impl Iterator<Item = &'static str> {
    LOADED.into_iter().chain(OWN).chain([COMMAND.0])
}

/// The Cargo profile of the command that users get.
const COMMAND_PROFILE: &str = "command";

/// Builds `packages` and the command.
///
/// The tests' command is the one that Cargo makes for the tests of its own crate, with the features
/// of packages that all tests of the product ask for: later commands use what this one builds.
fn make(workspace: &Workspace, profile: Profile, packages: &[&str]) -> Result<Made> {
    let mut build = cargo();
    build.args(["build", "--profile", profile.name()]).args(packages_of(packages));
    let mut made = Made::by(workspace, &mut build)?;
    made.take(Made::by(workspace, &mut command_build(workspace, profile))?, COMMAND.0);
    Ok(made)
}

/// Cargo's command that builds the command line.
fn command_build(workspace: &Workspace, profile: Profile) -> Command {
    let mut command = cargo();
    match profile {
        Profile::Release => {
            command.args(["build", "--profile", COMMAND_PROFILE, "-p", COMMAND.0]);
        }
        Profile::Testing => {
            command.args(["test", "--no-run", "--test", COMMAND.1]);
            command.args(packages_of(&workspace.tested()));
        }
    }
    command
}

/// Builds what packages hold, optimised at link time. Both arguments are commands that begin a
/// build, of Cargo or of a program that takes its arguments, with all that selects the processor,
/// the linker and the compiler's flags: `loaded` for what programs of users load, `own` for the
/// command and what else is executed once or waits for a user.
pub fn make_packaged(workspace: &Workspace, mut loaded: Command, mut own: Command) -> Result<Made> {
    loaded.args(["--profile", Profile::Release.name()]).args(packages_of(&LOADED));
    let mut made = Made::by(workspace, &mut loaded)?;
    own.args(["--profile", COMMAND_PROFILE, "-p", COMMAND.0]).args(packages_of(&OWN));
    own.args(["--config", "profile.command.lto=\"fat\""]);
    own.args(["--config", "profile.command.codegen-units=1"]);
    own.args(["--config", "profile.command.debug=\"line-tables-only\""]);
    made.add(Made::by(workspace, &mut own)?);
    Ok(made)
}

/// Builds the command without optimisation, and hands back its path.
pub fn unoptimised_command(workspace: &Workspace) -> Result<PathBuf> {
    let mut build = cargo();
    let made = Made::by(workspace, build.args(["build", "-p", COMMAND.0]))?;
    Ok(made.file(COMMAND.0)?.to_owned())
}
