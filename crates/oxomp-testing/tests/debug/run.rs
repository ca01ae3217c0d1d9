//! `oxomp debug -- ./app`: the watch over a program that it runs.

use oxomp_testing::directives::Ending;

use crate::expectation::Verdict;
use crate::planted::{Planted, outcome, oxomp_debug};

/// The status of a program that `--end-on-deadlock` has ended.
const DEADLOCKED: i32 = 124;

/// The command finds what the file says, and nothing else changes.
pub(crate) fn check(planted: &Planted) -> Result<(), String> {
    let expected = &planted.expectation;
    let mut command = oxomp_debug();
    command.args(["--after", "1", "--end-on-deadlock", "--"]).arg(planted.executable()?);
    let outcome = outcome(&mut command)?;
    let said = || format!("{:?}\n{}\n{}", outcome.ending, outcome.stdout, outcome.stderr);
    let ending = match expected.verdict {
        Verdict::Deadlock => Ending::Status(DEADLOCKED),
        Verdict::None => Ending::Status(expected.status),
        Verdict::Crash => Ending::Signal(expected.signal),
    };
    if outcome.ending != ending {
        return Err(format!("it did not end with {ending:?}: {}", said()));
    }
    if outcome.stdout != expected.prints {
        return Err(format!("the program's output is not its own: {}", said()));
    }
    if expected.verdict == Verdict::None && !outcome.stderr.is_empty() {
        return Err(format!("nothing was wrong: {}", said()));
    }
    expected.check(&outcome.stderr)
}
