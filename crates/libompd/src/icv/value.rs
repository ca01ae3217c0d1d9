//! The values of variables, as integers and as texts in the form of OMP_DISPLAY_ENV.

use oxomp_debuggee::AddressSpace;
use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_team_generator_t};

use crate::Answer;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(i64),
    /// Numbers, one for each level of regions.
    Numbers(Vec<i64>),
    /// Thread affinity policies (`omp_proc_bind_t`), one for each level of regions.
    Policies(Vec<i64>),
    /// Bytes.
    Size(i64),
    /// A number that has a name.
    Word(i64, &'static str),
    /// A schedule: `omp_sched_t`, the modifier, and the chunk size, 0 if it is unspecified.
    Schedule {
        /// `omp_sched_t` without modifier.
        kind: i64,
        /// 0 unspecified, 1 monotonic, 2 nonmonotonic.
        modifier: i64,
        /// The chunk size.
        chunk: i64,
    },
    /// An allocator (`omp_allocator_handle_t`).
    Allocator(i64),
    /// Neighbours in the place list.
    Partition {
        /// The number of the first one.
        first: u64,
        /// How many there are.
        length: u64,
    },
    /// A text, without a number.
    Text(Vec<u8>),
}

/// A value as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: i64,
    /// Whether that is all of the value, and not only its first part.
    pub(crate) is_all: bool,
}

/// The most processors of a place, in words of 64: more are taken for corrupted memory.
const MOST_WORDS: usize = 1 << 10;

/// A number without sign as one with sign, the largest one if it does not fit.
pub(super) fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Value {
    /// A number without sign.
    pub(super) fn number_of(number: u64) -> Self {
        Value::Number(clamp(number))
    }

    /// The value as an integer: of a list its first element, of a schedule its kind, of a place
    /// partition the number of its places.
    ///
    /// # Errors
    /// `incompatible` if no integer stands for it.
    pub(crate) fn number(&self) -> Answer<Number> {
        let all = |value| Ok(Number { value, is_all: true });
        match self {
            Value::Truth(value) => all(i64::from(*value)),
            Value::Number(value)
            | Value::Size(value)
            | Value::Word(value, _)
            | Value::Allocator(value) => all(*value),
            Value::Partition { length, .. } => all(clamp(*length)),
            Value::Numbers(values) | Value::Policies(values) => match values.split_first() {
                Some((first, rest)) => Ok(Number { value: *first, is_all: rest.is_empty() }),
                None => Err(ompd_rc_t::ERROR),
            },
            Value::Schedule { kind, modifier, chunk } => {
                Ok(Number { value: *kind, is_all: *modifier == 0 && *chunk == 0 })
            }
            Value::Text(_) => Err(ompd_rc_t::INCOMPATIBLE),
        }
    }

    /// The value as a text.
    pub(crate) fn text(&self, space: &AddressSpace) -> Answer<Vec<u8>> {
        Ok(match self {
            Value::Truth(true) => b"TRUE".to_vec(),
            Value::Truth(false) => b"FALSE".to_vec(),
            Value::Number(value) => value.to_string().into(),
            Value::Size(bytes) => size(*bytes).into(),
            Value::Numbers(values) => joined(values, ToString::to_string),
            Value::Policies(values) => joined(values, |value| policy(*value)),
            Value::Word(_, word) => word.as_bytes().to_vec(),
            Value::Schedule { kind, modifier, chunk } => schedule(*kind, *modifier, *chunk).into(),
            Value::Allocator(handle) => allocator(*handle).into(),
            Value::Partition { first, length } => partition(space, *first, *length)?,
            Value::Text(text) => text.clone(),
        })
    }
}

fn joined(values: &[i64], text: impl Fn(&i64) -> String) -> Vec<u8> {
    values.iter().map(text).collect::<Vec<_>>().join(",").into()
}

/// A name, or else the number.
fn named(names: &[&str], number: i64) -> String {
    let name = usize::try_from(number).ok().and_then(|number| names.get(number));
    name.map_or_else(|| number.to_string(), ToString::to_string)
}

/// A number of bytes in the largest unit that divides it.
fn size(bytes: i64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.iter().find(|(shift, _)| bytes != 0 && bytes.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}

fn policy(policy: i64) -> String {
    named(&["false", "true", "primary", "close", "spread"], policy)
}

/// The kind and the chunk size, which `omp_get_schedule` reports too where it is unspecified.
fn schedule(kind: i64, modifier: i64, chunk: i64) -> String {
    let modifier = match modifier {
        1 => "monotonic:",
        2 => "nonmonotonic:",
        _ => "",
    };
    let kind = match kind {
        1 => "static".to_owned(),
        2 => "dynamic".to_owned(),
        3 => "guided".to_owned(),
        4 => "auto".to_owned(),
        other => other.to_string(),
    };
    format!("{modifier}{kind},{chunk}")
}

fn allocator(handle: i64) -> String {
    let names = [
        "omp_null_allocator",
        "omp_default_mem_alloc",
        "omp_large_cap_mem_alloc",
        "omp_const_mem_alloc",
        "omp_high_bw_mem_alloc",
        "omp_low_lat_mem_alloc",
        "omp_cgroup_mem_alloc",
        "omp_pteam_mem_alloc",
        "omp_thread_mem_alloc",
    ];
    named(&names, handle)
}

pub(super) fn target_offload(policy: i64) -> &'static str {
    match policy {
        0 => "DISABLED",
        1 => "DEFAULT",
        2 => "MANDATORY",
        _ => "UNKNOWN",
    }
}

/// The wait policy; the default, to stay awake for a while and then sleep, counts as passive.
pub(super) fn wait_policy(policy: i64) -> &'static str {
    match policy {
        1 => "ACTIVE",
        0 | 2 => "PASSIVE",
        _ => "UNKNOWN",
    }
}

pub(super) fn team_generator(generator: ompd_team_generator_t) -> &'static str {
    match generator {
        ompd_team_generator_t::PROGRAM => "program",
        ompd_team_generator_t::PARALLEL => "parallel",
        ompd_team_generator_t::TEAMS => "teams",
        _ => "target",
    }
}

/// The places of a partition, `{0,1},{2,3}`. The runtime shows the place list to a debugger that it
/// expects.
fn partition(space: &AddressSpace, first: u64, length: u64) -> Answer<Vec<u8>> {
    if length == 0 {
        return Ok(Vec::new());
    }
    space.require_tracking()?;
    let places = space.objects(space.process(), Field::ProcessPlaces)?;
    let range = first
        .checked_add(length)
        .and_then(|end| Some(usize::try_from(first).ok()?..usize::try_from(end).ok()?));
    let places = range.and_then(|range| places.get(range)).ok_or(ompd_rc_t::ERROR)?;
    let mut text = String::new();
    for (index, place) in places.iter().enumerate() {
        let words = space.numbers(*place, Field::PlaceProcessors)?;
        if words.len() > MOST_WORDS {
            return Err(ompd_rc_t::ERROR);
        }
        let bits = words.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        });
        let processors: Vec<String> = bits.map(|processor| processor.to_string()).collect();
        let comma = if index == 0 { "" } else { "," };
        text.push_str(&format!("{comma}{{{}}}", processors.join(",")));
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::{Number, Value, allocator, policy, schedule, size};
    use oxomp_sys::ompd::ompd_rc_t;

    #[test]
    fn the_first_part_of_a_value_is_not_all_of_it() {
        let first = |value| Ok(Number { value, is_all: false });
        let all = |value| Ok(Number { value, is_all: true });
        assert_eq!(Value::Numbers(vec![4]).number(), all(4));
        assert_eq!(Value::Numbers(vec![6, 4]).number(), first(6));
        assert_eq!(Value::Policies(vec![4, 3]).number(), first(4));
        assert_eq!(Value::Schedule { kind: 2, modifier: 0, chunk: 0 }.number(), all(2));
        assert_eq!(Value::Schedule { kind: 2, modifier: 0, chunk: 7 }.number(), first(2));
        assert_eq!(Value::Schedule { kind: 2, modifier: 1, chunk: 0 }.number(), first(2));
        assert_eq!(Value::Partition { first: 3, length: 2 }.number(), all(2));
        assert_eq!(Value::Text(b"text".to_vec()).number(), Err(ompd_rc_t::INCOMPATIBLE));
        assert_eq!(Value::number_of(u64::MAX).number(), all(i64::MAX));
    }

    #[test]
    fn numbers_without_a_name_stay_numbers() {
        assert_eq!((policy(2), policy(-1), policy(9)), ("primary".into(), "-1".into(), "9".into()));
        assert_eq!(allocator(1), "omp_default_mem_alloc");
        assert_eq!(allocator(1025), "1025");
        assert_eq!([size(0), size(3 << 20), size(65537)], ["0B", "3M", "65537B"]);
        assert_eq!(schedule(2, 0, 2), "dynamic,2");
        assert_eq!(schedule(1, 1, 0), "monotonic:static,0");
        assert_eq!(schedule(77, 9, 3), "77,3");
    }
}
