//! The tests that the table names.

use std::fs;
use std::path::Path;

/// The folders of test programs.
const PROGRAMS: [&str; 2] = ["tests/c/", "tests/fortran/"];

/// The reason why `name` names no test of the repository at `root`; `None` if it names one.
///
/// A name is that of a test program, a path from `root`, or that of a Rust test: the path of its
/// file from `crates/`, `::`, and the function's name.
pub(super) fn fault(root: &Path, name: &str) -> Option<String> {
    let Some((file, function)) = name.split_once("::") else {
        let is_program = PROGRAMS.iter().any(|folder| name.starts_with(folder));
        return if !is_program {
            Some(format!("`{name}` is neither a test program nor FILE::FUNCTION"))
        } else if root.join(name).is_file() {
            None
        } else {
            Some(format!("there is no program {name}"))
        };
    };
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
}
