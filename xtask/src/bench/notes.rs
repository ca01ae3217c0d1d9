//! Notes that a reader needs before believing the figures.

use std::fmt::Write;

use super::figure::Cell;
use super::runtimes::Column;
use super::session::Results;

/// The part of the time for which waiting for a processor is usual.
const NOISY: f64 = 0.03;

/// A line for each failure in `all`, and one if other processes took the processors away.
pub(super) fn text(all: &[Results], columns: &[Column], processors: &[u32]) -> String {
    let mut page = String::new();
    for results in all {
        for (benchmark, cells) in &results.rows {
            for (cell, column) in cells.iter().zip(columns) {
                let Cell::Failed(reason) = cell else { continue };
                let (compiler, runtime) = (column.compiler.name(), &column.runtime);
                let (name, title) = (&benchmark.name, results.conditions.title(processors));
                let _ =
                    writeln!(page, "failed: {name}, {compiler} on {runtime}, {title}: {reason}");
            }
        }
    }
    let worst = all.iter().filter_map(|results| results.disturbed).fold(0.0, f64::max);
    if worst > NOISY {
        let _ = writeln!(
            page,
            "This machine is noisy: threads waited {:.0} % of the time for their processors. \
             Run it again when it is idle.",
            100.0 * worst
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::text;
    use crate::bench::catalogue::Benchmark;
    use crate::bench::conditions::Conditions;
    use crate::bench::figure::Cell;
    use crate::bench::runtimes::Column;
    use crate::bench::session::Results;
    use crate::bench::toolchain::Compiler;

    fn said(cell: Cell, disturbed: f64) -> String {
        let column = Column {
            compiler: Compiler::Gcc,
            runtime: "libgomp".to_owned(),
            library: PathBuf::new(),
            folder: PathBuf::new(),
        };
        let benchmark = Benchmark {
            name: "barrier".to_owned(),
            unit: "ns/barrier".to_owned(),
            about: "a barrier".to_owned(),
            family: "synchronisation".to_owned(),
        };
        let results = Results {
            conditions: Conditions { threads: 2, setting: None },
            rows: vec![(benchmark, vec![cell])],
            disturbed: Some(disturbed),
        };
        text(&[results], &[column], &[0, 1])
    }

    #[test]
    fn a_failure_says_where_and_why() {
        let place = "gcc on libgomp, 2 threads, bound to a processor each";
        let said = said(Cell::Failed("signal: 11".to_owned()), 0.0);
        assert_eq!(said, format!("failed: barrier, {place}: signal: 11\n"));
    }

    #[test]
    fn noise_is_named() {
        assert_eq!(said(Cell::NeedsThreads(2), 0.01), "");
        assert!(said(Cell::NeedsThreads(2), 0.4).contains("noisy: threads waited 40 %"));
    }
}
