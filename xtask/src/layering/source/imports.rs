//! The names that a `use` brings in.

use proc_macro2::{Delimiter, TokenTree};

use crate::tokens::{group, ident, is_punct, is_separator, is_word, line};

/// One name of a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name that the module knows it by; `*` for a glob.
    pub name: String,
    /// The path, from its first word.
    pub path: Vec<String>,
    /// The line of its last word.
    pub line: usize,
    /// Whether others may take it from here.
    pub is_reexport: bool,
}

/// Reads the `use` at `at` into `imports`; returns where it ends.
pub fn read_use(tokens: &[TokenTree], at: usize, imports: &mut Vec<Import>) -> usize {
    let after_group = at >= 1 && group(tokens, at - 1, Delimiter::Parenthesis).is_some();
    let is_reexport = at >= 1 && is_word(tokens, at - 1, "pub")
        || at >= 2 && after_group && is_word(tokens, at - 2, "pub");
    let end = (at..tokens.len()).find(|&at| is_punct(tokens, at, ';')).unwrap_or(tokens.len());
    read_entry(&tokens[at + 1..end], &[], is_reexport, imports);
    end + 1
}

/// Reads one entry of a list: `a::b`, `a::{b, c as d}`, `self`, `*`.
fn read_entry(tokens: &[TokenTree], base: &[String], is_reexport: bool, found: &mut Vec<Import>) {
    let mut path = base.to_vec();
    // In a macro a path of the crate begins with `$crate`.
    let mut at = usize::from(is_punct(tokens, 0, '$'));
    if is_separator(tokens, 0) {
        // `::a` is a crate's name: nothing of ours.
        return;
    }
    loop {
        if let Some(list) = group(tokens, at, Delimiter::Brace) {
            let is_comma = |token: &TokenTree| is_punct(std::slice::from_ref(token), 0, ',');
            for entry in list.split(is_comma).filter(|entry| !entry.is_empty()) {
                read_entry(entry, &path, is_reexport, found);
            }
            return;
        }
        match ident(tokens, at) {
            // `a::{self}` is `a`; `self::a` begins at the module.
            Some(word) if word == "self" && !path.is_empty() => {}
            Some(word) => path.push(word),
            None if is_punct(tokens, at, '*') => path.push("*".to_owned()),
            None => return,
        }
        if !is_separator(tokens, at + 1) {
            break;
        }
        at += 3;
    }
    let alias = if is_word(tokens, at + 1, "as") { ident(tokens, at + 2) } else { None };
    let Some(name) = alias.or_else(|| path.last().cloned()) else { return };
    found.push(Import { name, path, line: line(tokens, at), is_reexport });
}
