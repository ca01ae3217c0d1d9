//! How KMP_AFFINITY is written, the older way of LLVM's and Intel's runtimes to bind threads.
//!
//! `[modifier,…]type[,permute][,offset]`. Of the modifiers `granularity` and `proclist` have a meaning
//! here; `respect`, which is always so, `verbose`, `warnings` and `reset` are accepted.

use super::ProcBind;
use super::place_list::{self, PlaceKind, PlaceList, ThreadOrder};
use super::value::{self, Parsed};

/// What the variable asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KmpAffinity {
    /// Nothing: it has modifiers only.
    Unsaid,
    /// Threads are not bound.
    Unbound,
    /// Threads are bound to these places.
    Bound(PlaceList, ProcBind),
}

#[derive(Clone, Copy)]
enum Type {
    Compact,
    Scatter,
    Balanced,
    Explicit,
    Unbound,
}

const TYPES: [(&str, Type); 6] = [
    ("compact", Type::Compact),
    ("scatter", Type::Scatter),
    ("balanced", Type::Balanced),
    ("explicit", Type::Explicit),
    ("none", Type::Unbound),
    ("disabled", Type::Unbound),
];

const GRANULARITIES: [(&str, PlaceKind); 11] = [
    ("fine", PlaceKind::Threads),
    ("thread", PlaceKind::Threads),
    ("core", PlaceKind::Cores),
    ("llc", PlaceKind::LlCaches),
    ("ll_cache", PlaceKind::LlCaches),
    ("l3_cache", PlaceKind::LlCaches),
    ("numa", PlaceKind::NumaDomains),
    ("node", PlaceKind::NumaDomains),
    ("numa_domain", PlaceKind::NumaDomains),
    ("socket", PlaceKind::Sockets),
    ("package", PlaceKind::Sockets),
];

const WITHOUT_EFFECT: [&str; 8] =
    ["verbose", "noverbose", "warnings", "nowarnings", "respect", "norespect", "reset", "noreset"];

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<KmpAffinity> {
    let (mut kind, mut granularity, mut processors) = (None, PlaceKind::Cores, None);
    let mut numbers = Vec::new();
    for element in elements(&text.to_ascii_lowercase()) {
        if let Some(word) = element.strip_prefix("granularity=") {
            granularity = value::word(word.trim(), &GRANULARITIES)?;
        } else if let Some(list) = element.strip_prefix("proclist=") {
            let inner = list.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
            processors = Some(place_list::parse_processors(inner.ok_or("proclist lacks its []")?)?);
        } else if element.starts_with(|symbol: char| symbol.is_ascii_digit()) {
            numbers.push(value::integer(&element, 0)?);
        } else if !WITHOUT_EFFECT.contains(&element.as_str()) {
            kind = Some(value::word(&element, &TYPES)?);
        }
    }
    let (permute, offset) = match *numbers.as_slice() {
        [] => (0, 0),
        [permute] => (permute, 0),
        [permute, offset] => (permute, offset),
        _ => return Err("more than two numbers".to_owned()),
    };
    let ordered = |order| {
        let places = PlaceList::PerThread { granularity, order, offset };
        KmpAffinity::Bound(places, ProcBind::True)
    };
    Ok(match kind {
        None => KmpAffinity::Unsaid,
        Some(Type::Unbound) => KmpAffinity::Unbound,
        Some(Type::Compact) => ordered(ThreadOrder::Compact(permute)),
        Some(Type::Scatter) => ordered(ThreadOrder::Scatter(permute)),
        Some(Type::Balanced) => {
            let places = PlaceList::Abstract { kind: PlaceKind::Cores, count: None };
            KmpAffinity::Bound(places, ProcBind::Close)
        }
        Some(Type::Explicit) => {
            let places = processors.ok_or("explicit without a proclist")?;
            KmpAffinity::Bound(places, ProcBind::True)
        }
    })
}

/// What stands between the commas that are in no brackets.
fn elements(text: &str) -> Vec<String> {
    let (mut elements, mut depth) = (vec![String::new()], 0);
    for symbol in text.chars().filter(|symbol| !symbol.is_ascii_whitespace()) {
        match symbol {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        match elements.last_mut() {
            Some(element) if symbol != ',' || depth > 0 => element.push(symbol),
            _ => elements.push(String::new()),
        }
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::{KmpAffinity, parse};
    use crate::icv::ProcBind;
    use proptest::prelude::{any, proptest};

    /// The places as they print, and the policy.
    fn bound(text: &str) -> (String, ProcBind) {
        match parse(text) {
            Ok(KmpAffinity::Bound(places, policy)) => (places.to_string(), policy),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn types_with_their_numbers() {
        let threads = |text: &str| (text.to_owned(), ProcBind::True);
        assert_eq!(bound("compact"), threads("granularity=core,compact,0,0"));
        assert_eq!(bound("granularity=fine,compact,1,0"), threads("granularity=fine,compact,1,0"));
        assert_eq!(bound("verbose, Scatter, 0, 3"), threads("granularity=core,scatter,0,3"));
        assert_eq!(bound("scatter,granularity=socket"), threads("granularity=socket,scatter,0,0"));
        assert_eq!(bound("explicit,proclist=[3,0-1]"), threads("{3},{0},{1}"));
        assert_eq!(bound("proclist=[2, 4-8:2],explicit"), threads("{2},{4},{6},{8}"));
        assert_eq!(bound("balanced"), ("cores".to_owned(), ProcBind::Close));
    }

    #[test]
    fn nothing_said_is_not_the_same_as_none() {
        assert_eq!(parse("verbose,granularity=fine"), Ok(KmpAffinity::Unsaid));
        assert_eq!(parse("norespect,none"), Ok(KmpAffinity::Unbound));
        assert_eq!(parse("DISABLED"), Ok(KmpAffinity::Unbound));
    }

    #[test]
    fn slips_are_refused() {
        for text in [
            "foo",
            "compact,1,2,3",
            "explicit",
            "explicit,proclist=[",
            "explicit,proclist=3",
            "explicit,proclist=[]",
            "granularity=hill,compact",
            "compact,-1",
            "compact,,1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
