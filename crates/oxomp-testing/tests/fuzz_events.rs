//! The events of a few random programs against the model of the specification: on the runtime under
//! test, which agrees, and on LLVM's libomp, whose deviations the model finds.
//!
//! `cargo xtask fuzz events` runs as many as one likes.

use std::path::Path;

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};
use oxomp_testing::compiler::Family;
use oxomp_testing::fuzz::run::{Report, Request, run};
use oxomp_testing::fuzz::violation::Violation;
use oxomp_testing::reference::References;
use oxomp_testing::settings::{CACHE, Settings};

/// Seeds of programs with exact lines, of optimised ones, and of those with jumps in place of
/// calls.
const SEEDS: [u64; 3] = [1, 20, 40];

/// How many programs from each seed on.
const COUNT: u32 = 4;

fn settings() -> Settings {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(CACHE);
    Settings::from_environment(workspace.to_owned(), cache).expect("settings")
}

/// The programs from `seed` on, on the runtime in the folder `runtime`.
fn fuzz(settings: &Settings, name: &str, seed: u64, runtime: &Path) -> Report {
    let compilers = match name {
        "libomp" => vec![Family::Clang],
        _ => vec![Family::Gcc, Family::Clang],
    };
    let request = Request {
        programs: COUNT,
        seed,
        compilers,
        runtime: runtime.to_owned(),
        recorder: settings.recorder.clone(),
        folder: settings.cache.join(format!("fuzz-{name}")),
        most_failures: usize::MAX,
        shrinks: false,
    };
    run(&request, &|_| {}).expect("programs that compile")
}

#[test]
fn random_programs_agree_with_the_model() {
    if !has_all(&[Program::Gcc.into(), Program::Clang.into()]) {
        return;
    }
    let settings = settings();
    for seed in SEEDS {
        let report = fuzz(&settings, "oxomp", seed, &settings.runtime);
        let reports: String = report.failures.iter().map(|it| it.report.as_str()).collect();
        assert!(report.failures.is_empty(), "{reports}");
        assert_eq!(report.runs, 2 * COUNT as usize);
        assert!(report.events > 25 * report.runs, "{} events", report.events);
    }
}

#[test]
fn the_model_finds_what_libomp_is_known_to_break() {
    if !has_all(&[Program::Clang.into(), File::Libomp.into()]) {
        return;
    }
    let settings = settings();
    let references = References::new(&settings.cache).expect("libomp");
    let reports = SEEDS.map(|seed| fuzz(&settings, "libomp", seed, references.with_ompt()));
    let found: Vec<&Violation> =
        reports.iter().flat_map(|it| &it.failures).flat_map(|it| &it.violations).collect();
    for (clause, said) in [
        ("implicit_task", "parallel_data is NULL at an end"),
        ("implicit_task", "actual_parallelism is 0 at an end"),
        ("ompt_frame_t", "enter_frame at level 0 is set:runtime"),
        ("ompt_state_t", "the state is"),
        ("order of events", "lacks sync_region kind=barrier_implicit_parallel"),
    ] {
        let is_it = |one: &&Violation| one.clause.contains(clause) && one.said.contains(said);
        assert!(found.iter().any(is_it), "{clause}: {said}");
    }
}
