//! Another processor than this machine's: a Debian for it in a folder, compilers that make code for
//! it, and an emulator that executes this code.
//!
//! `cargo xtask test --target` prepares all this and starts itself once more, with variables that
//! make Cargo, the compilers and the programs those of the other processor ([`Target`]).
//! The tests know nothing of it: their compilers are called as ever, and the kernel starts the
//! emulator for a program of the other processor.

mod compilers;
mod debian;
mod emulator;

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{Foreign, Prerequisite, Program};

use crate::packages;

pub(crate) use compilers::add_to_rust;
pub(crate) use debian::{release, sources};

/// The variable by which Cargo knows the processor that it builds for.
const BUILD_TARGET: &str = "CARGO_BUILD_TARGET";

/// The variable by which tests know that an emulator executes what they start.
const EMULATED: &str = "OXOMP_TEST_EMULATED";

/// A processor that is not this machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// aarch64, by qemu-aarch64-static.
    Aarch64,
}

impl Target {
    /// Rust's name of the processor and its system.
    fn triple(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// Debian's name of the processor.
    fn debian(self) -> &'static str {
        match self {
            Self::Aarch64 => "arm64",
        }
    }

    /// GNU's name of the processor and its system.
    fn gnu(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64-linux-gnu",
        }
    }

    /// The emulator.
    fn emulator(self) -> Foreign {
        match self {
            Self::Aarch64 => Foreign::Emulator,
        }
    }

    /// The processor for which this process has been started by [`Self::start_again`].
    pub(crate) fn of_environment() -> Option<Self> {
        let triple = env::var(BUILD_TARGET).ok()?;
        Self::value_variants().iter().copied().find(|target| target.triple() == triple)
    }

    /// Becomes the command `cargo xtask` with these `arguments`, for this processor.
    ///
    /// # Errors
    ///
    /// Something that it takes is not there and cannot be installed.
    pub fn start_again(
        self,
        workspace: &Workspace,
        install: bool,
        arguments: &[OsString],
    ) -> Result<()> {
        let variables = self.prepare(workspace, install)?;
        let mut again = Command::new(env::current_exe()?);
        again.args(arguments).envs(variables);
        Err(again.exec()).context("cannot start `cargo xtask` once more")
    }

    /// Has the kernel start programs of this processor that lie in a folder with all their
    /// libraries.
    pub(crate) fn emulate(self) -> Result<()> {
        packages::ensure(true, &[self.emulator().into()], |_| true)?;
        emulator::ensure_told(self)
    }

    /// Provides what it takes to build for this processor and to execute what is built; returns
    /// the variables that make use of it.
    fn prepare(self, workspace: &Workspace, install: bool) -> Result<Vec<(String, OsString)>> {
        let own = [Program::Cc, Program::Clang, Program::Clangxx, Program::Flang].map(Into::into);
        let wanted: Vec<Prerequisite> = Prerequisite::foreign().chain(own).collect();
        packages::ensure(install, &wanted, |_| true)?;
        add_to_rust(self.triple())?;
        let root = debian::ensure(self, &workspace.target)?;
        emulator::ensure(self, &root)?;
        let compilers = compilers::write(self, &workspace.target, &root)?;
        self.variables(&root, &compilers)
    }

    fn variables(self, root: &Path, compilers: &Path) -> Result<Vec<(String, OsString)>> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [compilers.to_owned()].into_iter().chain(env::split_paths(&path));
        // What runs while Cargo builds is this machine's, and so is its linker.
        let own = Program::Cc.find().context("no cc")?;
        let of_cargo = |triple: &str, what: &str| {
            format!("CARGO_TARGET_{}_{what}", triple.to_uppercase().replace('-', "_"))
        };
        let host = compilers::host()?;
        Ok(vec![
            (BUILD_TARGET.to_owned(), self.triple().into()),
            (of_cargo(self.triple(), "LINKER"), compilers.join(compilers::LINKER).into()),
            (of_cargo(&host, "LINKER"), own.clone().into()),
            ("HOST_CC".to_owned(), own.into()),
            ("PATH".to_owned(), env::join_paths(folders)?),
            (emulator::LIBRARIES.to_owned(), root.into()),
            (EMULATED.to_owned(), "1".into()),
        ])
    }
}
