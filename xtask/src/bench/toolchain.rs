//! The compilers of the benchmarks.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use oxomp_build::command;
use oxomp_prerequisites::Program;

use super::catalogue::{FOLDER, HARNESS};

/// The family of compilers, by the entry points that its programs call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    fn program(self) -> Program {
        match self {
            Self::Gcc => Program::Gcc,
            Self::Clang => Program::Clang,
        }
    }

    /// The name that tables show.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gcc => "gcc",
            Self::Clang => "clang",
        }
    }

    /// The name by which its programs ask for their runtime.
    pub(super) fn soname(self) -> &'static str {
        match self {
            Self::Gcc => "libgomp.so.1",
            Self::Clang => "libomp.so.5",
        }
    }

    /// The runtime that it brings, if it is installed.
    pub(super) fn own_runtime(self) -> Option<PathBuf> {
        let question = format!("-print-file-name={}", self.soname());
        let answer = command::capture(self.program().command().arg(question)).ok()?;
        // A compiler that does not find the file repeats its name.
        Some(PathBuf::from(answer.trim_end())).filter(|path| path.is_absolute() && path.is_file())
    }

    /// Compiles the program of `family` into `folder`, linked with the runtime in `lib`.
    pub(super) fn compile(
        self,
        root: &Path,
        family: &str,
        lib: &Path,
        folder: &Path,
    ) -> Result<PathBuf> {
        let program = folder.join(format!("{family}-{}", self.name()));
        let source = |name: &str| root.join(FOLDER).join(name).with_extension("c");
        // valgrind does not read the lines that clang describes by DWARF 5.
        command::capture(
            self.program()
                .command()
                .args(["-fopenmp", "-O2", "-gdwarf-4", "-std=gnu11", "-Wall", "-Wextra", "-Werror"])
                .arg("-Wno-missing-field-initializers")
                .arg("-I")
                .arg(root.join("include"))
                .arg("-L")
                .arg(lib)
                .args([source(family), source(HARNESS)])
                .arg("-o")
                .arg(&program),
        )?;
        Ok(program)
    }
}

/// The compilers that are installed.
pub(super) fn installed() -> Result<Vec<Compiler>> {
    let mut compilers = vec![Compiler::Gcc, Compiler::Clang];
    compilers.retain(|compiler| compiler.program().find().is_some());
    if compilers.is_empty() {
        bail!("no compiler for the benchmarks: install gcc or clang (`cargo xtask test` does)");
    }
    Ok(compilers)
}
