//! The syntax of OMP_PLACES (OpenMP 5.2 §21.1.6).

use core::fmt;
use core::hash::Hash;
use std::collections::HashSet;

use super::value::{self, Parsed};

/// The parts of a machine for which an abstract name stands, one place per part; inner layers come
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceKind {
    /// Hardware threads.
    Threads,
    /// Cores.
    Cores,
    /// Sets of cores that share a cache of the second level.
    L2Caches,
    /// Sets of cores that share the last level of cache.
    LlCaches,
    /// Sets of cores close to one memory.
    NumaDomains,
    /// Dies in a socket.
    Dies,
    /// Sockets.
    Sockets,
}

// The names of the specification, then the additional ones of LLVM's runtime.
const KINDS: [(&str, PlaceKind); 8] = [
    ("threads", PlaceKind::Threads),
    ("cores", PlaceKind::Cores),
    ("ll_caches", PlaceKind::LlCaches),
    ("numa_domains", PlaceKind::NumaDomains),
    ("sockets", PlaceKind::Sockets),
    ("dice", PlaceKind::Dies),
    ("l2_caches", PlaceKind::L2Caches),
    ("tiles", PlaceKind::L2Caches),
];

/// An order of the hardware threads, with KMP_AFFINITY's number `permute`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadOrder {
    /// Neighbours first, except that the given number of innermost levels changes slowest.
    Compact(u32),
    /// As far apart as possible, except for the given number of outermost levels.
    Scatter(u32),
}

/// The place list that a user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceList {
    /// Places of one kind, as many as the machine has or at most `count`.
    Abstract {
        /// The part of the machine that is a place.
        kind: PlaceKind,
        /// The number of places, at least 1; `None` for all.
        count: Option<u32>,
    },
    /// For each hardware thread, in some order, the part of the machine that contains it
    /// (KMP_AFFINITY).
    PerThread {
        /// The kind of the parts.
        granularity: PlaceKind,
        /// The order of the hardware threads.
        order: ThreadOrder,
        /// The number of places that move from the front to the end.
        offset: u32,
    },
    /// Places as sets of the system's processor numbers, in the given order.
    Explicit(Vec<Vec<u32>>),
}

/// The largest number of processors or places; a larger one is a mistake.
pub(super) const MOST: u32 = 1 << 16;
/// The largest total number of processors in all places of a list.
const MOST_WRITTEN: usize = 1 << 20;

/// Reads a place list.
pub(super) fn parse(text: &str) -> Parsed<PlaceList> {
    if text.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) {
        return parse_abstract(text);
    }
    let mut cursor = Cursor { rest: text };
    let shift = |place: &Vec<u32>, offset| shifted(place, offset);
    let places = cursor.list(Cursor::place, shift, Vec::len)?;
    if !cursor.rest.is_empty() {
        return Err(format!("not understood from \"{}\" on", value::shortened(cursor.rest)));
    }
    if places.is_empty() { Err(nothing_left("place")) } else { Ok(PlaceList::Explicit(places)) }
}

fn parse_abstract(text: &str) -> Parsed<PlaceList> {
    let (name, count) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => {
            let number = rest.trim_end().strip_suffix(')').ok_or("the ( is not closed")?;
            (name, Some(value::integer(number.trim(), 1)?))
        }
    };
    Ok(PlaceList::Abstract { kind: value::word(name.trim(), &KINDS)?, count })
}

/// The place list that replaces an invalid OMP_PLACES: all parts of the kind with which the value
/// begins, otherwise cores.
pub(super) fn instead_of(text: &str) -> PlaceList {
    let end = text.find(|symbol: char| !symbol.is_ascii_alphanumeric() && symbol != '_');
    let name = &text[..end.unwrap_or(text.len())];
    let kind = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    PlaceList::Abstract { kind: kind.map_or(PlaceKind::Cores, |(_, kind)| *kind), count: None }
}

/// The message for a list in which the exclusions leave nothing.
fn nothing_left(what: &str) -> String {
    format!("no {what} is left")
}

pub(super) fn too_many() -> String {
    "more processors than any machine has".to_owned()
}

/// The rest of the text that is being parsed.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// Whether `symbol` comes next; if so, skips it and the blanks around it.
    fn accept(&mut self, symbol: char) -> bool {
        match self.rest.trim_start().strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Parsed<i64> {
        let negative = self.accept('-');
        let end = self.rest.find(|symbol: char| !symbol.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number = i64::from(value::integer(digits, 0)?);
        self.rest = rest;
        Ok(if negative { -number } else { number })
    }

    fn processor(&mut self) -> Parsed<u32> {
        processor(self.number()?)
    }

    /// Parses `{…}`, or a single processor.
    fn place(&mut self) -> Parsed<Vec<u32>> {
        if !self.accept('{') {
            return Ok(vec![self.processor()?]);
        }
        let next = |&first: &u32, offset| processor(i64::from(first).saturating_add(offset));
        let processors = self.list(Self::processor, next, |_| 1)?;
        if !self.accept('}') {
            return Err("a { is not closed".to_owned());
        }
        if processors.is_empty() { Err(nothing_left("processor")) } else { Ok(processors) }
    }

    /// Parses intervals `item[:length[:stride]]` between commas, and `!item`, which excludes an
    /// item. `size` returns the number of processors of an item.
    fn list<T: Eq + Hash>(
        &mut self,
        item: impl Fn(&mut Self) -> Parsed<T>,
        shifted: impl Fn(&T, i64) -> Parsed<T>,
        size: impl Fn(&T) -> usize,
    ) -> Parsed<Vec<T>> {
        let (mut items, mut excluded) = (Vec::new(), HashSet::new());
        let mut written = 0_usize;
        loop {
            if self.accept('!') {
                excluded.insert(item(self)?);
            } else {
                let first = item(self)?;
                let length = if self.accept(':') { self.number()? } else { 1 };
                let stride = if self.accept(':') { self.number()? } else { 1 };
                if length < 1 || length + items.len() as i64 > i64::from(MOST) {
                    return Err(format!("an interval of {length}"));
                }
                written = written.saturating_add(size(&first).saturating_mul(length as usize));
                if written > MOST_WRITTEN {
                    return Err(too_many());
                }
                for index in 0..length {
                    items.push(shifted(&first, index.saturating_mul(stride))?);
                }
            }
            if !self.accept(',') {
                items.retain(|item| !excluded.contains(item));
                return Ok(items);
            }
        }
    }
}

/// Checks the number of a processor.
pub(super) fn processor(number: i64) -> Parsed<u32> {
    u32::try_from(number)
        .ok()
        .filter(|&number| number < MOST)
        .ok_or_else(|| format!("{number} is no processor number"))
}

fn shifted(place: &[u32], offset: i64) -> Parsed<Vec<u32>> {
    place.iter().map(|&first| processor(i64::from(first).saturating_add(offset))).collect()
}

/// Writes the syntax of OMP_PLACES or KMP_AFFINITY, with intervals expanded.
impl fmt::Display for PlaceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Abstract { kind, count } => {
                let name =
                    KINDS.iter().find(|(_, known)| known == kind).map_or("", |(name, _)| name);
                f.write_str(name)?;
                count.map_or(Ok(()), |count| write!(f, "({count})"))
            }
            Self::PerThread { granularity, order, offset } => {
                let name = match granularity {
                    PlaceKind::Threads => "fine",
                    PlaceKind::Cores => "core",
                    PlaceKind::L2Caches => "l2",
                    PlaceKind::Dies => "die",
                    PlaceKind::LlCaches => "ll_cache",
                    PlaceKind::NumaDomains => "numa_domain",
                    PlaceKind::Sockets => "socket",
                };
                let (kind, permute) = match order {
                    ThreadOrder::Compact(permute) => ("compact", permute),
                    ThreadOrder::Scatter(permute) => ("scatter", permute),
                };
                write!(f, "granularity={name},{kind},{permute},{offset}")
            }
            Self::Explicit(places) => {
                for (index, place) in places.iter().enumerate() {
                    let numbers: Vec<String> = place.iter().map(ToString::to_string).collect();
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{{{}}}", numbers.join(","))?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PlaceKind, PlaceList, instead_of, parse};
    use proptest::prelude::{prop_assert_eq, proptest};

    fn explicit(text: &str) -> String {
        match parse(text) {
            Ok(places @ PlaceList::Explicit(_)) => places.to_string(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn abstract_names_may_have_a_count() {
        let kind = PlaceKind::Cores;
        assert_eq!(parse("Cores"), Ok(PlaceList::Abstract { kind, count: None }));
        assert_eq!(parse("cores ( 4 )"), Ok(PlaceList::Abstract { kind, count: Some(4) }));
        for text in ["threads", "ll_caches", "numa_domains(2)", "sockets"] {
            assert_eq!(parse(text).map(|places| places.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn the_specifications_four_ways_to_write_a_list_mean_the_same() {
        let list = "{0,1,2,3},{4,5,6,7},{8,9,10,11},{12,13,14,15}";
        for text in [list, "{0:4},{4:4},{8:4},{12:4}", "{0:4}:4:4", "{ 0 : 4 } : 4 : 4"] {
            assert_eq!(explicit(text), list);
        }
    }

    #[test]
    fn strides_and_exclusions() {
        assert_eq!(explicit("{0:3:2}"), "{0,2,4}");
        assert_eq!(explicit("{6:3:-2}"), "{6,4,2}");
        assert_eq!(explicit("{0:4,!2}"), "{0,1,3}");
        assert_eq!(explicit("{0}:4,!{1}"), "{0},{2},{3}");
        assert_eq!(explicit("0,3:2"), "{0},{3},{4}");
    }

    #[test]
    fn a_bad_list_still_says_which_kind() {
        let shown = |text| instead_of(text).to_string();
        assert_eq!(shown("sockets("), "sockets");
        assert_eq!(shown("Threads()"), "threads");
        assert_eq!(shown("l2_caches(x"), "l2_caches");
        for text in ["invalid", "{0", "", "\u{fffd}", "threadsy"] {
            assert_eq!(shown(text), "cores");
        }
    }

    #[test]
    fn lists_that_would_fill_the_memory_are_refused() {
        for text in ["{0:65536}:65536", "{0:60000}:30:1,{0}"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let exclusions: String = (0..60_000).map(|number| format!(",!{number}")).collect();
        assert_eq!(explicit(&format!("0:60001{exclusions}")), "{60000}");
    }

    #[test]
    fn slips_are_refused() {
        for text in [
            "{",
            "{}",
            "{0",
            "{0}}",
            "{0},",
            "{a}",
            "cores(",
            "cores(0)",
            "cores(-1)",
            "hills",
            "{0:0}",
            "{0:99999999}",
            "{-1}",
            "{0}:3:-1",
            "{99999}",
            "{0}:70000",
            "!{0}",
            "{!0}",
            "{0:2,!0,!1},{2}",
            "{0};{1}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_understood_reads_back_as_it_is_written(text in "[{}:,!0-9 -]{0,12}") {
            if let Ok(places) = parse(&text) {
                prop_assert_eq!(parse(&places.to_string()), Ok(places));
            }
        }
    }
}
