//! `oxomp debug CORE`: the file that is left of a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::{has_all, may_attach};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::clear_environment;

use crate::attach::until_deadlocked;
use crate::expectation::Verdict;
use crate::planted::{PATIENCE, Planted, Process, outcome, oxomp_debug, runtime};
use crate::text::names_deadlock;

/// The command finds in a core file what it finds in the process.
pub(crate) fn check(planted: &Planted) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let core = folder.path().join("core.1");
    if planted.expectation.verdict == Verdict::Crash
        && let Some(core) = of_kernel(planted, folder.path())?
    {
        explained(planted, &core)?;
    }
    if !has_all(&[Program::Gdb.into()]) {
        return Ok(());
    }
    if planted.expectation.verdict == Verdict::Crash {
        of_crash(planted, &core)?;
        return explained(planted, &core);
    }
    if !may_attach() {
        return Ok(());
    }
    let begin = Instant::now();
    loop {
        // Another process each time: where the stack of the holder of a lock lies 4 GiB from memory
        // of another stack, a file does not tell which of the two threads it is.
        let process = planted.start()?;
        until_deadlocked(planted, &process)?;
        of_process(&process, &core)?;
        // Each stop wakes the threads, which spin in their waits before they sleep again; a file
        // of that moment does not tell them from threads that go on.
        match explained(planted, &core) {
            Err(_) if begin.elapsed() < PATIENCE => {}
            result => return result,
        }
    }
}

/// Reads the file with and without the help of its program's path.
fn explained(planted: &Planted, core: &Path) -> Result<(), String> {
    let executable = planted.executable()?;
    let mut kept = Vec::new();
    for program in [None, Some(&executable)] {
        let outcome = outcome(oxomp_debug().arg(core).args(program))?;
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        if outcome.ending != Ending::Status(0) || !outcome.stderr.is_empty() {
            return Err(format!("{:?}: {said}", outcome.ending));
        }
        if names_deadlock(&said) != (planted.expectation.verdict == Verdict::Deadlock) {
            return Err(format!("a deadlock, or none: {said}"));
        }
        planted.expectation.check(&said)?;
        kept.push(outcome.stdout);
    }
    if kept[0] != kept[1] {
        return Err(format!("with its program:\n{}\nwithout:\n{}", kept[1], kept[0]));
    }
    Ok(())
}

/// The core file that the kernel writes, if this machine lets it write one into the program's
/// folder.
fn of_kernel(planted: &Planted, folder: &Path) -> Result<Option<PathBuf>, String> {
    let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.starts_with(['|', '/']) || pattern.trim().is_empty() {
        return Ok(None);
    }
    let mut shell = Program::Sh.command();
    clear_environment(&mut shell);
    shell.args(["-c", "ulimit -c unlimited && exec \"$0\""]).arg(planted.executable()?);
    shell.env("LD_LIBRARY_PATH", runtime()).current_dir(folder);
    let ended = outcome(&mut shell)?.ending;
    if ended != Ending::Signal(planted.expectation.signal) {
        // A limit that may not be raised: the shell has said so.
        return Ok(None);
    }
    let mut files = fs::read_dir(folder).map_err(|error| error.to_string())?;
    Ok(files.find_map(|file| file.ok().map(|file| file.path())))
}

fn gdb() -> Command {
    let mut gdb = Program::Gdb.command();
    clear_environment(&mut gdb);
    gdb.args(["-batch", "-nx", "-ex", "set debuginfod enabled off"]);
    gdb
}

/// Writes the core file of a process, which goes on.
fn of_process(process: &Process, core: &Path) -> Result<(), String> {
    let mut gdb = gdb();
    gdb.args(["-p", &process.pid().to_string(), "-ex"]);
    gdb.arg(format!("generate-core-file {}", core.display()));
    save(&mut gdb, core)
}

/// Writes the core file of a process at the signal that would end it.
fn of_crash(planted: &Planted, core: &Path) -> Result<(), String> {
    let mut gdb = gdb();
    let path = runtime().display().to_string();
    gdb.args(["-ex", &format!("set environment LD_LIBRARY_PATH {path}"), "-ex", "run", "-ex"]);
    gdb.arg(format!("generate-core-file {}", core.display()));
    gdb.arg(planted.executable()?);
    save(&mut gdb, core)
}

fn save(gdb: &mut Command, core: &Path) -> Result<(), String> {
    let outcome = outcome(gdb)?;
    if fs::metadata(core).is_ok_and(|file| file.len() > 0) {
        return Ok(());
    }
    Err(format!("gdb wrote no core file: {}{}", outcome.stdout, outcome.stderr))
}
