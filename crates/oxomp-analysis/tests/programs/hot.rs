//! What the samples say of the code that takes the time: atomic updates, loops that wait for a
//! variable, cache lines that threads share, and the user's calls of libraries.

use libtest_mimic::Failed;
use oxomp_analysis::summary::{HotCode, LineSharing, MemoryObject, SharedLines, Summary};

use crate::Check;
use crate::run::{Run, Setting};

pub(crate) const CHECKS: &[Check] = &[
    ("a_contended_atomic_update_is_named_with_its_line", atomic),
    ("a_loop_that_waits_for_a_variable_is_named_with_its_line", spin),
    ("counters_in_one_cache_line_are_named_with_their_line", false_sharing),
    ("a_plain_variable_that_threads_write_is_named_with_its_line", shared_variable),
    ("what_threads_do_not_share_is_not_named", unshared),
    ("shared_lines_have_their_part_of_a_region_in_which_one_thread_works_alone", for_a_part),
    ("lines_that_threads_share_inside_of_a_single_region_are_named", inside),
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
    // The other thread's samples are in its work, and in reading the clock.
    ensure(spin.samples * 5 > spin.of && spin.of > 20, otherwise)?;
    ensure(summary.atomics.is_empty(), || format!("{:#?}", summary.atomics))
}

/// The cache lines that threads of a program share, compiled with further options. It is sampled no
/// oftener than threads change on a busy processor.
fn shared(setting: &Setting, program: &str, options: &[&str]) -> Result<Run, String> {
    let compiled = setting.compile_as(program, "shared", options)?;
    let run = setting.finish(setting.command(&compiled).env("OXOMP_HZ", "250"))?;
    if run.status.success() { Ok(run) } else { Err(format!("{}: {}", run.status, run.stderr)) }
}

/// The one object whose cache lines are shared is at `line`.
fn is_named(run: &Run, line: u32) -> Result<&SharedLines, String> {
    let summary = run.summary()?;
    let [one] = summary.shared_lines.as_slice() else {
        return Err(format!("not one: {:#?}, {:#?}", summary.shared_lines, summary.sampled));
    };
    let place = one.places.first().and_then(|place| place.line.as_ref());
    let is_right = place.is_some_and(|(_, found)| *found == line)
        && (one.threads, one.lines) == (2, 1)
        && one.region == summary.regions[0].site
        // At -O0 most time goes elsewhere.
        && one.samples * 20 >= one.of;
    if is_right { Ok(one) } else { Err(format!("{one:#?}")) }
}

fn false_sharing(setting: &Setting) -> Result<(), Failed> {
    for level in ["-O2", "-O0"] {
        let run = shared(setting, "false_sharing", &[level])?;
        let one = is_named(&run, 24)?;
        let is_right = one.sharing == LineSharing::Neighbours(8)
            && one.object == MemoryObject::Variable("counts".to_owned());
        ensure(is_right, || format!("{level}: {one:#?}"))?;
        let run = shared(setting, "false_sharing", &[level, "-DPADDED"])?;
        let found = &run.summary()?.shared_lines;
        ensure(found.is_empty(), || format!("{level}, in lines of their own: {found:#?}"))?;
    }
    Ok(())
}

fn shared_variable(setting: &Setting) -> Result<(), Failed> {
    let run = shared(setting, "shared_variable", &[])?;
    let one = is_named(&run, 13)?;
    let object = MemoryObject::Variable("total".to_owned());
    ensure(one.sharing == LineSharing::Variable && one.object == object, || format!("{one:#?}"))
}

fn unshared(setting: &Setting) -> Result<(), Failed> {
    for level in ["-O2", "-O0"] {
        let run = shared(setting, "unshared", &[level])?;
        let found = &run.summary()?.shared_lines;
        ensure(found.is_empty(), || format!("{level}: {found:#?}"))?;
    }
    Ok(())
}

fn for_a_part(setting: &Setting) -> Result<(), Failed> {
    let run = shared(setting, "shared_for_a_part", &[])?;
    let one = is_named(&run, 27)?;
    let facts = run.facts()?;
    let (shared, single) = (facts["shared_ns"] as f64, facts["single_ns"] as f64);
    let (found, known) = (one.samples as f64 / one.of as f64, shared / (shared + single));
    // Where a busy machine runs the threads in turns, they do not use the line at the same time.
    ensure((known / 5.0..known * 1.5).contains(&found), || format!("not {known}: {one:#?}"))
}

fn inside(setting: &Setting) -> Result<(), Failed> {
    for options in [&[][..], &["-DNESTED"], &["-DLOCKED"]] {
        let run = shared(setting, "shared_inside", options)?;
        let found = &run.summary()?.shared_lines;
        let [one] = &found[..] else { return Err(format!("{options:?}: {found:#?}").into()) };
        let line = one.places.first().and_then(|place| place.line.as_ref());
        let is_right = one.sharing == LineSharing::Neighbours(8)
            && one.object == MemoryObject::Variable("counts".to_owned())
            && line.is_some_and(|(_, line)| *line == 29)
            && one.samples * 20 >= one.of;
        ensure(is_right, || format!("{options:?}: {one:#?}"))?;
    }
    Ok(())
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
