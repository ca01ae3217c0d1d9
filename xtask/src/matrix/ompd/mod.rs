//! OMPD: the functions of libompd.so, the symbols of the runtime for a debugger, and the internal
//! control variables, each with the tests that call or name it.
//!
//! Nothing is claimed by hand but what is less than implemented: the functions are read from the
//! libraries as built, the variables from the table of the crate `libompd`, and the tests from
//! their sources.

mod interface;
mod page;
mod sources;
mod variables;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use oxomp_build::elf::SharedObject;

use super::coverage::Coverage;
use super::state::State;
use interface::{FUNCTIONS, Group, PARTIAL, SYMBOLS};
pub(crate) use page::write;
use sources::Sources;

/// The tests of the library against memory images.
const ON_IMAGES: &str = "libompd/src/tests";
/// The tests of the library on programs that stand still, and on a core file.
const ON_PROGRAMS: &str = "oxomp-testing/tests/ompd_library";
/// The tests of the runtime's side.
const ON_BREAKPOINTS: &str = "oxomp-testing/tests/ompd_layout";

/// A name, and what shows it.
#[derive(Debug)]
struct Row {
    section: &'static str,
    subject: &'static str,
    name: &'static str,
    state: State,
    /// Why it is partial.
    reason: &'static str,
    tests: Vec<String>,
}

/// An internal control variable in a scope.
#[derive(Debug)]
struct Variable {
    name: String,
    scope: String,
    tests: Vec<String>,
}

/// What the page says of OMPD.
#[derive(Debug, Default)]
pub(crate) struct Ompd {
    functions: Vec<Row>,
    symbols: Vec<Row>,
    variables: Vec<Variable>,
}

fn rows(
    groups: &'static [Group],
    exports: &BTreeSet<&str>,
    tests: impl Fn(&str) -> Vec<String>,
) -> Vec<Row> {
    let mut found = Vec::new();
    for Group { section, subject, names } in groups {
        for name in *names {
            let partial = PARTIAL.iter().find(|(partial, _)| partial == name);
            let state = match (exports.contains(name), partial) {
                (false, _) => State::Absent,
                (true, Some(_)) => State::Partial,
                (true, None) => State::Implemented,
            };
            let reason = partial.map_or("", |(_, reason)| reason);
            found.push(Row { section, subject, name, state, reason, tests: tests(name) });
        }
    }
    found
}

/// Reads the libraries as built, the variables and the tests of the repository at `root`.
///
/// # Errors
/// The libraries export a name that the interface does not have, or no test calls a function that
/// they export or names a variable.
pub(crate) fn read(
    root: &Path,
    runtime: &SharedObject,
    library: &SharedObject,
    coverage: &Coverage,
) -> Result<Ompd> {
    let [images, programs, breakpoints] =
        [ON_IMAGES, ON_PROGRAMS, ON_BREAKPOINTS].map(|folder| Sources::read(root, folder));
    let (images, programs, breakpoints) = (images?, programs?, breakpoints?);
    let of_library = |name: &str| {
        let tests = [&programs, &images].map(|sources| sources.test_of(name, true));
        tests.into_iter().flatten().collect()
    };
    let of_runtime = |name: &str| {
        let program = coverage.of_symbol(name).map(str::to_owned);
        breakpoints.test_of(name, true).into_iter().chain(program).collect()
    };
    let (of_runtime_exports, of_library_exports) = (names(runtime), names(library));
    let ompd = Ompd {
        functions: rows(FUNCTIONS, &of_library_exports, of_library),
        symbols: rows(SYMBOLS, &of_runtime_exports, of_runtime),
        variables: variables::read(root)?
            .into_iter()
            .map(|(name, scope)| {
                let tests = [&programs, &images].map(|sources| sources.test_of(&name, false));
                Variable { tests: tests.into_iter().flatten().collect(), name, scope }
            })
            .collect(),
    };
    let exports = of_library_exports.iter().chain(&of_runtime_exports).copied();
    let faults = faults(&ompd, exports);
    if !faults.is_empty() {
        bail!("OMPD is not as its tests and tables say:\n  {}", faults.join("\n  "));
    }
    Ok(ompd)
}

/// The names of OMPD that a library exports.
fn names(object: &SharedObject) -> BTreeSet<&str> {
    let names = object.exports.iter().map(|symbol| symbol.name.as_str());
    names.filter(|name| name.starts_with("ompd_")).collect()
}

fn faults<'a>(ompd: &Ompd, exports: impl Iterator<Item = &'a str>) -> Vec<String> {
    let rows = || ompd.functions.iter().chain(&ompd.symbols);
    let known: BTreeSet<&str> = rows().map(|row| row.name).collect();
    let mut found: Vec<String> = exports
        .filter(|name| !known.contains(name))
        .map(|name| format!("`{name}` is no name of the interface"))
        .collect();
    let untested = rows().filter(|row| row.state != State::Absent && row.tests.is_empty());
    found.extend(untested.map(|row| format!("no test calls `{}`", row.name)));
    let unnamed = ompd.variables.iter().filter(|variable| variable.tests.is_empty());
    found.extend(unnamed.map(|variable| format!("no test names `{}`", variable.name)));
    if ompd.variables.is_empty() {
        found.push("the table of variables is empty".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Ompd, State, Variable, faults, interface, read, rows};
    use crate::matrix::coverage::Coverage;
    use oxomp_build::elf::SharedObject;
    use std::collections::BTreeSet;

    fn exporting(names: &[&str]) -> SharedObject {
        let symbol = |name: &&str| oxomp_build::elf::Symbol {
            name: (*name).to_owned(),
            node: None,
            default: true,
            data: false,
            weak: false,
            size: 0,
        };
        SharedObject {
            soname: None,
            needed: Vec::new(),
            nodelete: false,
            nodes: BTreeSet::new(),
            exports: names.iter().map(symbol).collect(),
            imports: BTreeSet::new(),
        }
    }

    /// All functions, as if libompd.so exported them.
    #[test]
    fn the_repositorys_tests_call_each_function_and_name_each_variable() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let names = interface::FUNCTIONS.iter().flat_map(|group| group.names);
        let library = exporting(&names.copied().collect::<Vec<_>>());
        let found = read(root, &exporting(&[]), &library, &Coverage::default());
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        assert!(found.variables.len() > 40);
    }

    #[test]
    fn a_function_without_a_test_and_an_unknown_one_are_faults() {
        let exports = BTreeSet::from(["ompd_get_state", "ompd_device_initialize"]);
        let functions = rows(interface::FUNCTIONS, &exports, |name| match name {
            "ompd_device_initialize" => vec!["a::b".to_owned()],
            _ => Vec::new(),
        });
        let state = |name| functions.iter().find(|row| row.name == name).map(|row| row.state);
        assert_eq!(state("ompd_get_state"), Some(State::Implemented));
        assert_eq!(state("ompd_device_initialize"), Some(State::Partial));
        assert_eq!(state("ompd_finalize"), Some(State::Absent));
        let variable = |name: &str, tests: &[&str]| Variable {
            name: name.to_owned(),
            scope: "task".to_owned(),
            tests: tests.iter().map(|test| (*test).to_owned()).collect(),
        };
        let variables = vec![variable("dyn-var", &["a::b"]), variable("bind-var", &[])];
        let ompd = Ompd { functions, symbols: Vec::new(), variables };
        let found = faults(&ompd, ["ompd_get_state", "ompd_other"].into_iter());
        let wanted = [
            "`ompd_other` is no name of the interface",
            "no test calls `ompd_get_state`",
            "no test names `bind-var`",
        ];
        assert_eq!(found, wanted);
    }
}
