//! Patterns for one value of an event, and the names bound to values so far.

use std::collections::BTreeMap;

use crate::trace::source::SourceLines;

/// The pattern of a value: one of several alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePattern(Vec<Alternative>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Alternative {
    /// `*`
    Any,
    /// `$name`: one value in the whole program.
    Global(String),
    /// `%name`: one value in one thread.
    Local(String),
    /// `@MARK`: the return address of a call in a line marked so.
    Mark(String),
    /// `&MARK`: the address of a function that begins in a line marked so.
    Start(String),
    /// The text itself; of a frame, the text before the address.
    Text(String),
}

/// Names bound to values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bindings(BTreeMap<String, String>);

impl ValuePattern {
    /// Reads `text`, with `|` between alternatives.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let alternative = |text: &str| match text.split_at_checked(1) {
            Some(("*", "")) => Alternative::Any,
            Some(("$", name)) => Alternative::Global(format!("${name}")),
            Some(("%", name)) => Alternative::Local(format!("%{name}")),
            Some(("@", name)) => Alternative::Mark(name.to_owned()),
            Some(("&", name)) => Alternative::Start(name.to_owned()),
            _ => Alternative::Text(text.to_owned()),
        };
        Self(text.split('|').map(alternative).collect())
    }

    /// The `%` names in the pattern.
    pub fn locals(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|one| match one {
            Alternative::Local(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The marks in the pattern.
    pub fn marks(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|one| match one {
            Alternative::Mark(name) | Alternative::Start(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether `value` fits; a name that is still free is bound to it.
    pub fn fits(&self, value: &str, bindings: &mut Bindings, lines: &dyn Lines) -> bool {
        self.0.iter().any(|one| match one {
            Alternative::Any => true,
            Alternative::Global(name) | Alternative::Local(name) => bindings.unify(name, value),
            Alternative::Mark(mark) => lines.returns_to(value, mark),
            Alternative::Start(mark) => lines.begins_at(value, mark),
            Alternative::Text(text) => {
                value == text || value.split_once('@').is_some_and(|(kind, _)| kind == text)
            }
        })
    }
}

impl Bindings {
    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Makes a name free again.
    pub fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// The names that all threads share.
    #[must_use]
    pub fn globals(&self) -> Self {
        let global = |(name, _): &(&String, &String)| name.starts_with('$');
        Self(self.0.iter().filter(global).map(|(a, b)| (a.clone(), b.clone())).collect())
    }

    /// Different names are bound to different regions and tasks, and no name to a missing object.
    fn unify(&mut self, name: &str, value: &str) -> bool {
        match self.0.get(name) {
            Some(bound) => bound == value,
            None if is_missing(value) => false,
            None if is_object(value) && self.0.values().any(|other| other == value) => false,
            None => {
                self.0.insert(name.to_owned(), value.to_owned());
                true
            }
        }
    }
}

fn is_missing(value: &str) -> bool {
    value == "null" || value == "zero" || value.starts_with("bad:")
}

/// Regions and tasks are objects of their own; a lock's id may be seen under several names.
fn is_object(value: &str) -> bool {
    value.strip_prefix(['p', 't']).is_some_and(|rest| rest.bytes().all(|c| c.is_ascii_digit()))
}

/// Finds the line of a code address.
pub trait Lines {
    /// Whether the call that returns to `address` stands in a line with this mark.
    fn returns_to(&self, address: &str, mark: &str) -> bool;

    /// Whether the function at `address` begins in a line with this mark.
    fn begins_at(&self, address: &str, mark: &str) -> bool;

    /// The line of the call that returns to `address`, if it is known.
    fn line(&self, address: &str) -> Option<u32>;
}

impl Lines for SourceLines {
    fn returns_to(&self, address: &str, mark: &str) -> bool {
        SourceLines::returns_to(self, address, mark)
    }

    fn begins_at(&self, address: &str, mark: &str) -> bool {
        SourceLines::begins_at(self, address, mark)
    }

    fn line(&self, address: &str) -> Option<u32> {
        SourceLines::line(self, address)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Bindings, Lines, ValuePattern};

    /// A program in which the address is the mark.
    #[derive(Debug)]
    pub(crate) struct Named;

    impl Lines for Named {
        fn returns_to(&self, address: &str, mark: &str) -> bool {
            address == mark
        }

        fn begins_at(&self, address: &str, mark: &str) -> bool {
            address.strip_prefix("start of ") == Some(mark)
        }

        fn line(&self, _address: &str) -> Option<u32> {
            None
        }
    }

    fn fits(pattern: &str, value: &str, bindings: &mut Bindings) -> bool {
        ValuePattern::parse(pattern).fits(value, bindings, &Named)
    }

    #[test]
    fn texts_alternatives_and_frames() {
        let free = &mut Bindings::default();
        assert!(fits("null|@HERE", "null", free) && fits("null|@HERE", "HERE", free));
        assert!(!fits("null|@HERE", "THERE", free));
        assert!(fits("&HERE", "start of HERE", free) && !fits("&HERE", "HERE", free));
        assert!(fits("*", "anything", free));
        assert!(fits("set:runtime,cfa", "set:runtime,cfa@0x7f", free));
        assert!(!fits("set:runtime", "set:runtime,cfa@0x7f", free));
    }

    #[test]
    fn names_are_bound_once_and_to_different_objects() {
        let bindings = &mut Bindings::default();
        assert!(!fits("$p", "null", bindings) && !fits("$p", "bad:0x1", bindings));
        assert!(fits("$p", "p1", bindings) && fits("$p", "p1", bindings));
        assert!(!fits("$p", "p2", bindings));
        assert!(!fits("%q", "p1", bindings));
        assert!(fits("%q", "p2", bindings));
        assert!(fits("%lock", "w1", bindings) && fits("%other", "w1", bindings));
        bindings.forget("%q");
        assert!(fits("%q", "p3", bindings));
        assert_eq!(bindings.globals().get("%q"), None);
        assert_eq!(bindings.globals().get("$p"), Some("p1"));
    }
}
