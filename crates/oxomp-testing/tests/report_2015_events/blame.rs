//! Tools that shift blame, as section 3.2.1 motivates its events, in programs whose answers are
//! known.

use libtest_mimic::Trial;
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;

use crate::program::FOLDER;

/// The programs with their answers.
const CASES: [(&str, &str); 2] = [
    ("blame_directed.c", "lock=1 nest_lock=1 critical=1 innocent=1 elsewhere=1 all=1\n"),
    ("blame_undirected.c", "barrier=1 both=2 closing=1 serial=1 threads=4\n"),
];

/// One trial per program and compiler.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (source, answer) in CASES {
        for compiler in COMPILERS {
            trials.push(Trial::test(format!("{source}::{compiler:?}"), move || {
                Ok(run(source, compiler, answer)?)
            }));
        }
    }
    trials
}

fn run(source: &str, compiler: Compiler, answer: &str) -> Result<(), String> {
    let bench = Bench::new(FOLDER);
    // The tool is in the program, and must be seen from the runtime.
    let words = ["-O0", "-g", "-fno-omit-frame-pointer", "-rdynamic", "-no-pie", source];
    let program = bench.program(compiler, "program", &words);
    for policy in ["active", "passive"] {
        let outcome = bench.run(&program, &[], &[("OMP_WAIT_POLICY", policy)]);
        if outcome.ending != Ending::Status(0) || outcome.stdout != answer {
            return Err(format!("{policy}: {outcome:#?}"));
        }
    }
    Ok(())
}
