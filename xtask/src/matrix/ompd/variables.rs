//! The internal control variables, as the table of the crate `libompd` has them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};

const TABLE: &str = "crates/libompd/src/icv/mod.rs";

/// Names and scopes, in the order of their numbers.
pub(super) fn read(root: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(root.join(TABLE)).with_context(|| format!("no {TABLE}"))?;
    let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{TABLE}: {error}"))?;
    let mut found = Vec::new();
    collect(tokens, &mut found);
    Ok(found)
}

/// Collects from each `row(c"NAME", SCOPE, …)`.
fn collect(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let mut is_row = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let arguments: Vec<TokenTree> = group.stream().into_iter().collect();
            match &arguments[..] {
                [TokenTree::Literal(name), _, TokenTree::Ident(scope), ..] if is_row => {
                    let name =
                        name.to_string().trim_start_matches('c').trim_matches('"').to_owned();
                    let scope = match scope.to_string().as_str() {
                        "AS" => "address space".to_owned(),
                        other => other.to_lowercase(),
                    };
                    found.push((name, scope));
                }
                _ => collect(group.stream(), found),
            }
        }
        is_row = matches!(&token, TokenTree::Ident(word) if word == "row");
    }
}

#[cfg(test)]
mod tests {
    use super::collect;

    #[test]
    fn rows_have_a_name_and_a_scope() {
        let mut found = Vec::new();
        let text = "const ROWS: &[Row] = &[row(c\"dyn-var\", THREAD, Variable::Dynamic), \
            row(c\"debug-var\", AS, Variable::Debug)]; fn row(name: &CStr) {}";
        collect(text.parse().expect("tokens"), &mut found);
        let row = |name: &str, scope: &str| (name.to_owned(), scope.to_owned());
        assert_eq!(found, [row("dyn-var", "thread"), row("debug-var", "address space")]);
    }
}
