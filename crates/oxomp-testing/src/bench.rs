//! Compiles the small programs of a test, and runs them on the runtime under test.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use oxomp_prerequisites::Program;

use crate::process::{self, Outcome};

/// The compiler of a C program.
#[derive(Clone, Copy, Debug)]
pub enum Compiler {
    /// gcc
    Gcc,
    /// clang
    Clang,
}

/// A program that runs longer hangs: many times what any of them takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(240);

/// All compilers.
pub const COMPILERS: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];

/// A folder for the executables of one test, and the runtime.
#[derive(Debug)]
pub struct Bench {
    sources: PathBuf,
    folder: tempfile::TempDir,
    runtime: PathBuf,
}

impl Bench {
    /// A bench for the sources in `tests/FOLDER` of this crate.
    ///
    /// # Panics
    ///
    /// Without `OXOMP_LIB`, and without a place for temporary files.
    #[must_use]
    pub fn new(folder: &str) -> Self {
        let runtime = std::env::var_os("OXOMP_LIB")
            .expect("OXOMP_LIB names no runtime: run `cargo xtask test`");
        Bench {
            sources: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder),
            folder: tempfile::tempdir().expect("a temporary folder"),
            runtime: runtime.into(),
        }
    }

    /// Of an executable.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles with `arguments`, in which a name that ends in `.c` or `.cpp` is a source of the
    /// test.
    ///
    /// # Panics
    ///
    /// If the compiler says anything.
    #[must_use]
    pub fn compile(&self, command: Program, out: &str, arguments: &[&str]) -> PathBuf {
        let mut compiler = command.command();
        compiler
            .args(["-Wall", "-Wextra", "-Werror", "-pthread"])
            .arg("-I")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include"));
        self.build(compiler, command, out, arguments)
    }

    /// Compiles Fortran: `compile` without the options of C.
    ///
    /// # Panics
    ///
    /// If the compiler fails.
    #[must_use]
    pub fn compile_fortran(&self, command: Program, out: &str, arguments: &[&str]) -> PathBuf {
        self.build(command.command(), command, out, arguments)
    }

    fn build(
        &self,
        mut compiler: Command,
        command: Program,
        out: &str,
        arguments: &[&str],
    ) -> PathBuf {
        let out = self.path(out);
        compiler.arg("-o").arg(&out).arg("-L").arg(&self.runtime);
        for argument in arguments {
            let is_source = [".c", ".cpp", ".f90"].iter().any(|end| argument.ends_with(end));
            match is_source {
                true => compiler.arg(self.sources.join(argument)),
                false => compiler.arg(argument),
            };
        }
        let output = compiler.output().unwrap_or_else(|error| panic!("{command}: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler:?}\n{said}");
        out
    }

    /// An OpenMP program. The C compilers of the two families differ in the runtime that they name.
    #[must_use]
    pub fn program(&self, compiler: Compiler, out: &str, arguments: &[&str]) -> PathBuf {
        let command = match compiler {
            Compiler::Gcc => Program::Gcc,
            Compiler::Clang => Program::Clang,
        };
        self.compile(command, out, &[&["-fopenmp"], arguments].concat())
    }

    /// An OpenMP program with `ompt_start_tool` inside. It names LLVM's library, since GCC's own
    /// has no such symbol and the linker would keep the tool's to the program; and for clang the
    /// library of the device memory routines, which stands beside it.
    #[must_use]
    pub fn program_with_tool(&self, compiler: Compiler, out: &str, arguments: &[&str]) -> PathBuf {
        let devices: &[&str] = match compiler {
            Compiler::Gcc => &[],
            Compiler::Clang => &["-Wl,--as-needed", "-lomptarget"],
        };
        let libraries = [&["-Wl,--no-as-needed", "-lomp"], devices].concat();
        self.program(compiler, out, &[arguments, &libraries].concat())
    }

    /// A tool as a library of its own, not compiled for OpenMP.
    #[must_use]
    pub fn tool(&self, out: &str, flags: &[&str]) -> PathBuf {
        self.compile(Program::Gcc, out, &[&["-shared", "-fPIC", "tool.c"], flags].concat())
    }

    /// Runs a program on the runtime under test; of the runtime's variables it has only
    /// `variables`.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or hangs.
    #[must_use]
    pub fn run(&self, program: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
        let mut command = Command::new(program);
        process::clear_environment(&mut command);
        command.args(arguments).env("LD_LIBRARY_PATH", &self.runtime).env("OMP_NUM_THREADS", "2");
        command.envs(variables.iter().copied());
        let outcome = process::run(&mut command, LIMIT).expect("it starts");
        assert!(outcome.stacks.is_none(), "{program:?} hangs: {outcome:#?}");
        outcome
    }
}
