//! `cargo xtask columns`: no comment and no line of prose is longer than 100 columns.
//!
//! rustfmt wraps code and leaves comments alone: `comment_width` is for its nightly. Code within
//! comments and within Markdown, tables, and words that cannot be parted (addresses) may be longer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::workspace::Workspace;

use crate::files::{files_below, is_rust};

/// The most columns of a line of text, `max_width` of rustfmt.
const COLUMNS: usize = 100;

/// The folders with sources and pages; the folder of the repository itself has pages only.
const FOLDERS: [&str; 6] = ["bench", "crates", "docs", "examples", "tests", "xtask"];

/// The page that a command generates.
const GENERATED: &str = "CONFORMANCE.md";

/// Prints each line of text that is too long.
///
/// # Errors
///
/// At least one line is, or a file cannot be read.
pub fn run(workspace: &Workspace) -> Result<()> {
    let files = files_with_text(&workspace.root)?;
    let mut count = 0;
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let is_prose = if is_rust(file) { comment } else { prose };
        let name = file.strip_prefix(&workspace.root).unwrap_or(file).display();
        for (line, columns) in too_long(&text, is_prose) {
            eprintln!("{name}:{line}: {columns} columns");
            count += 1;
        }
    }
    if count > 0 {
        bail!("columns: {count} lines of text are longer than {COLUMNS} columns: break them");
    }
    println!("columns: the text of {} files stays within {COLUMNS} columns", files.len());
    Ok(())
}

/// The sources of Rust and the pages of Markdown, without the generated one.
fn files_with_text(root: &Path) -> Result<Vec<PathBuf>> {
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let mut files = Vec::new();
    for entry in fs::read_dir(root).with_context(|| root.display().to_string())? {
        let path = entry?.path();
        if is_page(&path) && path.file_name().is_some_and(|name| name != GENERATED) {
            files.push(path);
        }
    }
    for folder in FOLDERS {
        files.extend(files_below(&root.join(folder), |path| is_rust(path) || is_page(path))?);
    }
    files.sort();
    Ok(files)
}

/// The text of a line of Rust that is a comment and nothing else.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']))
}

/// The text of a line of Markdown.
#[expect(clippy::unnecessary_wraps, reason = "it stands in for `comment`")]
fn prose(line: &str) -> Option<&str> {
    Some(line)
}

/// The numbers, from 1, and the columns of the lines that are too long. `text_of` takes the text
/// out of a line that has one.
fn too_long(text: &str, text_of: fn(&str) -> Option<&str>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (line, number) in text.lines().zip(1..) {
        let Some(text) = text_of(line).map(str::trim) else {
            in_code = false;
            continue;
        };
        if text.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let columns = line.chars().count();
        let is_table = text.starts_with('|');
        if columns > COLUMNS && !in_code && !is_table && text.contains(' ') {
            found.push((number, columns));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{comment, prose, too_long};

    /// A line of `columns` columns that begins with `start` and can be broken.
    fn line(start: &str, columns: usize) -> String {
        let rest = columns - start.chars().count() - 2;
        format!("{start} {}é", "x".repeat(rest))
    }

    #[test]
    fn a_comment_may_have_100_columns_and_no_more() {
        for start in ["// a", "    /// a", "//! a"] {
            assert_eq!(too_long(&line(start, 100), comment), [], "{start}");
            assert_eq!(too_long(&line(start, 104), comment), [(1, 104)], "{start}");
        }
        assert_eq!(too_long(&line("let a =", 104), comment), []);
        assert_eq!(too_long(&format!("// {}", "x".repeat(120)), comment), []);
    }

    #[test]
    fn code_and_tables_may_be_longer() {
        let (text, row) = (line("a", 104), line("| a |", 104));
        assert_eq!(too_long(&format!("{text}\n{row}\n"), prose), [(1, 104)]);
        assert_eq!(too_long(&format!("```\n{text}\n```\n\n{text}\n"), prose), [(5, 104)]);
        let documented = format!("//! ```\n//! {text}\n//! ```\n//! {text}\n");
        assert_eq!(too_long(&documented, comment), [(4, 108)]);
        let (first, second) = ("/// ```\nfn a() {}\n", format!("/// {text}\n"));
        assert_eq!(too_long(&(first.to_owned() + &second), comment), [(3, 108)]);
    }
}
