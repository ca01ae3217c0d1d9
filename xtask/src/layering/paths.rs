//! The module paths that a Rust source file mentions: `use` lists and paths in code alike.
//!
//! Only `crate::…`, `self::…` and `super::…` are followed, since within a crate every other path
//! begins at one of them or at a name imported by one. Modules under `#[cfg(test)]` are left out.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path below the crate's root, such as `["ompt", "event"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its segments, without `crate`.
    pub path: Vec<String>,
    /// The line where it stands, from 1.
    pub line: usize,
}

/// All paths mentioned by `source`, the file of the module `module`.
pub fn mentions(source: &str, module: &[String]) -> Result<Vec<Mention>> {
    let tokens = TokenStream::from_str(source).map_err(|error| anyhow!("not Rust: {error}"))?;
    let mut found = Vec::new();
    walk(tokens, module, &mut found);
    Ok(found)
}

fn walk(tokens: TokenStream, module: &[String], found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    let mut test_only = false;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => {
                test_only |=
                    is_attribute(&tokens, at) && group.stream().to_string() == "cfg (test)";
                walk(group.stream(), module, found);
            }
            TokenTree::Ident(ident) if *ident == "mod" => {
                if let Some((name, body)) = inline_module(&tokens, at) {
                    if !test_only {
                        let mut inner = module.to_vec();
                        inner.push(name);
                        walk(body, &inner, found);
                    }
                    at += 2;
                }
                test_only = false;
            }
            TokenTree::Ident(ident) if starts_path(&tokens, at) => {
                let base = match ident.to_string().as_str() {
                    "crate" => Some(Vec::new()),
                    "self" => Some(module.to_vec()),
                    "super" => Some(module[..module.len().saturating_sub(1)].to_vec()),
                    _ => None,
                };
                if let Some(base) = base {
                    at = path(&tokens, at + 1, base, ident.span().start().line, found);
                    continue;
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => test_only = false,
            _ => {}
        }
        at += 1;
    }
}

/// Reads `:: name`, `:: {…}`, `:: super` after a base, and hands back the token after the path.
fn path(
    tokens: &[TokenTree],
    mut at: usize,
    mut path_so_far: Vec<String>,
    line: usize,
    found: &mut Vec<Mention>,
) -> usize {
    while is_separator(tokens, at) {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(ident)) if *ident == "super" => {
                path_so_far.pop();
            }
            Some(TokenTree::Ident(ident)) => path_so_far.push(ident.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                list(group.stream(), &path_so_far, found);
                return at + 3;
            }
            // `::<T>` or `::*`: the path ends before it.
            _ => break,
        }
        at += 3;
    }
    let is_macro = matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == '!')
        && path_so_far.len() == 1;
    if !is_macro {
        found.push(Mention { path: path_so_far, line });
    }
    at
}

/// Reads the entries of `{a, b::c, d::{e, f}}`.
fn list(stream: TokenStream, base: &[String], found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
    for entry in tokens.split(is_comma) {
        let Some(TokenTree::Ident(first)) = entry.first() else { continue };
        let mut start = base.to_vec();
        if *first != "self" {
            start.push(first.to_string());
        }
        path(entry, 1, start, first.span().start().line, found);
    }
}

fn starts_path(tokens: &[TokenTree], at: usize) -> bool {
    let continues = at >= 2 && is_separator(tokens, at - 2);
    !continues && is_separator(tokens, at + 1)
}

fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(at) && colon(at + 1)
}

fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    at >= 1 && matches!(&tokens[at - 1], TokenTree::Punct(punct) if punct.as_char() == '#')
}

fn inline_module(tokens: &[TokenTree], at: usize) -> Option<(String, TokenStream)> {
    let TokenTree::Ident(name) = tokens.get(at + 1)? else { return None };
    let TokenTree::Group(body) = tokens.get(at + 2)? else { return None };
    (body.delimiter() == Delimiter::Brace).then(|| (name.to_string(), body.stream()))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    fn found(source: &str, module: &[&str]) -> Vec<(String, usize)> {
        let module: Vec<String> = module.iter().map(|&name| name.to_owned()).collect();
        let mentions = mentions(source, &module).expect("the source is Rust");
        mentions.into_iter().map(|mention| (mention.path.join("::"), mention.line)).collect()
    }

    #[test]
    fn use_lists_are_spread_out() {
        let source = "use crate::{a, b::{self, c},\n d::e as f};\nuse std::fmt;\n";
        let wanted = [("a", 1), ("b", 1), ("b::c", 1), ("d::e", 2)];
        assert_eq!(found(source, &["m"]), wanted.map(|(path, line)| (path.to_owned(), line)));
    }

    #[test]
    fn paths_in_code_and_macros_count() {
        let source = "fn f() {\n m!(crate::team::size(), x);\n}\nmacro_rules! q { () => { $crate::os::y() } }";
        let wanted = [("team::size", 2), ("os::y", 4)];
        assert_eq!(found(source, &["m"]), wanted.map(|(path, line)| (path.to_owned(), line)));
    }

    #[test]
    fn super_and_self_start_at_the_module() {
        let source =
            "use super::team::Team;\nuse self::inner::X;\nmod inner { use super::super::os; }";
        let wanted = [("b::team::Team", 1), ("b::c::inner::X", 2), ("b::os", 3)];
        assert_eq!(found(source, &["b", "c"]), wanted.map(|(path, line)| (path.to_owned(), line)));
    }

    #[test]
    fn comments_strings_and_test_modules_do_not_count() {
        let source = "// crate::a\nconst S: &str = \"crate::b\";\n#[cfg(test)]\nmod tests { use crate::c; }\nmod d { use crate::e; }";
        assert_eq!(found(source, &["m"]), [("e".to_owned(), 5)]);
    }

    #[test]
    fn a_macro_of_the_crate_is_no_module() {
        assert_eq!(
            found("fn f() { crate::entry!(a); crate::os::log!(b) }", &[]),
            [("os::log".to_owned(), 1)]
        );
    }
}
