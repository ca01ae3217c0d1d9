//! The tokens of a Rust source file, without code that is compiled for tests only.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The words that begin an item or a statement, which ends with `;` or a body.
const STARTS: [&str; 17] = [
    "pub",
    "use",
    "mod",
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "type",
    "const",
    "static",
    "impl",
    "extern",
    "unsafe",
    "async",
    "let",
    "macro_rules",
];

/// The tokens of `source`, without items, fields and arms under `#[cfg(test)]`.
///
/// # Errors
///
/// The source is not Rust.
pub fn parse(source: &str) -> Result<Vec<TokenTree>> {
    let tokens = TokenStream::from_str(source).map_err(|error| anyhow!("not Rust: {error}"))?;
    Ok(without_tests(tokens))
}

fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(&tokens, at, '#') && group(&tokens, at + 1, Delimiter::Bracket).is_some() {
            if is_for_tests(&tokens[at + 1]) {
                at = end_of_item(&tokens, at);
            } else {
                kept.extend_from_slice(&tokens[at..at + 2]);
                at += 2;
            }
            continue;
        }
        kept.push(match &tokens[at] {
            TokenTree::Group(old) => {
                let mut new =
                    Group::new(old.delimiter(), without_tests(old.stream()).into_iter().collect());
                new.set_span(old.span());
                TokenTree::Group(new)
            }
            other => other.clone(),
        });
        at += 1;
    }
    kept
}

/// Whether an attribute's brackets hold `cfg(test)` or `cfg(all(test, …))`.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let TokenTree::Group(attribute) = attribute else { return false };
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// Where the item ends whose attributes begin at `at`.
fn end_of_item(tokens: &[TokenTree], mut at: usize) -> usize {
    while is_punct(tokens, at, '#') {
        at += 2;
    }
    let is_item = ident(tokens, at).is_some_and(|word| STARTS.contains(&word.as_str()));
    while at < tokens.len() {
        let is_use = is_punct(tokens, at + 1, ';');
        let body = is_item && group(tokens, at, Delimiter::Brace).is_some() && !is_use;
        let end = is_punct(tokens, at, if is_item { ';' } else { ',' });
        at += 1;
        if body || end {
            break;
        }
    }
    at
}

/// The word at `at`.
pub fn ident(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at)? {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

/// Whether the word at `at` is `word`.
pub fn is_word(tokens: &[TokenTree], at: usize, word: &str) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word)
}

/// Whether `mark` stands at `at`.
pub fn is_punct(tokens: &[TokenTree], at: usize, mark: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether `::` stands at `at`.
pub fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens, at, ':') && is_punct(tokens, at + 1, ':')
}

/// The tokens of the group at `at`, if its brackets are `delimiter`.
pub fn group(tokens: &[TokenTree], at: usize, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match tokens.get(at)? {
        TokenTree::Group(group) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// The line of the token at `at`, from 1.
pub fn line(tokens: &[TokenTree], at: usize) -> usize {
    tokens.get(at).map_or(1, |token| token.span().start().line)
}

/// The position behind the angle brackets that open at `at`; `at` itself if none open there.
pub fn after_angles(tokens: &[TokenTree], mut at: usize) -> usize {
    let mut depth = 0_usize;
    loop {
        let is_arrow = is_punct(tokens, at, '>') && at > 0 && is_punct(tokens, at - 1, '-');
        if is_punct(tokens, at, '<') {
            depth += 1;
        } else if is_punct(tokens, at, '>') && !is_arrow {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return if is_punct(tokens, at, '>') { at + 1 } else { at };
        }
        if at >= tokens.len() {
            return at;
        }
        at += 1;
    }
}
