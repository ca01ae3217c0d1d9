//! Runs the plan, the runtimes in turn, and collects the figures.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;

use super::catalogue::Benchmark;
use super::conditions::Conditions;
use super::figure::{Cell, Figure, Measured, median};
use super::neighbour::Neighbour;
use super::plan::{Block, Effort};
use super::runtimes::Column;
use super::toolchain::Compiler;
use super::trial::{self, Outcome};

/// The programs and columns of a session.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) columns: Vec<Column>,
    /// The programs, by family and compiler.
    pub(super) programs: BTreeMap<(String, &'static str), PathBuf>,
    pub(super) processors: Vec<u32>,
    pub(super) effort: Effort,
}

/// The figures of a block: for each benchmark the cells of the columns that `columns_of` gives it.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) conditions: Conditions,
    pub(super) rows: Vec<(Benchmark, Vec<Cell>)>,
    /// The part of the time that the threads waited for a processor, where there is one for each.
    pub(super) disturbed: Option<f64>,
}

/// The outputs of one benchmark on one runtime so far.
#[derive(Clone, Debug)]
enum Rounds {
    Measured(Vec<Measured>),
    Over(Cell),
}

impl Bench {
    /// The columns in which a benchmark has figures: one if all would be the same.
    pub(super) fn columns_of(&self, benchmark: &Benchmark) -> &[Column] {
        if benchmark.is_of_machine() { &self.columns[..1] } else { &self.columns }
    }

    /// Runs the benchmarks of a block.
    pub(super) fn measure(&self, block: &Block) -> Results {
        let _neighbour =
            block.conditions.setting.filter(|it| it.neighbour).map(|_| Neighbour::start());
        let mut disturbed = Vec::new();
        let mut rows = Vec::new();
        for (at, benchmark) in block.benchmarks.iter().enumerate() {
            let title = block.conditions.title(&self.processors);
            progress(&format!(
                "{title}: {} ({} of {})",
                benchmark.name,
                at + 1,
                block.benchmarks.len()
            ));
            rows.push((benchmark.clone(), self.row(benchmark, &block.conditions, &mut disturbed)));
        }
        progress("");
        let is_known = block.conditions.is_undisturbed(&self.processors) && !disturbed.is_empty();
        let disturbed = is_known.then(|| median(disturbed));
        Results { conditions: block.conditions, rows, disturbed }
    }

    /// The cells of one benchmark. In each round each runtime runs once, and in each round another
    /// one runs first, so that changes on the machine affect all alike.
    fn row(
        &self,
        benchmark: &Benchmark,
        conditions: &Conditions,
        disturbed: &mut Vec<f64>,
    ) -> Vec<Cell> {
        let columns = self.columns_of(benchmark);
        let mut cells = vec![Rounds::Measured(Vec::new()); columns.len()];
        for round in 0..self.effort.rounds {
            for turn in 0..columns.len() {
                let at = (turn + round) % columns.len();
                let Rounds::Measured(measured) = &mut cells[at] else { continue };
                match self.run(benchmark, &columns[at], conditions) {
                    Ok(Outcome::Measured(one)) => {
                        disturbed.extend(one.disturbed);
                        measured.push(one);
                    }
                    Ok(Outcome::NeedsThreads(least)) => {
                        cells[at] = Rounds::Over(Cell::NeedsThreads(least));
                    }
                    Err(error) => cells[at] = Rounds::Over(Cell::Failed(format!("{error:#}"))),
                }
            }
        }
        let cell = |rounds| match rounds {
            Rounds::Measured(rounds) => Cell::Figure(Figure::of(&rounds)),
            Rounds::Over(cell) => cell,
        };
        cells.into_iter().map(cell).collect()
    }

    fn run(
        &self,
        benchmark: &Benchmark,
        column: &Column,
        conditions: &Conditions,
    ) -> anyhow::Result<Outcome> {
        let program = &self.programs[&key(&benchmark.family, column.compiler)];
        trial::run(program, &benchmark.name, column, conditions, &self.processors, self.effort)
    }
}

/// The key under which `Bench::programs` has the program of a family.
pub(super) fn key(family: &str, compiler: Compiler) -> (String, &'static str) {
    (family.to_owned(), compiler.name())
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
