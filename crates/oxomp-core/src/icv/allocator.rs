//! The syntax of OMP_ALLOCATOR (OpenMP 5.2 §21.5.1): *def-allocator-var*.
//!
//! The value is a predefined allocator, or a predefined memory space with the traits of an
//! allocator in it.

use super::value::{self, Parsed};

/// The value of the variable, checked against the names and values of the specification (5.2 tables
/// 6.1 to 6.3) and kept as written, without blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefAllocator {
    /// The predefined allocator, if there are no traits; otherwise the predefined memory space.
    pub name: &'static str,
    /// The traits, each with its value.
    pub traits: Vec<(&'static str, String)>,
}

impl DefAllocator {
    /// The default allocator.
    pub const DEFAULT: Self = Self { name: "omp_default_mem_alloc", traits: Vec::new() };
}

const ALLOCATORS: [&str; 8] = [
    "omp_default_mem_alloc",
    "omp_large_cap_mem_alloc",
    "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc",
    "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc",
    "omp_thread_mem_alloc",
];

const SPACES: [&str; 5] = [
    "omp_default_mem_space",
    "omp_large_cap_mem_space",
    "omp_const_mem_space",
    "omp_high_bw_mem_space",
    "omp_low_lat_mem_space",
];

/// The allowed values of a trait.
enum Values {
    Words(&'static [&'static str]),
    PowerOfTwo,
    Positive,
    Boolean,
    Allocator,
}

const TRAITS: [(&str, Values); 8] = [
    (
        "sync_hint",
        Values::Words(&["contended", "uncontended", "serialized", "sequential", "private"]),
    ),
    ("alignment", Values::PowerOfTwo),
    ("access", Values::Words(&["all", "cgroup", "pteam", "thread"])),
    ("pool_size", Values::Positive),
    ("fallback", Values::Words(&["default_mem_fb", "null_fb", "abort_fb", "allocator_fb"])),
    ("fb_data", Values::Allocator),
    ("pinned", Values::Boolean),
    ("partition", Values::Words(&["environment", "nearest", "blocked", "interleaved"])),
];

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<DefAllocator> {
    let known = |names: &[&'static str], text: &str| {
        names.iter().copied().find(|name| name.eq_ignore_ascii_case(text.trim()))
    };
    if let Some(name) = known(&ALLOCATORS, text) {
        return Ok(DefAllocator { name, traits: Vec::new() });
    }
    let (space, list) = match text.split_once(':') {
        Some((space, list)) => (space, Some(list)),
        None => (text, None),
    };
    let name = known(&SPACES, space).ok_or("neither an allocator nor a memory space")?;
    let traits = list.map_or(Ok(Vec::new()), |list| list.split(',').map(one_trait).collect());
    Ok(DefAllocator { name, traits: traits? })
}

/// `trait=value`
fn one_trait(text: &str) -> Parsed<(&'static str, String)> {
    let (name, value) = text.split_once('=').ok_or("a trait without a value")?;
    let (name, value) = (name.trim(), value.trim());
    let (name, values) = TRAITS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("{} is no trait of an allocator", value::shortened(name)))?;
    let is_good = match values {
        Values::Words(words) => words.iter().any(|word| word.eq_ignore_ascii_case(value)),
        Values::PowerOfTwo => value.parse().is_ok_and(usize::is_power_of_two),
        Values::Positive => value.parse().is_ok_and(|size: usize| size > 0),
        Values::Boolean => value::boolean(value).is_ok(),
        Values::Allocator => ALLOCATORS.iter().any(|name| name.eq_ignore_ascii_case(value)),
    };
    if is_good {
        Ok((name, value.to_owned()))
    } else {
        Err(format!("{} is no value of the trait {name}", value::shortened(value)))
    }
}

/// Writes the syntax of OMP_ALLOCATOR.
impl core::fmt::Display for DefAllocator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)?;
        for (index, (name, value)) in self.traits.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn allocators_and_memory_spaces_with_traits() {
        for text in [
            "omp_default_mem_alloc",
            "omp_thread_mem_alloc",
            "omp_default_mem_space",
            "omp_large_cap_mem_space:alignment=16,pinned=true",
            "omp_high_bw_mem_space:pool_size=1048576,fallback=allocator_fb,fb_data=omp_low_lat_mem_alloc",
            "omp_const_mem_space:sync_hint=serialized,access=pteam,partition=nearest",
        ] {
            assert_eq!(parse(text).map(|said| said.to_string()).as_deref(), Ok(text));
        }
        let spaced = parse("OMP_LOW_LAT_MEM_SPACE : Pinned = 1").map(|said| said.to_string());
        assert_eq!(spaced.as_deref(), Ok("omp_low_lat_mem_space:pinned=1"));
    }

    #[test]
    fn slips_are_refused() {
        for text in [
            "111",
            "1",
            "omp_default_mem_alloc_xyz",
            "omp_null_allocator",
            "omp_default_mem_alloc:pinned=true",
            "omp_default_mem_space:",
            "omp_default_mem_space:foo=1",
            "omp_default_mem_space:pinned",
            "omp_default_mem_space:pinned=maybe",
            "omp_default_mem_space:alignment=3",
            "omp_default_mem_space:alignment=16,",
            "omp_default_mem_space:pool_size=0",
            "omp_default_mem_space:access=",
            "omp_default_mem_space:fb_data=omp_null_allocator",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
