//! The code blocks of a page, and the kind of each.

use oxomp_prerequisites::{Application, Prerequisite, Program};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its fence, from 1.
    pub line: usize,
    /// What the words behind the fence say.
    pub kind: Kind,
    /// The lines between the fences.
    pub text: String,
}

/// The kind of a code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Commands of a shell with their outputs, on machines that have these programs.
    Console(Vec<Prerequisite>),
    /// Commands of a shell that the test of the packages executes on a machine of its own.
    Install,
    /// A session of gdb.
    Gdb,
    /// A file of this name.
    File(String),
    /// Code or a format that nothing executes.
    Shown,
}

/// The kinds of blocks in which a command could hide from the test.
const SHELLS: [&str; 5] = ["", "sh", "bash", "shell", "shell-session"];

/// The blocks of `page`, in its order.
///
/// # Errors
///
/// The first block whose kind is wrong, with its line.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(fence)) => {
                let line = 1 + page[..range.start].matches('\n').count();
                let kind = match fence {
                    CodeBlockKind::Fenced(words) => kind(&words),
                    CodeBlockKind::Indented => Err("a block of code without a fence".to_owned()),
                };
                let kind = kind.map_err(|problem| format!("line {line}: {problem}"))?;
                open = Some(Block { line, kind, text: String::new() });
            }
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let block = open.take().ok_or("a block without a beginning")?;
                if block.kind == Kind::Shown && block.text.lines().any(|it| it.starts_with("$ ")) {
                    return Err(format!("line {}: a command outside of `console`", block.line));
                }
                found.push(block);
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The kind that the words behind a fence name.
fn kind(words: &str) -> Result<Kind, String> {
    let mut words = words.split(',').map(str::trim);
    let language = words.next().unwrap_or_default();
    if SHELLS.contains(&language) {
        return Err(format!("a block of the kind `{language}`: commands stand in `console`"));
    }
    let mut kind = match language {
        "console" => Kind::Console(Vec::new()),
        "gdb" => Kind::Gdb,
        _ => Kind::Shown,
    };
    for word in words {
        kind = match (kind, word.split_once('=').unwrap_or((word, ""))) {
            (Kind::Console(mut needed), ("needs", name)) => {
                needed.push(program(name)?);
                Kind::Console(needed)
            }
            (Kind::Console(needed), ("install", "")) if needed.is_empty() => Kind::Install,
            (Kind::Shown, ("file", name)) if is_name(name) => Kind::File(name.to_owned()),
            _ => return Err(format!("`{word}` says nothing about a block of `{language}`")),
        };
    }
    Ok(kind)
}

/// The program `name` of the list of programs that tests may start.
fn program(name: &str) -> Result<Prerequisite, String> {
    let program = Program::ALL.iter().find(|it| it.text() == name).copied();
    let application = Application::ALL.iter().find(|it| it.text() == name).copied();
    let known = program.map(Prerequisite::from).or(application.map(Prerequisite::from));
    known.ok_or_else(|| format!("needs={name}: oxomp-prerequisites lists no such program"))
}

/// Whether `name` is a path below the page's folder that a shell takes as one word.
fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    !name.starts_with('/') && !name.is_empty() && !name.contains("..") && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Program, blocks};

    fn kinds(page: &str) -> Result<Vec<Kind>, String> {
        Ok(blocks(page)?.into_iter().map(|block| block.kind).collect())
    }

    #[test]
    fn a_block_has_a_kind_and_its_line() {
        let page = "# A\n\n```console,needs=gdb\n$ ls\n```\n\n- b\n\n  ```c,file=a/b.c\n  int a;\n  \
                    ```\n";
        let found = blocks(page).expect("the kinds are right");
        assert_eq!(found[0].kind, Kind::Console(vec![Program::Gdb.into()]));
        assert_eq!((found[0].line, found[0].text.as_str()), (3, "$ ls\n"));
        assert_eq!(found[1].kind, Kind::File("a/b.c".to_owned()));
        assert_eq!((found[1].line, found[1].text.as_str()), (9, "int a;\n"));
    }

    #[test]
    fn other_languages_are_shown() {
        let page =
            "```console,install\n$ a\n```\n```gdb\n(gdb) bt\n```\n```text\na\n```\n```c\n```";
        assert_eq!(kinds(page), Ok(vec![Kind::Install, Kind::Gdb, Kind::Shown, Kind::Shown]));
    }

    #[test]
    fn no_command_hides_from_the_test() {
        for words in
            ["", "sh", "bash", "console,need=gdb", "console,file=a", "c,file=../a", "c,run"]
        {
            let page = format!("a\n\n```{words}\n$ ls\n```\n");
            assert!(kinds(&page).is_err_and(|said| said.starts_with("line 3: ")), "{words}");
        }
        assert!(kinds("a\n\n    $ ls\n").is_err());
        assert!(kinds("```text\n$ ls\n```\n").is_err());
        assert!(kinds("```console,needs=no-such-program\n```\n").is_err());
    }
}
