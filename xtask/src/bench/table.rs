//! The output: a small table with a line per benchmark, all figures with a line per runtime, or a
//! table of ratios in Markdown.

use std::fmt::Write;

use super::catalogue::Benchmark;
use super::figure::{Cell, Figure, ratio, text};
use super::runtimes::{Column, OURS};
use super::session::Results;

/// A line per benchmark: the medians, and beside the other runtimes' medians their ratios to
/// oxomp's.
pub(super) fn small(results: &Results, columns: &[Column], processors: &[u32]) -> String {
    let mut lines = vec![headings(columns)];
    for (benchmark, cells) in &results.rows {
        let mut line = vec![benchmark.name.clone(), benchmark.unit.clone()];
        for (cell, column) in cells.iter().zip(columns) {
            line.push(match cell {
                Cell::Figure(figure) => {
                    let mark = if figure.is_steady() { "" } else { "~" };
                    format!("{mark}{}", text(&benchmark.unit, figure.median))
                }
                Cell::NeedsThreads(_) => "-".to_owned(),
                Cell::Failed(_) => "failed".to_owned(),
            });
            if column.runtime != OURS {
                line.push(compared(benchmark, cell, column, cells, columns));
            }
        }
        lines.push(line);
    }
    let mut page = title(results, processors);
    page.push_str(&aligned(&lines));
    page
}

/// A line for each benchmark and runtime: median, minimum, how far the rounds lie apart, and the
/// ratio of the median to oxomp's.
pub(super) fn full(results: &Results, columns: &[Column], processors: &[u32]) -> String {
    let mut page = title(results, processors);
    for (benchmark, cells) in &results.rows {
        let _ = writeln!(page, "{} ({}): {}", benchmark.name, benchmark.unit, benchmark.about);
        let heading = ["  compiler", "runtime", "median", "min", "rounds differ by", "× oxomp"];
        let mut lines = vec![heading.map(str::to_owned).to_vec()];
        for (cell, column) in cells.iter().zip(columns) {
            let mut line = vec![format!("  {}", column.compiler.name()), column.runtime.clone()];
            if benchmark.is_of_machine() {
                line[1] = "any".to_owned();
            }
            match cell {
                Cell::Figure(figure) => {
                    line.push(text(&benchmark.unit, figure.median));
                    line.push(text(&benchmark.unit, figure.min));
                    line.push(format!("{:.0} %", 100.0 * figure.spread));
                    if column.runtime != OURS {
                        line.push(compared(benchmark, cell, column, cells, columns));
                    }
                }
                Cell::NeedsThreads(least) => line.push(format!("needs {least} threads")),
                Cell::Failed(_) => line.push("failed".to_owned()),
            }
            lines.push(line);
        }
        page.push_str(&aligned(&lines));
    }
    page
}

/// A table in Markdown with a line per benchmark: oxomp's medians, and the ratios of the other
/// runtimes' medians to them, bold where oxomp takes longer.
pub(super) fn markdown(results: &Results, columns: &[Column], processors: &[u32]) -> String {
    let mut page = format!("\n## {}\n\n| construct", results.conditions.title(processors));
    for column in columns {
        let _ = match column.runtime == OURS {
            true => write!(page, " | {}: {OURS}", column.compiler.name()),
            false => write!(page, " | {}", column.runtime),
        };
    }
    let _ = writeln!(page, " |\n|---{}|", "|---:".repeat(columns.len()));
    for (benchmark, cells) in &results.rows {
        let _ = write!(page, "| `{}`", benchmark.name);
        for (cell, column) in cells.iter().zip(columns) {
            let mark = match cell {
                Cell::Figure(figure) if !figure.is_steady() => "~",
                _ => "",
            };
            let text = match cell {
                Cell::Figure(figure) if column.runtime == OURS => {
                    text(&benchmark.unit, figure.median)
                }
                Cell::Figure(_) => {
                    let ratio = compared(benchmark, cell, column, cells, columns);
                    let is_lost = ratio.parse().is_ok_and(|ratio: f64| ratio < ROUND_ONE);
                    if is_lost { format!("**{ratio}**") } else { ratio }
                }
                Cell::NeedsThreads(_) => "–".to_owned(),
                Cell::Failed(_) => "failed".to_owned(),
            };
            let _ = write!(page, " | {mark}{text}");
        }
        page.push_str(" |\n");
    }
    page
}

/// Ratios from here to 1 count as equal.
const ROUND_ONE: f64 = 0.95;

fn title(results: &Results, processors: &[u32]) -> String {
    format!("\n{}\n", results.conditions.title(processors))
}

fn headings(columns: &[Column]) -> Vec<String> {
    let mut line = vec!["construct".to_owned(), "per".to_owned()];
    for column in columns {
        line.push(format!("{}: {}", column.compiler.name(), column.runtime));
        if column.runtime != OURS {
            line.push("×".to_owned());
        }
    }
    line
}

/// The ratio of this figure to oxomp's with the same compiler.
fn compared(
    benchmark: &Benchmark,
    cell: &Cell,
    column: &Column,
    cells: &[Cell],
    columns: &[Column],
) -> String {
    let is_ours = |it: &Column| it.runtime == OURS && it.compiler == column.compiler;
    let ours: Option<&Figure> = columns.iter().position(is_ours).and_then(|at| match &cells[at] {
        Cell::Figure(figure) => Some(figure),
        _ => None,
    });
    match (ours, cell) {
        (Some(ours), Cell::Figure(theirs)) => {
            format!("{:.2}", ratio(&benchmark.unit, ours.median, theirs.median))
        }
        _ => String::new(),
    }
}

/// The lines with their words below each other: the first two to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let width_of = |text: &String| text.chars().count();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| lines.iter().filter_map(|line| line.get(at)).map(width_of).max().unwrap_or(0))
        .collect();
    let mut page = String::new();
    for line in lines {
        let mut text = String::new();
        for (at, (word, &width)) in line.iter().zip(&widths).enumerate() {
            let space = if at == 0 { "" } else { "  " };
            let _ = match at {
                0 | 1 => write!(text, "{space}{word:<width$}"),
                _ => write!(text, "{space}{word:>width$}"),
            };
        }
        let _ = writeln!(page, "{}", text.trim_end());
    }
    page
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{full, markdown, small};
    use crate::bench::catalogue::Benchmark;
    use crate::bench::conditions::Conditions;
    use crate::bench::figure::{Cell, Figure};
    use crate::bench::runtimes::Column;
    use crate::bench::session::Results;
    use crate::bench::toolchain::Compiler;

    fn columns() -> Vec<Column> {
        let column = |runtime: &str| Column {
            compiler: Compiler::Gcc,
            runtime: runtime.to_owned(),
            library: PathBuf::new(),
            folder: PathBuf::new(),
        };
        vec![column("oxomp"), column("libgomp")]
    }

    fn results(theirs: Cell) -> Results {
        let benchmark = Benchmark {
            name: "barrier".to_owned(),
            unit: "ns/barrier".to_owned(),
            about: "a barrier".to_owned(),
            family: "synchronisation".to_owned(),
        };
        let ours = Cell::Figure(Figure { median: 100.0, min: 90.0, spread: 0.5 });
        Results {
            conditions: Conditions { threads: 2, setting: None },
            rows: vec![(benchmark, vec![ours, theirs])],
            disturbed: None,
        }
    }

    fn figure(median: f64) -> Cell {
        Cell::Figure(Figure { median, min: median, spread: 0.0 })
    }

    #[test]
    fn a_small_table_has_a_line_a_benchmark() {
        let page = small(&results(figure(1250.0)), &columns(), &[0, 1]);
        let expected = "
2 threads, bound to a processor each
construct  per         gcc: oxomp  gcc: libgomp      ×
barrier    ns/barrier     ~100 ns       1.25 µs  12.50
";
        assert_eq!(page, expected);
    }

    #[test]
    fn a_table_in_markdown_has_ratios() {
        let page = |theirs| markdown(&results(theirs), &columns(), &[0, 1]);
        let expected = "
## 2 threads, bound to a processor each

| construct | gcc: oxomp | libgomp |
|---|---:|---:|
| `barrier` | ~100 ns | 12.50 |
";
        assert_eq!(page(figure(1250.0)), expected);
        assert!(page(figure(50.0)).contains("| **0.50** |\n"), "bold where oxomp takes longer");
        assert!(page(figure(96.0)).contains("| 0.96 |\n"));
    }

    #[test]
    fn a_full_table_has_a_line_a_runtime() {
        let page = full(&results(figure(1250.0)), &columns(), &[0, 1]);
        assert!(page.contains("barrier (ns/barrier): a barrier\n"), "{page}");
        let lines: Vec<Vec<&str>> =
            page.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["gcc", "oxomp", "100", "ns", "90.0", "ns", "50", "%"]));
        let theirs = ["gcc", "libgomp", "1.25", "µs", "1.25", "µs", "0", "%", "12.50"];
        assert!(lines.contains(&theirs.to_vec()), "{page}");
    }
}
