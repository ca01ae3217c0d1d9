//! For which symbols each test program makes the compiler emit calls, and which events it expects.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::programs;
use super::trace::Traces;
use crate::test;

/// The first test, by name, of each symbol and event.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    symbols: BTreeMap<String, String>,
    events: EventTests,
}

/// The first test, by name, of each event in the programs of each family of compilers.
#[derive(Debug, Default)]
pub(crate) struct EventTests(BTreeMap<(String, &'static str), String>);

impl EventTests {
    /// The test whose expected trace demands the event of programs of `family`.
    pub(crate) fn of(&self, event: &str, family: &'static str) -> Option<&str> {
        self.0.get(&(event.to_owned(), family)).map(String::as_str)
    }

    /// Reads the expected traces of the test programs of the repository at `root`.
    pub(crate) fn find(root: &Path) -> Result<Self> {
        let traces = Traces::new(root)?;
        let mut tests = BTreeMap::new();
        for program in programs::find(root)? {
            let lines = program.expected_lines();
            for family in program.families() {
                for event in traces.demanded(&lines, family) {
                    tests.entry((event, family)).or_insert_with(|| program.name.clone());
                }
            }
        }
        Ok(Self(tests))
    }
}

impl Coverage {
    /// The test whose executable imports the symbol.
    pub(crate) fn of_symbol(&self, name: &str) -> Option<&str> {
        self.symbols.get(name).map(String::as_str)
    }

    /// The tests of events.
    pub(crate) fn events(&self) -> &EventTests {
        &self.events
    }
}

/// Compiles every test program of the workspace, as many at a time as there are processors, and
/// reads its imports and its trace.
pub(crate) fn find(root: &Path, target: &Path) -> Result<Coverage> {
    let programs = programs::find(root)?;
    let executables = test::executables(root, target)?;
    let imports: Vec<_> =
        programs.par_iter().map(|program| program.imports(&executables)).collect::<Result<_>>()?;
    let mut symbols = BTreeMap::new();
    for (program, imports) in programs.iter().zip(imports) {
        for (compiler, imported) in imports {
            for symbol in imported {
                let test = || format!("{} ({compiler})", program.name);
                symbols.entry(symbol).or_insert_with(test);
            }
        }
    }
    Ok(Coverage { symbols, events: EventTests::find(root)? })
}

#[cfg(test)]
mod tests {
    use super::super::events::disagreements;
    use super::{EventTests, find};
    use anyhow::Result;
    use oxomp_sys::ompt::{EventRow, Raised};
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_programs_imports_are_found() -> Result<()> {
        let root = tempfile::tempdir()?;
        let tests = root.path().join("tests");
        for folder in ["c/parallel", "fortran", "include"] {
            fs::create_dir_all(tests.join(folder))?;
        }
        let text = "//#Compilers:gcc\nstatic void g(void) {}\nint main(void) {\n#pragma omp parallel\ng();\nreturn 0; }\n";
        fs::write(tests.join("c/parallel/empty.c"), text)?;
        let coverage = find(root.path(), &root.path().join("target"))?;
        assert_eq!(coverage.of_symbol("GOMP_parallel"), Some("parallel/empty.c (gcc)"));
        assert_eq!(coverage.of_symbol("__kmpc_fork_call"), None);
        Ok(())
    }

    #[test]
    fn the_events_that_the_table_calls_raised_are_those_that_the_recorder_sees() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let tests = EventTests::find(root)?;
        assert_eq!(disagreements(&tests), [""; 0]);
        // Without tests each event that is raised, in either family's programs, is missed.
        let raised = EventRow::ALL.iter().flat_map(|row| [row.clang, row.gcc]);
        let raised = raised.filter(|raised| *raised != Raised::Never).count();
        assert!(raised > 0);
        assert_eq!(disagreements(&EventTests::default()).len(), raised);
        Ok(())
    }
}
