//! `oxomp debug PID`: a look at a process that somebody else has started.

use std::time::{Duration, Instant};

use oxomp_prerequisites::skipped::may_attach;
use oxomp_testing::directives::Ending;

use crate::expectation::Verdict;
use crate::planted::{PATIENCE, Planted, Process, ending, outcome, oxomp_debug};
use crate::text::names_deadlock;

/// The end of a process takes no longer on a machine under load, and each program that goes on goes
/// on for longer.
const AN_END: Duration = Duration::from_secs(2);

/// The command finds what the file says, and the process goes on.
pub(crate) fn check(planted: &Planted) -> Result<(), String> {
    if !may_attach() {
        return Ok(());
    }
    let process = planted.start()?;
    match planted.expectation.verdict {
        Verdict::Deadlock => until_deadlocked(planted, &process).map(|_| ()),
        Verdict::None => finds_nothing(planted, process),
        Verdict::Crash => Err("a process that crashes is not there any more".to_owned()),
    }
}

/// Looks until the process has come to its deadlock; the text that explains it.
pub(crate) fn until_deadlocked(planted: &Planted, process: &Process) -> Result<String, String> {
    let begin = Instant::now();
    loop {
        let outcome = outcome(oxomp_debug().arg(process.pid().to_string()))?;
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        if outcome.ending != Ending::Status(0) {
            return Err(format!("{:?}: {said}", outcome.ending));
        }
        if !outcome.stderr.is_empty() {
            return Err(format!("standard error has: {said}"));
        }
        let checked = planted.expectation.check(&said);
        if names_deadlock(&outcome.stdout) && checked.is_ok() {
            return Ok(outcome.stdout);
        }
        if begin.elapsed() > PATIENCE {
            checked?;
            return Err(format!("no deadlock was found: {said}"));
        }
    }
}

/// Looks again and again until the process has ended by itself.
fn finds_nothing(planted: &Planted, mut process: Process) -> Result<(), String> {
    while process.runs() {
        let outcome = outcome(oxomp_debug().arg(process.pid().to_string()))?;
        if names_deadlock(&outcome.stdout) {
            return Err(format!("it is no deadlock:\n{}", outcome.stdout));
        }
        // A process that ends cannot be looked at, and its end takes a moment.
        if outcome.ending != Ending::Status(0) && !process.ends_within(AN_END) {
            return Err(format!("{:?}: {}{}", outcome.ending, outcome.stdout, outcome.stderr));
        }
    }
    let (status, printed) = process.end()?;
    let expected = &planted.expectation;
    if ending(status) != Ending::Status(expected.status) || printed != expected.prints {
        return Err(format!("it did not go on as if nothing had been: {status}, {printed}"));
    }
    Ok(())
}
