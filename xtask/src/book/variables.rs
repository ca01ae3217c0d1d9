//! The page of environment variables, from two tables: the one beside the runtime's own tables, and
//! the one of the tools'. Sources that name a variable which neither has are reported.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::generated::Generated;
use super::literals::functions;

/// The variables of the runtime. Tests of oxomp-base compare them with those that it reads.
const RUNTIME: &str = "crates/oxomp-base/src/icv/variables.tsv";

/// The variables of the tools.
const TOOLS: &str = "docs/variables.tsv";

/// What stands before the tables.
const BEGINNING: &str = "\
# Environment variables

<!-- `cargo xtask book` writes this page, from the tables variables.tsv. -->

For users who look a variable up: what it does, which values it takes, and what holds if it is not
set. The runtime takes names of values in capital letters and in small ones. A value that a variable
cannot have counts as not set, and causes one warning:
[Warning #42](messages.md#a-variable-has-a-value-that-it-cannot-have). `OMP_DISPLAY_ENV=verbose`
prints the values that hold; `oxomp doctor` says what the variables of tools lead to.
";

/// What stands before the second part.
const OF_TOOLS: &str = "
The following variables are those of oxomp's tools, not of the runtime.
";

/// The crates whose sources read variables.
const CRATES: [&str; 13] = [
    "oxomp-abi",
    "oxomp-analysis",
    "oxomp-base",
    "oxomp-collect",
    "oxomp-core",
    "oxomp-multiplex",
    "oxomp-symbols",
    "oxomp-target",
    "oxomp-target-host",
    "oxomp-target-gcc",
    "oxomp-trace",
    "libomptarget",
    "oxomp",
];

/// Names of other things that look like variables: the beginning of libgomp's symbols for plug-ins.
const OTHERS: [&str; 1] = ["GOMP_PLUGIN"];

/// How the names of variables begin.
const BEGINNINGS: [&str; 6] = ["OMP_", "KMP_", "GOMP_", "LIBOMP_", "LIBOMPTARGET_", "OXOMP_"];

/// The page.
pub(super) fn page(root: &Path) -> Result<Generated> {
    let read = |name| fs::read_to_string(root.join(name)).with_context(|| String::from(name));
    let mut text = BEGINNING.to_owned();
    text += &tables(&read(RUNTIME)?)?;
    text += OF_TOOLS;
    text += &tables(&read(TOOLS)?)?;
    Ok(Generated { path: "reference/variables.md", text })
}

/// The tables of the page, of a file in which `# TITLE` begins a table, and every other line has
/// names, values, the default and a sentence between tabs.
fn tables(file: &str) -> Result<String> {
    let mut text = String::new();
    for line in file.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            text +=
                &format!("\n## {title}\n\n| variable | values | default | |\n|---|---|---|---|\n");
            continue;
        }
        let [names, values, default, what] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("a line of a table of variables has other parts than four: {line}");
        };
        let names: Vec<String> = names.split(", ").map(|name| format!("`{name}`")).collect();
        let cells = [names.join(", "), values.to_owned(), default.to_owned(), what.to_owned()];
        text += &format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    Ok(text)
}

/// The names in a file of tables.
fn names(file: &str) -> impl Iterator<Item = &str> {
    let rows = file.lines().filter(|line| !line.starts_with('#'));
    rows.flat_map(|line| line.split('\t').next().unwrap_or_default().split(", "))
}

/// The variables that the sources name and the tables lack, and those of the tools' table that no
/// source names.
pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let read = |name| fs::read_to_string(root.join(name)).with_context(|| String::from(name));
    let (runtime, tools) = (read(RUNTIME)?, read(TOOLS)?);
    let known: BTreeSet<&str> = names(&runtime).chain(names(&tools)).collect();
    let mut found = BTreeSet::new();
    let mut problems = Vec::new();
    for (path, functions) in functions(root, &CRATES)? {
        for literal in functions.into_iter().flat_map(|function| function.literals) {
            let is_name = is_variable(&literal) && !OTHERS.contains(&literal.as_str());
            if is_name && found.insert(literal.clone()) && !known.contains(literal.as_str()) {
                let file = path.strip_prefix(root).unwrap_or(&path).display();
                problems.push(format!("{file}: neither {RUNTIME} nor {TOOLS} has {literal}"));
            }
        }
    }
    for name in names(&tools).filter(|name| !found.contains(*name)) {
        problems.push(format!("{TOOLS}: no source names {name}"));
    }
    Ok(problems)
}

/// Whether a literal is the name of a variable, and nothing else.
fn is_variable(literal: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    BEGINNINGS
        .iter()
        .any(|beginning| literal.len() > beginning.len() && literal.starts_with(beginning))
        && literal.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::{is_variable, names, tables};

    #[test]
    fn a_line_is_a_row() {
        let file = "# A\nOMP_B, OMP_C\t`d|e`\t`d`\tF.\n";
        let wanted = "\n## A\n\n| variable | values | default | |\n|---|---|---|---|\n\
                      | `OMP_B`, `OMP_C` | `d\\|e` | `d` | F. |\n";
        assert_eq!(tables(file).expect("a table"), wanted);
        assert_eq!(names(file).collect::<Vec<_>>(), ["OMP_B", "OMP_C"]);
        assert!(tables("OMP_B\tc\n").is_err());
    }

    #[test]
    fn names_of_variables_are_told_from_messages_and_versions() {
        for name in ["OMP_TOOL", "LIBOMPTARGET_INFO", "OXOMP_HZ", "OMP_2"] {
            assert!(is_variable(name), "{name}");
        }
        for other in ["OMP_", "OMP_5.0", "OMP_TOOL=x", "COMP_A", "OMP_tool", ""] {
            assert!(!is_variable(other), "{other}");
        }
    }
}
