//! Whether something of the list is there, seen without dpkg, which other distributions lack.

use std::env;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::list::{Application, File, Foreign, Packaging, Program, PythonModule};

macro_rules! found_through_path {
    ($($kind:ident)*) => {
        $(impl $kind {
            /// A command that runs it.
            #[must_use]
            pub fn command(self) -> Command {
                Command::new(self.text())
            }

            /// Where `PATH` has it.
            #[must_use]
            pub fn find(self) -> Option<PathBuf> {
                find(self.text())
            }
        })*
    };
}

found_through_path!(Program Application Foreign Packaging);

/// The path of the program `name` by the search in `PATH`.
fn find(name: &str) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(is_program)
}

impl File {
    /// The file's path.
    #[must_use]
    pub fn path(self) -> &'static Path {
        Path::new(self.text())
    }
}

/// Anything of the list. Shown as its name with its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prerequisite {
    /// A program.
    Program(Program),
    /// A program that only `cargo xtask applications` installs.
    Application(Application),
    /// A program for another processor, which only `cargo xtask test --target` installs.
    Foreign(Foreign),
    /// A program that makes packages, which only `cargo xtask package` installs.
    Packaging(Packaging),
    /// A file.
    File(File),
    /// A module of python3.
    PythonModule(PythonModule),
}

impl Prerequisite {
    /// The whole list, without the applications, what is for another processor, and what makes
    /// packages.
    pub fn all() -> impl Iterator<Item = Self> {
        let programs = Program::ALL.iter().copied().map(Self::Program);
        let files = File::ALL.iter().copied().map(Self::File);
        programs.chain(files).chain(PythonModule::ALL.iter().copied().map(Self::PythonModule))
    }

    pub fn applications() -> impl Iterator<Item = Self> {
        Application::ALL.iter().copied().map(Self::Application)
    }

    pub fn foreign() -> impl Iterator<Item = Self> {
        Foreign::ALL.iter().copied().map(Self::Foreign)
    }

    pub fn packaging() -> impl Iterator<Item = Self> {
        Packaging::ALL.iter().copied().map(Self::Packaging)
    }

    /// The command that installs it, run as root.
    #[must_use]
    pub fn installer(self) -> &'static str {
        match self {
            Self::Application(_) => "cargo xtask applications",
            Self::Foreign(_) => "cargo xtask test --target",
            Self::Packaging(_) => "cargo xtask package",
            _ => "cargo xtask test",
        }
    }

    /// The Debian package that brings it.
    #[must_use]
    pub fn package(self) -> &'static str {
        match self {
            Self::Program(it) => it.package(),
            Self::Application(it) => it.package(),
            Self::Foreign(it) => it.package(),
            Self::Packaging(it) => it.package(),
            Self::File(it) => it.package(),
            Self::PythonModule(it) => it.package(),
        }
    }

    /// Whether the machine has it.
    #[must_use]
    pub fn is_present(self) -> bool {
        match self {
            Self::Program(program) => program.find().is_some(),
            Self::Application(application) => application.find().is_some(),
            Self::Foreign(program) => program.find().is_some(),
            Self::Packaging(program) => program.find().is_some(),
            Self::File(file) => file.path().exists(),
            Self::PythonModule(module) => Program::Python
                .command()
                .args(["-c", &format!("import {}", module.text())])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

impl From<Program> for Prerequisite {
    fn from(program: Program) -> Self {
        Self::Program(program)
    }
}

impl From<Application> for Prerequisite {
    fn from(application: Application) -> Self {
        Self::Application(application)
    }
}

impl From<Foreign> for Prerequisite {
    fn from(program: Foreign) -> Self {
        Self::Foreign(program)
    }
}

impl From<Packaging> for Prerequisite {
    fn from(program: Packaging) -> Self {
        Self::Packaging(program)
    }
}

impl From<File> for Prerequisite {
    fn from(file: File) -> Self {
        Self::File(file)
    }
}

impl From<PythonModule> for Prerequisite {
    fn from(module: PythonModule) -> Self {
        Self::PythonModule(module)
    }
}

impl fmt::Display for Prerequisite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Program(it) => it.text(),
            Self::Application(it) => it.text(),
            Self::Foreign(it) => it.text(),
            Self::Packaging(it) => it.text(),
            Self::File(it) => it.text(),
            Self::PythonModule(it) => it.text(),
        };
        write!(f, "{text} (package {})", self.package())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Prerequisite::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::{File, Prerequisite, Program};
    use std::collections::BTreeSet;

    #[test]
    fn what_every_debian_has_is_found() {
        let found = Program::Sh.find().expect("a shell");
        assert!(found.is_absolute() && found.ends_with("sh"), "{}", found.display());
        let output = Program::Sh.command().args(["-c", "echo heard"]).output().expect("it runs");
        assert_eq!(output.stdout, b"heard\n");
    }

    #[test]
    fn a_thing_is_shown_with_its_package() {
        assert_eq!(Program::Clangxx.to_string(), "clang++-22 (package clang-22)");
        let header = Prerequisite::from(File::FftwHeader);
        assert_eq!(header.to_string(), "/usr/include/fftw3.h (package libfftw3-dev)");
    }

    #[test]
    fn nothing_is_listed_twice() {
        let all = Prerequisite::all().chain(Prerequisite::applications());
        let all = all.chain(Prerequisite::foreign());
        let all: Vec<String> = all.map(|it| it.to_string()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }
}
