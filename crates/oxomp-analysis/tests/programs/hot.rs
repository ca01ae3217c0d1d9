//! What the samples say of the code that takes the time: atomic updates, loops that wait for a
//! variable, and the user's calls of libraries.

use libtest_mimic::Failed;
use oxomp_analysis::summary::{HotCode, Summary};

use crate::Check;
use crate::run::{Run, Setting};

pub(crate) const CHECKS: &[Check] = &[
    ("a_contended_atomic_update_is_named_with_its_line", atomic),
    ("a_loop_that_waits_for_a_variable_is_named_with_its_line", spin),
    ("the_time_of_a_library_is_that_of_its_call", library),
    ("the_time_of_exceptions_is_that_of_the_throw", throws),
];

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

fn sampled(setting: &Setting, program: &str) -> Result<Run, String> {
    let compiled = setting.compile(program)?;
    setting.finish(setting.command(&compiled).env("OXOMP_HZ", "2000"))
}

fn atomic(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, "atomics")?;
    let summary = run.summary()?;
    let update = summary.atomics.first().ok_or_else(|| format!("none: {:#?}", summary.sampled))?;
    let otherwise = || format!("{:#?}", summary.atomics);
    // gcc gives the update the line of its directive.
    ensure(update.line.as_ref().is_some_and(|(_, line)| [12, 13].contains(line)), otherwise)?;
    ensure(update.instruction.starts_with("lock "), otherwise)?;
    ensure(update.region == summary.regions[0].site, otherwise)?;
    // Nothing else is in the loop but its counter.
    ensure(update.samples * 2 > update.of && update.of > 20, otherwise)
}

fn spin(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, "spin_flag")?;
    let summary = run.summary()?;
    let [spin] = summary.spins.as_slice() else {
        return Err(format!("not one loop: {:#?}, {:#?}", summary.spins, summary.sampled).into());
    };
    let otherwise = || format!("{spin:#?}");
    let line = spin.line.as_ref().map(|(_, line)| *line);
    ensure(line.is_some_and(|line| (25..=28).contains(&line)), otherwise)?;
    ensure(spin.function == "wait_for" && spin.region == summary.regions[0].site, otherwise)?;
    // The other thread's samples are those of its work, and of reading the clock.
    ensure(spin.samples * 5 > spin.of && spin.of > 20, otherwise)?;
    ensure(summary.atomics.is_empty(), || format!("{:#?}", summary.atomics))
}

/// The hot code that is a library's function, called by `function`, with the most samples.
fn called<'a>(summary: &'a Summary, function: &str) -> Option<&'a HotCode> {
    let code = &summary.sampled.as_ref()?.code;
    code.iter().find(|one| one.function == function && one.library.is_some())
}

/// The samples of all code.
fn taken(summary: &Summary) -> u64 {
    summary.sampled.as_ref().map_or(0, |sampled| sampled.taken)
}

fn library(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, "library_calls")?;
    let summary = run.summary()?;
    let otherwise = || format!("{:#?}", summary.sampled);
    let hot = called(summary, "order").ok_or_else(otherwise)?;
    ensure(hot.library.as_deref() == Some("std::sort"), otherwise)?;
    ensure(hot.line.as_ref().is_some_and(|(_, line)| *line == 14), otherwise)?;
    // A path that is incomplete, as before the program's tables are read, shows no caller.
    let incomplete = summary.sampled.as_ref().map_or(0, |sampled| sampled.incomplete);
    ensure(hot.samples * 2 > taken(summary).saturating_sub(incomplete), otherwise)
}

fn throws(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, "sampled_throws")?;
    let summary = run.summary()?;
    let otherwise = || format!("{:#?}", summary.sampled);
    let code = &summary.sampled.as_ref().ok_or("no samples")?.code;
    let throw = code.iter().find(|one| one.library.as_deref() == Some("throw"));
    let throw = throw.ok_or_else(otherwise)?;
    ensure(throw.function == "fails", otherwise)?;
    ensure(throw.line.as_ref().is_some_and(|(_, line)| *line == 18), otherwise)
}
