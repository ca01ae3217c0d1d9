//! The links of the book and of the repository's other pages: each leads to something.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use super::destinations::destinations;
use super::pages::Pages;
use super::place::SOURCES;
use crate::files::files_below;

/// The folders of the repository in which READMEs are looked for.
const WITH_READMES: [&str; 7] =
    ["bench", "crates", "docs", "examples", "include", "packaging", "tests"];

/// Links to headings, which are known when mdBook has made HTML: the page that has the link, the
/// page that it leads to, and the name of the heading.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Anchors(Vec<(String, String, String)>);

/// Adds what is wrong with the links of `pages`, and of the other pages of the repository at
/// `root`. Returns the links to headings.
pub(super) fn check(root: &Path, pages: &Pages, problems: &mut Vec<String>) -> Result<Anchors> {
    let sources = root.join(SOURCES);
    let known: BTreeSet<&str> = pages.iter().map(|(name, _)| name).collect();
    let mut anchors = Vec::new();
    for (page, text) in pages.iter() {
        for destination in destinations(text).iter().filter(|it| is_relative(it)) {
            let (file, heading) = destination.split_once('#').unwrap_or((destination, ""));
            let file = match file {
                "" => page.to_owned(),
                file => resolved(Path::new(page), file),
            };
            if file.ends_with(".md") && !known.contains(file.as_str())
                || !sources.join(&file).is_file()
            {
                problems.push(format!("{SOURCES}/{page}: {destination} leads to no file"));
            } else if !heading.is_empty() {
                anchors.push((page.to_owned(), file.clone(), heading.to_owned()));
            }
        }
    }
    for file in others(root)? {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let folder = file.parent().unwrap_or(root);
        for destination in destinations(&text).iter().filter(|it| is_relative(it)) {
            let path = destination.split('#').next().unwrap_or_default();
            let leads_to = folder.join(path);
            if !path.is_empty() && !leads_to.exists() {
                let name = file.strip_prefix(root).unwrap_or(&file).display();
                problems.push(format!("{name}: {destination} leads to no file"));
            }
        }
    }
    Ok(Anchors(anchors))
}

/// The pages of the repository that are not the book's: those in the root, and READMEs.
fn others(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    let is_readme = |path: &Path| path.file_name().is_some_and(|name| name == "README.md");
    for folder in WITH_READMES {
        files.extend(files_below(&root.join(folder), is_readme)?);
    }
    Ok(files)
}

/// Whether a destination is a file of the repository, by its form.
fn is_relative(destination: &str) -> bool {
    !destination.contains("://") && !destination.starts_with("mailto:")
}

/// The path of `file`, as `page` names it, without `..`.
fn resolved(page: &Path, file: &str) -> String {
    let mut path = page.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path.display().to_string()
}

impl Anchors {
    /// The links to headings that the HTML in the folder `html` lacks.
    pub(super) fn problems(&self, html: &Path) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for (page, file, heading) in &self.0 {
            let path = html.join(file).with_extension("html");
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            if !text.contains(&format!("id=\"{heading}\"")) {
                problems.push(format!("{SOURCES}/{page}: {file} has no heading #{heading}"));
            }
        }
        Ok(problems)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Anchors, Pages, SOURCES, WITH_READMES, check, resolved};

    #[test]
    fn a_path_is_relative_to_its_page() {
        assert_eq!(resolved(Path::new("a/b.md"), "../c/d.md"), "c/d.md");
        assert_eq!(resolved(Path::new("a.md"), "./b.md"), "b.md");
        assert_eq!(resolved(Path::new("a.md"), "../b.md"), "../b.md");
    }

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        for folder in WITH_READMES {
            fs::create_dir_all(root.path().join(folder)).expect("a folder");
        }
        let page = |name: &str, text: &str| write(&format!("{SOURCES}/{name}"), text);
        page("a.md", "[b](b/c.md#d) [e](b/f.md) [g](#h) [i](https://j.k) ![l](pictures/m.png)");
        page("b/c.md", "[a](../a.md) [README](../../../README.md)");
        page("pictures/m.png", "");
        write("README.md", "[a](docs/src/a.md) [b](docs/o.md#p)");
        write("crates/q/README.md", "[r](../../README.md) [s](t)");
        let mut problems = Vec::new();
        let pages = Pages::read(root.path()).expect("pages");
        let anchors = check(root.path(), &pages, &mut problems).expect("files");
        problems.sort();
        assert_eq!(
            problems,
            [
                "README.md: docs/o.md#p leads to no file",
                "crates/q/README.md: t leads to no file",
                "docs/src/a.md: b/f.md leads to no file",
                "docs/src/b/c.md: ../../../README.md leads to no file",
            ]
        );
        let text = |from: &str, to: &str, heading: &str| {
            (from.to_owned(), to.to_owned(), heading.to_owned())
        };
        assert_eq!(anchors, Anchors(vec![text("a.md", "b/c.md", "d"), text("a.md", "a.md", "h")]));
        write("html/b/c.html", "<h2 id=\"d\">D</h2>");
        write("html/a.html", "<h2 id=\"hh\">H</h2>");
        let said = anchors.problems(&root.path().join("html")).expect("files");
        assert_eq!(said, ["docs/src/a.md: a.md has no heading #h"]);
    }
}
