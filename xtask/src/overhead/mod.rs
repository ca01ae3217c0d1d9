//! `cargo xtask overhead`: how much longer programs take while the collector records them.
//!
//! The programs of tests/profiler/overhead take the time of their own work. A pair is a run on the
//! runtime alone and a run under `oxomp profile`, one after the other.

mod programs;
mod table;
mod trial;

use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::workspace::Workspace;

use self::programs::{Kind, PROGRAMS, Program};
use self::table::Pair;
use self::trial::Bench;

/// Shown under `cargo xtask overhead --help`.
pub const EXAMPLES: &str = "\
It builds a release, compiles the programs of tests/profiler/overhead with gcc or clang-22, and runs
each in turn under `oxomp run` and `oxomp profile`. Each takes its own time, without the start of
the process and the summary. The table has the least and the median of each, the ratio of the least
ones, and the median of the pairs' ratios. The machine should have nothing else to do.

The figures are benchmarks, of this machine and at this number of threads: nothing is judged unless
`--at-most` gives a limit for the programs with locks and critical sections (critical,
critical_alone, lock, lock_often). Then the command fails if the median of the pairs' ratios of one
of them is above it.

Examples:
  cargo xtask overhead                            seven pairs of each program, in a few minutes
  cargo xtask overhead --pairs 15 --only tasks    one program
  cargo xtask overhead --only tasks,fib --dist /tmp/before   an earlier build
  cargo xtask overhead --only critical,lock --at-most 1.3    fails where 30 % are added
  cargo xtask overhead --profile=--last=5s                   another way of `oxomp profile`";

/// What to measure.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// How many times each program runs without and with the collector.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pairs: u32,
    /// Only these programs.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// A folder that `cargo xtask dist` made [default: a new build].
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
    /// Threads of each program [default: as many as there are processors].
    #[arg(long)]
    threads: Option<u32>,
    /// An option of `oxomp profile`, such as `--live` or `--last=5s`; may be given several times.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    profile: Vec<String>,
    /// Fail if a program with locks or critical sections takes longer by more than this factor
    /// [default: judge nothing].
    #[arg(long, value_name = "RATIO", value_parser = limit)]
    at_most: Option<f64>,
}

/// The factor that `text` gives.
fn limit(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(limit) if limit > 0.0 && f64::is_finite(limit) => Ok(limit),
        _ => Err("not a positive number".to_owned()),
    }
}

/// Runs the programs and prints the table, a row as soon as it is known.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let selected = selected(&request.only)?;
    let dist = match &request.dist {
        Some(root) => Dist { root: std::path::absolute(root)? },
        None => dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?,
    };
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        dist,
        folder: folder.path().to_owned(),
        threads: request.threads,
        options: request.profile.clone(),
    };
    print!("{}", table::HEAD);
    let mut ratios = Vec::new();
    for program in selected {
        let binary = program.compile(&workspace.root, folder.path())?;
        let pairs = measure(&bench, program, &binary, request.pairs)?;
        progress("");
        print!("{}", table::row(program, &pairs));
        ratios.push((program, table::ratio(&pairs)));
    }
    request.at_most.map_or(Ok(()), |limit| judge(&ratios, limit))
}

/// Fails if a program with locks or critical sections is above `limit`, or if no such program was
/// measured.
fn judge(ratios: &[(&Program, f64)], limit: f64) -> Result<()> {
    let judged = || ratios.iter().filter(|(program, _)| program.kind == Kind::Mutex);
    if judged().next().is_none() {
        bail!("--at-most judges programs with locks or critical sections, and none was selected");
    }
    let above: Vec<String> = judged()
        .filter(|(_, ratio)| *ratio > limit)
        .map(|(program, ratio)| format!("{} {ratio:.3}", program.name))
        .collect();
    if !above.is_empty() {
        bail!("above the ratio of {limit}: {}", above.join(", "));
    }
    Ok(())
}

/// The programs with these names; without any, all.
fn selected(names: &[String]) -> Result<Vec<&'static Program>> {
    if names.is_empty() {
        return Ok(PROGRAMS.iter().collect());
    }
    let find = |name: &String| {
        let found = PROGRAMS.iter().find(|program| program.name == name);
        let all = || PROGRAMS.map(|program| program.name).join(", ");
        found.with_context(|| format!("no program `{name}`; there are {}", all()))
    };
    names.iter().map(find).collect()
}

/// Runs the pairs; every other one begins with the collector, so that a machine that becomes slower
/// or faster meanwhile does so for both.
fn measure(bench: &Bench, program: &Program, binary: &Path, count: u32) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for number in 0..count {
        progress(&format!("{}: pair {} of {count}", program.name, number + 1));
        let run = |profiled| bench.run(program, binary, profiled);
        let (without, with) = if number % 2 == 0 {
            let without = run(false)?;
            (without, run(true)?)
        } else {
            let with = run(true)?;
            (run(false)?, with)
        };
        if without.units != with.units {
            bail!("{}: {} units, then {}", program.name, without.units, with.units);
        }
        pairs.push(Pair { without, with });
    }
    Ok(pairs)
}

/// Shows on a terminal what is being run; an empty text clears the line.
fn progress(text: &str) {
    let mut stderr = stderr();
    if stderr.is_terminal() {
        // Nothing is lost if it cannot be shown.
        let _ = write!(stderr, "\r\x1b[K{text}");
        let _ = stderr.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::programs::Program;
    use super::{judge, limit, selected};

    fn judged(ratios: &[(&str, f64)], limit: f64) -> Result<(), String> {
        let of = |(name, ratio): &(&str, f64)| -> (&'static Program, f64) {
            let names = [(*name).to_owned()];
            (selected(&names).expect("a program")[0], *ratio)
        };
        let ratios: Vec<_> = ratios.iter().map(of).collect();
        judge(&ratios, limit).map_err(|error| error.to_string())
    }

    #[test]
    fn only_programs_with_locks_are_judged() {
        let ratios = [("fib", 3.0), ("atomics", 2.0), ("critical", 1.2), ("lock", 1.3)];
        assert_eq!(judged(&ratios, 1.3), Ok(()));
        let above = Err("above the ratio of 1.1: critical 1.200, lock 1.300".to_owned());
        assert_eq!(judged(&ratios, 1.1), above);
        assert!(judged(&ratios[..2], 1.1).is_err(), "nothing to judge");
    }

    #[test]
    fn a_limit_is_a_positive_number() {
        assert_eq!(limit("1.25"), Ok(1.25));
        assert!(["0", "-1", "NaN", "inf", "x"].iter().all(|text| limit(text).is_err()));
    }
}
