//! The items of a module or of a block: what it defines, imports and implements.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use super::imports::{Import, read_use};
use super::methods::methods;
use crate::tokens::{after_angles, group, ident, is_punct, is_separator, is_word};

/// An `impl Type { … }`: the methods of a type of the crate.
#[derive(Clone, Debug)]
pub struct Inherent {
    /// The type, as the block's head names it.
    pub of: Vec<String>,
    /// Its functions, methods and constants.
    pub members: BTreeSet<String>,
    /// The functions that take `self`.
    pub methods: Vec<String>,
}

/// A `mod name;`, or `mod name { … }` with its tokens.
#[derive(Clone, Debug)]
pub struct Child {
    /// The module's name.
    pub name: String,
    /// What stands in its braces.
    pub body: Option<Vec<TokenTree>>,
}

/// The items of one pair of braces, or of one file.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// Names of functions, types, traits, constants and macros.
    pub definitions: BTreeSet<String>,
    /// Macros under `#[macro_export]`, which live at the crate's root.
    pub exported: Vec<String>,
    /// Each name of each `use`.
    pub imports: Vec<Import>,
    /// The modules declared.
    pub children: Vec<Child>,
    /// The blocks of methods.
    pub inherent: Vec<Inherent>,
    /// Whether anything stands there but `mod` and `use`.
    pub has_code: bool,
}

/// Reads the items among `tokens`.
pub fn read_items(tokens: &[TokenTree]) -> Items {
    let mut items = Items::default();
    let mut is_exported = false;
    let mut at = 0;
    while at < tokens.len() {
        let Some(word) = ident(tokens, at) else {
            if is_punct(tokens, at, '#') {
                let attribute = group(tokens, at + 1, Delimiter::Bracket);
                is_exported |= attribute.is_some_and(|inner| is_word(&inner, 0, "macro_export"));
            }
            at += 1;
            continue;
        };
        at = match word.as_str() {
            "use" if !is_punct(tokens, at + 1, '<') => read_use(tokens, at, &mut items.imports),
            "mod" => read_module(tokens, at, &mut items),
            "impl" => read_impl(tokens, at, &mut items),
            "macro_rules" if is_punct(tokens, at + 1, '!') => {
                let name = ident(tokens, at + 2);
                if std::mem::take(&mut is_exported) {
                    items.exported.extend(name.clone());
                }
                items.definitions.extend(name);
                items.has_code = true;
                at + 4
            }
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" => {
                let name = if is_word(tokens, at + 1, "mut") { at + 2 } else { at + 1 };
                items.definitions.extend(ident(tokens, name));
                items.has_code = true;
                // `const fn name`: the name comes after the second word.
                at + 1
            }
            "pub" | "crate" | "in" => at + 1,
            _ => {
                items.has_code = true;
                at + 1
            }
        };
    }
    items
}

fn read_module(tokens: &[TokenTree], at: usize, items: &mut Items) -> usize {
    let Some(name) = ident(tokens, at + 1) else { return at + 1 };
    let body = group(tokens, at + 2, Delimiter::Brace);
    if body.is_some() || is_punct(tokens, at + 2, ';') {
        items.children.push(Child { name, body });
    }
    at + 3
}

fn read_impl(tokens: &[TokenTree], at: usize, items: &mut Items) -> usize {
    items.has_code = true;
    let Some(head) = ImplHead::read(tokens, at) else { return at + 1 };
    let body = group(tokens, head.body, Delimiter::Brace).unwrap_or_default();
    if !head.is_of_trait {
        let members = read_items(&body).definitions;
        items.inherent.push(Inherent { of: head.of, members, methods: methods(&body) });
    }
    head.body + 1
}

/// The head of an `impl`.
#[derive(Debug)]
pub struct ImplHead {
    /// The type that gets the members.
    pub of: Vec<String>,
    /// Whether they belong to an implementation of a trait.
    pub is_of_trait: bool,
    /// Where the braces stand.
    pub body: usize,
}

impl ImplHead {
    /// Reads the head that begins with the word `impl` at `at`.
    pub fn read(tokens: &[TokenTree], at: usize) -> Option<ImplHead> {
        let body = (at..tokens.len()).find(|&at| {
            group(tokens, at, Delimiter::Brace).is_some() || is_punct(tokens, at, ';')
        })?;
        group(tokens, body, Delimiter::Brace)?;
        let named = after_angles(tokens, at + 1);
        let of_trait =
            (named..body).find(|&at| is_word(tokens, at, "for") && !is_punct(tokens, at + 1, '<'));
        let mut start = of_trait.map_or(named, |at| at + 1);
        while start < body && ident(tokens, start).is_none() {
            start += 1;
        }
        Some(ImplHead { of: plain_path(tokens, start), is_of_trait: of_trait.is_some(), body })
    }
}

/// The path that begins at `at`, without generic arguments.
pub fn plain_path(tokens: &[TokenTree], mut at: usize) -> Vec<String> {
    let mut path: Vec<String> = ident(tokens, at).into_iter().collect();
    while is_separator(tokens, at + 1) {
        let Some(segment) = ident(tokens, at + 3) else { break };
        path.push(segment);
        at += 3;
    }
    path
}
