//! `oxomp debug` on programs with a planted fault, and on some without.
//!
//! Each file below `programs/` says what the command must find, in directives as in the other test
//! programs:
//!
//! | directive | meaning |
//! |---|---|
//! | `Verdict:deadlock` | the program hangs, and the command proves a deadlock |
//! | `Verdict:none` | it ends by itself, and the command finds nothing wrong |
//! | `Verdict:crash` | a signal ends it, and the command shows where |
//! | `Says:regex` | is found in the command's text; `@MARK` is the file and line that end with `//@MARK` |
//! | `Prints:text` | the program's output |
//! | `Status:3`, `Signal:11` | how the program ends |
//! | `Core:yes` | a core file is read too |
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, and `OXOMP_BIN`, the command, as `cargo
//! xtask test` sets them.

mod attach;
mod core_file;
mod expectation;
mod others;
mod planted;
mod run;
mod signals;
mod text;

use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::Prerequisite;
use oxomp_prerequisites::skipped::has_all;
use oxomp_testing::compiler::Family;
use oxomp_testing::trial::run_all;

use expectation::Verdict;
use planted::Planted;

const FAMILIES: [Family; 2] = [Family::Gcc, Family::Clang];

fn main() -> ExitCode {
    run_all(|_| trials())
}

/// One way to look at a program.
type Way = fn(&Planted) -> Result<(), String>;

fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for source in planted::sources()? {
        for family in FAMILIES {
            let planted = Planted::new(&source, family)?;
            let expected = &planted.expectation;
            let mut ways: Vec<(&str, Way)> = vec![("run", run::check)];
            if expected.verdict != Verdict::Crash {
                ways.push(("attach", attach::check));
            }
            if expected.core {
                ways.push(("core", core_file::check));
            }
            for (name, way) in ways {
                let planted = planted.clone();
                let name = format!("{}::{}::{name}", planted.name(), family.name());
                trials.push(Trial::test(name, move || checked(&planted, way)));
            }
        }
    }
    trials.extend(signals::trials());
    trials.extend(others::trials());
    Ok(trials)
}

fn checked(planted: &Planted, way: Way) -> Result<(), Failed> {
    let programs = planted.recipe.programs().into_iter();
    let needed: Vec<Prerequisite> = programs.map(Prerequisite::from).collect();
    if !has_all(&needed) {
        return Ok(());
    }
    way(planted).map_err(Failed::from)
}
