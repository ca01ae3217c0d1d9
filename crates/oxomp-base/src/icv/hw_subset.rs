//! The syntax of KMP_HW_SUBSET: the part of the machine that the process uses.
//!
//! `[:]count layer[@offset][:attribute][&…],…` with the layers in any order, separated by commas or
//! `x`; a count that is missing or `*` means all. Of a layer of sockets, cores or hardware threads
//! that is not mentioned all units count; after a leading colon only the mentioned layers count.

use core::fmt;

use super::place_list::PlaceKind;
use super::value::{self, Parsed};

/// The kind of cores that count, on a machine with several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreAttribute {
    /// The cores that Linux lists as `cpu_core`.
    Performance,
    /// The cores that Linux lists as `cpu_atom`.
    Efficient,
    /// The cores of a rank by capacity, 0 for the weakest.
    Efficiency(u32),
}

/// A number of parts within each part of the next outer layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// The number of parts; `None` for all.
    pub count: Option<u32>,
    /// The number of parts to skip before them.
    pub offset: u32,
    /// The kind of cores; `None` for any.
    pub attribute: Option<CoreAttribute>,
}

impl Units {
    /// All parts.
    const ALL: Self = Self { count: None, offset: 0, attribute: None };
}

/// The layers of the subset, outermost first, each once, with its alternatives (several only for
/// cores of several kinds).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HwSubset {
    /// The layers; never empty.
    pub layers: Vec<(PlaceKind, Vec<Units>)>,
}

/// The names of layers; a name precedes its prefixes.
const LAYERS: [(&str, PlaceKind); 26] = [
    ("sockets", PlaceKind::Sockets),
    ("socket", PlaceKind::Sockets),
    ("packages", PlaceKind::Sockets),
    ("package", PlaceKind::Sockets),
    ("s", PlaceKind::Sockets),
    ("dice", PlaceKind::Dies),
    ("dies", PlaceKind::Dies),
    ("die", PlaceKind::Dies),
    ("d", PlaceKind::Dies),
    ("numa_domains", PlaceKind::NumaDomains),
    ("numa_domain", PlaceKind::NumaDomains),
    ("numa", PlaceKind::NumaDomains),
    ("n", PlaceKind::NumaDomains),
    ("ll_caches", PlaceKind::LlCaches),
    ("ll_cache", PlaceKind::LlCaches),
    ("ll", PlaceKind::LlCaches),
    ("l3", PlaceKind::LlCaches),
    ("tiles", PlaceKind::L2Caches),
    ("tile", PlaceKind::L2Caches),
    ("l2", PlaceKind::L2Caches),
    ("cores", PlaceKind::Cores),
    ("core", PlaceKind::Cores),
    ("c", PlaceKind::Cores),
    ("threads", PlaceKind::Threads),
    ("thread", PlaceKind::Threads),
    ("t", PlaceKind::Threads),
];

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<HwSubset> {
    let lower: String =
        text.to_ascii_lowercase().chars().filter(|symbol| !symbol.is_ascii_whitespace()).collect();
    let (text, absolute) = match lower.strip_prefix(':') {
        Some(rest) => (rest, true),
        None => (lower.as_str(), false),
    };
    let mut layers: Vec<(PlaceKind, Vec<Units>)> = Vec::new();
    for item in text.split([',', 'x']) {
        let (layer, alternatives) = alternatives(item)?;
        if layers.iter().any(|(known, _)| *known == layer) {
            return Err("a layer is mentioned twice".to_owned());
        }
        layers.push((layer, alternatives));
    }
    if !absolute {
        for layer in [PlaceKind::Sockets, PlaceKind::Cores, PlaceKind::Threads] {
            if !layers.iter().any(|(known, _)| *known == layer) {
                layers.push((layer, vec![Units::ALL]));
            }
        }
    }
    layers.sort_by_key(|(layer, _)| core::cmp::Reverse(*layer));
    Ok(HwSubset { layers })
}

/// `item&item…` of one layer.
fn alternatives(text: &str) -> Parsed<(PlaceKind, Vec<Units>)> {
    let mut items = text.split('&').map(units);
    let (layer, first) = items.next().unwrap_or_else(|| Err("empty".to_owned()))?;
    let mut alternatives = vec![first];
    for item in items {
        let (other, units) = item?;
        if other != layer {
            return Err("& joins two layers".to_owned());
        }
        alternatives.push(units);
    }
    let have_attributes = alternatives.iter().all(|units| units.attribute.is_some());
    if alternatives.len() > 1 && !have_attributes {
        return Err("& joins cores of no attribute".to_owned());
    }
    Ok((layer, alternatives))
}

/// `[count]layer[@offset][:attribute]`
fn units(text: &str) -> Parsed<(PlaceKind, Units)> {
    let (text, attribute) = match text.split_once(':') {
        Some((text, name)) => (text, Some(attribute(name)?)),
        None => (text, None),
    };
    let (text, offset) = match text.split_once('@') {
        Some((text, offset)) => (text, value::integer(offset, 0)?),
        None => (text, 0),
    };
    let end = text.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(text.len());
    let (count, name) = match text.strip_prefix('*') {
        Some(name) => (None, name),
        None if end == 0 => (None, text),
        None => (Some(value::integer(&text[..end], 1)?), &text[end..]),
    };
    let (_, layer) = LAYERS
        .into_iter()
        .find(|(known, _)| *known == name)
        .ok_or("not of the form 1s,2c,1t with layers s, d, n, l3, l2, c, t")?;
    if attribute.is_some() && layer != PlaceKind::Cores {
        return Err("only cores have attributes".to_owned());
    }
    Ok((layer, Units { count, offset, attribute }))
}

fn attribute(name: &str) -> Parsed<CoreAttribute> {
    match name {
        "intel_core" => Ok(CoreAttribute::Performance),
        "intel_atom" => Ok(CoreAttribute::Efficient),
        _ => match name.strip_prefix("eff") {
            Some(rank) => Ok(CoreAttribute::Efficiency(value::integer(rank, 0)?)),
            None => Err("an attribute is intel_core, intel_atom or eff and a number".to_owned()),
        },
    }
}

/// Writes the syntax of KMP_HW_SUBSET, with the layers outermost first, after a colon.
impl fmt::Display for HwSubset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (layer, alternatives)) in self.layers.iter().enumerate() {
            f.write_str(if index == 0 { ":" } else { "," })?;
            // The shortest name of a layer is its last.
            let name =
                LAYERS.iter().rfind(|(_, known)| known == layer).map_or("", |(name, _)| name);
            for (index, units) in alternatives.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "&" })?;
                match units.count {
                    Some(count) => write!(f, "{count}{name}@{}", units.offset)?,
                    None => write!(f, "*{name}@{}", units.offset)?,
                }
                match units.attribute {
                    Some(CoreAttribute::Performance) => f.write_str(":intel_core")?,
                    Some(CoreAttribute::Efficient) => f.write_str(":intel_atom")?,
                    Some(CoreAttribute::Efficiency(rank)) => write!(f, ":eff{rank}")?,
                    None => {}
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use proptest::prelude::{prop_assert_eq, proptest};

    fn written(text: &str) -> String {
        parse(text).map(|subset| subset.to_string()).unwrap_or_else(|problem| panic!("{problem}"))
    }

    #[test]
    fn layers_in_any_order_and_those_that_are_implied() {
        assert_eq!(written("1s,2c,1t"), ":1s@0,2c@0,1t@0");
        assert_eq!(written("1T x 2Cores@3"), ":*s@0,2c@3,1t@0");
        assert_eq!(written("*c,1t"), ":*s@0,*c@0,1t@0");
        assert_eq!(written("sockets,1numa,2l3"), ":*s@0,1n@0,2l3@0,*c@0,*t@0");
        assert_eq!(written("1d,1tile"), ":*s@0,1d@0,1l2@0,*c@0,*t@0");
        assert_eq!(written(":1s,3t@2"), ":1s@0,3t@2");
        let hybrid = "4c:intel_core&2c@1:INTEL_ATOM,1t";
        assert_eq!(written(hybrid), ":*s@0,4c@0:intel_core&2c@1:intel_atom,1t@0");
        assert_eq!(written(":2c:eff1"), ":2c@0:eff1");
    }

    #[test]
    fn slips_are_refused() {
        for text in [
            "",
            ":",
            "foo",
            "1",
            "0c",
            "-1c",
            "1c,",
            "1c,,1t",
            "1c,2c",
            "1c@",
            "1c@-1",
            "1c@x",
            "1q",
            "99999999999c",
            "1c:",
            "1c:fast",
            "1s:eff1",
            "1c&1c",
            "1c:eff0&1t",
            "1c:eff",
            "1 2c@0@1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_understood_reads_back_as_it_is_written(
            text in "[:]?[0-9*]?[sdnct][,x][0-9]?(l2|l3|core)[@&:][a-z0-9]{0,6}"
        ) {
            if let Ok(subset) = parse(&text) {
                prop_assert_eq!(parse(&subset.to_string()), Ok(subset));
            }
        }
    }
}
