//! The structure of the text that stands below the options in `--help`.
//!
//! A line that begins with words in capitals and a colon begins a section. In it, lines indented by
//! two blanks are items, each with an explanation behind two blanks or more or on deeper lines.
//! Other lines are paragraphs, which end where a line is blank.

/// A section of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(String),
    Item { tag: String, text: String },
}

/// Indented deeper than this, a line goes on with the item above.
const DEEP: usize = 8;

/// The sections of `text`, in their order.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let rest = match heading(line) {
            Some((title, rest)) => {
                sections.push(Section { title, blocks: Vec::new() });
                is_open = false;
                rest
            }
            None => line,
        };
        let Some(section) = sections.last_mut() else { continue };
        let words = rest.trim();
        if words.is_empty() {
            is_open = false;
            continue;
        }
        let indent = rest.len() - rest.trim_start().len();
        match section.blocks.last_mut() {
            Some(Block::Item { text, .. }) if indent > DEEP => join(text, words),
            Some(Block::Paragraph(text)) if is_open && indent < 2 => join(text, words),
            _ if indent >= 2 => {
                let (tag, text) = words.split_once("  ").unwrap_or((words, ""));
                let (tag, text) = (tag.to_owned(), text.trim_start().to_owned());
                section.blocks.push(Block::Item { tag, text });
                is_open = false;
            }
            _ => {
                section.blocks.push(Block::Paragraph(words.to_owned()));
                is_open = true;
            }
        }
    }
    sections
}

/// The title that begins a section, without its backquotes, and what stands behind the colon.
fn heading(line: &str) -> Option<(String, &str)> {
    let (title, rest) = line.split_once(':')?;
    // What stands in backquotes is a command.
    let words: String = title.split('`').step_by(2).collect();
    let is_title = |it: char| it.is_ascii_uppercase() || it == ' ';
    (words.trim() == words && words.len() > 3 && words.chars().all(is_title))
        .then(|| (title.replace('`', ""), rest.trim_start()))
}

fn join(text: &mut String, words: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

#[cfg(test)]
mod tests {
    use super::{Block, Section, sections};

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(text.to_owned())
    }

    fn item(tag: &str, text: &str) -> Block {
        Block::Item { tag: tag.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn items_and_paragraphs_are_told_by_their_indent() {
        let text = "\
EXAMPLES:
  oxomp a         one
  oxomp a --with-a-long-option
                  two, which
                  goes on

It does: this
and that.

More.

WHILE `oxomp a` RUNS:
  Ctrl-C          ends it
The end.
EXIT STATUS: 0; 1 if
it failed.";
        let section = |title: &str, blocks| Section { title: title.to_owned(), blocks };
        let expected = [
            section(
                "EXAMPLES",
                vec![
                    item("oxomp a", "one"),
                    item("oxomp a --with-a-long-option", "two, which goes on"),
                    paragraph("It does: this and that."),
                    paragraph("More."),
                ],
            ),
            section("WHILE oxomp a RUNS", vec![item("Ctrl-C", "ends it"), paragraph("The end.")]),
            section("EXIT STATUS", vec![paragraph("0; 1 if it failed.")]),
        ];
        assert_eq!(sections(text), expected);
    }
}
