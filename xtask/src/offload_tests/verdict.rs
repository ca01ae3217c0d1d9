//! What the results mean: the tests that LLVM's library passes must pass.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::lit::Outcome;

/// Lines of a failed test's output that are shown.
const LINES: usize = 12;

/// The word in the page's table for a test that LLVM's library fails.
const FAILS: &str = "fails";

/// Results that count as passed.
const PASSED: [&str; 3] = ["PASS", "XFAIL", "FLAKYPASS"];

/// One line for each test: its result and its path.
pub(super) fn listed(results: &[Outcome]) -> String {
    results.iter().map(|outcome| format!("{}\t{}\n", outcome.code, outcome.test)).collect()
}

/// The tests that LLVM's libomptarget fails on its own runtime, or on ours, by the page's table.
///
/// # Errors
///
/// The page has no such table.
pub(super) fn known(page: &str, on_libomp: bool) -> Result<BTreeSet<String>> {
    let column = if on_libomp { 1 } else { 2 };
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    if rows.is_empty() {
        bail!("tests/OFFLOAD.md has no table of tests that LLVM's libomptarget fails");
    }
    let fails = |row: &&Vec<&str>| row.get(column) == Some(&FAILS);
    Ok(rows.iter().filter(fails).map(|row| row[0].to_owned()).collect())
}

/// Prints how many tests passed, and each that failed though LLVM's library passes it.
///
/// # Errors
///
/// If a test fails that LLVM's library passes, or if no test was run.
pub(super) fn judge(results: &[Outcome], known: &BTreeSet<String>) -> Result<()> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in results {
        *counts.entry(&outcome.code).or_default() += 1;
    }
    for (code, count) in &counts {
        println!("{count:5} {code}");
    }
    let has_failed = |outcome: &&Outcome| {
        !PASSED.contains(&outcome.code.as_str()) && outcome.code != "UNSUPPORTED"
    };
    let failed: Vec<&Outcome> = results.iter().filter(has_failed).collect();
    let gained: Vec<&str> = results
        .iter()
        .filter(|outcome| PASSED.contains(&outcome.code.as_str()) && known.contains(&outcome.test))
        .map(|outcome| outcome.test.as_str())
        .collect();
    if !gained.is_empty() {
        println!("passed, and listed as failing on LLVM's: {}", gained.join(" "));
    }
    let lost: Vec<&&Outcome> =
        failed.iter().filter(|outcome| !known.contains(&outcome.test)).collect();
    for outcome in &lost {
        println!("\n{} {}", outcome.code, outcome.test);
        let lines: Vec<&str> =
            outcome.output.lines().filter(|line| !line.trim().is_empty()).collect();
        for line in &lines[lines.len().saturating_sub(LINES)..] {
            println!("    {line}");
        }
    }
    if results.iter().all(|outcome| outcome.code == "UNSUPPORTED") {
        bail!("no test was run");
    }
    match lost.len() {
        0 => Ok(()),
        count => bail!("{count} tests failed that LLVM's libomptarget passes"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, judge, known};

    const PAGE: &str = "| test | on libomp | on oxomp | why |\n|---|---|---|---|\n\
        | `api/a.c` | fails | passes | x |\n| `api/b.c` | fails | fails | y |\n";

    fn outcome(test: &str, code: &str) -> Outcome {
        Outcome { test: test.to_owned(), code: code.to_owned(), output: String::new() }
    }

    #[test]
    fn the_table_says_what_llvm_fails_on_which_runtime() {
        let on_libomp = known(PAGE, true).expect("a table");
        assert_eq!(on_libomp.into_iter().collect::<Vec<_>>(), ["api/a.c", "api/b.c"]);
        let on_ours = known(PAGE, false).expect("a table");
        assert_eq!(on_ours.into_iter().collect::<Vec<_>>(), ["api/b.c"]);
        known("no table", true).expect_err("no table");
    }

    #[test]
    fn what_llvm_passes_must_pass() {
        let known = known(PAGE, false).expect("a table");
        let with = |code| [outcome("api/a.c", code), outcome("api/b.c", "FAIL")];
        judge(&with("PASS"), &known).expect("the other is known to fail");
        judge(&with("UNSUPPORTED"), &known).expect("nothing was asked of it");
        judge(&with("TIMEOUT"), &known).expect_err("LLVM's passes it");
        judge(&[outcome("api/a.c", "UNSUPPORTED")], &known).expect_err("nothing was run");
    }
}
