//! The book's pages on routines and constructs say what CONFORMANCE.md says, which is made from the
//! library as built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A row of CONFORMANCE.md.
struct Symbol {
    libomp: String,
    libgomp: String,
    state: String,
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The cells of a line of a table; none of other lines.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
    inner.map_or_else(Vec::new, |inner| inner.split(" | ").collect())
}

/// The words of `text` that stand between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The symbols of CONFORMANCE.md.
fn symbols() -> BTreeMap<String, Symbol> {
    let text = read("CONFORMANCE.md");
    let rows = text.lines().map(cells).filter(|cells| cells.len() == 6);
    let symbol = |cells: Vec<&str>| {
        let name = cells[0].strip_prefix('`')?.strip_suffix('`')?.to_owned();
        let [libomp, libgomp, state] = [1, 2, 4].map(|at| cells[at].to_owned());
        Some((name, Symbol { libomp, libgomp, state }))
    };
    let symbols: BTreeMap<_, _> = rows.filter_map(symbol).collect();
    assert!(symbols.len() > 900, "{}", symbols.len());
    symbols
}

/// Whether `name` is a routine in C: no variable, and no form for Fortran or strings.
fn is_routine(name: &str) -> bool {
    let is_variable = name.ends_with("_mem_alloc") || name.ends_with("_mem_space");
    let is_of_users = name.starts_with("omp_") || name.starts_with("kmp_");
    is_of_users && !is_variable && !name.ends_with('_') && name != "omp_null_allocator"
}

#[test]
fn the_page_on_routines_has_each_routine() {
    let page = read("docs/src/reference/routines.md");
    let named: BTreeSet<&str> = quoted(&page).into_iter().collect();
    let symbols = symbols();
    let implemented = symbols.iter().filter(|(_, symbol)| symbol.state != "absent");
    let missing: Vec<&String> = implemented
        .map(|(name, _)| name)
        .filter(|name| is_routine(name) && !named.contains(name.as_str()))
        .collect();
    assert_eq!(missing, [""; 0], "the page lacks these");
}

/// The word of the page for the oldest of the examined versions in which a runtime has a routine.
fn since(version: &str) -> &'static str {
    match version {
        "-" => "–",
        "12" | "19" => "yes",
        "16" => "in 16",
        "22" => "from 22 on",
        "23" => "from 23 on",
        other => panic!("a version without a word: {other}"),
    }
}

#[test]
fn the_page_on_routines_says_where_each_is() {
    let page = read("docs/src/reference/routines.md");
    let symbols = symbols();
    let rows = page.lines().map(cells);
    let rows: Vec<_> = rows.filter(|it| it.len() == 5 && it[0].starts_with("`omp_")).collect();
    assert!(rows.len() > 80, "{}", rows.len());
    for row in rows {
        let names = quoted(row[0]);
        let of =
            |name: &str| symbols.get(name).unwrap_or_else(|| panic!("CONFORMANCE.md lacks {name}"));
        let words = |word: fn(&Symbol) -> &str| {
            let words: BTreeSet<&str> = names.iter().map(|name| since(word(of(name)))).collect();
            words.into_iter().collect::<Vec<_>>().join(", ")
        };
        let has_fortran = names.iter().all(|name| symbols.contains_key(&format!("{name}_")));
        let fortran = if has_fortran { "yes" } else { "by `bind(c)`" };
        let libomp = match words(|symbol| &symbol.libomp).as_str() {
            "–" => "libomptarget".to_owned(),
            other => other.to_owned(),
        };
        let libgomp = words(|symbol| &symbol.libgomp);
        assert_eq!(row[2..], [fortran, &libomp, &libgomp], "{}", row[0]);
    }
}

/// Whether `name` is like `pattern`, in which `…` stands for any characters.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('…') {
        None => name == pattern,
        Some((begin, rest)) => name
            .strip_prefix(begin)
            .is_some_and(|name| (0..=name.len()).any(|at| is_like(&name[at..], rest))),
    }
}

#[test]
fn the_page_on_constructs_names_symbols_that_are_there() {
    let page = read("docs/src/reference/constructs.md");
    let (present, absent) = page.split_once("## What is absent").expect("the last section");
    let symbols = symbols();
    let is_entry = |name: &&str| name.starts_with("GOMP_") || name.starts_with("__kmpc_");
    for (part, is_absent) in [(present, false), (absent, true)] {
        let names: Vec<&str> = quoted(part).into_iter().filter(is_entry).collect();
        assert!(names.len() > 5, "{names:?}");
        for name in names {
            let mut like = symbols.iter().filter(|(symbol, _)| is_like(symbol, name));
            let is_right = like.any(|(_, symbol)| (symbol.state == "absent") == is_absent);
            assert!(is_right, "{name} is not as the page says");
        }
    }
}

#[test]
fn the_page_on_conformance_begins_with_the_summary() {
    let page = read("docs/src/reference/conformance.md");
    let (_, include) = page.split_once("CONFORMANCE.md:").expect("an include");
    let line: usize = include.split(':').next().and_then(|line| line.parse().ok()).expect("a line");
    assert_eq!(read("CONFORMANCE.md").lines().nth(line - 1), Some("## Summary"));
}
