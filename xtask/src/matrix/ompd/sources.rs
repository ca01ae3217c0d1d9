//! The sources of tests: what each test calls and names, itself or through the functions that it
//! calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A function, or a constant, of a file.
#[derive(Debug, Default)]
struct Item {
    is_test: bool,
    is_constant: bool,
    /// Identifiers and texts in it.
    words: BTreeSet<String>,
    /// What it calls, and the constants that it has, of the file itself or by an import.
    own: BTreeSet<String>,
    /// What it calls as `module.name(…)` or `Type::name(…)`.
    methods: BTreeSet<(String, String)>,
}

/// The files of one program of tests.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The path from `crates/`.
    folder: String,
    /// By module and name. A module is a file.
    items: BTreeMap<(String, String), Item>,
    /// For each module, from which one it imports which names.
    imports: BTreeMap<String, BTreeMap<String, String>>,
}

impl Sources {
    /// The files of the folder `crates/FOLDER`.
    pub(crate) fn read(root: &Path, folder: &str) -> Result<Self> {
        let mut sources = Sources { folder: folder.to_owned(), ..Default::default() };
        let path = root.join("crates").join(folder);
        let entries = fs::read_dir(&path).with_context(|| format!("no {}", path.display()))?;
        for entry in entries {
            let path = entry?.path();
            let Some(module) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if let Some(module) = module.strip_suffix(".rs") {
                sources.add(module, &fs::read_to_string(&path)?)?;
            }
        }
        Ok(sources)
    }

    fn add(&mut self, module: &str, text: &str) -> Result<()> {
        let tokens: TokenStream =
            text.parse().map_err(|error| anyhow!("{}/{module}.rs: {error}", self.folder))?;
        self.imports.entry(module.to_owned()).or_default();
        self.items_of(module, &tokens.into_iter().collect::<Vec<_>>());
        Ok(())
    }

    fn items_of(&mut self, module: &str, tokens: &[TokenTree]) {
        let mut attributes = BTreeSet::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    if let Some(TokenTree::Group(attribute)) = tokens.get(at) {
                        attributes.insert(attribute.to_string());
                    }
                }
                TokenTree::Ident(word) if word == "use" => {
                    let end = end(tokens, at, |token| is_mark(token, ';'));
                    self.import(module, &tokens[at..end]);
                    at = end;
                }
                TokenTree::Ident(word) if word == "fn" || word == "const" || word == "static" => {
                    let Some(TokenTree::Ident(name)) = tokens.get(at) else { continue };
                    let is_function = word == "fn";
                    if name == "fn" || name == "mut" {
                        continue;
                    }
                    let end = end(tokens, at, |token| {
                        is_mark(token, ';') || is_function && body(token).is_some()
                    });
                    let mut item = Item {
                        is_test: attributes.contains("[test]")
                            && !attributes.iter().any(|it| it.starts_with("[ignore")),
                        is_constant: !is_function,
                        ..Default::default()
                    };
                    item.read(&tokens[at + 1..(end + 1).min(tokens.len())]);
                    self.items.insert((module.to_owned(), name.to_string()), item);
                    attributes.clear();
                    at = end + 1;
                }
                // The functions that a macro makes: `name = function(…) -> …;`.
                TokenTree::Ident(name) if is_mark_at(tokens, at, '=') => {
                    let end = end(tokens, at, |token| is_mark(token, ';'));
                    let mut item = Item::default();
                    item.read(&tokens[at..end]);
                    self.items.insert((module.to_owned(), name.to_string()), item);
                    at = end;
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.items_of(module, &group.stream().into_iter().collect::<Vec<_>>());
                }
                _ => {}
            }
        }
    }

    /// Notes the names of `use …::MODULE::{NAMES}`.
    fn import(&mut self, module: &str, tokens: &[TokenTree]) {
        let mut from = String::new();
        let imports = self.imports.entry(module.to_owned()).or_default();
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    imports.insert(word.to_string(), from.clone());
                    from = word.to_string();
                }
                TokenTree::Group(group) => {
                    for token in group.stream() {
                        if let TokenTree::Ident(word) = token {
                            imports.insert(word.to_string(), from.clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What an item calls.
    fn callees(&self, module: &str, item: &Item) -> Vec<(String, String)> {
        let imports = self.imports.get(module);
        let own = item.own.iter().map(|name| {
            let from = imports.and_then(|imports| imports.get(name));
            (from.map_or(module, String::as_str).to_owned(), name.clone())
        });
        let methods = item.methods.iter().map(|(receiver, name)| {
            let from = imports.and_then(|imports| imports.get(receiver)).unwrap_or(receiver);
            // A name that is not a module may belong to a type of the same file.
            let is_module = self.imports.contains_key(from);
            (if is_module { from.as_str() } else { module }.to_owned(), name.clone())
        });
        own.chain(methods).collect()
    }

    /// The test that mentions `word` by the fewest calls, of those the first by name, as
    /// `FILE::FUNCTION`. A mention in a constant counts if `has_constants` says so.
    pub(crate) fn test_of(&self, word: &str, has_constants: bool) -> Option<String> {
        let distance = self.distances(word, has_constants);
        let tests = self.items.iter().filter(|(_, item)| item.is_test);
        let nearest = tests.filter_map(|(key, _)| Some((distance.get(key)?, key))).min()?;
        let (_, (module, name)) = nearest;
        Some(format!("{}/{module}.rs::{name}", self.folder))
    }

    /// How many calls lead from each item to one that mentions `word`.
    fn distances(&self, word: &str, has_constants: bool) -> BTreeMap<&(String, String), usize> {
        let mut found: BTreeMap<&(String, String), usize> = BTreeMap::new();
        for (key, item) in &self.items {
            if item.words.contains(word) && (has_constants || !item.is_constant) {
                found.insert(key, 0);
            }
        }
        for distance in 1..=self.items.len() {
            let mut next = Vec::new();
            for (key, item) in self.items.iter().filter(|(key, _)| !found.contains_key(key)) {
                let mut callees = self.callees(&key.0, item).into_iter();
                if callees.any(|callee| found.contains_key(&callee)) {
                    next.push((key, distance));
                }
            }
            if next.is_empty() {
                break;
            }
            found.extend(next);
        }
        found
    }
}

impl Item {
    fn read(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    let receiver = receiver(tokens, at);
                    match receiver.as_deref() {
                        Some("self" | "Self") | None => {
                            let is_call = matches!(
                                tokens.get(at + 1),
                                Some(TokenTree::Group(group))
                                    if group.delimiter() == Delimiter::Parenthesis
                            );
                            if is_call || word.chars().all(|c| c.is_uppercase() || c == '_') {
                                self.own.insert(word.clone());
                            }
                        }
                        Some(receiver) => {
                            self.methods.insert((receiver.to_owned(), word.clone()));
                        }
                    }
                    self.words.insert(word);
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    self.words.insert(text.trim_start_matches('c').trim_matches('"').to_owned());
                }
                TokenTree::Group(group) => {
                    self.read(&group.stream().into_iter().collect::<Vec<_>>());
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// The variable before `.NAME`, or the type before `::NAME`, where `NAME` is at `at`; empty for
/// another expression, and `None` if the name stands alone.
fn receiver(tokens: &[TokenTree], at: usize) -> Option<String> {
    let is_mark_before = |distance, mark| {
        at.checked_sub(distance).is_some_and(|before| is_mark_at(tokens, before, mark))
    };
    let distance = match (is_mark_before(1, '.'), is_mark_before(1, ':')) {
        (true, _) => 2,
        (_, true) if is_mark_before(2, ':') => 3,
        _ => return None,
    };
    Some(match at.checked_sub(distance).and_then(|before| tokens.get(before)) {
        Some(TokenTree::Ident(name)) => name.to_string(),
        _ => String::new(),
    })
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == mark)
}

fn is_mark_at(tokens: &[TokenTree], at: usize, mark: char) -> bool {
    tokens.get(at).is_some_and(|token| is_mark(token, mark))
}

fn body(token: &TokenTree) -> Option<()> {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace).then_some(())
}

/// The position from `at` on of the first token that `is_end` accepts.
fn end(tokens: &[TokenTree], at: usize, is_end: impl Fn(&TokenTree) -> bool) -> usize {
    let rest = tokens.iter().skip(at);
    rest.take_while(|token| !is_end(token)).count() + at
}

#[cfg(test)]
mod tests {
    use super::Sources;

    fn sources(files: &[(&str, &str)]) -> Sources {
        let mut sources = Sources { folder: "a/tests".to_owned(), ..Default::default() };
        for (module, text) in files {
            sources.add(module, text).expect("tokens");
        }
        sources
    }

    #[test]
    fn the_test_that_calls_by_the_fewest_steps_is_named() {
        let helper = "pub fn helper() { ompd_one(); } impl D { fn asks(&self) { ompd_two() }
                fn new() { ompd_five() } }
            relations! { made = ompd_three(Thread) -> Task; }";
        let tests = "use super::helper::{helper, D};
            fn own() { helper() }
            #[test] fn far() { own() }
            #[test] fn near() { helper(); helper_of_none() }
            impl Lives { fn stop(&mut self) { ompd_six() } }
            #[test] fn by_value() { let lives = 1; lives.stop() }
            #[test] fn by_type() { D::new(); Other::asks() }
            #[test] fn by_method() { helper.asks(); other.made() }
            #[test] fn by_macro() { let text = \"dyn-var\"; helper.made() }
            #[test] #[ignore] fn ignored() { ompd_four() }
            const ALL: [&str; 1] = [\"levels-var\"];
            #[test] fn by_constant() { ALL.iter() }";
        let found = sources(&[("helper", helper), ("tests", tests)]);
        let test = |word: &str| found.test_of(word, true);
        assert_eq!(test("ompd_one").as_deref(), Some("a/tests/tests.rs::near"));
        assert_eq!(test("ompd_two").as_deref(), Some("a/tests/tests.rs::by_method"));
        assert_eq!(test("ompd_three").as_deref(), Some("a/tests/tests.rs::by_macro"));
        assert_eq!(test("dyn-var").as_deref(), Some("a/tests/tests.rs::by_macro"));
        assert_eq!(test("ompd_five").as_deref(), Some("a/tests/tests.rs::by_type"));
        assert_eq!(test("ompd_six").as_deref(), Some("a/tests/tests.rs::by_value"));
        assert_eq!(test("ompd_four"), None);
        assert_eq!(test("levels-var").as_deref(), Some("a/tests/tests.rs::by_constant"));
        assert_eq!(found.test_of("levels-var", false), None);
    }
}
