//! `cargo xtask book`: the book below docs/, an mdBook whose pages cannot claim more than the
//! sources show.
//!
//! `commands` and `variables` write pages; `messages` compares a page, which people write,
//! with the messages in the sources. `links` checks that each link leads somewhere, and
//! `mdbook` makes HTML of it all. The commands and outputs on the pages are tests of
//! oxomp-testing, and `pictures` draws what the pages show.

mod commands;
mod destinations;
mod generated;
mod image;
mod links;
mod literals;
mod mdbook;
mod messages;
mod pages;
mod pictures;
mod place;
mod variables;

use anyhow::{Result, bail};
use clap::Args;
use oxomp_build::dist;
use oxomp_build::workspace::Workspace;

use generated::Generated;
use pages::Pages;

/// Shown under `cargo xtask book --help`.
pub const EXAMPLES: &str = "\
Examples:
  cargo xtask book               write the generated pages, check all pages, build target/book
  cargo xtask book --check       write no page: fail if one is not what would be written
  cargo xtask book --pictures    record the example programs, and draw docs/src/pictures
  OXOMP_BIN=dist/bin/oxomp cargo xtask book --pictures    the same, by a command that is built
  cargo xtask test book/         execute the commands of the pages, compare their outputs

docs/README.md says how pages are written.";

/// What to do.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Request {
    /// Write no page; fail when a generated page is not what would be written.
    #[arg(long)]
    pub check: bool,
    /// Record the programs of which pages show pictures, and draw the pictures anew; nothing else.
    #[arg(long, conflicts_with = "check")]
    pub pictures: bool,
}

/// Writes the generated pages or compares them, checks the book, and builds it.
///
/// # Errors
///
/// Each problem is printed; the error has their number.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    if request.pictures {
        return pictures::draw(workspace);
    }
    let root = &workspace.root;
    let program = dist::command_of_tests(workspace)?;
    let mut problems = Vec::new();
    let generated = [commands::page(&program)?, variables::page(root)?];
    for page in &generated {
        problems.extend(write_or_compare(page, workspace, request.check)?);
    }
    problems.extend(variables::problems(root)?);
    problems.extend(messages::problems(root)?);
    problems.extend(pictures::problems(root)?);
    let pages = Pages::read(root)?;
    problems.extend(pages.problems());
    let anchors = links::check(root, &pages, &mut problems)?;
    if problems.is_empty() {
        let html = mdbook::build(workspace)?;
        problems.extend(anchors.problems(&html)?);
        println!("book: {} pages, in {}", pages.len(), html.display());
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        number => bail!("book: {number} problems"),
    }
}

/// Writes a page; or says how it differs, if `check` is set.
fn write_or_compare(
    page: &Generated,
    workspace: &Workspace,
    check: bool,
) -> Result<Option<String>> {
    if check {
        return Ok(page.difference(&workspace.root));
    }
    page.write(&workspace.root)?;
    Ok(None)
}
