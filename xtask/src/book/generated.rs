//! A page that the command writes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::place::SOURCES;

/// A page.
pub(super) struct Generated {
    /// Its path below the folder of the sources.
    pub(super) path: &'static str,
    /// Its text.
    pub(super) text: String,
}

impl Generated {
    /// Writes the page below `root`, the repository.
    pub(super) fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(SOURCES).join(self.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::write(&path, &self.text).with_context(|| path.display().to_string())
    }

    /// The first line in which the page in the repository differs.
    pub(super) fn difference(&self, root: &Path) -> Option<String> {
        let present = fs::read_to_string(root.join(SOURCES).join(self.path)).unwrap_or_default();
        if present == self.text {
            return None;
        }
        let same = present.lines().zip(self.text.lines()).take_while(|(is, wanted)| is == wanted);
        let same = same.count();
        let shown = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
        Some(format!(
            "{SOURCES}/{}:{}: not what `cargo xtask book` writes\n  is     {}\n  wanted {}",
            self.path,
            same + 1,
            shown(&present),
            shown(&self.text)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Generated;

    #[test]
    fn a_page_differs_until_it_is_written() {
        let root = tempfile::tempdir().expect("a folder");
        let page = |text: &str| Generated { path: "a/b.md", text: text.to_owned() };
        assert!(page("1\n").difference(root.path()).is_some());
        page("1\n2\n").write(root.path()).expect("a file");
        assert_eq!(page("1\n2\n").difference(root.path()), None);
        let said = page("1\n3\n").difference(root.path()).expect("a difference");
        assert!(said.contains("b.md:2:") && said.ends_with("is     2\n  wanted 3"), "{said}");
        assert!(page("1\n2").difference(root.path()).is_some());
    }
}
