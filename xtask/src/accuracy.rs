//! `cargo xtask accuracy`: compares what the profiler measures and predicts with known answers.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use oxomp_build::command;
use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::workspace::{Workspace, cargo};
use oxomp_testing::attempts::HELD;

use crate::references::References;
use crate::{harness, test};

/// Shown under `cargo xtask accuracy --help`.
pub const EXAMPLES: &str = "\
What it does, with programs whose answers are known, each on every runtime with OMPT:
  measured   the numbers of a profile beside those of the program's own clock, and the first advice
  advise     what `oxomp advise` predicts, and what the changed programs take
  gains      what the summary's first advice predicts, and what the repaired programs take
  diff       programs before and after a repair: what is named first
  ranks      a job of which one rank is slow: the one that is named

It prints rows of Markdown tables. Each check makes several attempts; a table says how many of them
held, and the command fails unless most did. A predicted time holds where the measured one lies
within the error that is stated. Other processes make it fail: run it on a machine that does nothing
else. `cargo xtask test` has the same programs, judged by counts, orders and answers.

Examples:
  cargo xtask accuracy
  cargo xtask accuracy --only advise,gains
  cargo xtask accuracy --only measured plant_tail
  cargo xtask accuracy --dist dist           with what `cargo xtask dist` has made, without a build";

/// The first lines of the tables.
const MEASURED: &str = "\
| program | on | value | by the program | in the profile | off |
|---|---|---|---|---|---|";
const PREDICTED: &str = "\
| program | as it is | change | predicted | measured | off |
|---|---|---|---|---|---|";
const GAINS: &str = "\
| program | compiler | change | measured gain | predicted gain | off |
|---|---|---|---|---|---|";

const HELD_HEADING: &str = "\
| check | attempts that held |
|---|---|";

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Run only checks whose name contains this text.
    filter: Option<String>,
    /// Run only these parts, in this order.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// A folder of `cargo xtask dist`; without, the release is built.
    #[arg(long)]
    dist: Option<PathBuf>,
}

/// A test binary with checks that are ignored unless asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Measured,
    Advise,
    Gains,
    Diff,
    Ranks,
}

impl Part {
    /// The package, and its test binary.
    fn binary(self) -> (&'static str, &'static str) {
        match self {
            Self::Measured => ("oxomp-analysis", "programs"),
            Self::Advise => ("oxomp", "advise"),
            Self::Gains => ("oxomp", "gains"),
            Self::Diff => ("oxomp", "diff"),
            Self::Ranks => ("oxomp", "ranks"),
        }
    }

    /// The heading of its table, if it prints rows.
    fn heading(self) -> Option<&'static str> {
        match self {
            Self::Measured => Some(MEASURED),
            Self::Advise => Some(PREDICTED),
            Self::Gains => Some(GAINS),
            Self::Diff | Self::Ranks => None,
        }
    }
}

/// Builds in release, and runs the checks one by one. What the programs run on is optimised; the
/// tests themselves take no time that counts.
///
/// # Errors
///
/// If the build fails, a check does not hold, or no check's name contains the filter.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let built = match &request.dist {
        Some(folder) => Dist { root: std::path::absolute(folder)? },
        None => dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?,
    };
    let environment = test::environment(workspace, &built, &References::default());
    let parts = match request.only.as_slice() {
        [] => Part::value_variants().to_vec(),
        parts => parts.to_vec(),
    };
    let (mut count, mut failed) = (0, Vec::new());
    for part in parts {
        let (package, binary) = part.binary();
        let start = |words: &[&str]| -> Command {
            let mut command = cargo();
            command.current_dir(&workspace.root).envs(&environment);
            command.args(["test", "-p", package, "--test", binary, "--"]);
            command.arg("--ignored").args(words).args(&request.filter);
            command
        };
        let list = command::capture(&mut start(&["--list", "--format", "terse"]))?;
        let checks = harness::names(&list);
        count += checks.len();
        if checks.is_empty() {
            continue;
        }
        println!("\n{part:?}: {} checks", checks.len());
        part.heading().into_iter().for_each(|heading| println!("{heading}"));
        let (text, succeeded) =
            heard(start(&["--nocapture", "--test-threads", "1"]), checks.len())?;
        let (rows, held) = told(&text);
        rows.iter().for_each(|row| println!("{row}"));
        println!("\n{HELD_HEADING}");
        held.iter().for_each(|(check, attempts)| println!("| {check} | {attempts} |"));
        if !succeeded {
            eprintln!("{text}");
            failed.push(format!("{part:?}"));
        }
    }
    match (failed.as_slice(), count) {
        ([], 0) => bail!("no check's name contains `{}`", request.filter.as_deref().unwrap_or("")),
        ([], _) => Ok(()),
        (failed, _) => {
            bail!("a number or an advice was not as it should be: {}", failed.join(", "))
        }
    }
}

/// What the test binary of `command` with `count` checks prints, and whether it succeeds. Each
/// check is named on stderr as it begins: all of them take long.
fn heard(mut command: Command, count: usize) -> Result<(String, bool)> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let (mut text, mut begun) = (String::new(), 0);
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let line = line.context("cannot read what the checks print")?;
        if let Some(name) = name_of(&line) {
            begun += 1;
            eprintln!("xtask: {begun} of {count}: {name}");
        }
        text.push_str(&line);
        text.push('\n');
    }
    Ok((text, child.wait().context("cannot wait for cargo")?.success()))
}

/// The check that the line of the test harness begins, if it begins one.
fn name_of(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("test ")?.split_once(" ... ")?;
    Some(name.trim_end())
}

/// The rows of tables in what a test binary prints, and for each check, by name, how many of its
/// attempts held.
fn told(text: &str) -> (Vec<&str>, Vec<(&str, &str)>) {
    let (mut check, mut rows, mut held) = ("", Vec::new(), Vec::new());
    for mut line in text.lines() {
        // The harness puts the check's name before the first line that it prints.
        if let Some(name) = name_of(line) {
            (check, line) = (name, line.split_once(" ... ").map_or("", |(_, rest)| rest));
        }
        if line.starts_with("| ") {
            rows.push(line);
        } else if let Some(attempts) = line.strip_prefix(HELD) {
            held.push((check, attempts));
        }
    }
    (rows, held)
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn rows_and_attempts_belong_to_the_check_that_printed_them() {
        let text = "
running 3 tests
test accuracy::a::gcc::oxomp ... | a | 1 |
| a | 2 |
attempts that held: 4 of 5
ok
test accuracy::b         ... attempts that held: 1 of 5, 2 disturbed
attempts that held: 5 of 5
FAILED
test accuracy::c ... ok

failures:
    attempts of b: 1 of 5
";
        let (rows, held) = told(text);
        assert_eq!(rows, ["| a | 1 |", "| a | 2 |"]);
        let (a, b) = ("accuracy::a::gcc::oxomp", "accuracy::b");
        assert_eq!(held, [(a, "4 of 5"), (b, "1 of 5, 2 disturbed"), (b, "5 of 5")]);
    }
}
