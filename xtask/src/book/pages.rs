//! The pages of the book, and its table of contents.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::destinations::destinations;
use super::place::SOURCES;
use crate::files::files_below;

/// The table of contents, below the folder of the sources.
const SUMMARY: &str = "SUMMARY.md";

/// The pages.
pub(super) struct Pages {
    /// Each with its path below the folder of the sources, and its text.
    pages: Vec<(String, String)>,
    /// The paths in the table of contents.
    listed: Vec<String>,
}

impl Pages {
    /// Reads all pages of the repository at `root`.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let sources = root.join(SOURCES);
        let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
        let mut pages = Vec::new();
        for path in files_below(&sources, is_page)? {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let name = path.strip_prefix(&sources).unwrap_or(&path).display().to_string();
            pages.push((name, text));
        }
        let summary = pages.iter().find(|(name, _)| name == SUMMARY);
        let listed = summary.map_or_else(Vec::new, |(_, text)| destinations(text));
        pages.retain(|(name, _)| name != SUMMARY);
        Ok(Self { pages, listed })
    }

    /// How many pages there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Each page with its path below the folder of the sources, and its text.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pages.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The pages that the table of contents lacks, those that it lists twice or that do not exist,
    /// and pages that do not begin with a heading.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut listed = BTreeSet::new();
        for name in &self.listed {
            if !listed.insert(name.as_str()) {
                problems.push(format!("{SOURCES}/{SUMMARY}: {name} is listed twice"));
            }
            if !self.pages.iter().any(|(page, _)| page == name) {
                problems.push(format!("{SOURCES}/{SUMMARY}: {name} does not exist"));
            }
        }
        for (name, text) in &self.pages {
            if !listed.contains(name.as_str()) {
                problems.push(format!("{SOURCES}/{name}: {SUMMARY} does not list this page"));
            }
            if !text.starts_with("# ") {
                problems.push(format!("{SOURCES}/{name}: the page does not begin with a heading"));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Pages, SOURCES};

    #[test]
    fn pages_and_contents_agree_or_are_named() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = root.path().join(SOURCES).join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("SUMMARY.md", "# Contents\n\n[A](a.md)\n\n- [B](b/c.md)\n");
        write("a.md", "# A\n");
        write("b/c.md", "# C\n");
        let problems = || Pages::read(root.path()).expect("pages").problems();
        assert_eq!(problems(), [""; 0]);
        write("SUMMARY.md", "[A](a.md)\n\n- [A](a.md)\n- [D](d.md)\n");
        write("a.md", "A\n");
        let said = problems();
        for part in
            ["a.md is listed twice", "d.md does not exist", "a.md: the page does not", "c.md: "]
        {
            assert!(said.iter().any(|line| line.contains(part)), "{part}: {said:?}");
        }
        assert_eq!(said.len(), 4);
    }
}
