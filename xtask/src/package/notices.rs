//! The texts that licences ask to pass on with a program that contains what they are for.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::workspace::External;

/// Beginnings of the names of files that have licences.
const NAMES: [&str; 5] = ["licen", "copying", "copyright", "notice", "unlicense"];

/// The text of MIT's licence, in the repository, and the beginning of the line that names the
/// holders of the copyright.
const MIT: (&str, &str) = ("LICENSE-MIT", "Copyright (c) ");

/// Whose licence in Rust's standard library is not below the registry.
const STANDARD_LIBRARY: (&str, &str) =
    ("Rust's standard library (MIT OR Apache-2.0)", "The Rust Project contributors");

/// The texts of the licences of `crates`, of Rust's standard library and of LLVM's unwinder, each
/// once, below the names of what it is for.
pub(super) fn text(
    crates: &BTreeSet<External>,
    repository: &Path,
    unwinder: &Path,
) -> Result<String> {
    let mut texts = Texts::default();
    let mit = read(&repository.join(MIT.0))?;
    texts.add(STANDARD_LIBRARY.0, &with_holders(&mit, STANDARD_LIBRARY.1));
    texts.add("LLVM's unwinder (Apache-2.0 WITH LLVM-exception)", &read(unwinder)?);
    for External { name, version, licence, folder } in crates {
        let of = format!("{name} {version} ({licence})");
        let files = files(folder)?;
        for path in &files {
            texts.add(&of, &read(path)?);
        }
        if files.is_empty() {
            // The crate was published without the text of its licence.
            if !licence.contains("MIT") {
                bail!("{}: no file has the text of the licence {licence}", folder.display());
            }
            texts.add(&of, &with_holders(&mit, &format!("the authors of {name}")));
        }
    }
    Ok(texts.page())
}

/// Texts, each with what it is for, in the order in which they were found.
#[derive(Debug, Default)]
struct Texts(Vec<(String, Vec<String>)>);

impl Texts {
    fn add(&mut self, of: &str, text: &str) {
        let text = text.replace("\r\n", "\n").trim().to_owned();
        match self.0.iter_mut().find(|(known, _)| *known == text) {
            Some((_, all)) => all.push(of.to_owned()),
            None => self.0.push((text, vec![of.to_owned()])),
        }
    }

    fn page(&self) -> String {
        let mut page = String::from(
            "oxomp contains code of the projects below, whose licences follow their names.\n",
        );
        for (text, all) in &self.0 {
            let _ = write!(page, "\n{}\n{}\n\n{text}\n", "=".repeat(80), all.join("\n"));
        }
        page
    }
}

/// The files of the crate's folder that have licences, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && NAMES.iter().any(|beginning| name.starts_with(beginning)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// MIT's licence with other holders of the copyright.
fn with_holders(mit: &str, holders: &str) -> String {
    let line = |line: &str| {
        let is_theirs = line.starts_with(MIT.1);
        if is_theirs { format!("{}{holders}\n", MIT.1) } else { format!("{line}\n") }
    };
    mit.lines().map(line).collect()
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use anyhow::Result;
    use oxomp_build::workspace::External;

    fn crates(folder: &Path, licences: &[(&str, &str)]) -> BTreeSet<External> {
        let external = |(name, licence): &(&str, &str)| External {
            name: (*name).to_owned(),
            version: "1.0.0".to_owned(),
            licence: (*licence).to_owned(),
            folder: folder.join(name),
        };
        licences.iter().map(external).collect()
    }

    #[test]
    fn each_text_stands_once_and_none_is_missing() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        fs::write(root.join("LICENSE-MIT"), "MIT License\n\nCopyright (c) us\n\nAs is.\n")?;
        fs::write(root.join("unwinder"), "LLVM\n")?;
        for name in ["a", "b", "c"] {
            fs::create_dir(root.join(name))?;
        }
        fs::write(root.join("a/LICENSE"), "Of both\r\n")?;
        fs::write(root.join("b/COPYING"), "Of both\n")?;
        let text = |licence: &str| {
            let crates = crates(root, &[("a", "MIT"), ("b", "MIT"), ("c", licence)]);
            super::text(&crates, root, &root.join("unwinder"))
        };
        let page = text("MIT OR Zlib")?;
        assert!(page.contains("a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nOf both\n"), "{page}");
        assert!(page.contains("Copyright (c) the authors of c\n\nAs is."), "{page}");
        assert!(page.contains("Copyright (c) The Rust Project contributors"), "{page}");
        assert!(text("Zlib").is_err_and(|error| error.to_string().contains("c: no file")));
        Ok(())
    }
}
