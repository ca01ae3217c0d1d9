//! The syntax of KMP_AFFINITY, the older variable of LLVM's and Intel's runtimes that binds
//! threads.
//!
//! `[modifier,…]type[,permute][,offset]`.

use super::ProcBind;
use super::place_list::{PlaceKind, PlaceList, ThreadOrder};
use super::processor_list;
use super::value::{self, Parsed};

/// The value of the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KmpAffinity {
    pub(super) binding: Binding,
    pub(super) modifiers: AffinityModifiers,
}

/// The binding of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// The variable has modifiers only.
    Unsaid,
    /// Threads are not bound.
    Unbound,
    /// Threads are bound to these places.
    Bound(PlaceList, ProcBind),
}

/// The modifiers beside the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AffinityModifiers {
    /// The runtime prints the machine and the binding of each thread.
    pub verbose: bool,
    /// The runtime prints warnings about binding.
    pub warnings: bool,
    /// The process uses only processors that it was given. Otherwise it uses all that the system
    /// permits.
    pub respect: bool,
    /// The runtime unbinds the primary thread of an outermost region when the region is over.
    pub reset: bool,
}

impl AffinityModifiers {
    /// The default, `noverbose,warnings,respect,noreset`.
    pub const DEFAULT: Self = Self { verbose: false, warnings: true, respect: true, reset: false };
}

#[derive(Clone, Copy)]
enum Type {
    Compact,
    Scatter,
    /// The older name of compact; its only number is the offset.
    Logical,
    /// The older name of scatter; its only number is the offset.
    Physical,
    Balanced,
    Explicit,
    Unbound,
}

const TYPES: [(&str, Type); 8] = [
    ("compact", Type::Compact),
    ("scatter", Type::Scatter),
    ("logical", Type::Logical),
    ("physical", Type::Physical),
    ("balanced", Type::Balanced),
    ("explicit", Type::Explicit),
    ("none", Type::Unbound),
    ("disabled", Type::Unbound),
];

const GRANULARITIES: [(&str, PlaceKind); 16] = [
    ("fine", PlaceKind::Threads),
    ("thread", PlaceKind::Threads),
    ("core", PlaceKind::Cores),
    ("l2", PlaceKind::L2Caches),
    ("l2_cache", PlaceKind::L2Caches),
    ("tile", PlaceKind::L2Caches),
    ("llc", PlaceKind::LlCaches),
    ("ll_cache", PlaceKind::LlCaches),
    ("l3", PlaceKind::LlCaches),
    ("l3_cache", PlaceKind::LlCaches),
    ("numa", PlaceKind::NumaDomains),
    ("node", PlaceKind::NumaDomains),
    ("numa_domain", PlaceKind::NumaDomains),
    ("die", PlaceKind::Dies),
    ("socket", PlaceKind::Sockets),
    ("package", PlaceKind::Sockets),
];

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<KmpAffinity> {
    let (mut kind, mut granularity, mut processors) = (None, PlaceKind::Cores, None);
    let mut numbers = Vec::new();
    let mut modifiers = AffinityModifiers::DEFAULT;
    for element in elements(&text.to_ascii_lowercase()) {
        if let Some(word) = element.strip_prefix("granularity=") {
            granularity = value::word(word.trim(), &GRANULARITIES)?;
        } else if let Some(list) = element.strip_prefix("proclist=") {
            let inner = list.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
            processors =
                Some(processor_list::parse_proclist(inner.ok_or("proclist lacks its []")?)?);
        } else if element.starts_with(|symbol: char| symbol.is_ascii_digit()) {
            numbers.push(value::integer(&element, 0)?);
        } else if !modifiers.accept(&element) {
            let word = value::word(&element, &TYPES)?;
            if kind.replace(word).is_some() {
                return Err("two types".to_owned());
            }
        }
    }
    if processors.is_some() {
        kind = kind.or(Some(Type::Explicit));
    }
    let (permute, offset) = match (numbers.as_slice(), kind) {
        ([], _) => (0, 0),
        (_, None) => return Err("numbers without a type".to_owned()),
        (&[offset], Some(Type::Logical | Type::Physical)) => (0, offset),
        (&[permute], _) => (permute, 0),
        (&[permute, offset], _) => (permute, offset),
        _ => return Err("more than two numbers".to_owned()),
    };
    let ordered = |order| {
        let places = PlaceList::PerThread { granularity, order, offset };
        Binding::Bound(places, ProcBind::True)
    };
    let binding = match kind {
        None => Binding::Unsaid,
        Some(Type::Unbound) => Binding::Unbound,
        Some(Type::Compact | Type::Logical) => ordered(ThreadOrder::Compact(permute)),
        Some(Type::Scatter | Type::Physical) => ordered(ThreadOrder::Scatter(permute)),
        Some(Type::Balanced) => {
            let places = PlaceList::Abstract { kind: PlaceKind::Cores, count: None };
            Binding::Bound(places, ProcBind::Close)
        }
        Some(Type::Explicit) => {
            let places = processors.ok_or("explicit without a proclist")?;
            Binding::Bound(places, ProcBind::True)
        }
    };
    Ok(KmpAffinity { binding, modifiers })
}

impl AffinityModifiers {
    /// Applies `word`, if it is one of the modifiers. Returns whether it is.
    fn accept(&mut self, word: &str) -> bool {
        match word {
            "verbose" => self.verbose = true,
            "noverbose" => self.verbose = false,
            "warnings" => self.warnings = true,
            "nowarnings" => self.warnings = false,
            "respect" => self.respect = true,
            "norespect" => self.respect = false,
            "reset" => self.reset = true,
            "noreset" => self.reset = false,
            // A place for several threads occurs several times in any case.
            "duplicates" | "noduplicates" => {}
            _ => return false,
        }
        true
    }
}

/// Writes the syntax of KMP_AFFINITY, without type and numbers.
impl core::fmt::Display for AffinityModifiers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let words = [
            (self.verbose, "verbose"),
            (self.warnings, "warnings"),
            (self.respect, "respect"),
            (self.reset, "reset"),
        ];
        for (index, (holds, word)) in words.into_iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}{word}", if holds { "" } else { "no" })?;
        }
        Ok(())
    }
}

/// The parts between commas that are not in brackets.
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
    use super::{AffinityModifiers, Binding, parse};
    use crate::icv::ProcBind;
    use proptest::prelude::{any, proptest};

    /// The places in their syntax, and the policy.
    fn bound(text: &str) -> (String, ProcBind) {
        match parse(text).map(|affinity| affinity.binding) {
            Ok(Binding::Bound(places, policy)) => (places.to_string(), policy),
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
        assert_eq!(bound("proclist=[{0,1},1]"), threads("{0,1},{1}"));
        assert_eq!(bound("logical,2"), threads("granularity=core,compact,0,2"));
        assert_eq!(bound("physical,granularity=tile"), threads("granularity=l2,scatter,0,0"));
        assert_eq!(bound("balanced"), ("cores".to_owned(), ProcBind::Close));
    }

    #[test]
    fn modifiers() {
        let modifiers = |text| parse(text).map(|affinity| affinity.modifiers.to_string());
        let default = AffinityModifiers::DEFAULT.to_string();
        assert_eq!(default, "noverbose,warnings,respect,noreset");
        assert_eq!(modifiers("compact"), Ok(default));
        let all = "verbose,nowarnings,norespect,reset";
        assert_eq!(modifiers(&format!("{all},none,duplicates")).as_deref(), Ok(all));
    }

    #[test]
    fn nothing_said_is_not_the_same_as_none() {
        let binding = |text| parse(text).map(|affinity| affinity.binding);
        assert_eq!(binding("verbose,granularity=fine"), Ok(Binding::Unsaid));
        assert_eq!(binding("norespect,none"), Ok(Binding::Unbound));
        assert_eq!(binding("DISABLED"), Ok(Binding::Unbound));
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
            ",",
            "compact,scatter",
            "granularity=",
            "1",
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
