//! The page of messages: people write it, and this module compares it with the sources. Each text
//! that a function prints which tells the user something stands in a block of `text` on the page,
//! with `…` where the message has a name or a number; and each line of those blocks is in a source.

use core::ops::Range;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::literals::{Function, functions};
use super::place::SOURCES;

/// The page, below the folder of the sources.
const PAGE: &str = "reference/messages.md";

/// What stands for a name or a number.
const ANY: &str = "…";

/// The crates whose messages all stand on the page.
const LIBRARIES: [&str; 10] = [
    "oxomp-abi",
    "oxomp-base",
    "oxomp-collect",
    "oxomp-core",
    "oxomp-multiplex",
    "oxomp-target",
    "oxomp-target-host",
    "oxomp-target-gcc",
    "libomptarget",
    "ompt",
];

/// The crates that print the other messages of the page: a user of the command reads most of them
/// once, so the page has those that need an explanation.
const OTHERS: [&str; 5] =
    ["oxomp", "oxomp-analysis", "oxomp-explain", "oxomp-inspect", "oxomp-trace"];

/// The functions that tell the user something: what stands in their callers is on the page.
const TELLERS: [&str; 21] = [
    "diag::bad_value",
    "diag::fatal",
    "diag::fatal_in_call",
    "diag::info",
    "diag::misuse",
    "diag::warning",
    "diag::warning_in_call",
    "ignored",
    "misplaced",
    "misuse",
    "mistake::no_allocator",
    "mistake::no_block",
    "mistake::not_created",
    "message::print",
    "report::error",
    "report::fatal",
    "report::inconsistent",
    "report::message",
    "report::warn",
    "report",
    "log::warn",
];

/// The files of which every text is a part of a message.
const TEXTS: [&str; 7] = [
    "oxomp-base/src/diag/last_words.rs",
    "oxomp-base/src/icv/env/reader.rs",
    "oxomp-base/src/icv/tool.rs",
    "oxomp-core/src/block/refusal.rs",
    "oxomp-target/src/host_runtime/version.rs",
    "oxomp-target/src/report/lines.rs",
    "oxomp-target/src/report/mistake.rs",
];

/// Texts of callers that are no messages, by their beginnings, with the reason.
const EXCEPT: &[(&str, &str)] = &[
    ("OMP tool disabled.", "the log that OMP_TOOL_VERBOSE_INIT asks for"),
    ("----- START LOGGING", "the same"),
    ("Tool was started", "the same"),
    ("No OMP tool loaded", "the same"),
    ("----- END LOGGING", "the same"),
    ("…: wants to run", "the same, of the multiplexer"),
    ("…: does not want to run", "the same, of the multiplexer"),
    ("the tool in the address space", "a name in the same log"),
    ("no message", "stands for the text of a panic that has none"),
    ("unknown location", "stands for the location of a panic that has none"),
];

/// A text of the sources, in the parts between its placeholders.
#[derive(Debug)]
struct Text {
    /// The file, below the repository's root.
    file: String,
    /// The text, with [`ANY`] for placeholders.
    text: String,
    /// Whether the page has to have it.
    is_message: bool,
}

/// The messages that the page lacks, and those that no source has.
pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let path = root.join(SOURCES).join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut texts = texts(root, &LIBRARIES, true)?;
    texts.extend(self::texts(root, &OTHERS, false)?);
    let mut problems = compare(&lines(&page), &texts);
    for (beginning, _) in EXCEPT {
        if !texts.iter().any(|text| text.text.starts_with(beginning)) {
            problems.push(format!("xtask/src/book/messages.rs: no source has: {beginning}"));
        }
    }
    Ok(problems)
}

/// The texts of these crates that consist of several words.
fn texts(root: &Path, crates: &[&str], are_messages: bool) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    for (path, functions) in functions(root, crates)? {
        let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let is_text = TEXTS.iter().any(|name| file.ends_with(name));
        for function in &functions {
            let tells = are_messages && (is_text || tells(function));
            for literal in &function.literals {
                let text = without_placeholders(literal);
                if has_words(&text) {
                    let is_except = EXCEPT.iter().any(|(begin, _)| text.starts_with(begin));
                    let is_message = tells && !is_except;
                    texts.push(Text { file: file.clone(), text, is_message });
                }
            }
        }
    }
    Ok(texts)
}

fn tells(function: &Function) -> bool {
    function.calls.iter().any(|call| TELLERS.contains(&call.as_str()))
}

/// A format with [`ANY`] for each `{…}`.
fn without_placeholders(format: &str) -> String {
    let mut text = String::new();
    let mut rest = format.replace("{{", "\u{1}").replace("}}", "\u{2}");
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        text.push_str(ANY);
        rest = after.split_once('}').map_or("", |(_, after)| after).to_owned();
    }
    text.push_str(&rest);
    text.replace('\u{1}', "{").replace('\u{2}', "}").trim().to_owned()
}

/// Whether a text is more than a name: it has a blank, and a word.
fn has_words(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 3 && word.chars().all(char::is_alphabetic);
    text.contains(' ') && text.split(|symbol: char| !symbol.is_alphanumeric()).any(is_word)
}

/// The lines of the page's blocks of `text`, with their numbers.
fn lines(page: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut is_open = false;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => is_open = &*kind == "text",
            Event::End(TagEnd::CodeBlock) => is_open = false,
            Event::Text(text) if is_open => {
                let first = 1 + page[..range.start].matches('\n').count();
                lines.extend((first..).zip(text.lines().map(str::to_owned)));
            }
            _ => {}
        }
    }
    lines
}

/// What is wrong with the `lines` of the page.
fn compare(lines: &[(usize, String)], texts: &[Text]) -> Vec<String> {
    let mut problems = Vec::new();
    for text in texts.iter().filter(|text| text.is_message) {
        if !lines.iter().any(|(_, line)| parts(line, &text.text).is_some()) {
            problems.push(format!("{SOURCES}/{PAGE}: lacks, of {}: {}", text.file, text.text));
        }
    }
    for (number, line) in lines {
        let mut is_known = vec![false; line.len()];
        for part in texts.iter().filter_map(|text| parts(line, &text.text)).flatten() {
            is_known[part].fill(true);
        }
        let unknown = |(at, symbol)| if is_known[at] { '\n' } else { symbol };
        let rest: String = line.char_indices().map(unknown).collect();
        if let Some(part) = rest.split('\n').find(|part| has_sentence(part)) {
            problems.push(format!("{SOURCES}/{PAGE}:{number}: no source has: {}", part.trim()));
        }
    }
    problems
}

/// Where `line` has the parts of `text`, if it has them all, in this order.
fn parts(line: &str, text: &str) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::new();
    let mut end = 0;
    for part in text.split(ANY).map(str::trim).filter(|part| !part.is_empty()) {
        let at = end + line[end..].find(part)?;
        end = at + part.len();
        parts.push(at..end);
    }
    Some(parts)
}

/// Whether two words follow each other.
fn has_sentence(part: &str) -> bool {
    let words = part.split_whitespace().collect::<Vec<_>>();
    let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    words.windows(2).any(|pair| pair.iter().all(|word| is_word(word)))
}

#[cfg(test)]
mod tests {
    use super::{Text, compare, has_words, lines, without_placeholders};

    #[test]
    fn a_format_becomes_a_text() {
        for (format, text) in [
            ("{location}{name}: {what}; {instead}", "……: …; …"),
            ("no memory: {} bytes {{a}}\n", "no memory: … bytes {a}"),
            ("{block:#x} is no block", "… is no block"),
        ] {
            assert_eq!(without_placeholders(format), text);
        }
        assert!(has_words("… failed: …") && has_words("the team has …"));
        for other in ["parallel", "……: …; …", "OMP_TOOL", "a.b"] {
            assert!(!has_words(other), "{other}");
        }
    }

    fn text(text: &str, is_message: bool) -> Text {
        Text { file: "a.rs".to_owned(), text: text.to_owned(), is_message }
    }

    #[test]
    fn the_page_and_the_sources_have_the_same_messages() {
        let page = "# A\n\n```text\nOMP: Warning: …: lock: the lock is held; it is … all the same\n\
                    ```\n\n```console\n$ ls\n```\n";
        let held = || text("the lock is held", true);
        let destroyed = || text("it is … all the same", true);
        let lines = lines(page);
        assert_eq!(lines.len(), 1);
        assert_eq!(compare(&lines, &[held(), destroyed()]), [""; 0]);
        assert_eq!(compare(&lines, &[held(), text("it is … all the same", false)]), [""; 0]);
        let stale = compare(&lines, &[held()]);
        assert_eq!(
            stale,
            ["docs/src/reference/messages.md:4: no source has: ; it is … all the same"]
        );
        let other = text("the lock is free", true);
        let lacking = compare(&lines, &[held(), destroyed(), other]);
        let wanted = "docs/src/reference/messages.md: lacks, of a.rs: the lock is free";
        assert_eq!(lacking, [wanted]);
        assert_eq!(compare(&lines, &[held(), destroyed(), text("other words", false)]), [""; 0]);
    }
}
