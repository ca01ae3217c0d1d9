//! Processes on other runtimes, and waits that spin.

use std::process::Command;

use libtest_mimic::{Failed, Trial};
use oxomp_prerequisites::skipped::may_attach;
use oxomp_testing::compiler::Family;
use oxomp_testing::directives::Ending;
use oxomp_testing::process::clear_environment;

use crate::planted::{PATIENCE, Planted, Process, outcome, oxomp_debug};
use crate::text::names_deadlock;

/// Fails with what was wrong.
type Test = fn() -> Result<(), String>;

/// The trials of this file.
pub(crate) fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 3] = [
        ("others::a_process_on_libgomp_has_its_native_threads", || other(Family::Gcc, "libgomp")),
        ("others::a_process_on_libomp_has_its_native_threads", || other(Family::Clang, "libomp")),
        ("others::threads_that_spin_are_in_a_deadlock_too", spinning),
    ];
    tests.map(|(name, test)| Trial::test(name, move || test().map_err(Failed::from))).into()
}

/// A program on the runtime that its compiler linked.
fn other(family: Family, runtime: &str) -> Result<(), String> {
    if !may_attach() {
        return Ok(());
    }
    let planted = Planted::named("sleeper.c", family)?;
    let mut command = Command::new(planted.executable()?);
    clear_environment(&mut command);
    let begin = std::time::Instant::now();
    while begin.elapsed() < PATIENCE {
        // The last one may have ended before a look came at the right time.
        let mut process = Process::start(&mut command)?;
        while process.runs() && begin.elapsed() < PATIENCE {
            let outcome = outcome(oxomp_debug().arg(process.pid().to_string()))?;
            let said = &outcome.stdout;
            if names_deadlock(said) {
                return Err(format!("nothing is known of its locks: {said}"));
            }
            if said.contains(runtime) && said.contains("sleeper.c:") {
                return Ok(());
            }
        }
    }
    Err(format!("no text named {runtime} and a place of the program"))
}

/// A program whose waiting threads use all processors.
fn spinning() -> Result<(), String> {
    let planted = Planted::named("lock_barrier.c", Family::Gcc)?;
    let mut command = oxomp_debug();
    command.args(["--after", "0.3", "--end-on-deadlock", "--"]).arg(planted.executable()?);
    command.env("OMP_WAIT_POLICY", "active");
    let outcome = outcome(&mut command)?;
    if outcome.ending != Ending::Status(124) {
        return Err(format!("{:?}: {}{}", outcome.ending, outcome.stdout, outcome.stderr));
    }
    planted.expectation.check(&outcome.stderr)
}
