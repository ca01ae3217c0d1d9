//! The book's table of variables, `icv/variables.tsv`, against the variables that are read. `cargo
//! xtask book` makes a page of it.

use core::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Processors, names_looked_up, read};
use crate::icv::display::settings;
use crate::icv::tool::ToolIcvs;

/// The names, the values, the default, and a sentence.
const TABLE: &str = include_str!("../variables.tsv");

/// A variable of the table.
struct Row {
    /// Its name, and the other ones.
    names: Vec<&'static str>,
    values: &'static str,
    default: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| match line.split('\t').collect::<Vec<_>>()[..] {
        [names, values, default, what] if what.ends_with('.') => {
            Row { names: names.split(", ").collect(), values, default }
        }
        _ => panic!("{line}"),
    };
    lines.map(row).collect()
}

/// The parts of `text` between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The variables of the tools interface.
fn names_of_tools() -> BTreeSet<String> {
    let names = RefCell::new(BTreeSet::new());
    let get = |name: &str| {
        names.borrow_mut().insert(name.to_owned());
        None
    };
    ToolIcvs::parse(get).expect("OMP_TOOL is undefined");
    names.into_inner()
}

#[test]
fn the_table_has_every_variable_that_is_read_and_no_other() {
    let mut known = names_looked_up();
    known.extend(names_of_tools());
    let table = rows().into_iter().flat_map(|row| row.names).map(str::to_owned);
    assert_eq!(table.collect::<BTreeSet<String>>(), known);
}

#[test]
fn the_values_of_the_table_are_accepted() {
    let of_tools = names_of_tools();
    let mut accepted = 0;
    for Row { names, values, .. } in rows() {
        for (name, value) in names.iter().flat_map(|name| quoted(values).map(move |it| (name, it)))
        {
            if value.starts_with('[') {
                continue;
            }
            let given = |asked: &str| (asked == *name).then(|| value.into());
            assert!(ToolIcvs::parse(given).is_ok(), "{name}={value}");
            let variable = [((*name).to_owned(), value.to_owned())];
            let warnings = read(&variable, |_| Processors::of(6)).2;
            assert!(warnings.is_empty() || of_tools.contains(*name), "{warnings:?}");
            accepted += 1;
        }
    }
    assert!(accepted > 80, "{accepted}");
}

#[test]
fn the_defaults_of_the_table_hold() {
    let (icvs, global, _) = read(&[], |_| Processors::of(6));
    let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
    let text = settings(&icvs, &global, &tool, &[]);
    let shown: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.trim().split_once('='))
        .map(|(name, value)| (name, value.trim_matches('\'')))
        .collect();
    let mut compared = 0;
    for Row { names, default, .. } in rows() {
        let Some(shown) = shown.get(names[0]) else { continue };
        if default.starts_with('`') {
            let default = quoted(default).next().expect("a value");
            assert!(default.eq_ignore_ascii_case(shown), "{}: {default}, not {shown}", names[0]);
            compared += 1;
        }
    }
    assert!(compared > 25, "{compared}");
}
