//! `oxomp paths`: the places of what is installed, for people and for scripts.

use std::fs;

use crate::place::{Place, stderr, stdout, succeed};

/// The line of the table that begins with `name`.
fn line<'a>(table: &'a str, name: &str) -> &'a str {
    let of_name = |line: &&str| line.split_whitespace().next() == Some(name);
    table.lines().find(of_name).unwrap_or_else(|| panic!("no line `{name}` in\n{table}"))
}

#[test]
fn one_word_gives_one_path() {
    let place = Place::new();
    let lib = stdout(&succeed(&mut place.oxomp(["paths", "lib"])));
    assert_eq!(lib, format!("{}\n", place.path("home/lib").display()));
    let runtime = stdout(&succeed(&mut place.oxomp(["paths", "runtime"])));
    assert_eq!(runtime, format!("{}\n", place.path("home/lib/libomp.so").display()));
}

#[test]
fn the_table_has_every_part_and_says_which_are_missing() {
    let place = Place::new();
    let table = stdout(&succeed(&mut place.oxomp(["paths"])));
    assert!(line(&table, "command").ends_with(env!("CARGO_BIN_EXE_oxomp")), "{table}");
    assert!(line(&table, "collector").ends_with("home/lib/liboxomp_collect.so"), "{table}");
    assert!(line(&table, "include").ends_with("home/include  (missing)"), "{table}");
    assert!(line(&table, "probe").ends_with("home/lib/oxomp-probe  (missing)"), "{table}");
}

#[test]
fn a_missing_part_is_an_error_and_prints_no_path() {
    let place = Place::new();
    let output = place.oxomp(["paths", "include"]).output().expect("oxomp starts");
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(said.contains("home/include/ompt.h") && said.contains("OXOMP_HOME"), "{said}");
    // A word that is no part gets the list of all.
    let output = place.oxomp(["paths", "headers"]).output().expect("oxomp starts");
    assert_eq!(output.status.code(), Some(125), "{output:#?}");
    assert!(stderr(&output).contains("include"), "{output:#?}");
}

#[test]
fn programs_run_on_the_runtime_in_a_folder_that_packages_share() {
    let place = Place::new();
    let app = place.app();
    // As in /usr: what has the usual names there belongs to others.
    fs::create_dir_all(place.path("usr/lib")).expect("a new folder");
    fs::rename(place.path("home/lib"), place.path("usr/lib/oxomp")).expect("the folder moves");
    place.runtime("usr/lib/libomp.so", "libomp.so.5", 11);
    let mut run = place.oxomp(["run", "--"]);
    let output = run.arg(app).env("OXOMP_HOME", place.path("usr")).output().expect("oxomp starts");
    assert!(stdout(&output).starts_with(crate::place::OURS), "{output:#?}");
}
