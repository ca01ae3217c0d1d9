//! Checks the programs: not how long constructs take, but that each benchmark runs and that its
//! construct has the expected result.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::catalogue::Catalogue;
use super::conditions::Conditions;
use super::instructions::{PARTS, is_counted};
use super::plan::Effort;
use super::runtimes::{Column, OURS};
use super::trial::{Outcome, on_runtime, output_of, words};
use super::{processors, toolchain, trial};

/// One short sample.
const BRIEFLY: Effort = Effort { rounds: 1, samples: 1, sample_us: 1 };

/// Compiles all programs with all compilers into `folder` and runs every benchmark with two threads
/// on the runtime of the folder `lib`; hands back how many runs that were.
pub fn run(root: &Path, lib: &Path, folder: &Path) -> Result<usize> {
    let catalogue = Catalogue::read(root)?;
    let processors = processors::allowed()?;
    let conditions = Conditions { threads: 2, setting: None };
    let mut runs = 0;
    for compiler in toolchain::installed()? {
        let column = Column {
            compiler,
            runtime: OURS.to_owned(),
            library: lib.join(compiler.soname()).canonicalize()?,
            folder: lib.to_path_buf(),
        };
        for family in catalogue.families() {
            let program = compiler.compile(root, family, lib, folder)?;
            let names = names_in(&program, lib)?;
            let read: Vec<&str> = catalogue.family(family).map(|it| it.name.as_str()).collect();
            ensure!(names == read, "{family}: the program has {names:?}, the catalogue {read:?}");
            for name in names {
                let at = || format!("{name} of {}", compiler.name());
                let run = trial::run(&program, &name, &column, &conditions, &processors, BRIEFLY);
                let Outcome::Measured(measured) = run.with_context(at)? else {
                    bail!("{}: two threads are too few", at());
                };
                ensure!(measured.median.is_finite(), "{}: the median is no number", at());
                runs += 1;
            }
            for benchmark in catalogue.family(family).filter(|it| is_counted(it)) {
                for part in PARTS {
                    let mut command = on_runtime(&program, &column, conditions.threads);
                    command.args([&benchmark.name, "--count", "1", "--of", part]);
                    let at = || format!("{part} of {} once", benchmark.name);
                    let output = output_of(command).with_context(at)?;
                    let words = words(&output.stdout, &column.library).with_context(at)?;
                    ensure!(words.contains_key("count"), "{}: no count", at());
                }
            }
        }
    }
    Ok(runs)
}

/// The benchmarks that a program lists if its arguments name none.
fn names_in(program: &Path, lib: &Path) -> Result<Vec<String>> {
    let output = Command::new(program).env("LD_LIBRARY_PATH", lib).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let entries = said.lines().filter_map(|line| line.strip_prefix("  "));
    Ok(entries.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}
