//! Methods by name: which file a call `.name(…)` reaches, where the name alone tells.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenTree};

use super::resolve::Entity;
use super::tree::{FileId, Module, ModuleId, Tree};
use crate::tokens::{after_angles, group, ident, is_punct, is_word};

/// Methods of the standard library, named by two words or more, that types of the crate have too or
/// might have.
const STANDARD: [&str; 36] = [
    "as_bytes",
    "as_millis",
    "as_mut",
    "as_nanos",
    "as_ptr",
    "as_ref",
    "as_secs",
    "as_slice",
    "as_str",
    "byte_add",
    "compare_exchange",
    "fetch_add",
    "fetch_sub",
    "from_raw",
    "get_mut",
    "get_or_init",
    "into_inner",
    "into_iter",
    "into_raw",
    "is_alphabetic",
    "is_empty",
    "is_err",
    "is_infinite",
    "is_none",
    "is_null",
    "is_ok",
    "is_positive",
    "is_some",
    "is_zero",
    "read_line",
    "to_owned",
    "to_string",
    "try_lock",
    "try_recv",
    "try_wait",
    "write_all",
];

/// The members of the crate's types that stand in `impl Type { … }`.
#[derive(Debug, Default)]
pub struct Methods {
    /// The file of each method that can be told by its name.
    by_name: BTreeMap<String, FileId>,
    /// The files of `Type::name`: the type's module and name, the member's name.
    of_type: BTreeMap<(ModuleId, String, String), BTreeSet<FileId>>,
}

impl Methods {
    /// Reads the methods of `tree`. Three kinds of names may be called on other types too, and so
    /// tell nothing: a name of one word (`get`, `push`), a name that the crate defines twice, and a
    /// name in `foreign` or `STANDARD`.
    pub fn read(tree: &Tree, foreign: &BTreeSet<String>) -> Methods {
        let times = times_defined(tree);
        let mut methods = Methods::default();
        for (id, module) in tree.modules.iter().enumerate() {
            for block in &module.items.inherent {
                let tells = |name: &&String| {
                    let is_known = STANDARD.contains(&name.as_str()) || foreign.contains(*name);
                    name.contains('_') && !is_known && times.get(*name) == Some(&1)
                };
                for name in block.methods.iter().filter(tells) {
                    methods.by_name.insert(name.clone(), module.file);
                }
                for of in tree.resolve(id, &block.of) {
                    let Entity::Item { module: home, name: of } = of else { continue };
                    for name in &block.members {
                        let key = (home, of.clone(), name.clone());
                        methods.of_type.entry(key).or_default().insert(module.file);
                    }
                }
            }
        }
        methods
    }

    /// The file of the method that `.name(…)` calls, if the name tells.
    pub fn called(&self, name: &str) -> Option<FileId> {
        self.by_name.get(name).copied()
    }

    /// The files of `Type::name`; empty if no `impl Type` has a member `name`.
    pub fn members(&self, module: ModuleId, of: &str, name: &str) -> impl Iterator<Item = FileId> {
        let key = (module, of.to_owned(), name.to_owned());
        self.of_type.get(&key).into_iter().flatten().copied()
    }
}

/// The names of the functions among `tokens` that take `self`.
pub fn methods(tokens: &[TokenTree]) -> Vec<String> {
    let is_method = |at: usize| {
        let after = after_angles(tokens, at + 2);
        let arguments = group(tokens, after, Delimiter::Parenthesis)?;
        let end = (0..arguments.len()).find(|&at| is_punct(&arguments, at, ','));
        let first = &arguments[..end.unwrap_or(arguments.len())];
        (0..first.len()).find(|&at| is_word(first, at, "self"))
    };
    (0..tokens.len())
        .filter(|&at| is_word(tokens, at, "fn") && is_method(at).is_some())
        .filter_map(|at| ident(tokens, at + 1))
        .collect()
}

/// The names of the methods in `tokens` and all groups inside, of traits and macros too.
fn methods_anywhere(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = methods(tokens);
    for token in tokens {
        if let TokenTree::Group(group) = token {
            names.extend(methods_anywhere(&group.stream().into_iter().collect::<Vec<_>>()));
        }
    }
    names
}

/// How often the files of a crate define a method of each name.
pub fn times_defined(tree: &Tree) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    let is_whole_file = |module: &&Module| {
        module.parent.is_none_or(|parent| tree.modules[parent].file != module.file)
    };
    for module in tree.modules.iter().filter(is_whole_file) {
        for name in methods_anywhere(&module.tokens) {
            *times.entry(name).or_default() += 1;
        }
    }
    times
}
