//! Locks of the runtime that the child of a fork(2) would find held by a thread that is gone. The
//! rules are at the top of `crates/oxomp-core/src/process/fork.rs`.
//!
//! - A lock or once-cell of the standard library cannot be made anew in the child. So the runtime
//!   has none, and writes to no stream of std's, which has such a lock.
//! - A `Guarded` or a `Once` of `oxomp_protocol`, and the offload runtime's own `Mutex`, can be
//!   made anew: the file that declares one has a call of its `forget`, or `after_fork`. A lock that
//!   is made anew together with the structure around it is listed here.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenTree};

use super::breach::Breach;
use super::inside::Inside;

/// The crates of the runtime.
pub const RUNTIME: [&str; 7] = [
    "oxomp-arch",
    "oxomp-protocol",
    "oxomp-base",
    "oxomp-core",
    "oxomp-argument",
    "oxomp-abi",
    "libomp",
];
/// The crates of the offload runtime.
pub const OFFLOAD: [&str; 4] =
    ["oxomp-target", "oxomp-target-host", "oxomp-target-gcc", "libomptarget"];

/// What has a lock, or a state in which threads wait for another one, of the standard library.
const FORBIDDEN: [(&str, &[&str]); 2] = [
    (
        "sync",
        &[
            "Barrier",
            "Condvar",
            "LazyLock",
            "Mutex",
            "Once",
            "OnceLock",
            "ReentrantLock",
            "RwLock",
            "mpmc",
            "mpsc",
            "nonpoison",
            "poison",
        ],
    ),
    ("io", &["stderr", "stdin", "stdout"]),
];

/// Macros that write to the streams of the standard library.
const PRINTING: [&str; 5] = ["dbg", "eprint", "eprintln", "print", "println"];

/// The types in which threads wait for another one, and the call that makes a value of the type
/// anew in the child.
const MADE_ANEW: [(&str, &str); 3] =
    [("Guarded", "forget"), ("Once", "after_fork"), ("Mutex", "after_fork")];

const NEW_GATE: &str = "made anew in the child: `Table::forget_turns`";

/// The locks that go with what they are a part of: file, name, and what fork(2) does to the lock.
const PARTS: [(&str, &str, &str); 2] = [
    ("oxomp-target/src/mapping/entry.rs", "attachments", NEW_GATE),
    ("oxomp-target/src/mapping/gate.rs", "queueing", NEW_GATE),
];

/// The files of the types themselves.
const OWN: [&str; 2] = ["oxomp-protocol/src/lock/guarded.rs", "oxomp-target/src/sync/mutex.rs"];

/// A token of a file, and its line.
type Word = (String, usize);

/// Checks the crates of both runtimes, which lie in the folder `crates`.
///
/// # Errors
///
/// One of them is not in `insides`.
pub fn check(crates: &Path, insides: &[Inside]) -> Result<Vec<Breach>> {
    let mut found = Found::default();
    for name in RUNTIME.iter().chain(&OFFLOAD) {
        let inside = insides.iter().find(|inside| inside.of == *name);
        let tree = &inside.with_context(|| format!("the workspace has no crate {name}"))?.tree;
        for module in &tree.modules {
            let file = format!("{name}/src/{}", tree.files[module.file].name);
            found.read(&file, &words(&module.tokens));
        }
    }
    let listed = PARTS.iter().map(|(file, name, _)| (*file, *name));
    for (file, name) in listed {
        if !found.used.contains(&(file.to_owned(), name.to_owned())) {
            found.add(file, 1, format!("`{name}` is listed in {LIST}, and not in this file"));
        }
    }
    Ok(found.breaches.into_iter().map(|it| Breach { file: crates.join(&it.file), ..it }).collect())
}

/// Where the lists are.
const LIST: &str = "xtask/src/layering/fork.rs";

/// What has been found so far.
#[derive(Debug, Default)]
pub struct Found {
    /// The places that break a rule.
    pub breaches: BTreeSet<Breach>,
    /// The file and the name of what is listed and was found.
    used: BTreeSet<(String, String)>,
}

impl Found {
    fn add(&mut self, file: &str, line: usize, rule: String) {
        self.breaches.insert(Breach { file: file.into(), line, rule });
    }

    /// Reads a file, by its path below the folder of crates.
    pub fn read(&mut self, file: &str, words: &[Word]) {
        self.find_std(file, words);
        for (kind, remedy) in MADE_ANEW {
            self.find_kept(file, words, kind, remedy);
        }
    }

    /// Finds what the standard library has that a fork(2) can catch half-done.
    fn find_std(&mut self, file: &str, words: &[Word]) {
        let mut paths = Vec::new();
        for (at, (word, _)) in words.iter().enumerate() {
            let begins = at == 0 || words[at - 1].0 != ":";
            if begins && ["std", "once_cell"].contains(&word.as_str()) {
                read_path(words, at, &[], &mut paths);
            }
        }
        let is_whole =
            |path: &&UsedPath| path.0.len() == 2 && FORBIDDEN.iter().any(|(m, _)| *m == path.0[1]);
        let modules: Vec<String> =
            paths.iter().filter(is_whole).map(|path| path.0[1].clone()).collect();
        for (at, (word, _)) in words.iter().enumerate() {
            if modules.contains(word) && (at == 0 || words[at - 1].0 != ":") {
                read_path(words, at, &["std".to_owned()], &mut paths);
            }
        }
        for (path, line) in paths {
            let [_, module, item, ..] = path.as_slice() else { continue };
            let of_std = FORBIDDEN.iter().any(|(name, items)| {
                *name == module && (items.contains(&item.as_str()) || item == "*")
            });
            if path[0] == "std" && !of_std || path[0] == "once_cell" && module != "sync" {
                continue;
            }
            let path = path.join("::");
            self.add(file, line, format!("`{path}`: fork(2) may catch it half-done ({RULES})"));
        }
        for pair in words.windows(2) {
            if PRINTING.contains(&pair[0].0.as_str()) && pair[1].0 == "!" {
                let rule = format!("`{}!` takes a lock of std ({RULES})", pair[0].0);
                self.add(file, pair[0].1, rule);
            }
        }
    }

    /// Finds each `kind` for which its file does not call `remedy`.
    fn find_kept(&mut self, file: &str, words: &[Word], kind: &str, remedy: &str) {
        if OWN.contains(&file) {
            return;
        }
        for (name, line) in declared(words, kind) {
            let call = [name.as_str(), ".", remedy, "("];
            let is_called = words.windows(4).any(|four| four.iter().map(|it| &it.0).eq(call));
            if PARTS.iter().any(|(place, lock, _)| *place == file && *lock == name) {
                self.used.insert((file.to_owned(), name));
            } else if !is_called {
                let rule =
                    format!("the child of a fork(2) needs `{name}.{remedy}(…)` here ({RULES})");
                self.add(file, line, rule);
            }
        }
    }
}

const RULES: &str = "crates/oxomp-core/src/process/fork.rs";

/// A path, and the line where it ends.
type UsedPath = (Vec<String>, usize);

/// Adds the paths that begin at `at`, behind `before`; a list in braces adds each of its paths.
/// Returns where the paths end.
fn read_path(words: &[Word], at: usize, before: &[String], paths: &mut Vec<UsedPath>) -> usize {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it| it.0 == word);
    if is(at, "{") {
        let mut next = at + 1;
        while next < words.len() && !is(next, "}") {
            next = if is(next, ",") { next + 1 } else { read_path(words, next, before, paths) };
        }
        return next + 1;
    }
    let (word, line) = &words[at];
    let mut path = before.to_vec();
    if word != "self" {
        path.push(word.clone());
    }
    if is(at + 1, ":") && is(at + 2, ":") && at + 3 < words.len() {
        return read_path(words, at + 3, &path, paths);
    }
    paths.push((path, *line));
    // Past a new name, if there is one.
    if is(at + 1, "as") { at + 3 } else { at + 1 }
}

/// The names, with their lines, of the fields and statics of the type `kind<…>`. A reference to one
/// is not its place; a type around it hides its name, so the answer is the type's.
fn declared(words: &[Word], kind: &str) -> Vec<Word> {
    let mut names = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        if pair[0].0 != kind || pair[1].0 != "<" || at < 2 {
            continue;
        }
        let (before, name) = (&words[at - 1].0, &words[at - 2]);
        match before.as_str() {
            ":" if name.0 != ":" => names.push(name.clone()),
            // A reference, with or without a lifetime, or the implementation of the type.
            "&" | "impl" | "for" | ">" | "struct" => {}
            _ if words[at - 2].0 == "'" => {}
            _ => names.push(pair[0].clone()),
        }
    }
    names
}

/// The tokens, also those in brackets of any kind.
pub fn words(tokens: &[TokenTree]) -> Vec<Word> {
    let mut words = Vec::new();
    add_words(tokens, &mut words);
    words
}

fn add_words(tokens: &[TokenTree], words: &mut Vec<Word>) {
    for token in tokens {
        let line = token.span().start().line;
        let TokenTree::Group(group) = token else {
            words.push((token.to_string(), line));
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::None => ("", ""),
        };
        words.push((open.to_owned(), line));
        add_words(&group.stream().into_iter().collect::<Vec<_>>(), words);
        words.push((close.to_owned(), group.span_close().end().line));
    }
}
