//! The items of an implementation, by keyword and name.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// An item of an implementation.
pub(crate) struct Item {
    /// `fn`, `type` or `const`.
    pub(crate) keyword: String,
    /// The name that follows the keyword, such as that of a method.
    pub(crate) name: Ident,
    /// Its `cfg` attributes.
    pub(crate) conditions: TokenStream,
}

/// The items between the braces of an implementation.
///
/// The error is about a macro between them, whose items cannot be seen here.
pub(crate) fn items(attribute: &str, body: TokenStream) -> Result<Vec<Item>, (Span, String)> {
    let mut items = Vec::new();
    let mut tokens = body.into_iter().peekable();
    let mut conditions = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(ref punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Group(attribute)) = tokens.next()
                    && is_condition(&attribute.stream())
                {
                    conditions.extend([token, TokenTree::Group(attribute)]);
                }
            }
            TokenTree::Ident(word) => {
                if matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!')
                {
                    return Err((word.span(), hidden(attribute)));
                }
                let keyword = word.to_string();
                if !matches!(keyword.as_str(), "fn" | "type" | "const") {
                    continue;
                }
                let Some(TokenTree::Ident(name)) = tokens.next() else { continue };
                let conditions = std::mem::take(&mut conditions);
                items.push(Item { keyword, name, conditions });
                for token in tokens.by_ref() {
                    match token {
                        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                        TokenTree::Punct(punct) if punct.as_char() == ';' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(items)
}

fn is_condition(attribute: &TokenStream) -> bool {
    matches!(attribute.clone().into_iter().next(), Some(TokenTree::Ident(name))
        if name.to_string() == "cfg")
}

fn hidden(attribute: &str) -> String {
    format!("a macro hides the methods that it makes from `{attribute}`: write them out")
}
