//! The string literals of Rust sources, without those of tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenTree};

use crate::files::{files_below, is_rust};
use crate::tokens::{group, ident, is_punct, is_word, parse};

/// A function, as far as the book wants to know it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// Its name; empty for what stands outside of functions.
    pub(super) name: String,
    /// The texts of its string literals.
    pub(super) literals: Vec<String>,
    /// The functions and macros that it calls, with what stands before `::` of the name.
    pub(super) calls: Vec<String>,
}

/// The sources of the crates `names`, below `root`, the repository, each with its functions. The
/// files of a crate's tests do not count, by their names.
pub(super) fn functions(root: &Path, names: &[&str]) -> Result<Vec<(PathBuf, Vec<Function>)>> {
    let mut found = Vec::new();
    for name in names {
        let sources = root.join("crates").join(name).join("src");
        let is_test = |path: &Path| {
            let below = path.strip_prefix(&sources).unwrap_or(path);
            below.components().any(|part| part.as_os_str() == "tests")
                || below.ends_with("tests.rs")
                || below.ends_with("models.rs")
                || below.starts_with("models")
        };
        for path in files_below(&sources, |path| is_rust(path) && !is_test(path))? {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let tokens = parse(&text).with_context(|| path.display().to_string())?;
            found.push((path, read(&tokens)));
        }
    }
    Ok(found)
}

/// The functions among `tokens`; the first has what stands outside of any.
fn read(tokens: &[TokenTree]) -> Vec<Function> {
    let mut functions = vec![Function::default()];
    add(tokens, 0, &mut functions);
    functions
}

/// Adds what stands in `tokens` to the function `own`, and the functions that they define.
fn add(tokens: &[TokenTree], own: usize, functions: &mut Vec<Function>) {
    let mut at = 0;
    while at < tokens.len() {
        // What a check says when it fails is no message to users.
        let is_expect = is_word(tokens, at, "expect");
        if is_expect && group(tokens, at + 1, Delimiter::Parenthesis).is_some() {
            at += 2;
            continue;
        }
        if is_punct(tokens, at, '#') {
            let inner = at + 1 + usize::from(is_punct(tokens, at + 1, '!'));
            if group(tokens, inner, Delimiter::Bracket).is_some() {
                at = inner + 1;
                continue;
            }
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "fn" => {
                if let Some(name) = ident(tokens, at + 1) {
                    let is_end = |at: &usize| {
                        is_punct(tokens, *at, ';') || group(tokens, *at, Delimiter::Brace).is_some()
                    };
                    let end = (at + 2..tokens.len()).find(is_end).unwrap_or(tokens.len());
                    if let Some(body) = group(tokens, end, Delimiter::Brace) {
                        functions.push(Function { name, ..Function::default() });
                        add(&body, functions.len() - 1, functions);
                    }
                    at = end + 1;
                    continue;
                }
            }
            TokenTree::Ident(word) => {
                let is_macro = is_punct(tokens, at + 1, '!');
                if matches!(tokens.get(at + 1 + usize::from(is_macro)), Some(TokenTree::Group(_))) {
                    let is_path = at >= 3 && is_punct(tokens, at - 1, ':');
                    let before = if is_path { ident(tokens, at - 3) } else { None };
                    let before = before.map_or_else(String::new, |before| format!("{before}::"));
                    functions[own].calls.push(format!("{before}{word}"));
                }
            }
            TokenTree::Literal(literal) => {
                functions[own].literals.extend(text_of(&literal.to_string()));
            }
            TokenTree::Group(inner) => {
                add(&inner.stream().into_iter().collect::<Vec<_>>(), own, functions);
            }
            TokenTree::Punct(_) => {}
        }
        at += 1;
    }
}

/// The text of a string literal, as it is written in the source.
fn text_of(literal: &str) -> Option<String> {
    let raw = literal.strip_prefix('r').map(|rest| rest.trim_matches('#'));
    let inner = raw.unwrap_or(literal).strip_prefix('"')?.strip_suffix('"')?;
    if raw.is_some() {
        return Some(inner.to_owned());
    }
    let mut text = String::new();
    let mut rest = inner.chars().peekable();
    while let Some(symbol) = rest.next() {
        match (symbol, rest.peek()) {
            // A backslash at the end of a line joins it with the next.
            ('\\', Some('\n')) => while rest.next_if(|next| next.is_whitespace()).is_some() {},
            ('\\', Some('n')) => {
                rest.next();
                text.push('\n');
            }
            ('\\', Some('"' | '\\' | '\'')) => text.extend(rest.next()),
            _ => text.push(symbol),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{parse, read, text_of};

    #[test]
    fn literals_belong_to_their_function() {
        let source = r##"
            //! no
            const A: &str = "a";
            #[doc = "no"]
            fn b<T>(c: T) -> [u8; 2] { diag::fatal(&format!("d {}", 1)); x.expect("no"); e("f") }
            impl G { fn h() { fn i() { "j"; } match 1 { 1 => "k", _ => r#"l "m""# } } }
            #[cfg(test)]
            mod tests { fn n() { "o"; } }
        "##;
        let found = read(&parse(source).expect("Rust"));
        let literals: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|it| (it.name.as_str(), it.literals.iter().map(String::as_str).collect()))
            .collect();
        let wanted = [
            ("", vec!["a"]),
            ("b", vec!["d {}", "f"]),
            ("h", vec!["k", "l \"m\""]),
            ("i", vec!["j"]),
        ];
        assert_eq!(literals, wanted);
        assert_eq!(found[1].calls, ["diag::fatal", "format", "e"]);
    }

    #[test]
    fn a_text_is_what_is_printed() {
        assert_eq!(text_of("\"a \\\n     b\\n\\\"c\\\"\""), Some("a b\n\"c\"".to_owned()));
        for other in ["1", "'a'", "b\"a\"", "c\"a\""] {
            assert_eq!(text_of(other), None);
        }
    }
}
