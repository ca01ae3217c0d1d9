//! The paths and method calls in the code of a module.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use super::imports::Import;
use super::items::{ImplHead, plain_path, read_items};
use super::resolve::Entity;
use super::tree::{ModuleId, Tree};
use crate::tokens::{group, ident, is_punct, is_separator, line};

/// A path or a call in code.
#[derive(Clone, Debug)]
pub struct Mention {
    /// What stands there.
    pub named: Named,
    /// As it is written, without its beginning.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
}

/// What a mention names.
#[derive(Clone, Debug)]
pub enum Named {
    /// A path, and what it leads to.
    Path(Vec<Entity>),
    /// `.name(…)`.
    Method,
}

/// What the code of a module mentions.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Paths of two words or more, and method calls.
    pub all: Vec<Mention>,
    /// The first words of those paths.
    pub prefixes: BTreeSet<String>,
    /// All single words in code.
    pub words: BTreeSet<String>,
    /// What blocks in the code import.
    pub imports: Vec<Import>,
}

/// Reads the code of `module`; modules inside it are read on their own.
pub fn mentions(tree: &Tree, module: ModuleId) -> Mentions {
    let mut walk = Walk { tree, module, self_type: Vec::new(), found: Mentions::default() };
    walk.items(&tree.modules[module].tokens);
    walk.found
}

struct Walk<'a> {
    tree: &'a Tree,
    module: ModuleId,
    /// The type of the `impl` around the code, as its head names it.
    self_type: Vec<String>,
    found: Mentions,
}

impl Walk<'_> {
    fn items(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            at = match ident(tokens, at).as_deref() {
                Some("use") if !is_punct(tokens, at + 1, '<') => {
                    let end = (at..tokens.len()).find(|&at| is_punct(tokens, at, ';'));
                    end.map_or(tokens.len(), |end| end + 1)
                }
                Some("mod") if ident(tokens, at + 1).is_some() => at + 3,
                Some(
                    "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static",
                ) if Self::is_name(tokens, at + 1) => at + 2,
                Some("impl") => self.implementation(tokens, at),
                Some("pub") if group(tokens, at + 1, Delimiter::Parenthesis).is_some() => at + 2,
                Some(_) => self.word(tokens, at),
                None if is_punct(tokens, at, '#') => at + 2,
                None => {
                    if let TokenTree::Group(group) = &tokens[at] {
                        self.block(&group.stream().into_iter().collect::<Vec<_>>());
                    }
                    at + 1
                }
            };
        }
    }

    /// Whether the word at `at` is the name of what is defined: `const fn name` has another first.
    fn is_name(tokens: &[TokenTree], at: usize) -> bool {
        let others = ["fn", "unsafe", "extern", "async", "mut"];
        ident(tokens, at).is_some_and(|word| !others.contains(&word.as_str()))
    }

    fn block(&mut self, tokens: &[TokenTree]) {
        self.found.imports.extend(read_items(tokens).imports);
        self.items(tokens);
    }

    /// An `impl` with its head; `Self` is its type inside.
    fn implementation(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let Some(head) = ImplHead::read(tokens, at) else { return at + 1 };
        self.items(&tokens[at + 1..head.body]);
        let outer = std::mem::replace(&mut self.self_type, head.of);
        self.block(&group(tokens, head.body, Delimiter::Brace).unwrap_or_default());
        self.self_type = outer;
        head.body + 1
    }

    /// The word at `at`: the beginning of a path, a method, or a name.
    fn word(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let Some(word) = ident(tokens, at) else { return at + 1 };
        let after_colons = at >= 2 && is_separator(tokens, at - 2);
        let after_range = at >= 2 && is_punct(tokens, at - 2, '.');
        if at >= 1 && is_punct(tokens, at - 1, '.') && !after_range {
            let is_call = group(tokens, at + 1, Delimiter::Parenthesis).is_some();
            if is_call || is_separator(tokens, at + 1) {
                let line = line(tokens, at);
                self.found.all.push(Mention { named: Named::Method, text: word, line });
            }
            return at + 1;
        }
        if after_colons {
            return at + 1;
        }
        if !is_separator(tokens, at + 1) {
            self.found.words.insert(word);
            return at + 1;
        }
        let path = plain_path(tokens, at);
        if path.len() == 1 {
            // `Type::<T>::new`: the generic arguments are read next.
            self.found.words.insert(word);
            return at + 1;
        }
        let is_of_self = path[0] == "Self" && !self.self_type.is_empty();
        let begin = if is_of_self { &self.self_type[..] } else { &path[..1] };
        let mut entities = self.tree.resolve(self.module, &[begin, &path[1..]].concat());
        // Code names an item where a module has its name.
        if entities.iter().any(|entity| !matches!(entity, Entity::Module(_))) {
            entities.retain(|entity| !matches!(entity, Entity::Module(_)));
        }
        let end = at + 3 * (path.len() - 1) + 1;
        self.found.prefixes.insert(path[0].clone());
        if !entities.is_empty() {
            let named = Named::Path(entities);
            let text = path[path.len().saturating_sub(2)..].join("::");
            self.found.all.push(Mention { named, text, line: line(tokens, at) });
        }
        end
    }
}
