//! Manual pages: a command's options as clap knows them, and the sections of its help.

use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::help_text::{Block, Section, sections};

/// Sections at the end of a page, in this order; the others stand before them.
const LAST: [&str; 3] = [ENVIRONMENT, "EXIT STATUS", EXAMPLES];

const ENVIRONMENT: &str = "ENVIRONMENT";

const EXAMPLES: &str = "EXAMPLES";

/// The pages of `command` and its subcommands: file names and texts.
pub(super) fn all(mut command: Command) -> Vec<(String, String)> {
    command.build();
    let common = sections_of(&command);
    let common = common.into_iter().find(|section| section.title == ENVIRONMENT);
    let names: Vec<String> =
        [&command].into_iter().chain(command.get_subcommands()).map(name).collect();
    [&command]
        .into_iter()
        .chain(command.get_subcommands())
        .map(|one| {
            let mut sections = sections_of(one);
            if name(one) != names[0] {
                add(&mut sections, common.as_ref());
            }
            let others = names.iter().filter(|other| **other != name(one));
            let others: Vec<&str> = others.map(String::as_str).collect();
            (format!("{}.1", name(one)), page(one, sections, &others))
        })
        .collect()
}

/// The name of a command's page, as `oxomp-profile`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn sections_of(command: &Command) -> Vec<Section> {
    sections(&command.get_after_help().map(ToString::to_string).unwrap_or_default())
}

/// Adds the variables that all commands know to those that one knows.
fn add(sections: &mut Vec<Section>, common: Option<&Section>) {
    let Some(common) = common else { return };
    match sections.iter_mut().find(|section| section.title == ENVIRONMENT) {
        Some(section) => section.blocks.extend_from_slice(&common.blocks),
        None => sections.push(common.clone()),
    }
}

/// The page of one command.
fn page(command: &Command, mut sections: Vec<Section>, others: &[&str]) -> String {
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        // Without the quotes roff would take the next word for the date.
        .date("\"\"")
        .source(concat!("oxomp ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let mut text = rendered(|out| man.render_title(out));
    // Names of commands and variables can be searched for and copied.
    text += &Roff::new().control("nh", []).control("ad", ["l"]).render();
    text += &rendered(|out| man.render_name_section(out));
    text += &rendered(|out| man.render_synopsis_section(out));
    text += &rendered(|out| man.render_description_section(out));
    text += &blocks(&take_prose(&mut sections)).render();
    text += &with_bold_commands(&rendered(|out| man.render_options_section(out)));
    if command.has_subcommands() {
        text += &rendered(|out| man.render_subcommands_section(out));
    }
    sections.sort_by_key(|section| LAST.iter().position(|last| *last == section.title));
    for section in &sections {
        text += &Roff::new().control("SH", [section.title.as_str()]).render();
        text += &blocks(&section.blocks).render();
    }
    text += &see_also(others).render();
    // Each part begins with what lets apostrophes look right.
    let preamble = Roff::new().render();
    format!("{preamble}{}", text.replace(&preamble, ""))
}

fn rendered(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut text = Vec::new();
    render(&mut text).expect("memory takes everything");
    String::from_utf8(text).expect("definitions are text")
}

/// Makes what stands in backquotes bold, as [`inlines`] does in the sections of the help.
fn with_bold_commands(text: &str) -> String {
    let mut parts = text.split('`');
    let mut bold = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        bold += if at % 2 == 0 { "\\fB" } else { "\\fR" };
        bold += part;
    }
    bold
}

/// Takes the paragraphs behind the examples and the variables, which describe the command.
fn take_prose(sections: &mut [Section]) -> Vec<Block> {
    let mut taken = Vec::new();
    for section in sections {
        if [EXAMPLES, ENVIRONMENT].contains(&section.title.as_str()) {
            let all = std::mem::take(&mut section.blocks).into_iter();
            let (prose, items) = all.partition(|block| matches!(block, Block::Paragraph(_)));
            section.blocks = items;
            taken.extend::<Vec<Block>>(prose);
        }
    }
    taken
}

fn blocks(blocks: &[Block]) -> Roff {
    let mut page = Roff::new();
    for block in blocks {
        match block {
            Block::Paragraph(text) => {
                page.control("PP", []).text(inlines(text));
            }
            // A tag without a text would take the next item for it.
            Block::Item { tag, text } if text.is_empty() => {
                page.control("PP", []).text([bold(tag.as_str())]);
            }
            Block::Item { tag, text } => {
                page.control("TP", []).text([bold(tag.as_str())]).text(inlines(text));
            }
        }
    }
    page
}

/// Text in which commands stand in backquotes.
fn inlines(text: &str) -> Vec<Inline> {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { bold(part) } else { roman(part) }).collect()
}

fn see_also(others: &[&str]) -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["SEE ALSO"]);
    let mut line = Vec::new();
    for (at, other) in others.iter().enumerate() {
        line.push(bold(*other));
        line.push(roman(if at + 1 < others.len() { "(1), " } else { "(1)" }));
    }
    page.text(line);
    page
}
