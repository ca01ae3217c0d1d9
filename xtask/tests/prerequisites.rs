//! Nothing in the sources names a program or a file of a package but the list of prerequisites.

use std::fs;
use std::path::Path;

use oxomp_prerequisites::Prerequisite;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use xtask::files::{files_below, is_rust};

/// Programs that come with Rust.
const OF_RUST: [&str; 3] = ["cargo", "rustc", "rustup"];

/// Where the list stands.
const LIST: &str = "crates/oxomp-prerequisites/src/list.rs";

/// Names that go around the list in `source`.
fn bypasses(source: &str) -> Vec<String> {
    let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("not Rust: {error}"));
    let mut found = Vec::new();
    read(tokens, &mut found);
    found
}

fn read(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Parenthesis && is_new_command(&tokens[..at]) {
                    let first = group.stream().into_iter().next();
                    let named = first.as_ref().and_then(text);
                    found.extend(named.filter(|name| !OF_RUST.contains(&name.as_str())));
                }
                read(group.stream(), found);
            }
            _ => found.extend(text(token).filter(|text| is_of_a_package(text))),
        }
    }
}

/// Whether `before` ends in `Command::new`.
fn is_new_command(before: &[TokenTree]) -> bool {
    let end: String = before.iter().rev().take(4).rev().map(ToString::to_string).collect();
    end == "Command::new"
}

/// The content of a string.
fn text(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let literal = literal.to_string();
    let start = literal.find('"')?;
    (!literal.starts_with('b')).then(|| literal[start..].trim_matches(['"', '#']).to_owned())
}

/// Whether a string is the name of a compiler with its version, or a path of the list.
fn is_of_a_package(text: &str) -> bool {
    let is_versioned = text.rsplit_once('-').is_some_and(|(name, version)| {
        ["clang", "clang++", "flang", "gcc", "g++", "gfortran"].contains(&name)
            && version.parse::<u32>().is_ok()
    });
    is_versioned
        || text.starts_with("/usr/lib/llvm-")
        || Prerequisite::all()
            .any(|it| matches!(it, Prerequisite::File(file) if file.text() == text))
}

#[test]
fn no_source_goes_around_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        files.extend(files_below(&root.join(folder), is_rust).expect("the sources can be read"));
    }
    let own = [root.join(LIST), root.join(file!())];
    assert!(own.iter().all(|path| files.contains(path)), "the folders were not read: {files:?}");
    let mut found = Vec::new();
    for path in files.iter().filter(|path| !own.contains(path)) {
        let source = fs::read_to_string(path).expect("a source can be read");
        let names = bypasses(&source);
        found.extend(names.into_iter().map(|name| format!("{}: {name}", path.display())));
    }
    assert!(found.is_empty(), "add it to {LIST} and ask that:\n{}", found.join("\n"));
}

#[test]
fn a_name_beside_the_list_is_seen() {
    let seen = |source| bypasses(source);
    assert_eq!(seen(r#"fn f() { std::process::Command::new("awk").arg("x"); }"#), ["awk"]);
    assert_eq!(seen(r#"fn f() { g(&[Command::new("awk")]); }"#), ["awk"]);
    assert_eq!(seen(r#"const C: &str = "clang-21";"#), ["clang-21"]);
    assert_eq!(
        seen(r#"const F: &str = "/usr/lib/llvm-22/lib/x.so";"#),
        ["/usr/lib/llvm-22/lib/x.so"]
    );
    assert_eq!(seen(r#"const F: &str = r"/usr/include/fftw3.h";"#), ["/usr/include/fftw3.h"]);
}

#[test]
fn other_names_are_not() {
    let source = r##"
        // Command::new("awk")
        fn f() {
            Command::new(&program).arg("gcc");
            Command::new("rustc");
            family("clang");
            title("a.c::gcc-O2");
        }
    "##;
    assert_eq!(bypasses(source), Vec::<String>::new());
}
