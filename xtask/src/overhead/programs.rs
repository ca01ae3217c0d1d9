//! The programs, from the coarsest to the finest.

use std::path::{Path, PathBuf};

use anyhow::Result;
use oxomp_prerequisites::Program as Tool;

use oxomp_build::command;

/// A program of tests/profiler/overhead, and how it is run.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    source: &'static str,
    compiler: Tool,
    pub(super) arguments: &'static [&'static str],
    /// What one unit of the program is.
    pub(super) unit: &'static str,
    pub(super) kind: Kind,
}

/// What a program's units are to the collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Acquisitions of locks, in critical sections or by routines.
    Mutex,
    /// Regions, chunks or tasks, or a program without events.
    Other,
}

const fn program(
    name: &'static str,
    compiler: Tool,
    arguments: &'static [&'static str],
    unit: &'static str,
) -> Program {
    Program { name, source: name, compiler, arguments, unit, kind: Kind::Other }
}

const fn mutex(
    name: &'static str,
    compiler: Tool,
    arguments: &'static [&'static str],
    unit: &'static str,
) -> Program {
    Program { kind: Kind::Mutex, ..program(name, compiler, arguments, unit) }
}

pub(super) const PROGRAMS: [Program; 13] = [
    program("coarse", Tool::Gcc, &[], "region of 10 ms"),
    program("time_loop", Tool::Gcc, &[], "region of 30 µs, one of 34"),
    program("regions", Tool::Clang, &[], "region of 3 µs"),
    program("loops", Tool::Clang, &[], "worksharing loop of 3 µs with its barrier"),
    Program {
        source: "fib",
        ..program("fib_cut_off", Tool::Clang, &["38", "18"], "task of 10 µs")
    },
    program("tasks", Tool::Clang, &[], "task of 1 µs"),
    program("chunks", Tool::Clang, &[], "chunk of 200 ns"),
    mutex("critical", Tool::Gcc, &[], "contended critical"),
    mutex("critical_alone", Tool::Gcc, &[], "uncontended critical around almost nothing"),
    mutex("lock", Tool::Clang, &["4"], "uncontended lock around almost nothing"),
    Program {
        source: "lock",
        ..mutex("lock_often", Tool::Clang, &["40"], "uncontended lock held for 0.1 µs")
    },
    program("atomics", Tool::Gcc, &[], "contended atomic update"),
    program("fib", Tool::Clang, &["32"], "task that does nothing"),
];

impl Program {
    /// Compiles the program into `folder`.
    pub(super) fn compile(&self, root: &Path, folder: &Path) -> Result<PathBuf> {
        let binary = folder.join(self.name);
        let source = root.join("tests/profiler/overhead").join(self.source).with_extension("c");
        let mut compiler = self.compiler.command();
        compiler.args(["-O2", "-g", "-fopenmp", "-Wall", "-Wextra", "-Werror"]);
        command::capture(compiler.arg(source).arg("-o").arg(&binary))?;
        Ok(binary)
    }

    /// The compiler's name.
    pub(super) fn compiler(&self) -> &'static str {
        self.compiler.text()
    }
}
