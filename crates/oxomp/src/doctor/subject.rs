//! The report on a program, or on the system's runtimes.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use super::examined::Examined;
use super::lines::Lines;
use super::probe::Probe;
use super::runtimes;
use super::tool_variables::{Circumstances, remarks};
use crate::failure::Failure;
use crate::locate::Installation;
use crate::program::{Kind, Program};
use crate::verbose::describe;

/// The names under which programs ask for a runtime.
const SONAMES: [&str; 3] = ["libomp.so.5", "libiomp5.so", "libgomp.so.1"];

/// Reports on the program `name`.
pub(crate) fn program(name: &OsStr) -> Result<ExitCode, Failure> {
    let program = Program::find(name)?;
    let installation = Installation::find()?;
    let probe = Probe::find(&installation)?;
    let mut lines = Lines::default();
    lines.say("program", &format!("{} ({})", program.path.display(), describe(&program)));
    if program.is_privileged {
        lines.warn(
            "it runs with the rights of another user: the loader ignores LD_LIBRARY_PATH and \
             LD_PRELOAD, and no tool is loaded",
        );
    }
    let has_ompt = match &program.kind {
        Kind::Script { interpreter } => {
            lines.say(
                "runtime",
                &format!(
                    "unknown: a script for {} may load one later, such as the libgomp that a \
                     Python wheel bundles; `oxomp run -v` shows which",
                    interpreter.display()
                ),
            );
            true
        }
        Kind::Elf(elf) => runtimes::of_program(&mut lines, &program, elf, &installation, &probe)?,
    };
    lines.remark(remarks(Circumstances { has_ompt, is_privileged: program.is_privileged }));
    lines.status()
}

/// Reports the runtimes that the loader finds by the names that programs ask for, and ours.
pub(crate) fn system() -> Result<ExitCode, Failure> {
    let installation = Installation::find()?;
    let probe = Probe::find(&installation)?;
    let mut lines = Lines::default();
    let mut names: Vec<OsString> = SONAMES.iter().map(OsString::from).collect();
    names.push(installation.runtime()?.into_os_string());
    for name in names {
        let examined = Examined::of(&probe, &name, None)?;
        let shown = name.display();
        match &examined.file {
            Some(file) if *file == *name => lines.say("runtime", &format!("{shown} (oxomp's)")),
            Some(file) => lines.say("runtime", &format!("{shown} => {}", file.display())),
            None => {
                lines.say("runtime", &format!("{shown}: the loader finds none"));
                continue;
            }
        }
        runtimes::describe(&mut lines, &examined);
    }
    lines.remark(remarks(Circumstances { has_ompt: true, is_privileged: false }));
    lines.status()
}
