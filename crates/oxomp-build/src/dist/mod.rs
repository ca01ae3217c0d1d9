//! `cargo xtask dist`: the folder that users and tests run from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;
use crate::workspace::{Workspace, cargo, packages_of};
use install::{install, install_without_lines, link};

mod gomp_stub;
mod install;

/// Shown under `cargo xtask dist --help`.
pub const EXAMPLES: &str = "\
What lies there afterwards:
  bin/oxomp                  the command line
  lib/libomp.so              the runtime; libomp.so.5, libiomp5.so, libgomp.so.1 are links to it
  lib/libomptarget.so        the offload library; libomptarget.so.19.1 and .22.1 are links to it
  lib/libompd.so             what a debugger loads to read programs on the runtime
  lib/libgomp.so             what `gcc -fopenmp -Ldist/lib` links with (soname libgomp.so.1)
  lib/liboxomp_collect.so    the tool that `oxomp profile` loads
  lib/liboxomp_multiplex.so  the tool that runs several tools beside each other
  lib/oxomp-probe            makes the checks of `oxomp doctor`, with lib/liboxomp_probe.so
  include/                   omp.h, omp-tools.h, ompt.h
  lib-dev/                   testing only: the recorder that the event tests load

Examples:
  cargo xtask dist
  dist/bin/oxomp profile -- ./app
  LD_LIBRARY_PATH=dist/lib ./app
  cargo xtask dist --profile testing --out /tmp/oxomp";

/// The sonames that programs ask for, all answered by one file.
pub const RUNTIME_LINKS: [&str; 3] = ["libomp.so.5", "libiomp5.so", "libgomp.so.1"];

/// The sonames by which programs of clang 19 and of clang 22 ask for the offload library.
pub const OFFLOAD_LINKS: [&str; 2] = ["libomptarget.so.19.1", "libomptarget.so.22.1"];

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

    /// Installs the library `from` as `to`. A debugger finds the lines of a loaded library among
    /// the program's, so a release has none.
    fn install_loaded(self, from: &Path, to: &Path) -> Result<()> {
        match self {
            Self::Release => install_without_lines(from, to),
            Self::Testing => install(from, to),
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
    let mut packages = LOADED.to_vec();
    if with_recorder {
        packages.push(RECORDER);
    }
    let built = build_packages(workspace, request.profile, &packages)?;

    fill_for_profiles(&dist, &built, request.profile)?;
    for library in ["libomptarget.so", "liboxomp_multiplex.so"] {
        let from = artifact(&built, library)?;
        request.profile.install_loaded(from, &dist.lib().join(library))?;
    }
    for name in ["oxomp-probe", "liboxomp_probe.so"] {
        install(artifact(&built, name)?, &dist.lib().join(name))?;
    }
    install(artifact(&built, "libompd.so")?, &dist.lib().join("libompd.so"))?;
    for name in OFFLOAD_LINKS {
        link("libomptarget.so", &dist.lib().join(name))?;
    }
    gomp_stub::write(&workspace.root, &dist.runtime(), &dist.lib().join("libgomp.so"))?;
    if with_recorder {
        install(artifact(&built, "liboxomp_recorder.so")?, &dist.recorder())?;
    }
    for name in ["omp.h", "omp-tools.h", "ompt.h"] {
        let header = workspace.root.join("include").join(name);
        install(&header, &dist.root.join("include").join(name))?;
    }
    Ok(dist)
}

/// Builds only what `oxomp profile` needs, in release, and puts it into the folder `root`: the
/// command, the runtime and the tool that records.
pub fn build_for_profiles(workspace: &Workspace, root: PathBuf) -> Result<Dist> {
    let dist = Dist { root };
    let built = build_packages(workspace, Profile::Release, &RECORDED_BY)?;
    fill_for_profiles(&dist, &built, Profile::Release)?;
    Ok(dist)
}

/// Puts what `oxomp profile` needs into the folder.
fn fill_for_profiles(
    dist: &Dist,
    built: &BTreeMap<String, PathBuf>,
    profile: Profile,
) -> Result<()> {
    install(artifact(built, "oxomp")?, &dist.command())?;
    profile.install_loaded(artifact(built, "libomp.so")?, &dist.runtime())?;
    profile.install_loaded(artifact(built, "liboxomp_collect.so")?, &dist.collector())?;
    for name in RUNTIME_LINKS {
        link("libomp.so", &dist.lib().join(name))?;
    }
    Ok(())
}

/// The libraries that programs and debuggers load, and the program that the doctor starts.
const LOADED: [&str; 6] =
    ["libomp", "libompd", "libomptarget", "oxomp-collect", "oxomp-multiplex", "oxomp-probe"];

/// The libraries that a program loads under `oxomp profile`.
const RECORDED_BY: [&str; 2] = ["libomp", "oxomp-collect"];

/// The crate of the command, and one of its tests.
const COMMAND: (&str, &str) = ("oxomp", "cli");

/// The Cargo profile of the command that users get.
const COMMAND_PROFILE: &str = "command";

/// Builds `packages` and the command, and hands back the files that Cargo made, by file name.
///
/// The tests' command is the one that Cargo makes for the tests of its own crate, with the features
/// of packages that all tests of the product ask for: later commands use what this one builds.
fn build_packages(
    workspace: &Workspace,
    profile: Profile,
    packages: &[&str],
) -> Result<BTreeMap<String, PathBuf>> {
    let mut build = cargo();
    build.args(["build", "--profile", profile.name()]).args(packages_of(packages));
    let mut built = made_by(workspace, &mut build)?;
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
    let made = made_by(workspace, &mut command)?;
    built.extend(made.into_iter().filter(|(name, _)| name == COMMAND.0));
    Ok(built)
}

/// The files that a command of Cargo makes, by file name.
fn made_by(workspace: &Workspace, build: &mut Command) -> Result<BTreeMap<String, PathBuf>> {
    build.current_dir(&workspace.root).arg("--message-format=json-render-diagnostics");
    let messages = command::capture_messages(build)
        .context("the build failed; nothing was put into the folder")?;
    Ok(made_files(&messages))
}

fn made_files(messages: &str) -> BTreeMap<String, PathBuf> {
    let mut made = BTreeMap::new();
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let files = message["filenames"].as_array().map_or(&[][..], Vec::as_slice);
        let executable = message["executable"].as_str();
        for file in files.iter().filter_map(Value::as_str).chain(executable) {
            if let Some(name) = Path::new(file).file_name() {
                made.insert(name.to_string_lossy().into_owned(), PathBuf::from(file));
            }
        }
    }
    made
}

fn artifact<'a>(made: &'a BTreeMap<String, PathBuf>, name: &str) -> Result<&'a Path> {
    made.get(name).map(PathBuf::as_path).with_context(|| format!("the build made no `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::made_files;
    use std::path::Path;

    #[test]
    fn cargos_messages_name_the_files() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"filenames\":[\"/t/release/libomp.so\"],\"executable\":null}\n",
            "not json\n",
            "{\"filenames\":[\"/t/release/oxomp\"],\"executable\":\"/t/release/oxomp\"}\n",
        );
        let made = made_files(messages);
        assert_eq!(made["libomp.so"], Path::new("/t/release/libomp.so"));
        assert_eq!(made["oxomp"], Path::new("/t/release/oxomp"));
    }
}
