//! The tests that the table names.

use std::fs;
use std::path::Path;

/// The folders of test programs.
const PROGRAMS: [&str; 3] = ["tests/c/", "tests/fortran/", "tests/offload/"];

/// The folders whose programs and rules a harness takes besides those beside it, by what their
/// names in the harness begin with.
const SHARED: [(&str, &str); 3] = [
    ("trace/", "tests/c/trace/"),
    ("fortran/", "tests/fortran/trace/"),
    ("rules/", "crates/oxomp-testing/src/trace/report_2015/"),
];

/// The reason why `name` does not name a test of the repository at `root`; `None` if it does.
///
/// Three kinds of names exist. The name of a test program is its path from `root`. The name of a
/// Rust test is the path of its file from `crates/`, `::`, and the function's name. The name of a
/// program or a rule of a harness is the path of the harness's folder from `crates/`, `::`, and the
/// file's name there.
pub(super) fn fault(root: &Path, name: &str) -> Option<String> {
    match name.split_once("::") {
        None => fault_of_program(root, name),
        Some((file, function)) if file.ends_with(".rs") => fault_of_function(root, file, function),
        Some((folder, file)) => fault_in_harness(root, folder, file),
    }
}

fn fault_of_program(root: &Path, name: &str) -> Option<String> {
    if !PROGRAMS.iter().any(|folder| name.starts_with(folder)) {
        return Some(format!("`{name}` is neither a test program nor FILE::FUNCTION"));
    }
    (!root.join(name).is_file()).then(|| format!("there is no program {name}"))
}

fn fault_in_harness(root: &Path, folder: &str, file: &str) -> Option<String> {
    let harness = root.join("crates").join(folder);
    if !harness.join("main.rs").is_file() {
        return Some(format!("crates/{folder} is no harness"));
    }
    let shared = SHARED.iter().find_map(|(name, folder)| Some((folder, file.strip_prefix(name)?)));
    let path = match shared {
        Some((folder, file)) => root.join(folder).join(file),
        None => harness.join(file),
    };
    (!path.is_file()).then(|| format!("crates/{folder} has no {file}"))
}

fn fault_of_function(root: &Path, file: &str, function: &str) -> Option<String> {
    let Ok(source) = fs::read_to_string(root.join("crates").join(file)) else {
        return Some(format!("there is no file crates/{file}"));
    };
    match attributes(&source, function) {
        None => Some(format!("crates/{file} has no function {function}")),
        Some(attributes) if !attributes.contains(&"#[test]") => {
            Some(format!("{function} of crates/{file} is no test"))
        }
        Some(attributes) if attributes.iter().any(|line| line.starts_with("#[ignore")) => {
            Some(format!("{function} of crates/{file} is ignored"))
        }
        Some(_) => None,
    }
}

/// The attributes in the lines before the `function` of a Rust file; `None` if it has none.
fn attributes<'a>(source: &'a str, function: &str) -> Option<Vec<&'a str>> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let head = format!("fn {function}(");
    let at = lines.iter().position(|line| line.starts_with(&head))?;
    let before = lines[..at].iter().rev();
    Some(before.take_while(|line| line.starts_with("#[")).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::fault;
    use std::fs;

    #[test]
    fn a_test_is_found_by_its_file_and_name() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("crates/a/tests");
        fs::create_dir_all(&folder).expect("a folder");
        let source = "/// Text.\n#[test]\nfn holds() {}\n\nfn helps() {}\n\n\
                      #[test]\n#[ignore = \"slow\"]\nfn waits() {}\n";
        fs::write(folder.join("b.rs"), source).expect("a file");
        let fault = |name: &str| fault(root.path(), name);
        assert_eq!(fault("a/tests/b.rs::holds"), None);
        for (name, part) in [
            ("a/tests/b.rs::hold", "no function hold"),
            ("a/tests/b.rs::helps", "is no test"),
            ("a/tests/b.rs::waits", "is ignored"),
            ("a/tests/c.rs::holds", "no file"),
            ("holds", "neither"),
        ] {
            let said = fault(name).unwrap_or_default();
            assert!(said.contains(part), "{name}: `{said}`");
        }
    }

    #[test]
    fn a_program_is_found_by_its_path() {
        let root = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(root.path().join("tests/c")).expect("a folder");
        fs::write(root.path().join("tests/c/a.c"), "").expect("a file");
        assert_eq!(fault(root.path(), "tests/c/a.c"), None);
        assert!(fault(root.path(), "tests/c/b.c").is_some());
        assert!(fault(root.path(), "a.c").is_some());
    }

    #[test]
    fn a_program_or_a_rule_of_a_harness_is_found_by_its_file() {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (folder, file) in [
            ("crates/a/tests/events", "main.rs"),
            ("crates/a/tests/events", "idle.c"),
            ("crates/oxomp-testing/src/trace/report_2015", "tasks.rs"),
            ("tests/c/trace", "locks.c"),
        ] {
            fs::create_dir_all(root.path().join(folder)).expect("a folder");
            fs::write(root.path().join(folder).join(file), "").expect("a file");
        }
        let fault = |name: &str| fault(root.path(), name);
        for name in ["idle.c", "rules/tasks.rs", "trace/locks.c"] {
            assert_eq!(fault(&format!("a/tests/events::{name}")), None);
        }
        assert!(fault("a/tests/events::trace/idle.c").is_some());
        assert!(fault("a/tests/events::none.c").is_some());
        assert!(fault("a/tests/events/rules::tasks.rs").is_some());
    }
}
