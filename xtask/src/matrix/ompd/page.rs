//! The part of CONFORMANCE.md about OMPD.

use std::fmt::Write;

use super::{Ompd, Row};
use crate::matrix::state::State;

const HEAD: &str = "\
## OMPD

The debugger's interface, by the sections of OpenMP 6.0. *implemented*: exported by libompd.so, and
called by the tests beside it: the first ones by name that call it in the fewest steps, on a program
that stands still and on a memory image (tests/README.md explains their names). *partial*: exported,
and less than the specification lets a runtime offer, as the reason says. *absent*: not exported.
`cargo xtask matrix` reads the tests from their sources, and fails where a function has none.

";

const SYMBOLS_HEAD: &str = "
### OMPD symbols of the runtime

| section | symbol | state | tests |
|---|---|---|---|
";

const VARIABLES_HEAD: &str = "
### OMPD variables

The internal control variables in the order of their numbers, from 1. The tests name them and read
their values.

| number | variable | scope | tests |
|---|---|---|---|
";

/// Writes the functions, the symbols and the variables.
pub(crate) fn write(page: &mut String, ompd: &Ompd) {
    page.push_str(HEAD);
    page.push_str(
        "### OMPD functions\n\n| section | function | state | tests |\n|---|---|---|---|\n",
    );
    rows(page, &ompd.functions);
    page.push_str(SYMBOLS_HEAD);
    rows(page, &ompd.symbols);
    page.push_str(VARIABLES_HEAD);
    for (number, variable) in (1..).zip(&ompd.variables) {
        let (name, scope, tests) = (&variable.name, &variable.scope, variable.tests.join(", "));
        let _ = writeln!(page, "| {number} | *{name}* | {scope} | {tests} |");
    }
    page.push('\n');
}

fn rows(page: &mut String, rows: &[Row]) {
    for Row { section, subject, name, state, reason, tests } in rows {
        let state = match state {
            State::Implemented => "implemented".to_owned(),
            State::Partial => format!("partial: {reason}"),
            State::Absent => "absent".to_owned(),
        };
        let tests = tests.join(", ");
        let _ = writeln!(page, "| {section} {subject} | `{name}` | {state} | {tests} |");
    }
}
