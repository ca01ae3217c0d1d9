//! The attributes of the crate `ompt`, which re-exports them as `ompt::tool` and
//! `ompt::report_2015::tool`, and documents them there.
//!
//! An attribute reads the names of an implementation's methods, and adds the items that follow
//! from them. It needs no parser of Rust: an item of an implementation begins with attributes and
//! a keyword, and ends with a body or a semicolon.

mod items;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::items::{Item, items};

/// Methods of `Tool` that belong to no event.
const NOT_EVENTS: [&str; 6] =
    ["initialize", "wanted", "events", "registered", "finalize", "trace_records"];

/// The interfaces that a tool may be of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    /// The interface of OpenMP 5.0 to 6.0.
    OpenMp,
    /// The interface of the 2015 report.
    Report2015,
}

impl Interface {
    /// The attribute's name.
    fn attribute(self) -> &'static str {
        match self {
            Self::OpenMp => "ompt::tool",
            Self::Report2015 => "ompt::report_2015::tool",
        }
    }
}

/// Completes an implementation of `ompt::Tool` or `ompt::Data`; see `ompt::tool`.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, input: TokenStream) -> TokenStream {
    completed(Interface::OpenMp, arguments, input)
}

/// Completes an implementation of `ompt::report_2015::Tool`; see `ompt::report_2015::tool`.
#[proc_macro_attribute]
pub fn tool_2015(arguments: TokenStream, input: TokenStream) -> TokenStream {
    completed(Interface::Report2015, arguments, input)
}

fn completed(interface: Interface, arguments: TokenStream, input: TokenStream) -> TokenStream {
    let done = match arguments.into_iter().next() {
        Some(argument) => {
            Err((argument.span(), format!("`{}` takes no arguments", interface.attribute())))
        }
        None => complete(interface, &input),
    };
    match done {
        Ok(added) => with_items(input, added),
        Err((span, message)) => {
            let mut tokens = error(span, &message);
            tokens.extend(input);
            tokens
        }
    }
}

/// The items to add to the implementation.
fn complete(interface: Interface, input: &TokenStream) -> Result<TokenStream, (Span, String)> {
    let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
    let attribute = interface.attribute();
    let wrong = || {
        let or_data = match interface {
            Interface::OpenMp => " or `impl Data for …`",
            Interface::Report2015 => "",
        };
        (Span::call_site(), format!("`{attribute}` stands before `impl Tool for …`{or_data}"))
    };
    let Some(TokenTree::Group(body)) = tokens.last() else { return Err(wrong()) };
    let name = tokens
        .windows(2)
        .find_map(|pair| match pair {
            [TokenTree::Ident(name), TokenTree::Ident(word)] if word.to_string() == "for" => {
                Some(name.to_string())
            }
            _ => None,
        })
        .unwrap_or_default();
    let items = items(attribute, body.stream())?;
    match (name.as_str(), interface) {
        ("Tool", Interface::OpenMp) => {
            let mut added = methods("::ompt", &items);
            if !has(&items, "type", "Model") {
                added.extend(parse("type Model = ::ompt::Raw;"));
            }
            Ok(added)
        }
        ("Tool", Interface::Report2015) => Ok(methods("::ompt::report_2015", &items)),
        ("Data", Interface::OpenMp) => Ok(data_items(&items)),
        _ => Err(wrong()),
    }
}

/// The set of the methods' events, of the type in this module of the SDK.
fn methods(module: &str, items: &[Item]) -> TokenStream {
    let mut methods = TokenStream::new();
    for item in items.iter().filter(|item| item.keyword == "fn") {
        let method = item.name.to_string();
        if !NOT_EVENTS.contains(&method.as_str()) {
            methods.extend(item.conditions.clone());
            methods.extend(parse(&format!("{method:?},")));
        }
    }
    let mut list = parse("&");
    list.extend([TokenTree::Group(Group::new(Delimiter::Bracket, methods))]);
    let set = format!("{module}::EventSet");
    let mut added = parse(&format!("const METHODS: {set} = {set}::of_methods"));
    added.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, list))]);
    added.extend(parse(";"));
    added
}

/// Empty data, and their making, for the objects that the implementation does not name.
fn data_items(items: &[Item]) -> TokenStream {
    let objects = [
        ("Thread", "new_thread", "&::ompt::ThreadBegin<'_, ::ompt::Typed<Self>>"),
        ("Region", "new_region", "&::ompt::ParallelBegin<'_, ::ompt::Typed<Self>>"),
        ("Task", "new_task", "&::ompt::NewTask<'_, Self>"),
    ];
    let mut added = TokenStream::new();
    for (data, make, event) in objects {
        if !has(items, "type", data) && !has(items, "fn", make) {
            added.extend(parse(&format!("type {data} = (); fn {make}(&self, _: {event}) {{}}")));
        }
    }
    added
}

fn has(items: &[Item], keyword: &str, name: &str) -> bool {
    items.iter().any(|item| item.keyword == keyword && item.name.to_string() == name)
}

/// The implementation with further items at its end.
fn with_items(input: TokenStream, added: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = input.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        let mut all = body.stream();
        all.extend(added);
        let mut group = Group::new(Delimiter::Brace, all);
        group.set_span(body.span());
        tokens.push(TokenTree::Group(group));
    }
    tokens.into_iter().collect()
}

fn parse(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

fn error(span: Span, message: &str) -> TokenStream {
    parse(&format!("::core::compile_error! {{ {message:?} }}"))
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}
