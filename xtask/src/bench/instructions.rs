//! `cargo xtask bench --instructions`: the instructions of each construct on one thread, counted by
//! valgrind. The counts of one machine are the same whatever else runs on it.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::Program;

use super::catalogue::Benchmark;
use super::plan::Block;
use super::runtimes::{Column, OURS};
use super::session::{Bench, key};
use super::trial::{on_runtime, output_of, words};

/// The function of the benchmarks' programs within which instructions are counted.
const COUNTED: &str = "counted";

/// The two functions of a benchmark: the construct with work in it, and the work alone.
pub(super) const PARTS: [&str; 2] = ["run", "reference"];

/// How many constructs are executed: what happens once in some hundred of them shows in the count.
const CONSTRUCTS: u32 = 2000;

/// The cell of a benchmark that needs more threads.
const NO_COUNT: &str = "-";

/// Prints a line for each of `benchmarks` as soon as it is counted.
pub(super) fn print(bench: &Bench, benchmarks: &[Benchmark]) -> Result<()> {
    if Program::Valgrind.find().is_none() {
        let package = Program::Valgrind.package();
        bail!("valgrind counts the instructions: install it (Debian: apt-get install {package})");
    }
    let heading = |column: &Column| format!("{}/{}", column.compiler.name(), column.runtime);
    print_line("instructions", bench.columns.iter().map(heading))?;
    let mut has_failed = false;
    for benchmark in benchmarks {
        let cell = |column: &Column| match count(bench, benchmark, column) {
            Ok(Some(count)) => format!("{count:.0}"),
            Ok(None) => NO_COUNT.to_owned(),
            Err(error) => {
                eprintln!("xtask: {} on {}: {error:#}", benchmark.name, column.runtime);
                has_failed |= column.runtime == OURS;
                "failed".to_owned()
            }
        };
        print_line(&benchmark.name, bench.columns.iter().map(cell))?;
    }
    if has_failed {
        bail!("a benchmark failed on {OURS}");
    }
    Ok(())
}

/// The benchmarks of `blocks` whose instructions are counted. Fails for a setting, and if there is
/// no such benchmark.
pub(super) fn counted_in(blocks: &[Block]) -> Result<Vec<Benchmark>> {
    if let Some(setting) = blocks.iter().find_map(|block| block.conditions.setting) {
        bail!("instructions are counted on one thread, and `{}` is a setting", setting.name);
    }
    let benchmarks = blocks.iter().flat_map(|block| &block.benchmarks);
    let all: Vec<_> = benchmarks.filter(|it| is_counted(it)).cloned().collect();
    if all.is_empty() {
        bail!("none of these benchmarks has instructions to count");
    }
    Ok(all)
}

/// Whether instructions say anything of what the benchmark measures.
pub(super) fn is_counted(benchmark: &Benchmark) -> bool {
    let is_alone = !WITH_WORKERS.contains(&benchmark.name.as_str());
    benchmark.unit.starts_with("ns/") && !benchmark.is_of_machine() && is_alone
}

/// The benchmarks whose region on one thread has teams with workers: how long these wait under
/// valgrind is chance.
const WITH_WORKERS: [&str; 1] = ["nested"];

fn print_line(name: &str, cells: impl Iterator<Item = String>) -> Result<()> {
    let mut out = stdout();
    write!(out, "{name:<28}")?;
    for cell in cells {
        write!(out, " {cell:>16}")?;
        // On a terminal each count shows as soon as it is there.
        out.flush()?;
    }
    writeln!(out)?;
    Ok(())
}

/// The instructions of one construct, without those of the work in it. `None` if the benchmark
/// needs more threads.
fn count(bench: &Bench, benchmark: &Benchmark, column: &Column) -> Result<Option<f64>> {
    let program = &bench.programs[&key(&benchmark.family, column.compiler)];
    let [run, reference] = PARTS.map(|part| collected(program, benchmark, column, part));
    Ok(run?.zip(reference?).map(|(run, reference)| run - reference))
}

/// The instructions for one of many constructs, or for the work of one.
fn collected(
    program: &Path,
    benchmark: &Benchmark,
    column: &Column,
    part: &str,
) -> Result<Option<f64>> {
    let mut valgrind = on_runtime(Program::Valgrind.text().as_ref(), column, 1);
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(format!("--toggle-collect={COUNTED}")).arg(program).arg(&benchmark.name);
    valgrind.args(["--count", &CONSTRUCTS.to_string(), "--of", part]);
    let output = output_of(valgrind)?;
    let words = words(&output.stdout, &column.library)?;
    if words.contains_key("skipped") {
        return Ok(None);
    }
    let executed: f64 = words.get("count").context("the program printed no count")?.parse()?;
    Ok(Some(instructions(&output.stderr)? / executed))
}

/// The sum that callgrind prints at its end.
fn instructions(said: &str) -> Result<f64> {
    let sum = said.lines().find_map(|line| line.split_once("Collected : "));
    let (_, sum) = sum.context("valgrind printed no sum")?;
    sum.trim().parse().with_context(|| format!("`{sum}` is no number of instructions"))
}

#[cfg(test)]
mod tests {
    use super::instructions;

    #[test]
    fn the_sum_of_callgrind_is_read() {
        let said = "==7== Events    : Ir\n==7== Collected : 1234567\n==7==\n";
        assert!((instructions(said).expect("a sum") - 1_234_567.0).abs() < 0.5);
        assert!(instructions("==7== Collected : none").is_err());
        assert!(instructions("").is_err());
    }
}
