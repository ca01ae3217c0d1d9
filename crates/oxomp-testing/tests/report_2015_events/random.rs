//! The random programs of `cargo xtask fuzz events` with a tool of the 2015 report: their events
//! keep the rules that hold for any program, also with jitter, and are as many as the model of the
//! program has.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use oxomp_testing::compiler::Family;
use oxomp_testing::directives::Ending;
use oxomp_testing::fuzz::program::draw;
use oxomp_testing::fuzz::program::tree::Program;
use oxomp_testing::fuzz::run::{Built, Request};
use oxomp_testing::jitter::{Jitter, Library};
use oxomp_testing::process;
use oxomp_testing::settings::Settings;
use oxomp_testing::trace::log::{self, Log};

use crate::{counts, functions, program, rules};

/// How many programs are in one file; the files differ in how they are compiled.
const COUNT: u64 = 20;

/// The first seeds of the files: with exact lines, optimised, and with jumps in place of calls.
const SEEDS: [u64; 3] = [0, 20, 40];

/// One trial per file and compiler.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for seed in SEEDS {
        for compiler in [Family::Gcc, Family::Clang] {
            let name = format!("random/{seed}::{}", compiler.name());
            trials.push(Trial::test(name, move || Ok(run(seed, compiler)?)));
        }
    }
    trials
}

fn run(seed: u64, compiler: Family) -> Result<(), String> {
    let workspace =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("a workspace")?;
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_2015_events/random");
    let settings = Settings::from_environment(workspace.to_owned(), cache)?;
    fs::create_dir_all(&settings.cache).map_err(|error| error.to_string())?;
    let request = Request {
        programs: 0,
        seed,
        compilers: vec![compiler],
        runtime: settings.runtime.clone(),
        recorder: program::tool().to_owned(),
        folder: settings.cache.clone(),
        most_failures: 1,
        shrinks: false,
    };
    let openmp = Request { recorder: settings.recorder.clone(), ..request.clone() };
    let programs: Vec<Program> = (seed..seed + COUNT).map(draw::program).collect();
    let built = Built::new(&request, compiler, &programs, &format!("{}-{seed}", compiler.name()))?;
    let judged = programs.iter().enumerate().filter_map(|(index, one)| {
        let said = judge(&request, &openmp, &built, index, one).err()?;
        Some(format!("seed {}, {}: {said}", one.seed, built.source.display()))
    });
    let broken: Vec<String> = judged.collect();
    if broken.is_empty() {
        built.remove();
        return Ok(());
    }
    Err(broken.join("\n"))
}

/// Runs the program with the tool of the report, with and without jitter, and with the recorder.
fn judge(
    request: &Request,
    openmp: &Request,
    built: &Built,
    index: usize,
    one: &Program,
) -> Result<(), String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let library = Library::new(&tests, &request.folder);
    listen(request, built, index, one, Some(library.get()?))?;
    let log = listen(request, built, index, one, None)?;
    let openmp = built.judge(openmp, index, one);
    if let Some(violation) = openmp.violations.first() {
        return Err(violation.shown(&openmp.events));
    }
    counts::check(&log, &Log { events: openmp.events, ..Log::default() })
}

/// The events of a run, which keep the rules; threads are stopped at random points if there is a
/// library that does so.
fn listen(
    request: &Request,
    built: &Built,
    index: usize,
    one: &Program,
    jitter: Option<&Path>,
) -> Result<Log, String> {
    let file = built.source.with_extension(format!("{index}.log"));
    let counts = file.with_extension("naps");
    for old in [&file, &counts] {
        // Nothing may be left of an earlier run.
        let _ = fs::remove_file(old);
    }
    let mut command = built.command(request, index, one);
    let mut preloaded = vec![request.recorder.as_os_str()];
    if let Some(library) = jitter {
        Jitter::default().enable(&mut command, library);
        Jitter::count_in(&mut command, &counts);
        preloaded.push(library.as_os_str());
    }
    command.env("LD_PRELOAD", preloaded.join(OsStr::new(":"))).env("OXOMP_RECORD", &file);
    let outcome = process::run(&mut command, program::LIMIT).map_err(|error| error.to_string())?;
    if outcome.ending != Ending::Status(0) {
        return Err(format!("{outcome:#?}"));
    }
    if jitter.is_some() {
        Jitter::check(&counts)?;
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("no log: {error}"))?;
    let mut log = log::parse(&text)?;
    let said = |reason: String| format!("{reason}\nlog: {}", file.display());
    rules::check(&log).map_err(said)?;
    functions::check(&mut log, built.executable()).map_err(said)?;
    if !built.has_jumps() {
        functions::check_returns(&log, built.executable()).map_err(said)?;
    }
    for done in [&file, &counts] {
        // Nothing depends on it: the next run removes it.
        let _ = fs::remove_file(done);
    }
    Ok(log)
}
