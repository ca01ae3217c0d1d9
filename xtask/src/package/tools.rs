//! What builds the packages and comes from PyPI: a linker that knows the C libraries of old systems
//! (zig, driven by cargo-zigbuild), Python's build back end, and a judge of wheels.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use oxomp_build::command;
use oxomp_build::dist::StubTools;
use oxomp_prerequisites::Program;

use super::place::Place;

/// The packages, each with its version: another version may make other bytes.
const PACKAGES: [&str; 4] =
    ["auditwheel==6.8.2", "cargo-zigbuild==0.24.1", "hatchling==1.33.0", "ziglang==0.17.1"];

/// The file of the environment that says which packages it has.
const CONTENTS: &str = "oxomp-packages";

/// The Python environment that has the tools.
#[derive(Debug)]
pub(super) struct Tools {
    environment: PathBuf,
}

impl Tools {
    /// The environment below `folder`, made if it is not there yet.
    pub(super) fn ensure(folder: &Path) -> Result<Self> {
        let environment = folder.join("tools");
        let list = PACKAGES.join("\n");
        if !fs::read_to_string(environment.join(CONTENTS)).is_ok_and(|has| has == list) {
            if environment.exists() {
                // Half made by an earlier run that was interrupted, or of an earlier list.
                fs::remove_dir_all(&environment)?;
            }
            command::run(Program::Python.command().args(["-m", "venv"]).arg(&environment))?;
            let mut install = Command::new(environment.join("bin/pip"));
            install.args(["install", "--quiet", "--disable-pip-version-check"]);
            command::run(install.args(PACKAGES))?;
            fs::write(environment.join(CONTENTS), list)?;
        }
        Ok(Self { environment })
    }

    /// The Python of the environment.
    pub(super) fn python(&self) -> Command {
        Command::new(self.environment.join("bin/python"))
    }

    /// `cargo zigbuild`, which takes the arguments of `cargo build`, and a version of glibc behind
    /// the name of the processor, as it is executed in the place.
    pub(super) fn zigbuild(&self, place: &Place) -> Result<Command> {
        let environment = place.name(&self.environment);
        let programs = environment.join("bin");
        let mut build = place.command(&programs.join("cargo-zigbuild"));
        build.arg("zigbuild").env("PATH", path_with(programs)?);
        for name in ["ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR", "CARGO_ZIGBUILD_CACHE_DIR"] {
            build.env(name, environment.join("cache"));
        }
        Ok(build)
    }

    /// What makes stubs for `target`, in zig's names. Its compiler does not pass on all options of
    /// its linker.
    pub(super) fn stubs(&self, target: &str) -> StubTools {
        let zig = |words: &[&str]| -> Vec<OsString> {
            let python = self.environment.join("bin/python").into_os_string();
            let words = ["-m", "ziglang"].iter().chain(words).map(OsString::from);
            std::iter::once(python).chain(words).collect()
        };
        StubTools {
            compiler: zig(&["cc", "-target", target]),
            linker: zig(&["ld.lld"]),
            before_options: "",
        }
    }

    /// The licence of the unwinder that zig links into programs and libraries.
    pub(super) fn unwinder_licence(&self) -> Result<PathBuf> {
        let mut find = self.python();
        find.args(["-c", "import ziglang; print(ziglang.__path__[0])"]);
        let folder = command::capture(&mut find)?;
        Ok(Path::new(folder.trim()).join("lib/libunwind/LICENSE.TXT"))
    }
}

/// `PATH` with the folder first.
fn path_with(folder: PathBuf) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path)))?)
}
